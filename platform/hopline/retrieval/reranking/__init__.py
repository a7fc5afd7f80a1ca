"""Reranking of candidates: features and a learned reranker, and the reader."""
