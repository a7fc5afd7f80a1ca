"""Stages of retrieval, of which strategies are composed: each takes `Candidates` and returns them with more columns."""
