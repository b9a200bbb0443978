"""Understanding what was written for other systems."""
