"""The words of Hopline as data: what is in the graph, and what a question gives back.

Ids are stable hashes (`hopline.ids`). Boxes are in points from the page's top left corner.
Spans are half-open character ranges of the text they belong to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["collection", "document", "page", "passage", "table", "entity", "triple"]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page, in points; ``y`` grows downwards."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Collection:
    """A named set of documents; the unit of search, deletion, export and access.

    ``extraction_model`` is the model that extracts its entities and triples; empty: rules.
    """

    id: str
    name: str
    documents: int = 0
    passages: int = 0
    extraction_model: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A file. ``state`` is waiting, ready or failed; ``reason`` says in words why it failed.

    ``sha256`` names its bytes in the home folder, those that were read where any were; a document that came as
    rows of a ``.jsonl`` has none of its own. A new version that cannot be read leaves the old one answering.
    """

    id: str
    name: str
    collection: str
    title: str = ""
    sha256: str = ""
    state: Literal["waiting", "ready", "failed"] = "waiting"
    reason: str = ""
    pages: int = 0
    passages: int = 0
    tables: int = 0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a document; ``width`` and ``height`` in points, 0 where a format has none."""

    id: str
    document: str
    number: int
    width: float = 0.0
    height: float = 0.0


@dataclass(frozen=True, slots=True)
class Passage:
    """At most 200 tokens of running text within one section.

    ``sentences`` are spans of ``text``; ``boxes`` has one box a line of the page, in reading
    order, and ``lines`` the span of ``text`` that each of these boxes shows.
    """

    id: str
    document: str
    ordinal: int
    text: str
    section: tuple[str, ...] = ()
    pages: tuple[int, ...] = (1,)
    boxes: tuple[Box, ...] = ()
    lines: tuple[tuple[int, int], ...] = ()
    sentences: tuple[tuple[int, int], ...] = ()
    source_id: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its cells (rows of text), caption and number ("2" of "Table 2")."""

    id: str
    document: str
    page: int
    ordinal: int
    caption: str = ""
    number: str = ""
    cells: tuple[tuple[str, ...], ...] = ()
    markdown: str = ""
    section: tuple[str, ...] = ()
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class Entity:
    """A normalised name with its kind (spaCy's labels, or NOUN) and other names."""

    id: str
    name: str
    kind: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Triple:
    """What a passage or table states; ``span`` is its sentence in that evidence's text."""

    id: str
    subject: str
    predicate: str
    object: str
    evidence: str = ""
    span: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the graph as it is drawn: id, kind and a short name."""

    id: str
    kind: Kind
    name: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One edge of a path, in the direction of the path (which may be against the edge's own)."""

    source: Node
    edge: str
    target: Node


@dataclass(frozen=True, slots=True)
class EvidencePath:
    """The edges that lead from a seed of the question to an evidence.

    ``steps`` is empty where the evidence is itself a seed: search found it directly.
    """

    evidence: str
    seed: Node
    steps: tuple[Step, ...] = ()

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Every node of the path in order, the seed first."""
        return (self.seed, *(step.target for step in self.steps))


@dataclass(frozen=True, slots=True)
class EvidenceGraph:
    """How evidence leads to an answer: a directed graph without circles.

    ``edges`` are (source, target) ids of evidence; the source "" is the question. ``nodes`` are those of the edges in
    the order in which they are read: each behind all that it follows.
    """

    nodes: tuple[Node, ...] = ()
    edges: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.edges)


NO_GRAPH = EvidenceGraph()


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage or table with its score; higher is better, comparable within one retrieval only."""

    id: str
    kind: Literal["passage", "table"]
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

    def boxes_of(self, start: int, end: int) -> tuple[Box, ...]:
        """The boxes of the lines that show ``text[start:end]``; all boxes where lines are unknown."""
        if len(self.lines) != len(self.boxes):
            return self.boxes
        pairs = zip(self.lines, self.boxes, strict=True)
        return tuple(box for (first, last), box in pairs if first < end and start < last)


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One request of a flow with what it cost. ``detail`` holds what replay needs."""

    request: str
    name: str
    ms: float
    rows: int = 0
    tokens: int = 0
    calls: int = 0
    cost: float = 0.0
    detail: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trace:
    """Every request that a flow made, in order."""

    steps: tuple[TraceStep, ...] = ()

    @property
    def tokens(self) -> int:
        """Tokens sent to and received from the model."""
        return sum(step.tokens for step in self.steps)

    @property
    def calls(self) -> int:
        """Calls of the model; a reply that came from the cache is none."""
        return sum(step.calls for step in self.steps)

    @property
    def ms(self) -> float:
        """Milliseconds spent in requests."""
        return sum(step.ms for step in self.steps)


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What a strategy returned: evidence best first, a path for each, and the trace.

    ``graph`` is empty unless the strategy makes one (`hopline.strategies.graph_hop`). ``unaided``: a model chose to
    look nothing up (`hopline.strategies.ras`).
    """

    question: str
    strategy: str
    collection: str
    evidence: tuple[Evidence, ...] = ()
    paths: tuple[EvidencePath, ...] = ()
    trace: Trace = Trace()
    graph: EvidenceGraph = NO_GRAPH
    unaided: bool = False

    def path_of(self, evidence: str) -> EvidencePath | None:
        """The path that leads to an evidence, by its id."""
        return next((path for path in self.paths if path.evidence == evidence), None)

    def to_dict(self) -> dict[str, Any]:
        """The object that ``--json`` prints."""
        from hopline.types.serialization import retrieval_dict

        return retrieval_dict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Retrieval:
        """The retrieval of which `to_dict` gave ``data``: equal to it, but for what a trace recorded for replay.

        Raises:
            UsageError: the data is no retrieval.
        """
        from hopline.types.deserialization import retrieval_of

        return retrieval_of(data)

    def _repr_html_(self) -> str:
        from hopline.rendering.html import retrieval_html

        return retrieval_html(self)


