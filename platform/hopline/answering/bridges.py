"""Sentences joined by a name: what one says about it helps another to meet the question.

"Who founded the company that operates the plant?": one sentence names the operator of the plant,
another the founder of that operator. The two stand on one path of the graph, over the entity that
both mention.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hopline.answering.question import Question
from hopline.answering.text import joined, read_text
from hopline.answering.tokens import Token
from hopline.answering.unit import Layer, Mention, Unit

_JOINING: Final = frozenset({"PERSON", "ORG", "FAC", "PRODUCT", "WORK_OF_ART", "EVENT", "LAW", "NAME"})
_COMMON: Final = 8  # a name that more units say joins nothing: it is what all of them are about
_NAME_LEVEL, _WORD_LEVEL = 0.8, 0.75


@dataclass(frozen=True, slots=True)
class Bridge:
    """Another unit, what it says as a layer, and where the unit it helps says the name that joins them."""

    unit: Unit
    layer: Layer
    spans: tuple[tuple[int, int], ...]


class Bridges:
    """The units of a retrieval by the names that the question does not say."""

    def __init__(self, question: Question, units: Sequence[Unit]) -> None:
        self._units: defaultdict[str, list[Unit]] = defaultdict(list)
        self._spans: dict[int, dict[str, list[tuple[int, int]]]] = {}
        for unit in units:
            spans = self._spans[id(unit)] = _keys(unit, question)
            for key in spans:
                self._units[key].append(unit)

    def of(self, unit: Unit) -> Iterator[Bridge]:
        """The units that share a name with this one; a row is joined to no row."""
        seen = {id(unit)}
        for key, spans in self._spans[id(unit)].items():
            if len(self._units[key]) > _COMMON:
                continue
            for other in self._units[key]:
                if id(other) not in seen and not (unit.columns and other.columns):
                    seen.add(id(other))
                    said = joined([layer.text for layer in other.layers if layer.label in ("own", "names")])
                    yield Bridge(other, Layer("bridge", said, _NAME_LEVEL, _WORD_LEVEL), tuple(spans))


def joining(unit: Unit, question: Question) -> list[Mention]:
    """The names of a unit that can join it to another: no numbers, none that the question says itself."""
    return [
        mention
        for mention in unit.mentions
        if mention.kind in _JOINING
        and mention.name[:1].isupper()
        and any(not token.forms & question.forms for token in _words(mention))
    ]


def _words(mention: Mention) -> list[Token]:
    return [token for token in read_text(mention.name).tokens if token.kind in ("word", "code")]


def _keys(unit: Unit, question: Question) -> dict[str, list[tuple[int, int]]]:
    """What the joining names of a unit are known by, and where it says them: people also by their surnames."""
    keys: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for mention in joining(unit, question):
        words = _words(mention)
        keys[mention.entity or mention.name.casefold()].append((mention.start, mention.end))
        if mention.kind in ("PERSON", "NAME") and not words[-1].forms & question.forms:
            keys[f"~{words[-1].text.casefold()}"].append((mention.start, mention.end))
    return keys
