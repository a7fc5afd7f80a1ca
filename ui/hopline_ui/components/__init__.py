"""What is shown: each view takes data or the open graph, and draws. No Cypher, no retrieval."""
