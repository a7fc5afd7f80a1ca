"""Answers without a model: sentences and table rows picked from the evidence.

Of Graph-Hop's five types of question: what is asked for is picked by its kind (query), and so is a date, a place or a
number that belongs to it (qualifier); two things are compared by their dates (comparison), which also answers whether
one came before the other (boolean); a count is answered where the evidence states it. Other yes-or-no questions get
the sentences that meet them and no verdict, and nothing is counted up: what was not found would make the number wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hopline.answering.answer_candidate import Offer
from hopline.answering.answer_evidence import AnswerEvidence
from hopline.answering.comparison import Compared, compare, read_comparison
from hopline.answering.evidence_expansion import follow, widen
from hopline.answering.outline import outline
from hopline.answering.question import Question, read_question
from hopline.answering.rows import row_text, table_units
from hopline.answering.sentences import sentence_units
from hopline.answering.support_scoring import Support, supports
from hopline.answering.surroundings import surroundings
from hopline.answering.unit import Unit
from hopline.flow.requests import Flow
from hopline.types import Answer, Citation, Evidence, Retrieval, Sentence

MOST_SENTENCES: Final = 3
_EXPLAINED: Final = 3  # sentences behind the best, where a reason or a manner is asked for
_CLOSE: Final = 0.15  # further sentences are at most this much weaker than the best


def extractive(question: str, retrieval: Retrieval) -> Flow[Answer]:
    """At most three sentences of the evidence that meet what is asked, or an abstention that says what was missing.

    A question for pages and tables as such gets what stands there (`outline`).
    """
    whole = outline(question, retrieval)
    if whole is not None:
        return whole
    read = read_question(question)
    return (yield from picked(read, (yield from widen(read, retrieval))))


def picked(question: Question, given: AnswerEvidence) -> Flow[Answer]:
    """The extractive answer from evidence that is wide enough; follows a name where nothing stands."""
    units = yield from _units(given.evidence)
    both = read_comparison(question.text)
    if both and (compared := compare(both, units)):
        return _of_two(compared, given)
    found = supports(question, units)
    if not any(one.stands for one in found):
        wider = yield from follow(question, given, found)
        known = {one.id for one in given.evidence}
        new = [one for one in wider.evidence if one.id not in known]
        if new:
            given, found = wider, supports(question, units + (yield from _units(new)))
    return compose(question, given, found)


def _of_two(compared: Compared, given: AnswerEvidence) -> Answer:
    return given.answer(tuple(_cited(unit, given) for unit in compared.units), short=compared.short)


def _units(evidence: Sequence[Evidence]) -> Flow[list[Unit]]:
    """Every sentence and table row of some evidence, in its order."""
    around = yield from surroundings(evidence)
    found = []
    for rank, one in enumerate(evidence):
        read = table_units if one.kind == "table" else sentence_units
        found += read(one, rank, around[one.id])
    return found


def compose(question: Question, given: AnswerEvidence, found: Sequence[Support]) -> Answer:
    """The answer from what the evidence supports, best first."""
    standing = [one for one in found if one.stands]
    if not standing or not question.terms:
        return given.answer((), missing=_missing(found))
    sentences = tuple(_sentence(one, given) for one in _best(question, standing, found))
    return given.answer(sentences, short=_short(standing[0]))


def _best(question: Question, standing: Sequence[Support], found: Sequence[Support]) -> list[Support]:
    """The best, what it leans on, and others that are nearly as good."""
    best = standing[0]
    if question.kind in ("reason", "manner"):
        return [best, *_following(best, found)]
    leant = [one for one in found if one.unit is best.bridge]
    close = [one for one in standing[1:] if one.score > best.score - _CLOSE and one not in leant]
    return [best, *leant, *close][:MOST_SENTENCES]


def _following(best: Support, found: Sequence[Support]) -> list[Support]:
    """The sentences behind the best: reasons and manners are told after what they explain."""
    unit = best.unit
    behind = [one for one in found if one.unit.evidence.id == unit.evidence.id and one.unit.start > unit.start]
    return sorted(behind, key=lambda one: one.unit.start)[:_EXPLAINED]


def _sentence(support: Support, given: AnswerEvidence) -> Sentence:
    return _cited(support.unit, given, support.offers[0] if support.offers else None)


def _cited(unit: Unit, given: AnswerEvidence, cell: Offer | None = None) -> Sentence:
    quote = unit.text
    citation = Citation(unit.evidence, quote, unit.start, unit.end, given.path_of(unit.evidence.id))
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
