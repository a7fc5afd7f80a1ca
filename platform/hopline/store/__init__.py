"""Neo4j: the schema, reading, writing and searching."""
