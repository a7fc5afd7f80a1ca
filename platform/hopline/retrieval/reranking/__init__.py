"""The learned reranker: features of candidates, by themselves and in the context of the best, and boosted trees."""
