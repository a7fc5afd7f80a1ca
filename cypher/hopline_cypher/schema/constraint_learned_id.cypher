// Returns: nothing — ids of learned parameters are unique.
CREATE CONSTRAINT learned_id IF NOT EXISTS FOR (n:Learned) REQUIRE n.id IS UNIQUE
