"""Extraction by a language model."""
