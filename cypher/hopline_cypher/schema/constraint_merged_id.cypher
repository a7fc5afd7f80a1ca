// Returns: nothing — ids of merged entities are unique.
CREATE CONSTRAINT merged_id IF NOT EXISTS FOR (n:Merged) REQUIRE n.id IS UNIQUE
