"""Embedding models: MiniLM, sentence-transformers, OpenAI-compatible endpoints."""
