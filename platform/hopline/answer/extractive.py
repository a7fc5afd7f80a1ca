"""Answers without a model: sentences and table rows picked from the evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from hopline.answer.context import Around, Unit, units
from hopline.answer.cells import row_text
from hopline.answer.question import Question, read_question
from hopline.answer.support import Support, supports
from hopline.answer.surroundings import surroundings
from hopline.flow.requests import Flow
from hopline.types import Answer, Citation, Retrieval, Sentence

MOST_SENTENCES: Final = 3
_CLOSE: Final = 0.15  # further sentences are at most this much weaker than the best


def extractive(question: str, retrieval: Retrieval) -> Flow[Answer]:
    """At most three sentences of the evidence that meet what is asked, or an abstention that says what was missing."""
    if not retrieval.evidence:
        return Answer(question, (), retrieval, abstained=True)
    around = yield from surroundings(retrieval)
    return compose(question, retrieval, around)


def compose(question: str, retrieval: Retrieval, around: Mapping[str, Around]) -> Answer:
    """The answer from the evidence and what stands around it."""
    read = read_question(question)
    found = supports(read, units(retrieval.evidence, around))
    standing = [one for one in found if one.stands]
    if not standing or not read.terms:
        return Answer(question, (), retrieval, abstained=True, missing=_missing(found))
    picked = _picked(read, standing, found)
    sentences = tuple(_sentence(one, retrieval) for one in picked)
    return Answer(question, sentences, retrieval, short=_short(standing[0]))


def _picked(question: Question, standing: Sequence[Support], found: Sequence[Support]) -> list[Support]:
    """The best, what it leans on, and others that are nearly as good."""
    best = standing[0]
    picked = [best]
    if best.bridge is not None:
        picked += [one for one in found if one.unit is best.bridge][:1]
    if question.kind in ("reason", "manner"):
        picked += [
            one for one in found if one.unit.evidence is best.unit.evidence and 0 < one.unit.start - best.unit.end < 3
        ][:1]
    picked += [one for one in standing[1:] if one.score > best.score - _CLOSE and one not in picked]
    return picked[:MOST_SENTENCES]


def _sentence(support: Support, retrieval: Retrieval) -> Sentence:
    unit = support.unit
    quote = unit.text
    citation = Citation(unit.evidence, quote, unit.start, unit.end, retrieval.path_of(unit.evidence.id))
    cell = support.offers[0] if support.offers else None
    text = row_text(unit, cell) if unit.evidence.kind == "table" else " ".join(quote.split())
    return Sentence(text, (citation,))


def _short(best: Support) -> str:
    if not best.offers:
        return ""
    offer = best.offers[0]
    return " ".join(best.unit.evidence.text[offer.start : offer.end].split())


def _missing(found: Sequence[Support]) -> tuple[str, ...]:
    """What the nearest evidence lacks."""
    return found[0].missing or found[0].weak if found else ()
