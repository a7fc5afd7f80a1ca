"""Which option of a multiple-choice question an answer chooses, by its letter or by its text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from hopline.evaluation.answer_matching import exact_match, golden_match

# "B", "(b)", "B.", "B) a tower"; "A tower" begins with an article
_LETTER: Final = re.compile(
    r"\((?P<enclosed>[a-z])\)|(?P<marked>[a-z])[).:](?=\s|$)|(?P<alone>[a-z])\W*$", re.IGNORECASE
)
_SECOND_LETTER: Final = re.compile(r"\W*(?:,|/|&|and|or)\s*\(?[a-z]\b(?:[).]|\W*$)", re.IGNORECASE)
_INTRODUCTION: Final = re.compile(
    r"(?:(?:so|thus|therefore),?\s+)?(?:the\s+)?(?:(?:right|correct|best)\s+)?(?:answer|option|choice)\b(?:\s+is\b)?\s*:?\s*"
    r"(?:(?:option|choice)\s+)?",
    re.IGNORECASE,
)


def choose_option(answer: str, options: Sequence[str]) -> int | None:
    """Return the index of the option that an answer chooses; None if it chooses none, or several.

    A letter counts if the answer consists of it, or begins with it and a mark: "B", "(b)", "B. Wet", "The answer is B".
    Otherwise the answer must equal one option, or contain the text of one. If an option contains another one ("wet",
    "wet and cold"), the longer one counts.
    """
    text = answer.strip().strip("\"'*“”")
    text = text[match.end() :] if (match := _INTRODUCTION.match(text)) else text
    equal = [n for n, option in enumerate(options) if exact_match(text, [option])]
    if equal:
        return equal[0] if len(equal) == 1 else None
    if match := _LETTER.match(text):
        if _SECOND_LETTER.match(text, match.end()):
            return None
        number = ord((match["enclosed"] or match["marked"] or match["alone"]).upper()) - ord("A")
        return number if number < len(options) else None
    named = [n for n, option in enumerate(options) if golden_match(text, [option])]
    named = [n for n in named if not any(n != other and golden_match(options[other], [options[n]]) for other in named)]
    return named[0] if len(named) == 1 else None


def score_choice(answer: str, options: Sequence[str], correct_answers: Sequence[str]) -> float:
    """1 if an answer chooses an option that is one of the correct answers, else 0."""
    chosen = choose_option(answer, options)
    return float(chosen is not None and options[chosen] in correct_answers)
