"""Shared parts of strategies: candidates and stages, reranking, page and table references, agent steps."""
