"""Entities: linking names of a question, and resolution of names that mean the same."""
