"""Topics of a collection, and searches that are limited to the topics of a question."""
