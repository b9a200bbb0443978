"""The write path: messages -> candidates -> grounded -> reconciled -> commit."""
