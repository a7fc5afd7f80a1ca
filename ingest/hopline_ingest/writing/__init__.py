"""Conversion of parsed documents and extractions into rows for the Cypher statements that write them."""
