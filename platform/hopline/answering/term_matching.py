"""How well a text meets a term of a question."""

from __future__ import annotations

from hopline.answering.terms import Term
from hopline.answering.text import Text

SYNONYM, SURNAME, PART = 0.85, 0.75, 0.8


class Meeting:
    """`met`, remembered: many sentences stand under one heading, many rows under one header."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], tuple[Text, float]] = {}  # the text is kept so that its id stays its own

    def __call__(self, term: Term, text: Text) -> float:
        key = id(term), id(text)
        if key not in self._known:
            self._known[key] = text, met(term, text)
        return self._known[key][1]


def met(term: Term, text: Text) -> float:
    """From 0 to 1: all its words or its acronym 1, a synonym .85, a part of a name less."""
    if term.acronym and (term.acronym in text.capitals or (len(term.acronym) > 2 and term.acronym in text.initials)):
        return 1.0
    count = sum(1 for forms in term.words if forms & text.forms)
    if count == len(term.words) or (term.joined and term.joined in text.forms):
        return 1.0
    if term.soft & text.forms:
        return SYNONYM
    if not count or term.role != "name":
        return 0.0
    return max(SURNAME if term.words[-1] & text.forms else 0.0, PART * count / len(term.words))
