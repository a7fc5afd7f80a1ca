"""A small Hopline in memory, with the signatures of the real one, whose graph fits on a page.

Three PDFs of Nordvik Energy, written with reportlab so that every quote's box is known, and one
text document with a name that tries to be HTML.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from hopline.client import (
    Decision,
    Detail,
    Estimate,
    Failure,
    Found,
    Listener,
    Neighbourhood,
    Progress,
    Reading,
    Suggestion,
)
from hopline.config import Settings, load_settings
from hopline.documents.file_store import find_files
from hopline.errors import HoplineError, UnknownName, UsageError
from hopline.ids import collection_id, document_id, stable_id
from hopline.types import (
    Answer,
    Box,
    Citation,
    Collection,
    Document,
    Evidence,
    EvidenceGraph,
    EvidencePath,
    Kind,
    Node,
    Retrieval,
    Sentence,
    Step,
    Trace,
    TraceStep,
    Triple,
)

HOSTILE = "<script>window.hacked = 1</script> $x$ :material/bug_report: **bold** 🦊 تقرير.txt"
QUESTION = "Which lender finances an asset controlled by Nordvik Energy AS?"
FACTS = {
    "permit-file.pdf": "The concession holder Halcyon Turbines was acquired by Nordvik Energy AS on 30 June 2022.",
    "annual-report-2023.pdf": "Halcyon Turbines operates the Skagen Wind Farm off the northern coast.",
    "loan-agreement.pdf": "The Skagen Wind Farm is financed by EIB loan 2021-044.",
}
NAMES = (
    Node("halcyon", "entity", "Halcyon Turbines"),
    Node("north", "entity", "North Sea"),
    Node("skagen", "entity", "Skagen Wind Farm"),
    Node("hostile", "entity", HOSTILE),
)
LEFT, BASELINE, SIZE = 72.0, 300.0, 11.0  # of the quoted line, in points from the page's top left


def draw_pdf(path: Path, fact: str) -> Path:
    """Two pages of filler; the fact is one line of page 1."""
    canvas = Canvas(str(path), pagesize=A4)
    for page in (1, 2):
        canvas.setFont("Helvetica", SIZE)
        for line in range(40):
            top = 72 + 16 * line
            if abs(top - BASELINE) > 12 or page == 2:
                canvas.drawString(LEFT, A4[1] - top, f"Management expects a gradual normalisation in line {line}.")
        if page == 1:
            canvas.drawString(LEFT, A4[1] - BASELINE, fact)
        canvas.showPage()
    canvas.save()
    return path


def fact_box(fact: str) -> Box:
    """Where `draw_pdf` put the fact."""
    from reportlab.pdfbase.pdfmetrics import stringWidth

    return Box(1, LEFT, BASELINE - SIZE, LEFT + stringWidth(fact, "Helvetica", SIZE), BASELINE + 3)


@dataclass
class CannedBatch:
    """What `Canned.add` returns; everything is read at once."""

    ids: tuple[str, ...]
    failures: tuple[Failure, ...] = ()

    def progress(self) -> Progress:
        return Progress(documents=len(self.ids), documents_done=len(self.ids), done=True)

    def wait(self, *, progress: bool = False, timeout: float | None = None) -> CannedBatch:
        return self


def unchanged(answer: Answer) -> Answer:
    return answer


@dataclass
class Canned:
    """In memory: collections of documents, one question that it can answer, and what it was asked."""

    folder: Path
    kept: dict[str, list[Document]] = field(default_factory=dict)
    now: Progress = field(default_factory=lambda: Progress(done=True))
    trouble: Exception | None = None
    asked: list[dict[str, Any]] = field(default_factory=list)
    added: list[tuple[str, str, bytes]] = field(default_factory=list)
    retried: list[tuple[str, str | None]] = field(default_factory=list)
    caps: list[int | None] = field(default_factory=list)
    far: dict[str, Reading] = field(default_factory=dict)
    extracts: bool = False
    decided: dict[str, Decision] = field(default_factory=dict)
    reshape: Callable[[Answer], Answer] = unchanged  # what a test makes of an answer

    @property
    def settings(self) -> Settings:
        model = {"model": "small", "extract_with_model": True} if self.extracts else {}
        return load_settings(home=self.folder, strategy="gnn_ret:hub=10", **model)

    def close(self) -> None:
        return None

    def strategies(self, *, usable: bool = False) -> dict[str, str]:
        return {
            "bm25": "Evidence that shares the question's words.",
            "gnn_ret": "Nearest evidence draws its neighbours.",
        }

    def explore(self, node: str, hops: int = 1, *, limit: int = 300) -> Neighbourhood:
        self._check()
        if node == "gone":
            raise UnknownName("node", node, ())
        nodes = (Node(node, "passage", "Seen"), *NAMES[:2])
        return Neighbourhood(nodes, tuple((node, "MENTIONS", name.id) for name in NAMES[:2] if name.id != node), 2)

    def overview(self, collection: str = "default", *, limit: int = 300) -> Neighbourhood:
        self._check()
        self._known(collection)
        passage, other = Node("p1", "passage", FACTS["permit-file.pdf"]), Node("p2", "passage", HOSTILE)
        edges = (("p1", "MENTIONS", "halcyon"), ("p2", "MENTIONS", "halcyon"), ("p2", "ABOUT", "north"))
        return Neighbourhood((passage, other, *NAMES[:2]), edges, 2623)

    def find(
        self, text: str, *, collection: str = "default", kinds: Sequence[Kind] = (), limit: int = 10
    ) -> list[Found]:
        self._check()
        self._known(collection)
        documents = [Node(one.id, "document", one.name) for one in self.kept[collection]]
        there = documents if list(kinds) == ["document"] else NAMES
        return [Found(one, "ORG", 7) for one in there if text.casefold() in one.name.casefold()]

    def between(self, source: str, target: str, *, limit: int = 3) -> list[tuple[Step, ...]]:
        self._check()
        if "skagen" in (source, target):
            return []
        one, other = (
            next((name for name in NAMES if name.id == id), Node(id, "passage", id)) for id in (source, target)
        )
        middle = Node("p1", "passage", FACTS["permit-file.pdf"])
        return [(Step(one, "MENTIONS", middle), Step(middle, "MENTIONS", other))]

    def detail(self, node: str) -> Detail:
        self._check()
        known = next((one for one in NAMES if one.id == node), None)
        if known is None:
            return Detail(Node(node, "passage", "Seen"), evidence=self._evidence()[:1])
        triple = Triple("t1", "Nordvik Energy AS", "acquired", HOSTILE)
        [evidence] = self._evidence()[:1]
        at = evidence.text.index("Halcyon Turbines")
        spans = {evidence.id: ((at, at + len("Halcyon Turbines")),)}
        return Detail(known, sort="ORG", aliases=("Halcyon AS",), evidence=(evidence,), spans=spans, triples=(triple,))

    def same_names(self, collection: str = "default", *, limit: int = 20) -> list[Suggestion]:
        self._check()
        pairs = [(NAMES[3], NAMES[1]), (NAMES[2], NAMES[0]), (NAMES[1], NAMES[0])]
        return [
            Suggestion(one, other, "spelled nearly the same", 0.8, (2, 7), 3)
            for one, other in pairs
            if not {one.id, f"{one.id} {other.id}"} & self.decided.keys()
        ]

    def merge(self, source: str, target: str) -> None:
        self._check()
        names = {node.id: node.name for node in NAMES}
        self.decided[source] = Decision(source, True, names[source], names[target], 0.0)

    def refuse(self, one: str, other: str) -> None:
        self._check()
        names = {node.id: node.name for node in NAMES}
        self.decided[f"{one} {other}"] = Decision(f"{one} {other}", False, names[one], names[other], 0.0)

    def decisions(self, collection: str = "default") -> list[Decision]:
        self._check()
        return list(self.decided.values())

    def undo(self, decision: str) -> None:
        self._check()
        del self.decided[decision]

    def _evidence(self) -> tuple[Evidence, ...]:
        return nordvik(QUESTION, "gnn_ret", "nordvik").retrieval.evidence

    def add(
        self, paths: str | Path | Iterable[str | Path], collection: str = "default", *, max_calls: int | None = None
    ) -> CannedBatch:
        self._check()
        given = find_files([Path(paths)] if isinstance(paths, str | Path) else [Path(path) for path in paths])
        documents = self.kept.setdefault(collection, [])
        self.caps.append(max_calls)
        for path, name in given:
            self.added.append((collection, name, path.read_bytes()))
            documents.append(a_document(collection, name, state="waiting", pages=0, passages=0))
        return CannedBatch(tuple(document.id for document in documents[-len(given) :]))

    def estimate(self, paths: Iterable[Path], collection: str = "default") -> Estimate:
        self._check()
        bad = tuple(path.name for path in paths if path.suffix == ".exe")
        calls = 60 if self.extracts else 0
        return Estimate(len(list(paths)) - len(bad), 14, 60, 12.0, calls, 700 * calls, unsupported=bad)

    def ask(
        self,
        question: str,
        *,
        collection: str = "default",
        documents: Sequence[str] = (),
        strategy: str | None = None,
        k: int | None = None,
        after: Sequence[Answer] = (),
        listener: Listener | None = None,
        record: bool = False,
    ) -> Answer:
        self._check()
        self._known(collection)
        strategy = strategy or self.settings.strategy
        if after and " it" in question:
            meant = question.replace(" it", " Nordvik Energy AS")
            return replace(self.ask(meant, collection=collection, strategy=strategy), question=question)
        self.asked.append(
            {"question": question, "collection": collection, "documents": tuple(documents), "strategy": strategy}
        )
        answer = (
            nordvik(question, strategy, collection)
            if "Nordvik" in question
            else nothing(question, strategy, collection)
        )
        for step in answer.retrieval.trace.steps:
            if listener:
                listener(step)
        return self.reshape(answer)

    def collections(self) -> list[Collection]:
        self._check()
        return [
            Collection(
                collection_id(name),
                name,
                len(documents),
                sum(document.passages for document in documents),
                self.settings.extraction_model,
            )
            for name, documents in sorted(self.kept.items())
        ]

    def documents(self, collection: str = "default") -> list[Document]:
        self._check()
        self._known(collection)
        return sorted(self.kept[collection], key=lambda document: document.name)

    def progress(self, collection: str = "default") -> Progress:
        self._check()
        return self.now

    def remove(self, document: str | None = None, *, collection: str = "default") -> int:
        self._check()
        if document is None:
            return len(self.kept.pop(collection))
        before = len(self.kept[collection])
        self.kept[collection] = [one for one in self.kept[collection] if document not in (one.id, one.name)]
        return before - len(self.kept[collection])

    def rename(self, collection: str, to: str) -> None:
        self._check()
        if to in self.kept:
            raise UsageError(f"there is a collection called {to!r} already")
        self.kept[to] = [replace(one, collection=to) for one in self.kept.pop(collection)]

    def reading(self, documents: Sequence[str]) -> dict[str, Reading]:
        self._check()
        there = {one.id: one for many in self.kept.values() for one in many}
        read = {
            id: Reading(one.pages, one.pages, one.passages, one.passages, one.passages, 7) for id, one in there.items()
        }
        return {id: self.far.get(id, read[id]) for id in documents}

    def retry(
        self,
        document: str | None = None,
        *,
        collection: str = "default",
        passages: bool = True,
        max_calls: int | None = None,
    ) -> int:
        self._check()
        failed = [document for document in self.kept[collection] if document.state == "failed"]
        self.retried.append((collection, document))
        self.caps.append(max_calls)
        self.kept[collection] = [
            replace(document, state="waiting", reason="") if document.state == "failed" else document
            for document in self.kept[collection]
        ]
        return len(failed)

    def file(self, document: str) -> Path:
        self._check()
        for documents in self.kept.values():
            for one in documents:
                if one.id == document and one.name.endswith(".pdf"):
                    return self.folder / one.name
        raise UnknownName("document with a file", document, ())

    def _check(self) -> None:
        if self.trouble:
            raise self.trouble

    def _known(self, collection: str) -> None:
        if collection not in self.kept:
            raise UnknownName("collection", collection, self.kept)


def a_document(collection: str, name: str, **given: Any) -> Document:
    """A document that was read, unless ``given`` says otherwise."""
    found = {"state": "ready", "pages": 2, "passages": 9, "title": name.rsplit(".", 1)[0], "sha256": "0" * 64} | given
    return Document(document_id(collection_id(collection), name), name, collection, **found)


def filled(folder: Path, collection: str = "nordvik") -> Canned:
    """Nordvik's three PDFs, a text with a hostile name, and one document that failed."""
    for name, fact in FACTS.items():
        draw_pdf(folder / name, fact)
    documents = [a_document(collection, name) for name in FACTS]
    documents.append(a_document(collection, HOSTILE, pages=1, warnings=("page 1: letters could not be told",)))
    documents.append(
        a_document(
            collection, "locked.pdf", state="failed", pages=0, passages=0, reason="It is protected by a password."
        )
    )
    return Canned(folder, {collection: documents})


