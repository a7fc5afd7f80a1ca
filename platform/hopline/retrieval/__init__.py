"""Shared parts of strategies: candidates, reranking, page and table references, agent steps."""
