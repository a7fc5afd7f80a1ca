"""What goes into extraction and what comes out, as plain data that crosses process borders.

Spans are half-open character ranges of `Readable.text`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Span = tuple[int, int]
Kind = Literal["passage", "table"]
By = Literal["title", "heading", "caption", "definition", "subject"]


@dataclass(frozen=True, slots=True)
class Readable:
    """A passage or table to be read; the text of a table is its markdown.

    ``sentences`` are spans of ``text``; where they are empty, the parser's own are taken.
    ``given_entities`` are names, ``given_triples`` (subject, predicate, object); where either
    is not None, nothing is parsed and the extractor is called ``given``.
    """

    id: str
    kind: Kind
    text: str
    title: str = ""
    section: tuple[str, ...] = ()
    caption: str = ""
    sentences: tuple[Span, ...] = ()
    given_entities: tuple[str, ...] | None = None
    given_triples: tuple[tuple[str, str, str], ...] | None = None

    @property
    def given(self) -> bool:
        """Whether somebody else has extracted already."""
        return self.given_entities is not None or self.given_triples is not None


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity and where the text names it; one a normalised name.

    ``name`` is the surface form best suited to show. ``kind`` is spaCy's label, NAME for a
    proper name without one, NOUN for a common noun phrase. ``spans`` ascend and may be empty
    for an entity that was given and is not in the text.
    """

    name: str
    kind: str
    spans: tuple[Span, ...] = ()
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class About:
    """What the passage or table is about; ``score`` in (0, 1] says how sure that is."""

    name: str
    by: By
    score: float


@dataclass(frozen=True, slots=True)
class Stated:
    """A triple and the span of the sentence that states it."""

    subject: str
    predicate: str
    object: str
    span: Span = (0, 0)


@dataclass(frozen=True, slots=True)
class Extraction:
    """All that was read in one passage or table.

    ``extractor`` names what read it. ``aliases`` holds (alias, name) pairs that are one entity
    within the document. ``warning`` says why less was read than should have been, else "".
    """

    id: str
    extractor: str
    mentions: tuple[Mention, ...] = ()
    about: tuple[About, ...] = ()
    triples: tuple[Stated, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()
    warning: str = ""
