"""How well a text meets a term of a question."""

from __future__ import annotations

from hopline.answer.context import Text
from hopline.answer.terms import Term

SYNONYM, SURNAME, PART = 0.85, 0.6, 0.8


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
