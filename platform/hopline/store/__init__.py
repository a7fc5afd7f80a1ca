"""Access to the graph in Neo4j: schema, reading, writing, searching and removal."""
