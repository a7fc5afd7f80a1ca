"""What an answer is picked from: a sentence or table row, with the layers of text around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hopline.answering.terms import Term
from hopline.answering.text import Text, read_text
from hopline.answering.vocabulary import roots
from hopline.types import Evidence

_FAR: Final = frozenset({"front", "passage", "beside", "table"})
_SAID: Final = frozenset({"own", "header", "group", "bridge"})
_KINDS: Final = {"PERSON": "person", "ORG": "organisation", "GPE": "place", "LOC": "place", "FAC": "place"}


@dataclass(frozen=True, slots=True)
class Layer:
    """A text around a sentence, and how much a name or number, and another word, counts when met there."""

    label: str
    text: Text
    name: float
    word: float

    @property
    def near(self) -> bool:
        """Whether it is the unit itself, or what its figures stand under."""
        return self.label in _SAID

    def factor(self, term: Term) -> float:
        """How much it counts when this term is met here; a bare number counts only close by."""
        if term.role == "number" and not term.dated and self.label in _FAR:
            return 0.0
        if term.key and self.label == "bridge":
            return 0.0
        return self.name if term.role in ("name", "number") else self.word


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in an evidence: its span in the text, its kind (spaCy's labels), its other names, its entity's id."""

    start: int
    end: int
    name: str
    kind: str
    aliases: tuple[str, ...] = ()
    entity: str = ""


@dataclass(frozen=True, slots=True)
class Around:
    """What the graph knows around an evidence: the passages beside it, how its document begins, its names."""

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
    """A sentence or table row; the first layer is itself, ``rank`` its evidence's place.

    ``columns`` are the cells of a row; a sentence has none.
    """

    evidence: Evidence
    rank: int
    start: int
    end: int
    layers: tuple[Layer, ...]
    mentions: tuple[Mention, ...] = ()
    columns: tuple[Column, ...] = ()

    @property
    def own(self) -> Text:
        """Its own tokens; their spans are counted from ``start``."""
        return self.layers[0].text

    @property
    def text(self) -> str:
        """Its words as they stand."""
        return self.evidence.text[self.start : self.end]

    @property
    def label(self) -> Column | None:
        """The first cell of a row that has words; it says what the row is about."""
        cells = ((column, self.evidence.text[column.start : column.end]) for column in self.columns)
        return next((column for column, text in cells if any(char.isalpha() for char in text)), None)


def heading(evidence: Evidence) -> str:
    """What stands above an evidence: its document's name and title, its sections, its caption."""
    name = re.sub(r"[_\W]+", " ", evidence.document.rpartition(".")[0] or evidence.document)
    return "\n".join((name, evidence.title, *evidence.section, evidence.caption))


def named(mentions: Sequence[Mention]) -> Text:
    """The names of mentions in all their forms, and what things of their kinds are called: "company", "city"."""
    text = read_text("\n".join(name for mention in mentions for name in (mention.name, *mention.aliases)))
    kinds = {_KINDS[mention.kind] for mention in mentions if mention.kind in _KINDS}
    called = frozenset().union(*(roots(f"plain.{kind}") for kind in kinds))
    return Text(text.tokens, text.forms | called, text.initials, text.capitals)
