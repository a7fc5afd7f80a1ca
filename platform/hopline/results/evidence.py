"""Evidence, and the retrieval that ranks it for a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from hopline.records import Box, Correction
from hopline.results.paths import EMPTY_GRAPH, EvidenceGraph, EvidencePath, Node
from hopline.results.trace import EMPTY_TRACE, Trace
from hopline.tables.grid import TableGrid, build_grid
from hopline.tables.structure import TableStructure

EvidenceKind = Literal["passage", "table", "figure"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage, table or figure with its score; higher is better, comparable within one retrieval only.

    The ``text`` of a figure is its caption and the text inside of it; its box is that of the figure with its caption.
    ``cells`` are the texts of the rows of a table, of which ``text`` is the caption and the rendering
    (`hopline.tables.grid.render_table`); ``structure`` has the kinds and paths of its rows, and the paths, units and
    scales of its columns, None for a passage and for a table whose structure is not stored. ``page_labels`` are the
    numbers that are printed on its ``pages`` ("iv"); empty if they are not known, or are those of the pages.
    ``correction`` says who corrected the text and what was read at first; None if it is as it was read.
    """

    id: str
    kind: EvidenceKind
    score: float
    text: str
    document: str = ""
    document_id: str = ""
    title: str = ""
    section: tuple[str, ...] = ()
    caption: str = ""
    number: str = ""
    pages: tuple[int, ...] = ()
    boxes: tuple[Box, ...] = ()
    lines: tuple[tuple[int, int], ...] = ()
    sentences: tuple[tuple[int, int], ...] = ()
    source_id: str = ""
    cells: tuple[tuple[str, ...], ...] = ()
    structure: TableStructure | None = None
    page_labels: tuple[str, ...] = ()
    correction: Correction | None = None

    @property
    def grid(self) -> TableGrid | None:
        """The rows and cells of a table with their spans in the text; None for a passage."""
        return build_grid(self.text, self.cells, self.structure) if self.cells else None

    def find_boxes(self, start: int, end: int) -> tuple[Box, ...]:
        """Return the boxes of the lines that show ``text[start:end]``; all boxes where lines are unknown."""
        if len(self.lines) != len(self.boxes):
            return self.boxes
        pairs = zip(self.lines, self.boxes, strict=True)
        return tuple(box for (first, last), box in pairs if first < end and start < last)

    def find_label(self, page: int) -> str:
        """Return the number that is printed on one of its pages; "" if there is none, or if it is that of the page."""
        labels = dict(zip(self.pages, self.page_labels, strict=False))
        label = labels.get(page, "")
        return "" if label == str(page) else label


def add_correction(evidence: Evidence, id: str, original: str, author: str, at: float) -> Evidence:
    """Return evidence with the correction that its text is from."""
    correction = Correction(
        id,
        "table" if evidence.kind == "table" else "passage",
        evidence.id,
        original,
        evidence.text,
        evidence.document,
        evidence.document_id,
        evidence.pages,
        evidence.boxes,
        author,
        at,
    )
    return replace(evidence, correction=correction)


def format_location(evidence: Evidence) -> str:
    """Format the location of evidence as document and first page, the label of a node of a path."""
    name = evidence.document or evidence.title
    return f"{name} {format_pages(evidence.pages[:1], evidence.find_label)}" if evidence.pages else name


def format_pages(pages: Sequence[int], find_label: Callable[[int], str]) -> str:
    """Format pages in order as "p. 3" or "pp. 3–5", with printed numbers that differ: "p. 3 (printed i)"."""
    ends = tuple(dict.fromkeys((pages[0], pages[-1])))
    shown = "–".join(map(str, ends))
    printed = "–".join(find_label(page) or str(page) for page in ends) if any(map(find_label, ends)) else ""
    return f"{'p.' if len(ends) == 1 else 'pp.'} {shown}" + (f" (printed {printed})" if printed else "")


def make_node(evidence: Evidence) -> Node:
    """Make the node of evidence in a path, with its location as the label."""
    return Node(evidence.id, evidence.kind, format_location(evidence))


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The result of a strategy: evidence best first, a path for each, and the trace.

    ``graph`` is empty unless the strategy builds one (`hopline.strategies.graph_hop`). ``closed_book``: the language
    model answers without evidence; always so for `hopline.strategies.direct`, and for `hopline.strategies.ras` if its
    plan retrieves nothing. ``model_error`` says after how many replies the strategy's language model failed or its
    budget was spent, and why; the evidence is then that of the steps that succeeded. "" if it did not fail. ``memory``
    has the triples that the model collected while it searched (the gist memory of `hopline.strategies.gear`).
    ``not_searched`` says why nothing was searched: no document matches the filter; "" otherwise.
    """

    question: str
    strategy: str
    collection: str
    evidence: tuple[Evidence, ...] = ()
    paths: tuple[EvidencePath, ...] = ()
    trace: Trace = EMPTY_TRACE
    graph: EvidenceGraph = EMPTY_GRAPH
    closed_book: bool = False
    model_error: str = ""
    memory: tuple[str, ...] = ()
    not_searched: str = ""

    def find_path(self, evidence: str) -> EvidencePath | None:
        """Return the path that leads to an evidence, by its id."""
        return next((path for path in self.paths if path.evidence == evidence), None)

    def to_dict(self) -> dict[str, Any]:
        """Convert to the object that ``--json`` prints."""
        from hopline.results.serialization import retrieval_to_dict

        return retrieval_to_dict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Retrieval:
        """Build the retrieval from the dictionary that `to_dict` made; requests recorded for replay are not in it.

        Raises:
            UsageError: the data is not a retrieval.
        """
        from hopline.results.serialization import retrieval_from_dict

        return retrieval_from_dict(data)

    def _repr_html_(self) -> str:
        from hopline.results.html import retrieval_to_html

        return retrieval_to_html(self)
