"""Analysis of questions: parts, hops, comparisons, requests for a summary; rewriting of follow-up questions."""
