"""The verbs of ``Memory``, by what they are about; each is one call of a part."""
