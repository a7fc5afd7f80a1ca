"""Reranking of candidates: coverage of the question's terms, features, and a learned reranker."""
