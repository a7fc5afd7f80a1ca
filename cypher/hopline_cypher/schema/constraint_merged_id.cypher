// Returns: nothing — one node an entity that was merged into another.
CREATE CONSTRAINT merged_id IF NOT EXISTS FOR (n:Merged) REQUIRE n.id IS UNIQUE
