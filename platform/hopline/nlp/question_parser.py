"""The parser of questions."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from hopline.nlp.parser import load_parser

if TYPE_CHECKING:
    from spacy.language import Language


@cache
def load_question_parser() -> Language:
    """Load the parser at its first use, which takes half a second."""
    return load_parser(exclude=["ner", "lemmatizer"])
