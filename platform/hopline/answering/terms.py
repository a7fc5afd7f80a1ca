"""The words and names of a question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from hopline.answering.tokens import Token
from hopline.nlp.stemmer import fold, root, synonyms

Role = Literal["name", "number", "noun", "verb", "other"]
NAME_NEEDED: Final = 0.51  # more than a mention in the passage beside


@dataclass(frozen=True, slots=True)
class Term:
    """A word or name of the question.

    ``words`` has the forms of each of its words, ``soft`` those of words that mean the same,
    ``acronym`` its letters where it is one, ``joined`` its words run together. ``need`` in [0, 1] is
    the least level at which it must be met; ``weight`` counts it among the others. ``dated``: it is
    a year, a month or a date. ``key``: it says how the answer stands to the rest, and must be said
    where the answer is.
    """

    text: str
    words: tuple[frozenset[str], ...]
    role: Role
    weight: float
    need: float = 0.0
    soft: frozenset[str] = frozenset()
    acronym: str = ""
    joined: str = ""
    dated: bool = False
    key: bool = False


def name_term(run: Sequence[Token], weight: float) -> Term:
    """The term of a name."""
    text = " ".join(token.text for token in run).removesuffix("'s").removesuffix("’s")
    soft = synonyms().get(root(fold(run[0].text)), frozenset()) if len(run) == 1 else frozenset()
    forms = tuple(token.forms for token in run)
    joined = "".join(fold(token.text) for token in run)
    return Term(text, forms, "name", weight, NAME_NEEDED, soft, _acronym(run), joined)


def _acronym(run: Sequence[Token]) -> str:
    """The letters of an acronym ("jj" of "JnJ" and "J&J", "mape" of "MAPE"); empty for what is none."""
    letters = re.sub(r"[^A-Za-z]", "", run[0].text.removesuffix("'s"))
    if len(run) > 1 or not 2 <= len(letters) <= 6 or sum(letter.isupper() for letter in letters) < 2:
        return ""
    return re.sub(r"(?<=[A-Z])n(?=[A-Z])", "", letters).casefold()
