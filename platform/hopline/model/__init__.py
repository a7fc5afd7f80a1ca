"""The ports to embedders and language models."""
