"""The pages: ask, compare, documents, explore, welcome."""