def evidence_of(collection: str, name: str, fact: str, *, score: float, kind: Any = "passage") -> Evidence:
    """The fact's passage, with one box and one line for its one sentence."""
    before = "Management expects a gradual normalisation. "
    text = before + fact
    document = a_document(collection, name)
    box = fact_box(fact)
    return Evidence(
        id=stable_id(kind, document.id, text, 0),
        kind=kind,
        score=score,
        text=text,
        document=name,
        document_id=document.id,
        title=document.title,
        section=("Holdings",),
        pages=(1,),
        boxes=(Box(1, LEFT, BASELINE - 27, 400, BASELINE - 13), box),
        lines=((0, len(before)), (len(before), len(text))),
        sentences=((0, len(before) - 1), (len(before), len(text))),
    )


def cited(evidence: Evidence, quote: str, path: EvidencePath | None) -> Citation:
    start = evidence.text.index(quote)
    return Citation(evidence, quote, start, start + len(quote), path)


def nordvik(question: str, strategy: str, collection: str) -> Answer:
    """Two sentences over three documents, each cited, with paths over shared entities."""
    found = [
        evidence_of(collection, name, fact, score=0.91 - 0.2 * rank) for rank, (name, fact) in enumerate(FACTS.items())
    ]
    hostile = replace(
        found[0],
        id="hostile",
        document=HOSTILE,
        document_id=a_document(collection, HOSTILE).id,
        boxes=(),
        lines=(),
        score=0.2,
        text=HOSTILE,
    )
    nodes = [Node(evidence.id, "passage") for evidence in found]
    halcyon, skagen = Node("halcyon", "entity", "Halcyon Turbines"), Node("skagen", "entity", "Skagen Wind Farm")
    first = (Step(nodes[0], "MENTIONS", halcyon), Step(halcyon, "MENTIONS", nodes[1]))
    second = (*first, Step(nodes[1], "MENTIONS", skagen), Step(skagen, "MENTIONS", nodes[2]))
    paths = (
        EvidencePath(found[0].id, nodes[0]),
        EvidencePath(found[1].id, nodes[0], first),
        EvidencePath(found[2].id, nodes[0], second),
    )
    citations = [cited(evidence, fact, path) for evidence, fact, path in zip(found, FACTS.values(), paths, strict=True)]
    steps = (
        TraceStep("embed", "question", 11.2, rows=1),
        TraceStep("search", "hybrid", 14.8, rows=30),
        TraceStep("fetch", "gnn_ret/neighbours", 21.4, rows=212),
    )
    retrieval = Retrieval(question, strategy, collection, (*found, hostile), paths, Trace(steps))
    if strategy == "graph_hop":
        one, two, three = (node.id for node in nodes)
        graph = EvidenceGraph(tuple(nodes), (("", one), ("", two), (one, three), (two, three)))
        retrieval = replace(retrieval, graph=graph)
    sentences = (
        Sentence(
            "Nordvik Energy AS acquired Halcyon Turbines, which operates the Skagen Wind Farm.", tuple(citations[:2])
        ),
        Sentence("The wind farm is financed by EIB loan 2021-044.", tuple(citations[2:])),
        Sentence("The loan <b>may</b> be repaid early.", (), backed=False),
    )
    return Answer(question, sentences, retrieval, short="EIB loan 2021-044")


