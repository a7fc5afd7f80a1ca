"""Relation extraction: triples from clauses, noun phrases and tables."""
