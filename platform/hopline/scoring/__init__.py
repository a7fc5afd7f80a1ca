"""Scoring as pure functions on arrays: fusion, PageRank, message passing, beam search, coverage of terms, trees."""
