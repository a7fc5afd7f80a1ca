"""What the first pages and the properties of a file state about the document: authors, date, identifiers. Pure."""
