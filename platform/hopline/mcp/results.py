"""What the tools return: parts of answers and of the graph that a language model reads and passes on."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, Field

from hopline.graph_explorer import Neighbourhood, NodeMatch
from hopline.records import Document
from hopline.results import Answer, Citation, Evidence, EvidencePath, PathStep, Retrieval, Sentence

MAX_TEXT = 4_000  # characters of one passage or table


class CitedQuote(BaseModel):
    """A quote from a document, with the page and the path that led to it."""

    quote: str
    document: str
    document_id: str = Field(description="Id for open_page.")
    page: int
    path: str = Field("", description="How the question is connected to the quote, through the graph.")


class AnswerSentence(BaseModel):
    """A sentence of an answer with its quotes; `state` says what its verification found."""

    text: str
    state: str
    citations: list[CitedQuote]


class AnswerReport(BaseModel):
    """An answer. `status`: answered, possible (to be checked) or not_found."""

    status: str
    short: str = ""
    confidence: float | None = None
    sentences: list[AnswerSentence] = []
    nearest: list[AnswerSentence] = Field([], description="If there is no answer: sentences about the question.")
    missing: list[str] = Field([], description="Names and numbers of the question that no evidence contains.")
    notice: str = ""


class FoundText(BaseModel):
    """A passage or table that a search has found."""

    id: str
    kind: str
    document: str
    document_id: str
    pages: list[int]
    section: str = ""
    text: str
    score: float
    path: str = ""


class NamedNode(BaseModel):
    """A node of the graph; `about` is its document or its kind, `size` the number of its edges."""

    id: str
    kind: str
    name: str
    about: str = ""
    size: int = 0


class NodeEdges(BaseModel):
    """The neighbourhood of a node: its nodes, and its edges as "name -TYPE- name"."""

    nodes: list[NamedNode]
    edges: list[str]
    total_edges: int


class ListedDocument(BaseModel):
    """A document of a collection."""

    id: str
    name: str
    title: str
    state: str
    pages: int


def report_answer(answer: Answer) -> AnswerReport:
    """Report an answer with its citations."""
    return AnswerReport(
        status=answer.status,
        short=answer.short,
        confidence=answer.confidence,
        sentences=[_report_sentence(sentence) for sentence in answer.sentences],
        nearest=[_report_sentence(sentence) for sentence in answer.nearest],
        missing=list(answer.missing),
        notice=answer.notice,
    )


def report_retrieval(retrieval: Retrieval) -> list[FoundText]:
    """Report the evidence of a retrieval, best first."""
    return [_report_evidence(item, retrieval.find_path(item.id)) for item in retrieval.evidence]


def report_matches(matches: Sequence[NodeMatch]) -> list[NamedNode]:
    """Report the nodes that a search has found."""
    return [
        NamedNode(id=match.node.id, kind=match.node.kind, name=match.node.name, about=match.about, size=match.size)
        for match in matches
    ]


def report_neighbourhood(neighbourhood: Neighbourhood) -> NodeEdges:
    """Report the nodes and edges around a node."""
    names = {node.id: node.name for node in neighbourhood.nodes}
    nodes = [NamedNode(id=node.id, kind=node.kind, name=node.name) for node in neighbourhood.nodes]
    edges = [f"{names[source]} -{edge}- {names[target]}" for source, edge, target in neighbourhood.edges]
    return NodeEdges(nodes=nodes, edges=edges, total_edges=neighbourhood.total)


def report_documents(documents: Sequence[Document]) -> list[ListedDocument]:
    """Report documents."""
    return [
        ListedDocument(id=each.id, name=each.name, title=each.title, state=each.state, pages=each.pages)
        for each in documents
    ]


def format_steps(steps: Sequence[PathStep]) -> str:
    """Format the steps of a path: "A -MENTIONS- B -ABOUT- C"."""
    if not steps:
        return ""
    return "".join([steps[0].source.name, *(f" -{step.edge}- {step.target.name}" for step in steps)])


def _report_sentence(sentence: Sentence) -> AnswerSentence:
    citations = [_report_citation(citation) for citation in sentence.citations]
    return AnswerSentence(text=sentence.text, state=sentence.state, citations=citations)


def _report_citation(citation: Citation) -> CitedQuote:
    return CitedQuote(
        quote=citation.quote,
        document=citation.document,
        document_id=citation.evidence.document_id,
        page=citation.page,
        path=format_steps(citation.path.steps) if citation.path else "",
    )


def _report_evidence(evidence: Evidence, path: EvidencePath | None) -> FoundText:
    return FoundText(
        id=evidence.id,
        kind=evidence.kind,
        document=evidence.document,
        document_id=evidence.document_id,
        pages=list(evidence.pages),
        section=" > ".join(evidence.section),
        text=evidence.text[:MAX_TEXT],
        score=evidence.score,
        path=format_steps(path.steps) if path else "",
    )