@dataclass(frozen=True, slots=True)
class Citation:
    """An exact quote: ``evidence.text[start:end] == quote``."""

    evidence: Evidence
    quote: str
    start: int
    end: int
    path: EvidencePath | None = None

    @property
    def document(self) -> str:
        """Name of the document."""
        return self.evidence.document

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Where the quote stands on its pages, a box a line."""
        return self.evidence.boxes_of(self.start, self.end)

    @property
    def page(self) -> int:
        """Number of the page on which the quote begins."""
        boxes = self.boxes
        pages = self.evidence.pages
        return boxes[0].page if boxes else (pages[0] if pages else 1)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer; ``backed`` says that its quotes were checked."""

    text: str
    citations: tuple[Citation, ...] = ()
    backed: bool = True


EXTRACTIVE = "extractive"  # who wrote an answer that was picked from the evidence


@dataclass(frozen=True, slots=True)
class Answer:
    """Sentences with their citations, or an abstention that says what was not found.

    ``retrieval`` is what the strategy returned, as `hop.retrieve` gives it; its trace has the requests of the whole
    answer. ``additional_evidence`` is what answering looked up beside it, each with a path: it was not ranked, so its
    score is 0. Citations point into either. ``missing`` names the words, numbers and kinds of the question that no
    evidence path met.

    ``written_by`` is the name of the model that wrote it, "extractive" where it was picked from the evidence.
    ``model_error`` says why a model that is configured did not write it: it failed, its reply could not be used, or
    a budget was spent; "" where there was no such trouble.
    """

    question: str
    sentences: tuple[Sentence, ...]
    retrieval: Retrieval
    abstained: bool = False
    missing: tuple[str, ...] = ()
    short: str = ""
    additional_evidence: tuple[Evidence, ...] = ()
    additional_paths: tuple[EvidencePath, ...] = ()
    written_by: str = EXTRACTIVE
    model_error: str = ""

    @property
    def text(self) -> str:
        """The sentences as one text; empty when abstained."""
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """All that citations may point into: what the strategy returned, then what was looked up beside it."""
        return (*self.retrieval.evidence, *self.additional_evidence)

    def path_of(self, evidence: str) -> EvidencePath | None:
        """The path that leads to an evidence of either kind, by its id."""
        paths = (*self.retrieval.paths, *self.additional_paths)
        return next((path for path in paths if path.evidence == evidence), None)

    def to_dict(self) -> dict[str, Any]:
        """The object that ``--json`` prints."""
        from hopline.types.serialization import answer_dict

        return answer_dict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Answer:
        """The answer of which `to_dict` gave ``data``: equal to it, but for what a trace recorded for replay.

        Raises:
            UsageError: the data is no answer.
        """
        from hopline.types.deserialization import answer_of

        return answer_of(data)

    def _repr_html_(self) -> str:
        from hopline.rendering.html import answer_html

        return answer_html(self)
