"""Parameters of strategies, learned from questions with known answers and kept with their collection."""
