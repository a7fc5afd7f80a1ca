"""Names and noun phrases that a text mentions."""
