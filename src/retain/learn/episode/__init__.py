"""Episodes: accounts of experiences, described by rules or by a model, and kept in order."""
