"""Question sets, metrics and the tables they make."""
