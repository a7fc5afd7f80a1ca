"""Detection of the subjects of a passage or table: the entities that it is about."""
