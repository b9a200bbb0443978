"""Changes by the caller's own word: correct, withdraw, restore, supersede, erase."""
