"""Answers with quotes from evidence: extractive, generative and closed-book."""

from hopline.answering.extractive import extract_answer
from hopline.answering.generative import answer_closed_book, generate_answer

__all__ = ["answer_closed_book", "extract_answer", "generate_answer"]
