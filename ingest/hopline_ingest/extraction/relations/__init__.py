"""Triples that clauses, noun phrases and tables state."""
