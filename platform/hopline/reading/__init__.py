"""Evidence as the reader gets it, and what it finds there."""
