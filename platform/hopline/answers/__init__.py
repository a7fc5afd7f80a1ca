"""Answers with quotes from evidence: one module for each kind, which recognises its questions, reads and composes."""
