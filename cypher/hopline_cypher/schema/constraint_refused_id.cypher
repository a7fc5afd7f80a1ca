// Returns: nothing — ids of Refused are unique.
CREATE CONSTRAINT refused_id IF NOT EXISTS FOR (n:Refused) REQUIRE n.id IS UNIQUE
