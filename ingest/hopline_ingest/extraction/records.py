"""Input and result records of extraction: plain data that can be pickled between processes.

Spans are half-open character ranges of `ExtractionInput.text`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Span = tuple[int, int]
EvidenceKind = Literal["passage", "table"]
SubjectSource = Literal["title", "heading", "caption", "definition", "subject"]


@dataclass(frozen=True, slots=True)
class ExtractionInput:
    """A passage or table to extract; the text of a table is its caption and the rendering of its ``cells``.

    ``sentences`` are spans of ``text``; if empty, the parser's own sentences are used.
    ``given_entities`` are names, ``given_triples`` (subject, predicate, object); if either
    is not None, nothing is parsed and the extractor is called ``given``.
    """

    id: str
    kind: EvidenceKind
    text: str
    title: str = ""
    section: tuple[str, ...] = ()
    caption: str = ""
    sentences: tuple[Span, ...] = ()
    given_entities: tuple[str, ...] | None = None
    given_triples: tuple[tuple[str, str, str], ...] | None = None
    cells: tuple[tuple[str, ...], ...] = ()

    @property
    def has_given_facts(self) -> bool:
        """Whether entities or triples are given, so that none are extracted."""
        return self.given_entities is not None or self.given_triples is not None


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity and its occurrences in the text; one per normalized name.

    ``name`` is the surface form to display. ``kind`` is spaCy's label, NAME for a proper name
    without one, NOUN for a common noun phrase. ``spans`` are ascending and may be empty for a
    given entity that does not occur in the text.
    """

    name: str
    kind: str
    spans: tuple[Span, ...] = ()
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SubjectEntity:
    """An entity that the passage or table is about; ``score`` in (0, 1] is its probability."""

    name: str
    by: SubjectSource
    score: float


@dataclass(frozen=True, slots=True)
class StatedTriple:
    """A triple, the span of the sentence that states it, and the estimated probability that it does."""

    subject: str
    predicate: str
    object: str
    span: Span = (0, 0)
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class ListedReference:
    """An entry of a list of references: its span in the text, and what was read from it, "" where it was not.

    ``key`` is that of the citations of this entry in the same document: its number, or first author and year.
    """

    key: str
    number: str = ""
    authors: str = ""
    year: str = ""
    title: str = ""
    span: Span = (0, 0)


@dataclass(frozen=True, slots=True)
class InTextCitation:
    """A citation in the text: the keys of the cited references, none if they cannot be told, and its span."""

    keys: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Extraction:
    """The result of extraction for one passage or table.

    ``extractor`` is the name and version of the extractor. ``aliases`` holds (alias, name) pairs that are
    one entity within the document. ``warning`` is the reason why the extraction is incomplete, else "".
    """

    id: str
    extractor: str
    mentions: tuple[Mention, ...] = ()
    about: tuple[SubjectEntity, ...] = ()
    triples: tuple[StatedTriple, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()
    warning: str = ""
    references: tuple[ListedReference, ...] = ()
    citations: tuple[InTextCitation, ...] = ()
