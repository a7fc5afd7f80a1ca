"""The Cypher statements of Hopline and their loader."""
