"""Components: each shows data or a part of the graph. No Cypher, no retrieval."""
