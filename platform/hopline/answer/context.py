"""Sentences and table rows with what stands around them: where the terms of a question can be met together."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from hopline.answer.terms import Term
from hopline.answer.roots import fold
from hopline.answer.words import Token, tokenise
from hopline.types import Evidence

_FAR: Final = frozenset({"front", "passage", "beside", "table"})
_SMALL: Final = frozenset("of the and for in on to a an by at &".split())


@dataclass(frozen=True, slots=True)
class Text:
    """A text as it is met: its tokens, all their forms, and the initials of its words."""

    tokens: tuple[Token, ...] = ()
    forms: frozenset[str] = frozenset()
    initials: str = ""
    capitals: str = ""  # initials of capitalised words, a blank for each other word


@dataclass(frozen=True, slots=True)
class Layer:
    """A text around a sentence, and how much a name or number, and another word, counts when met there."""

    label: str
    text: Text
    name: float
    word: float

    def factor(self, term: Term) -> float:
        """How much it counts when this term is met here; a bare number counts only close by."""
        if term.role == "number" and not term.dated and self.label in _FAR:
            return 0.0
        return self.name if term.role in ("name", "number") else self.word


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in an evidence: its span in the text, its kind (spaCy's labels), and its other names."""

    start: int
    end: int
    name: str
    kind: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Around:
    """What the graph knows around an evidence: the passages beside it, its document's first page, its names."""

    before: str = ""
    after: str = ""
    front: str = ""
    mentions: tuple[Mention, ...] = ()


@dataclass(frozen=True, slots=True)
class Column:
    """A cell of a row: its span in the evidence's text, and what heads its column."""

    start: int
    end: int
    head: Text


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence or table row of an evidence; the first layer is itself, ``rank`` its evidence's place."""

    evidence: Evidence
    rank: int
    start: int
    end: int
    layers: tuple[Layer, ...]
    mentions: tuple[Mention, ...] = ()
    columns: tuple[Column, ...] = ()

    @property
    def own(self) -> Text:
        """Its own tokens; spans are counted from ``start``."""
        return self.layers[0].text

    @property
    def text(self) -> str:
        """Its words as they stand."""
        return self.evidence.text[self.start : self.end]


@lru_cache(maxsize=256)
def read_text(text: str) -> Text:
    """A text with everything that a term may meet in it."""
    tokens = tokenise(text)
    words = [(fold(token.text), token.capital, token.text.isupper()) for token in tokens if token.text[0].isalpha()]
    folded = [word for word, _, _ in words]
    forms = {form for token in tokens for form in token.forms}
    forms.update(a + b for a, b in zip(folded, folded[1:], strict=False))
    forms.update(f"~{word}" for word, _, upper in words if upper and 2 <= len(word) <= 6)
    said = [(word, capital) for word, capital, _ in words if word not in _SMALL]
    return Text(
        tuple(tokens),
        frozenset(forms),
        "".join(word[0] for word, _ in said),
        "".join(word[0] if capital else " " for word, capital in said),
    )


def joined(texts: Sequence[Text]) -> Text:
    """Several texts as one, in order."""
    return Text(
        tuple(token for text in texts for token in text.tokens),
        frozenset().union(*(text.forms for text in texts)),
        " ".join(text.initials for text in texts),
        " ".join(text.capitals for text in texts),
    )


def sentence_spans(evidence: Evidence) -> Sequence[tuple[int, int]]:
    """The spans of its sentences; the whole text where they are unknown."""
    return evidence.sentences or ((0, len(evidence.text)),)


def passage_units(evidence: Evidence, rank: int, around: Around) -> list[Unit]:
    """The sentences of a passage."""
    spans = sentence_spans(evidence)
    texts = [read_text(evidence.text[start:end]) for start, end in spans]
    outer = [
        Layer("heading", read_text(heading(evidence)), 0.95, 0.8),
        Layer("passage", joined(texts), 0.7, 0.5),
        Layer("beside", joined([read_text(around.before), read_text(around.after)]), 0.5, 0.3),
        Layer("front", read_text(around.front), 0.9, 0.5),
    ]
    units = []
    for place, (start, end) in enumerate(spans):
        mentions = tuple(m for m in around.mentions if start <= m.start and m.end <= end)
        layers = [Layer("own", texts[place], 1.0, 1.0), Layer("alias", _aliases(mentions), 0.95, 0.9)]
        if place:
            layers.append(Layer("before", texts[place - 1], 0.9, 0.8))
        if place + 1 < len(spans):
            layers.append(Layer("after", texts[place + 1], 0.8, 0.7))
        units.append(Unit(evidence, rank, start, end, (*layers, *outer), mentions))
    return units


def heading(evidence: Evidence) -> str:
    """What stands above an evidence: its document's name and title, its sections, its caption."""
    name = re.sub(r"[_\W]+", " ", evidence.document.rpartition(".")[0] or evidence.document)
    return "\n".join((name, evidence.title, *evidence.section, evidence.caption))


def _aliases(mentions: Sequence[Mention]) -> Text:
    names = "\n".join(
        name for mention in mentions for name in (mention.name, *mention.aliases) if not mention.kind.isdigit()
    )
    return read_text(names)


def units(evidence: Sequence[Evidence], around: Mapping[str, Around]) -> list[Unit]:
    """Every sentence and table row of the evidence, in its order."""
    from hopline.answer.cells import table_units

    found = []
    for rank, one in enumerate(evidence):
        near = around.get(one.id, Around())
        found += table_units(one, rank, near) if one.kind == "table" else passage_units(one, rank, near)
    return found
