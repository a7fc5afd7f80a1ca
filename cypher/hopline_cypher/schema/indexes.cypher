// Returns: name, state, type — every index there is.
SHOW INDEXES YIELD name, state, type RETURN name, state, type
