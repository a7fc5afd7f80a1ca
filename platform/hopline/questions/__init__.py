"""Analysis of questions: their parts, hops and comparisons, and follow-up questions made complete."""
