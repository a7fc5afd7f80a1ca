"""Nordvik Energy: the documents, the graph and the answers of the page's tests, on a fake client.

Three PDFs, written with reportlab so that every quote's box is known, a text document with a name that tries to
be HTML, and a document that failed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from hopline.config import load_settings
from hopline.documents.estimate import Estimate
from hopline.documents.outline import OutlineItem
from hopline.documents.pages import DocumentPage, EntityMention
from hopline.documents.status import ModelState, Status
from hopline.entities.communities import Community, CommunityGraph, CommunityLink
from hopline.entities.ranking import RankedEntity
from hopline.entities.resolution import MergeSuggestion
from hopline.entities.timeline import DatedStatement
from hopline.errors import HoplineError, UnknownName
from hopline.graph_explorer import NODE_ADVICE, MentioningDocument, Neighbourhood, NodeDetails, NodeMatch
from hopline.ids import stable_id
from hopline.records import Box, Document, Triple
from hopline.results import (
    Answer,
    Citation,
    Evidence,
    EvidenceGraph,
    EvidencePath,
    Node,
    PathStep,
    Retrieval,
    Sentence,
    Trace,
    TraceStep,
)
from hopline.tables.grid import render_table
from hopline.testing import FakeHopline, FakeQuestion, make_document

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
TYPES = ("organisation", "place", "place", "")
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


def answer_question(request: FakeQuestion) -> Answer:
    """Answer questions about Nordvik, abstain from others; "it" in a follow-up question is Nordvik."""
    if request.history and " it" in request.question:
        meant = request.question.replace(" it", " Nordvik Energy AS")
        return replace(nordvik(meant, request.strategy, request.collection), question=request.question)
    make = nordvik if "Nordvik" in request.question else unsure if "flagship" in request.question else abstain
    return make(request.question, request.strategy, request.collection)


def change_answers(hop: FakeHopline, change: Callable[[Answer], Answer]) -> None:
    """Change every answer that the client gives from now on."""
    hop.state.answer = lambda request: change(answer_question(request))


def use_model(hop: FakeHopline) -> None:
    """Configure a language model that extracts entities and triples."""
    hop.state.settings = load_settings(
        home=hop.settings.home, strategy="gnn_ret:hub=10", model="small", extract_with_model=True
    )


def empty_hop(folder: Path, *collections: str) -> FakeHopline:
    """A client with collections that have no documents."""
    hop = FakeHopline(
        settings=load_settings(home=folder, strategy="gnn_ret:hub=10"),
        answer=answer_question,
        status=Status(models=(ModelState("embedder", "minilm", loaded=True), ModelState("reader", "minilm"))),
        documents={name: [] for name in collections},
        strategies={
            "bm25": "Evidence that shares the question's words.",
            "gnn_ret": "Nearest evidence draws its neighbours.",
        },
        nodes=[NodeMatch(node, "ORG", 7) for node in NAMES],
        neighbourhood=neighbourhood,
        details=details,
        entities=[
            RankedEntity(NAMES[0], "organisation", 1204, 3),
            RankedEntity(NAMES[1], "place", 7, 2),
        ],
        overview=overview(),
        paths=paths_between,
        suggestions=[
            MergeSuggestion(source, target, "spelled nearly the same", 0.8, (2, 7), 3)
            for source, target in ((NAMES[3], NAMES[1]), (NAMES[2], NAMES[0]), (NAMES[1], NAMES[0]))
        ],
    )
    hop.state.estimate = lambda paths: estimate(hop, paths)
    return hop


def nordvik_hop(folder: Path, collection: str = "nordvik") -> FakeHopline:
    """A client with Nordvik's three PDFs, a text with a hostile name, and one document that failed."""
    hop = empty_hop(folder)
    documents = [make_document(collection, name) for name in FACTS]
    for document, (name, fact) in zip(documents, FACTS.items(), strict=True):
        hop.state.files[document.id] = draw_pdf(folder / name, fact)
    documents.append(
        make_document(
            collection,
            HOSTILE,
            pages=1,
            warnings=("page 1: letters could not be recognised",),
            left_out=("Permit <office>",),
        )
    )
    reason = "It is protected by a password."
    documents.append(make_document(collection, "locked.pdf", state="failed", pages=0, passages=0, reason=reason))
    hop.state.documents[collection] = documents
    for document, (name, fact) in zip(documents, FACTS.items(), strict=False):
        hop.state.pages[document.id] = pages_of(document, evidence_of(collection, name, fact, score=0.0))
        hop.state.outlines[document.id] = (OutlineItem("section", "Holdings", 1, evidence="none"),)
    hop.state.pages[documents[3].id] = text_pages(documents[3])
    return hop


