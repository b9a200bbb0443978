"""The nouns of Retain: frozen dataclasses, no I/O, no import of ours but this package and the errors."""
