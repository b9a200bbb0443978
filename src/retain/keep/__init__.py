"""Care of the ledger: statistics, integrity, reindex, backup."""
