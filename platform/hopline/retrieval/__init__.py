"""What strategies share: candidates, reranking, page and table references, agent steps."""
