"""Detection of the names and noun phrases that a text mentions."""
