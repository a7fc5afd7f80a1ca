"""From files to a graph: the worker that converges (`python -m hopline_ingest`)."""