def nothing(question: str, strategy: str, collection: str) -> Answer:
    """An abstention with the nearest evidence."""
    nearest = evidence_of(collection, "permit-file.pdf", FACTS["permit-file.pdf"], score=0.31)
    retrieval = Retrieval(
        question, strategy, collection, (nearest,), (EvidencePath(nearest.id, Node(nearest.id, "passage")),)
    )
    return Answer(question, (), retrieval, abstained=True, missing=("insurer", "2019 <b>"))


def looked_up(answer: Answer) -> Answer:
    """The answer when its third source was looked up for it instead of returned by the strategy."""
    first, second, third, *rest = answer.retrieval.evidence
    *paths, last = answer.retrieval.paths
    retrieval = replace(answer.retrieval, evidence=(first, second, *rest), paths=tuple(paths))
    third = replace(third, score=0.0)
    sentences = tuple(
        replace(one, citations=tuple(replace(c, evidence=third) if c.path == last else c for c in one.citations))
        for one in answer.sentences
    )
    return replace(
        answer, sentences=sentences, retrieval=retrieval, additional_evidence=(third,), additional_paths=(last,)
    )


def unreachable() -> HoplineError:
    """The error of a graph that cannot be reached."""
    from hopline.errors import EngineUnavailable

    return EngineUnavailable("the graph at bolt://127.0.0.1:7687 does not answer; start it or unset NEO4J_URI")
