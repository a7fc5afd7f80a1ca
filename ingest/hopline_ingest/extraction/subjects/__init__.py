"""What a passage or table is about."""
