"""How well a sentence or row supports an answer: which terms are met together, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hopline.answering.answer_candidate import Offer
from hopline.answering.answer_types import LABELS
from hopline.answering.bridges import Bridge, Bridges
from hopline.answering.question import Question
from hopline.answering.spans import offers
from hopline.answering.term_matching import Meeting
from hopline.answering.terms import Term
from hopline.answering.text import read_text
from hopline.answering.unit import Layer, Unit
from hopline.nlp.stemmer import fold

COVERAGE: Final = 0.68  # least part of the question, by weight, that must be met together
OWN: Final = 0.2  # least part that the unit itself must meet
ABSENT: Final = 0.15  # most of it, in names, numbers and nouns, that may be met nowhere near
FIT: Final = 0.5  # least fit of the short answer to the kind that is asked for
NEAR: Final = 0.25  # level below which a term is met nowhere near
ROW: Final = "a row of that name"
_SURE: Final = 0.85  # level of a noun that the offer itself says
_BRIDGED: Final = 40  # units, best first, for which a bridge is looked for


@dataclass(frozen=True, slots=True)
class Support:
    """A unit with the level in [0, 1] at which each term is met, in all and by itself, and the short answers it offers.

    ``missing`` are the needed terms, and the kind, that are not met; ``weak`` other terms that are
    met nowhere near. ``own``, ``coverage`` and ``absent`` are parts of the question by weight.
    ``bridge`` is the unit on whose terms it leans, joined to it by a name.
    """

    unit: Unit
    levels: tuple[float, ...]
    owned: tuple[float, ...]
    own: float
    coverage: float
    absent: float
    offers: tuple[Offer, ...]
    missing: tuple[str, ...]
    weak: tuple[str, ...]
    bridge: Unit | None = None

    @property
    def stands(self) -> bool:
        """Whether it can be an answer."""
        return not self.missing and self.coverage >= COVERAGE and self.own >= OWN and self.absent <= ABSENT

    @property
    def score(self) -> float:
        """For ranking: what is met, most in the unit itself, and how well the short answer fits."""
        fit = self.offers[0].fit if self.offers else 0.0
        penalty = 0.15 * len(self.missing) + 0.005 * self.unit.rank + (0.1 if self.bridge else 0.0)
        return self.coverage + 0.25 * self.own + 0.15 * fit - penalty


def supports(question: Question, units: Sequence[Unit]) -> list[Support]:
    """The best support of every unit, best first; ties by place."""
    meeting = Meeting()
    found = sorted((support(question, unit, meeting) for unit in units), key=lambda one: -one.score)
    bridges = Bridges(question, units)
    for place, one in enumerate(found[:_BRIDGED]):
        if one.stands or (question.kind in LABELS and not one.offers):
            continue
        led = [leaning(question, one, bridge, meeting) for bridge in bridges.of(one.unit)]
        found[place] = max((one, *led), key=lambda other: (-len(other.missing), other.score))
    return sorted(found, key=lambda one: -one.score)


def support(question: Question, unit: Unit, meeting: Meeting) -> Support:
    """What a unit supports by itself."""
    offered = tuple(offers(question, unit))
    levels = [_level(term, unit.layers, meeting) for term in question.terms]
    levels = _offered(question, offered, _spelled_out(question, unit.layers, levels))
    near = [layer.text for layer in unit.layers if layer.near]
    own = [max(meeting(term, text) for text in near) for term in question.terms]
    return _weighed(question, unit, offered, levels=levels, own=own)


def leaning(question: Question, support: Support, bridge: Bridge, meeting: Meeting) -> Support:
    """What a unit supports with what a name joins to it; that name itself is no answer."""
    said = [meeting(term, bridge.layer.text) for term in question.terms]
    levels = [
        max(level, bridge.layer.factor(t) * s) for t, level, s in zip(question.terms, support.levels, said, strict=True)
    ]
    own = [max(level, s) for level, s in zip(support.owned, said, strict=True)]
    offered = tuple(one for one in support.offers if not any(a < one.end and one.start < b for a, b in bridge.spans))
    return _weighed(question, support.unit, offered, levels=levels, own=own, bridge=bridge)


def _weighed(
    question: Question,
    unit: Unit,
    offered: tuple[Offer, ...],
    *,
    levels: Sequence[float],
    own: Sequence[float],
    bridge: Bridge | None = None,
) -> Support:
    pairs = list(zip(question.terms, levels, strict=True))
    total = sum(term.weight for term in question.terms) or 1.0
    absent = [term for term, level in pairs if level < NEAR]
    missing = [term.text for term, level in pairs if level < term.need]
    return Support(
        unit,
        tuple(levels),
        tuple(own),
        sum(term.weight * level for term, level in zip(question.terms, own, strict=True)) / total,
        sum(term.weight * level for term, level in pairs) / total,
        sum(term.weight for term in absent if term.role in ("name", "number", "noun")) / total,
        offered,
        (*missing, *_lacks(question, unit, offered, bridge)),
        tuple(term.text for term in absent),
        bridge.unit if bridge else None,
    )


def _lacks(question: Question, unit: Unit, offered: Sequence[Offer], bridge: Bridge | None) -> list[str]:
    """What but terms is missing: the right row, something of the kind that is asked for."""
    kind = [LABELS[question.kind]] if question.kind in LABELS and not (offered and offered[0].fit >= FIT) else []
    return kind if _is_asked_row(question, unit, offered, bridge) else [ROW, *kind]


def _is_asked_row(question: Question, unit: Unit, offered: Sequence[Offer], bridge: Bridge | None) -> bool:
    """Whether a row is asked for: its label is the answer, or two fifths of its words are said."""
    label = unit.label
    if label is None or (offered and label.start <= offered[0].start < label.end):
        return True
    text = read_text(unit.evidence.text[label.start : label.end])
    words = [token for token in text.tokens if token.kind != "sign"]
    soft = frozenset().union(*(term.soft for term in question.terms))
    said = question.forms | soft | (bridge.unit.own.forms if bridge else frozenset())
    return 5 * sum(1 for token in words if token.forms & said) >= 2 * len(words)


def _offered(question: Question, offered: Sequence[Offer], levels: list[float]) -> list[float]:
    """The levels, with the noun that only names the kind met by what is offered: "money" by "$10,000"."""
    if not offered or question.asked is None:
        return levels
    level = _SURE if offered[0].sure else offered[0].fit if question.plain else 0.0
    return [
        max(known, level) if term is question.asked else known
        for term, known in zip(question.terms, levels, strict=True)
    ]


def _level(term: Term, layers: Sequence[Layer], meeting: Meeting) -> float:
    """The most that any layer gives to a term."""
    best = 0.0
    for layer in layers:
        factor = layer.factor(term)
        if factor > best:
            best = max(best, factor * meeting(term, layer.text))
    return best


def _spelled_out(question: Question, layers: Sequence[Layer], levels: list[float]) -> list[float]:
    """The levels, with words met that the text gives as an acronym: "chief executive officer" by "CEO"."""
    words = [(n, word) for n, term in enumerate(question.terms) if term.role != "number" for word in term.text.split()]
    letters = "".join(fold(word)[:1] for _, word in words)
    for layer in layers[:3]:
        for form in layer.text.forms:
            at = letters.find(form[1:]) if form[0] == "~" and len(form) > 3 else -1
            for place, _ in words[at : at + len(form) - 1] if at >= 0 else ():
                levels[place] = max(levels[place], layer.word)
    return levels
