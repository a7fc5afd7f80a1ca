"""How well a sentence or row supports an answer: which terms are met together, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from hopline.answer.bridges import Bridges
from hopline.answer.context import Layer, Unit
from hopline.answer.kinds import LABELS
from hopline.answer.offer import Offer
from hopline.answer.question import Question
from hopline.answer.terms import Term
from hopline.answer.meeting import met
from hopline.answer.roots import fold
from hopline.answer.spans import is_short, offers

COVERAGE: Final = 0.68  # least part of the question, by weight, that must be met together
FIT: Final = 0.5  # least fit of the short answer to the kind that is asked for
ABSENT: Final = 0.2  # most of the question, by weight of its names and nouns, that may be met nowhere near
_NOWHERE: Final = 0.35
_BRIDGED: Final = 40  # units, best first, for which a bridge is looked for


@dataclass(frozen=True, slots=True)
class Support:
    """A unit with the level in [0, 1] at which each term is met, and the short answers it offers.

    ``missing`` says which needed terms or kind are not met, ``weak`` which others; ``bridge`` is
    the unit on whose terms it leans, joined to it by a name.
    """

    unit: Unit
    levels: tuple[float, ...]
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
        return not self.missing and self.coverage >= COVERAGE and self.absent <= ABSENT

    @property
    def score(self) -> float:
        """For ranking: what is met, most in the unit itself, and how well the short answer fits."""
        fit = self.offers[0].fit if self.offers else 0.0
        penalty = 0.15 * len(self.missing) + 0.01 * self.unit.rank + (0.1 if self.bridge else 0.0)
        return self.coverage + 0.25 * self.own + 0.15 * fit - penalty


def supports(question: Question, units: Sequence[Unit]) -> list[Support]:
    """The support of every unit, best first; ties by place."""
    plain = sorted((support(question, unit) for unit in units), key=lambda one: -one.score)
    bridges = Bridges(question, units)
    bridged = []
    for one in plain[:_BRIDGED]:
        if one.stands or (is_short(question.kind) and not one.offers):
            continue
        found = [support(question, one.unit, layer, by) for by, layer in bridges.of(one.unit)]
        bridged += sorted((b for b in found if b.coverage > one.coverage), key=lambda b: -b.score)[:1]
    return sorted([*plain, *bridged], key=lambda one: -one.score)


def support(question: Question, unit: Unit, bridge: Layer | None = None, by: Unit | None = None) -> Support:
    """What one unit supports, alone or with what a name joins to it."""
    layers = unit.layers if bridge is None else (*unit.layers, bridge)
    levels = _spelled_out(question, layers, [_level(term, layers) for term in question.terms])
    pairs = list(zip(question.terms, levels, strict=True))
    total = sum(term.weight for term in question.terms) or 1.0
    found = tuple(offers(question, unit))
    missing = [term.text for term, level in pairs if level < term.need]
    if is_short(question.kind) and (not found or found[0].fit < FIT):
        missing.append(LABELS[question.kind])
    solid = [(term, level) for term, level in pairs if term.role in ("name", "number", "noun")]
    return Support(
        unit,
        tuple(levels),
        sum(term.weight * met(term, unit.own) for term in question.terms) / total,
        sum(term.weight * level for term, level in pairs) / total,
        sum(term.weight for term, level in solid if level < _NOWHERE) / total,
        found,
        tuple(missing),
        tuple(term.text for term, level in pairs if level < _NOWHERE),
        by,
    )


def _level(term: Term, layers: Sequence[Layer]) -> float:
    best = 0.0
    for layer in layers:
        factor = layer.factor(term)
        if factor > best:
            best = max(best, factor * met(term, layer.text))
    return best


def _spelled_out(question: Question, layers: Sequence[Layer], levels: list[float]) -> list[float]:
    """The levels, with words met that the text gives as an acronym: "chief executive officer", "CEO"."""
    words = [
        (place, word)
        for place, term in enumerate(question.terms)
        if term.role != "number"
        for word in term.text.split()
    ]
    letters = "".join(fold(word)[:1] for _, word in words)
    for layer in layers[:3]:
        for form in layer.text.forms:
            at = letters.find(form[1:]) if form[0] == "~" and len(form) > 3 else -1
            for place, _ in words[at : at + len(form) - 1] if at >= 0 else ():
                levels[place] = max(levels[place], layer.word)
    return levels
