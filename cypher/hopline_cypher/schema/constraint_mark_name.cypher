// Returns: nothing — one mark a name: the lease, the ledger's extractor and embedder.
CREATE CONSTRAINT mark_name IF NOT EXISTS FOR (n:Mark) REQUIRE n.name IS UNIQUE
