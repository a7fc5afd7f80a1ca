"""Ingestion of files into the graph by the worker (`python -m hopline_ingest`)."""
