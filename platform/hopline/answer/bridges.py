"""Sentences joined by a name: what one says about it helps another to meet the question.

"Who founded the company that operates the plant?": one sentence names the operator of the plant,
another the founder of that operator. The two stand on one path of the graph, over the entity that
both mention.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from hopline.answer.context import Layer, Unit, read_text
from hopline.answer.question import Question

_JOINING: Final = frozenset(
    {"PERSON", "ORG", "GPE", "LOC", "FAC", "PRODUCT", "WORK_OF_ART", "EVENT", "LAW", "NORP", "NAME"}
)
_COMMON: Final = 8  # a name that more units say joins nothing: it is what all of them are about
_NAME_LEVEL, _WORD_LEVEL = 0.8, 0.75


class Bridges:
    """The units of a retrieval by the names that the question does not say."""

    def __init__(self, question: Question, units: Sequence[Unit]) -> None:
        self._question = question
        self._units: defaultdict[str, list[Unit]] = defaultdict(list)
        self._names = {id(unit): tuple(_names(unit, question)) for unit in units}
        for unit in units:
            for name in self._names[id(unit)]:
                self._units[name].append(unit)

    def of(self, unit: Unit) -> Iterator[tuple[Unit, Layer]]:
        """The units that share a name with this one, each with itself as a layer."""
        seen = {id(unit)}
        for name in self._names[id(unit)]:
            if len(self._units[name]) > _COMMON:
                continue
            for other in self._units[name]:
                if id(other) not in seen:
                    seen.add(id(other))
                    yield other, Layer("bridge", other.own, _NAME_LEVEL, _WORD_LEVEL)


def _names(unit: Unit, question: Question) -> Iterator[str]:
    """The names of a unit, a person's by the surname, without those of the question."""
    for mention in unit.mentions:
        if mention.kind not in _JOINING or not mention.name[:1].isupper():
            continue
        words = [token for token in read_text(mention.name).tokens if token.kind in ("word", "code")]
        if not words or all(token.forms & question.forms for token in words):
            continue
        yield (
            words[-1].text.casefold()
            if mention.kind == "PERSON"
            else " ".join(token.text.casefold() for token in words)
        )
