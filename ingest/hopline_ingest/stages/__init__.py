"""The stages of ingest. Each asks the graph what is missing, does it, and writes it."""
