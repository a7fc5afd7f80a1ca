"""The parser of questions."""

from __future__ import annotations

import gc
from functools import cache
from typing import TYPE_CHECKING

from hopline.nlp.parser import load_parser

if TYPE_CHECKING:
    from spacy.language import Language


@cache
def load_question_parser() -> Language:
    """Load the parser at its first use, which takes half a second.

    What is loaded by then stays for good (`gc.freeze`): else one question in twenty waits a fifth of a
    second for Python to look through three hundred thousand objects of libraries.
    """
    parser = load_parser(exclude=["ner", "lemmatizer"])
    gc.collect()
    gc.freeze()
    return parser
