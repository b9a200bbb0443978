"""The nouns of Retain: frozen dataclasses, no I/O; of ours they import the errors alone."""
