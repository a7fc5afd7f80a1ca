"""The short answers that a unit offers to a question, by the kind that it asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from hopline.answering.answer_candidate import Offer
from hopline.answering.answer_types import Kind
from hopline.answering.quantities import amounts, counts, durations, percentages
from hopline.answering.question import Question
from hopline.answering.term_matching import met
from hopline.answering.text import read_text
from hopline.answering.tokens import Token
from hopline.answering.unit import Unit

_PULL: Final = 0.4  # of the column or the nearness, beside a fit of at most 1
_REACH: Final = 40  # characters at which nearness is one half
_BEST: Final[dict[Kind, frozenset[str]]] = {
    "person": frozenset({"PERSON"}),
    "organisation": frozenset({"ORG"}),
    "place": frozenset({"GPE", "LOC", "FAC"}),
}
_ALSO: Final[dict[Kind, frozenset[str]]] = {
    "person": frozenset({"ORG", "NAME"}),
    "organisation": frozenset({"PERSON", "PRODUCT", "FAC", "NAME"}),
    "place": frozenset({"ORG", "NAME"}),
}


def offers(question: Question, unit: Unit) -> list[Offer]:
    """What a unit offers, best first; empty where the kind of the question asks for nothing so short."""
    find = _FINDERS.get(question.kind)
    found = list(find(question, unit)) if find else []
    near = _columns(question, unit) if unit.columns else _places(question, unit)
    return sorted(found, key=lambda offer: (-offer.fit - _PULL * near(offer), offer.start))


def _columns(question: Question, unit: Unit) -> Callable[[Offer], float]:
    """How much of the question heads the column of an offer, 0 to 1."""
    weights = [(column, sum(t.weight * met(t, column.head) for t in question.terms)) for column in unit.columns]
    most = max((weight for _, weight in weights), default=0.0) or 1.0
    return lambda offer: max((w / most for c, w in weights if c.start < offer.end and offer.start < c.end), default=0.0)


def _places(question: Question, unit: Unit) -> Callable[[Offer], float]:
    """How near an offer stands to the words of the question, 0 to 1."""
    asked = [unit.start + t.start for t in unit.own.tokens if t.forms & question.forms and len(t.text) > 3]
    return lambda offer: sum(1 / (1 + abs(offer.start - place) / _REACH) for place in asked) / max(1, len(asked))


def is_short(kind: Kind) -> bool:
    """Whether a question of this kind has a short answer that can be told apart."""
    return kind in _FINDERS


def dates(question: Question, unit: Unit) -> Iterator[Offer]:
    """Dates, months and years that say more than the question."""
    tokens = unit.own.tokens
    place = 0
    while place < len(tokens):
        last = place
        while last < len(tokens) and (tokens[last].dated or _is_day(tokens, last)):
            last += 1
        run = tokens[place:last]
        if any(token.dated and not token.forms <= question.forms for token in run):
            yield Offer(unit.start + run[0].start, unit.start + run[-1].end, min(1.0, 0.6 + 0.1 * len(run)))
        place = max(last, place + 1)


def _is_day(tokens: Sequence[Token], place: int) -> bool:
    token = tokens[place]
    sides = (tokens[n] for n in (place - 1, place + 1) if 0 <= n < len(tokens))
    day = token.kind == "number" and token.number is not None and 1 <= token.number <= 31
    return day and any(form[0] == "@" for side in sides for form in side.forms)


def names(question: Question, unit: Unit) -> Iterator[Offer]:
    """Names of the kind asked for that the question does not name itself."""
    best, also = _BEST[question.kind], _ALSO[question.kind]
    for mention in unit.mentions:
        if not _is_name(mention.name) or _known(mention.start, mention.end, unit, question):
            continue
        if mention.kind in best:
            yield Offer(mention.start, mention.end, 1.0 if _says_asked(mention.name, question) else 0.9)
        elif mention.kind in also and not question.personal:
            yield Offer(mention.start, mention.end, 0.6)
    if not question.personal:
        yield from _named_cells(question, unit)


def _says_asked(name: str, question: Question) -> bool:
    """Whether a name says what it is: "Lantern Mutual Bank" where a bank is asked for."""
    asked = question.asked
    return asked is None or question.plain or bool(read_text(name).forms & frozenset().union(*asked.words))


def _named_cells(question: Question, unit: Unit) -> Iterator[Offer]:
    """Cells of a row that read as a name."""
    for column in unit.columns:
        if _is_name(unit.evidence.text[column.start : column.end]) and not _known(
            column.start, column.end, unit, question
        ):
            yield Offer(column.start, column.end, 0.6)


def _is_name(name: str) -> bool:
    return name[:1].isupper() and sum(c.isalpha() for c in name) > 0.7 * len(name.replace(" ", ""))


def _known(start: int, end: int, unit: Unit, question: Question) -> bool:
    """Whether the question says at least half of a name's words."""
    inside = [
        t for t in unit.own.tokens if start <= unit.start + t.start and unit.start + t.end <= end and t.kind != "sign"
    ]
    return 2 * sum(1 for token in inside if token.forms & question.forms) >= len(inside)


_FINDERS: Final[dict[Kind, Callable[[Question, Unit], Iterator[Offer]]]] = {
    "person": names,
    "organisation": names,
    "place": names,
    "date": dates,
    "duration": durations,
    "number": counts,
    "money": amounts,
    "percent": percentages,
}
