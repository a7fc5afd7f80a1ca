// Returns: name, state, type — all indexes of the database.
SHOW INDEXES YIELD name, state, type RETURN name, state, type
