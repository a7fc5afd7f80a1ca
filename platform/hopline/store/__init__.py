"""Neo4j: the private server, the schema, reading and writing."""
