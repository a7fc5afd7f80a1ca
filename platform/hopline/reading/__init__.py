"""Evidence as the reader gets it, what it finds there, and what rules find: quotes, dates, letters, forms, cells."""
