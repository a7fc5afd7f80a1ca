"""What is marked on a page of a document: a place that was opened, citations, values of the card, entities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hopline.documents.pages import DocumentPage
from hopline.records import Box
from hopline.results import Citation
from hopline.results.word_boxes import find_word_boxes
from hopline_ui.document_address import DocumentAddress

ENTITY_COLOURS: Final[Mapping[str, str]] = {
    "person": "#c2255c",
    "organisation": "#1971c2",
    "place": "#2f9e44",
    "product": "#e8590c",
    "work": "#7048e8",
    "law": "#0b7285",
    "event": "#9c36b5",
    "substance": "#846358",
}
OTHER_COLOUR: Final = "#6b7280"  # of entities of another type, or of none
MAX_BOXES: Final = 400  # marked on one page


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked part of the text of an evidence, with its boxes; ``colour`` is "" for highlighted text.

    ``title`` is shown on hover.
    """

    evidence: str
    start: int
    end: int
    boxes: tuple[Box, ...] = ()
    colour: str = ""
    title: str = ""


def mark_opened(page: DocumentPage, address: DocumentAddress) -> list[Mark]:
    """Return the mark of the place that was opened, if it is on the page."""
    for item in page.evidence:
        if item.id == address.evidence:
            if address.span is None:
                return [Mark(item.id, 0, len(item.text), item.boxes)]
            start, end = address.span
            return [Mark(item.id, start, end, find_word_boxes(item, start, end))]
    return []


def mark_citations(citations: Iterable[tuple[str, Citation]]) -> list[Mark]:
    """Return the marks of citations, each with its title."""
    return [
        Mark(citation.evidence.id, citation.start, citation.end, citation.boxes, title=title)
        for title, citation in citations
    ]


def mark_entities(page: DocumentPage) -> list[Mark]:
    """Return the marks of all mentions of entities, in the colours of their types."""
    evidence = {item.id: item for item in page.evidence}
    return [
        Mark(
            mention.evidence,
            start,
            end,
            find_word_boxes(item, start, end),
            get_entity_colour(mention.type),
            " · ".join(filter(None, [mention.name, mention.type])),
        )
        for mention in page.mentions
        if (item := evidence.get(mention.evidence)) is not None
        for start, end in mention.spans
    ]


def get_entity_colour(type: str) -> str:
    """Return the colour of a type of entities."""
    return ENTITY_COLOURS.get(type, OTHER_COLOUR)


def select_boxes(marks: Sequence[Mark], page: int) -> tuple[list[Box], list[str]]:
    """Return the boxes of a page and their colours, highlighted text last; at most `MAX_BOXES`, each once."""
    ordered = sorted(marks, key=lambda mark: not mark.colour)
    pairs = [(box, mark.colour) for mark in ordered for box in mark.boxes if box.page == page]
    unique = list(dict.fromkeys(pairs))[-MAX_BOXES:]
    return [box for box, _ in unique], [colour for _, colour in unique]
