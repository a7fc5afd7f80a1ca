"""The stages of ingestion. Each queries the graph for missing work, processes it and writes the result."""
