"""The command line: parse, one call of the public API, render."""
