"""Retrievers, and a tool, for LangChain, LlamaIndex and Haystack: one module for each library."""
