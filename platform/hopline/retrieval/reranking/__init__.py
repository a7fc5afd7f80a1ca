"""The order of candidates: features, and a reranker learned from questions with known answers."""
