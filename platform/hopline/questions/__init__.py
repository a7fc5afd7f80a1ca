"""The analysis of questions: names, numbers, the type of the answer, references to pages and tables, parts."""