def pages_of(document: Document, evidence: Evidence) -> tuple[DocumentPage, ...]:
    """The two pages of a PDF: the second one is numbered "iv" and has no evidence."""
    names = [name for name in NAMES if name.name in evidence.text]
    mentions = tuple(
        EntityMention(evidence.id, name.id, name.name, TYPES[NAMES.index(name)], ((at, at + len(name.name)),))
        for name in names
        for at in [evidence.text.index(name.name)]
    )
    first = DocumentPage(document.id, 1, "iii", 595.0, 842.0, True, (evidence,), 0, 1, mentions)
    return first, DocumentPage(document.id, 2, "iv", 595.0, 842.0, True)


def text_pages(document: Document) -> tuple[DocumentPage, ...]:
    """The one page of a text without pictures: a passage with a hostile text, and a table."""
    cells = (("Port", "Ships"), ("Halm", "12"), ("Skagen", "9"))
    scope = (document.name, document.id)
    passage = Evidence("text", "passage", 0.0, f"Seen at sea: {HOSTILE}", *scope, section=("1 <Start>",), pages=(1,))
    text = render_table(cells)[0]
    table = Evidence("table", "table", 0.0, text, *scope, section=("1 <Start>",), pages=(1,), cells=cells)
    hostile = EntityMention("text", "hostile", HOSTILE, "place", ((13, 13 + len(HOSTILE)),))
    return (DocumentPage(document.id, 1, evidence=(passage, table), total=2, mentions=(hostile,)),)


def estimate(hop: FakeHopline, paths: Sequence[Path]) -> Estimate:
    """Fourteen pages; one call of the model a passage where it extracts."""
    unsupported = tuple(path.name for path in paths if path.suffix == ".exe")
    calls = 60 if hop.settings.extraction_model else 0
    protected = tuple(path.name for path in paths if b"/Encrypt" in path.read_bytes())
    documents = len(paths) - len(unsupported) - len(protected)
    return Estimate(documents, 14, 60, 12.0, calls, 700 * calls, unsupported=unsupported, protected=protected)


def communities() -> CommunityGraph:
    """Three communities, of which two are linked; one has a hostile name."""
    ranked = [RankedEntity(node, kind, 9 - n, 2) for n, (node, kind) in enumerate(zip(NAMES, TYPES, strict=True))]
    first = Community("c1", "Halcyon Turbines · North Sea", tuple(ranked[:2]), 12, 3)
    others = [Community(f"c{n}", entity.node.name, (entity,), 4, 1) for n, entity in enumerate(ranked[2:], 2)]
    return CommunityGraph((first, *others), (CommunityLink("c1", "c2", 3),), 5)


def neighbourhood(node: str) -> Neighbourhood:
    """Two entities that a node mentions; the node "gone" does not exist."""
    if node == "gone":
        raise UnknownName("node", node, advice=NODE_ADVICE)
    nodes = (Node(node, "passage", "Seen"), *NAMES[:2])
    return Neighbourhood(nodes, tuple((node, "MENTIONS", name.id) for name in NAMES[:2] if name.id != node), 2)


def overview() -> Neighbourhood:
    """Two passages and two entities, of 2,623 nodes."""
    passage, other = Node("p1", "passage", FACTS["permit-file.pdf"]), Node("p2", "passage", HOSTILE)
    edges = (("p1", "MENTIONS", "halcyon"), ("p2", "MENTIONS", "halcyon"), ("p2", "ABOUT", "north"))
    return Neighbourhood((passage, other, *NAMES[:2]), edges, 2623)


def paths_between(source: str, target: str) -> list[tuple[PathStep, ...]]:
    """One path over a passage; none to Skagen."""
    if "skagen" in (source, target):
        return []
    first, last = (next((name for name in NAMES if name.id == id), Node(id, "passage", id)) for id in (source, target))
    middle = Node("p1", "passage", FACTS["permit-file.pdf"])
    return [(PathStep(first, "MENTIONS", middle), PathStep(middle, "MENTIONS", last))]


def details(node: str) -> NodeDetails:
    """An entity with one alias, a triple that is stated twice, an uncertain one and one passage; or a passage."""
    evidence = nordvik(QUESTION, "gnn_ret", "nordvik").retrieval.evidence[0]
    entity = next((name for name in NAMES if name.id == node), None)
    if entity is None:
        return NodeDetails(Node(node, "passage", "Seen"), evidence=(evidence,))
    triple = Triple("t1", "Nordvik Energy AS", "acquired", HOSTILE, evidence.id)
    at = evidence.text.index("Halcyon Turbines")
    spans = {evidence.id: ((at, at + len("Halcyon Turbines")),)}
    date = evidence.text.index("30 June 2022")
    return NodeDetails(
        entity,
        entity_kind="ORG",
        aliases=("Halcyon AS",),
        evidence=(evidence,),
        spans=spans,
        triples=(triple, replace(triple, id="t2"), replace(triple, id="t3", predicate="sank", confidence=0.3)),
        documents=(MentioningDocument(evidence.document_id, evidence.document, 4),),
        timeline=(DatedStatement("2022-06-30", evidence.text, (date, date + 12), evidence.id),),
        sources=(evidence,),
    )


