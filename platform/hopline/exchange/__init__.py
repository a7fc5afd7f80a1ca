"""Export and import of collections: a folder of JSONL files, further formats, and archives of a whole home."""
