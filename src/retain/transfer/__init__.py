"""Import and export: our own lines, and plain conversations."""