def evidence_of(collection: str, name: str, fact: str, *, score: float, kind: Any = "passage") -> Evidence:
    """The fact's passage, with one box and one line for its one sentence."""
    before = "Management expects a gradual normalisation. "
    text = before + fact
    document = make_document(collection, name)
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


def cite(evidence: Evidence, quote: str, path: EvidencePath | None) -> Citation:
    start = evidence.text.index(quote)
    return Citation(evidence, quote, start, start + len(quote), path)


def nordvik(question: str, strategy: str, collection: str) -> Answer:
    """Two sentences over three documents, each cited, with paths over shared entities."""
    sources = [
        evidence_of(collection, name, fact, score=0.91 - 0.2 * rank) for rank, (name, fact) in enumerate(FACTS.items())
    ]
    hostile = replace(
        sources[0],
        id="hostile",
        document=HOSTILE,
        document_id=make_document(collection, HOSTILE).id,
        boxes=(),
        lines=(),
        score=0.2,
        text=HOSTILE,
    )
    nodes = [Node(evidence.id, "passage") for evidence in sources]
    halcyon, skagen = Node("halcyon", "entity", "Halcyon Turbines"), Node("skagen", "entity", "Skagen Wind Farm")
    first = (PathStep(nodes[0], "MENTIONS", halcyon), PathStep(halcyon, "MENTIONS", nodes[1]))
    second = (*first, PathStep(nodes[1], "MENTIONS", skagen), PathStep(skagen, "MENTIONS", nodes[2]))
    paths = (
        EvidencePath(sources[0].id, nodes[0]),
        EvidencePath(sources[1].id, nodes[0], first),
        EvidencePath(sources[2].id, nodes[0], second),
    )
    citations = [
        cite(evidence, fact, path) for evidence, fact, path in zip(sources, FACTS.values(), paths, strict=True)
    ]
    steps = (
        TraceStep("embed", "question", 11.2, rows=1),
        TraceStep("search", "hybrid", 14.8, rows=30),
        TraceStep("fetch", "gnn_ret/neighbours", 21.4, rows=212),
    )
    retrieval = Retrieval(question, strategy, collection, (*sources, hostile), paths, Trace(steps))
    if strategy == "graph_hop":
        first_id, second_id, third_id = (node.id for node in nodes)
        graph = EvidenceGraph(
            tuple(nodes), (("", first_id), ("", second_id), (first_id, third_id), (second_id, third_id))
        )
        retrieval = replace(retrieval, graph=graph)
    sentences = (
        Sentence(
            "Nordvik Energy AS acquired Halcyon Turbines, which operates the Skagen Wind Farm.", tuple(citations[:2])
        ),
        Sentence("The wind farm is financed by EIB loan 2021-044.", tuple(citations[2:])),
        Sentence("The loan <b>may</b> be repaid early.", (), state="unsupported"),
    )
    return Answer(question, sentences, retrieval, short="EIB loan 2021-044")


def unsure(question: str, strategy: str, collection: str) -> Answer:
    """Return an abstention with a possible answer and another sentence."""
    answer = abstain(question, strategy, collection)
    evidence = answer.retrieval.evidence[0]
    middle = evidence.text.index(" ")
    spans = [(0, middle), (middle + 1, len(evidence.text))]
    nearest = tuple(
        Sentence(evidence.text[a:b], (Citation(evidence, evidence.text[a:b], a, b, answer=(a, b)),)) for a, b in spans
    )
    return replace(answer, nearest=nearest, confidence=0.2, missing=())


def abstain(question: str, strategy: str, collection: str) -> Answer:
    """Return an abstention with the nearest evidence."""
    nearest = evidence_of(collection, "permit-file.pdf", FACTS["permit-file.pdf"], score=0.31)
    retrieval = Retrieval(
        question, strategy, collection, (nearest,), (EvidencePath(nearest.id, Node(nearest.id, "passage")),)
    )
    return Answer(question, (), retrieval, abstained=True, missing=("insurer", "2019 <b>"))


def look_up_third_source(answer: Answer) -> Answer:
    """Return the answer with its third source as additional evidence instead of evidence of the strategy."""
    first, second, third, *rest = answer.retrieval.evidence
    *paths, last = answer.retrieval.paths
    retrieval = replace(answer.retrieval, evidence=(first, second, *rest), paths=tuple(paths))
    third = replace(third, score=0.0)
    sentences = tuple(
        replace(
            sentence, citations=tuple(replace(c, evidence=third) if c.path == last else c for c in sentence.citations)
        )
        for sentence in answer.sentences
    )
    return replace(
        answer, sentences=sentences, retrieval=retrieval, additional_evidence=(third,), additional_paths=(last,)
    )


def unreachable() -> HoplineError:
    """The error of a graph that cannot be reached."""
    from hopline.errors import EngineUnavailable

    return EngineUnavailable("the graph at bolt://127.0.0.1:7687 does not answer; start it or unset NEO4J_URI")
