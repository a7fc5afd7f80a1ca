// Returns: nothing — names of marks are unique (the lease, the extractor and the embedder in use).
CREATE CONSTRAINT mark_name IF NOT EXISTS FOR (n:Mark) REQUIRE n.name IS UNIQUE
