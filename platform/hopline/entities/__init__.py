"""Entity linking for questions, and entity resolution: suggestion and merging of names of one entity."""
