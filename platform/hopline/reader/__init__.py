"""The reader: evidence as it gets it, the spans that it finds, their confidence, and quotes."""
