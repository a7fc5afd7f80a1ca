"""Evidence written by hand and a fake graph of what surrounds it, small enough to check answers by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from small_tables import medals

from hopline.answers.generated import DEFAULT_CONTEXT, AnswerModel, Verification
from hopline.answers.pipeline import answer_question
from hopline.errors import HoplineError
from hopline.flow.requests import Flow, Hits, Reply, Search, Vector, Vectors
from hopline.flow.run import Budget, run
from hopline.flow.services import Columns, Graph, Prompt, Scope, Services
from hopline.learned.registry import BUNDLED, ModelRegistry
from hopline.results import Answer, AnswerDraft, Evidence, EvidencePath, Node, Retrieval
from hopline.tables.grid import render_table
from hopline.tables.parts import parse_row_range
from hopline_cypher.loader import load_statement

__all__ = ["medals"]

Name = tuple[str, str]  # a name and its kind


def make_passage(
    id: str, *sentences: str, document: str = "report.pdf", title: str = "", section: Sequence[str] = ()
) -> Evidence:
    """Return a passage of these sentences, separated by spaces."""
    spans, start = [], 0
    for sentence in sentences:
        spans.append((start, start + len(sentence)))
        start += len(sentence) + 1
    return Evidence(
        id,
        "passage",
        1.0,
        " ".join(sentences),
        document,
        f"d-{document}",
        title,
        tuple(section),
        sentences=tuple(spans),
    )


def make_table(id: str, caption: str, *rows: Sequence[str], document: str = "report.pdf", title: str = "") -> Evidence:
    """A table as ingest writes it: caption, header, rule, rows."""
    cells = tuple(map(tuple, rows))
    text = f"{caption}\n{render_table(cells)[0]}"
    return Evidence(id, "table", 1.0, text, document, f"d-{document}", title, caption=caption, cells=cells)


_MENTIONS = ("id", "entity", "name", "kind", "aliases", "spans")


@dataclass
class KnownGraph(Graph):
    """Fake graph that answers the requests of a flow from its fields; it finds names in the texts.

    ``names`` are (name, kind); a name is its own entity. ``hidden`` is evidence that is not in the
    retrieval.
    """

    evidence: Sequence[Evidence]
    hidden: Sequence[Evidence] = ()
    names: Sequence[tuple[str, str]] = ()
    aliases: Mapping[str, Sequence[str]] = field(default_factory=dict)
    centrality: Mapping[str, float] = field(default_factory=dict)

    def search(self, request: Search, scope: Scope, vector: Vector | None) -> Hits:
        words = set(str(request.query).lower().split())
        searchable = [item for item in self.hidden if request.over != "table" or item.kind == "table"]
        near = [item for item in searchable if words & set(item.text.lower().replace(".", "").split())]
        return Hits(tuple(item.id for item in near[: request.k]), (1.0,) * len(near[: request.k]))

    def fetch(self, name: str, parameters: Mapping[str, Any], scope: Scope) -> Columns:
        ids = list(parameters.get("ids", ()))
        rows = getattr(self, f"fetch_{name.replace('/', '_')}")(ids, parameters)
        columns = load_statement(name).returns
        return {column: [row[n] for row in rows] for n, column in enumerate(columns)}

    def fetch_retrieval_evidence(self, ids: list[str], parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        return [to_row(item) for id in ids for item in self.hidden if item.id == id]

    def fetch_answering_bibliographies(self, ids: list[str], parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        known = {item.document_id: item for item in (*self.evidence, *self.hidden)}
        return [(id, known[id].document, known[id].title, "", "") for id in ids if id in known]

    def fetch_answering_mentions(self, ids: list[str], parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        return [
            (item.id, name, name, kind, list(self.aliases.get(name, ())), [at, at + len(name)])
            for item in (*self.evidence, *self.hidden)
            for name, kind in self.names
            if item.id in ids and (at := item.text.find(name)) >= 0
        ]

    def fetch_answering_document_passages(self, ids: list[str], parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        return [
            (item.id, item.document_id, list(item.section), self.centrality.get(item.id, 0.0))
            for item in {item.id: item for item in (*self.evidence, *self.hidden)}.values()
            if item.kind == "passage" and item.document_id in ids
        ]

    def fetch_answering_table_parts(self, ids: list[str], parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        stored = {item.id: item for item in (*self.evidence, *self.hidden)}.values()
        parts = [(rows.first, item) for item in stored if (rows := parse_row_range(item.caption))]
        ordered = [item for _, item in sorted(parts, key=lambda pair: pair[0])]
        return [(item.id, item.document_id, item.caption) for item in ordered[: parameters["limit"]]]

    def fetch_answering_evidence_mentioning(
        self, ids: list[str], parameters: Mapping[str, Any]
    ) -> list[tuple[Any, ...]]:
        everything = (*self.evidence, *self.hidden)
        return [
            (item.id, name, name, item.text)
            for name in parameters["entities"]
            for item in everything
            if name in item.text
        ]


def to_row(item: Evidence) -> tuple[Any, ...]:
    """Return an evidence as a row of ``retrieval/evidence``."""
    spans = [offset for span in item.sentences for offset in span]
    columns = (item.id, item.kind, item.text, item.document, item.document_id, item.title, list(item.section))
    return (*columns, item.caption, item.number, [1], [], [], spans, "", json.dumps(item.cells), "", [], None)


class NoEmbedder:
    """Embedder for flows that embed nothing."""

    name = "none"
    dimension = 2

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.zeros((len(texts), 2), dtype=np.float32)


@dataclass
class CannedChat:
    """Returns one reply to every prompt, and records the prompts."""

    reply: Reply | HoplineError
    prompts: list[Prompt] = field(default_factory=list)
    name: str = "canned"

    def complete(self, prompts: Sequence[Prompt]) -> list[Reply]:
        self.prompts += prompts
        for prompt in prompts:
            if prompt.on_text is not None and isinstance(self.reply, Reply):
                for end in range(1, len(self.reply.text) + 1):
                    prompt.on_text(self.reply.text[:end])
        if isinstance(self.reply, HoplineError):
            raise self.reply
        return [self.reply] * len(prompts)


def retrieve(question: str, evidence: Sequence[Evidence]) -> Flow[Retrieval]:
    """Return a retrieval in which each evidence is its own seed."""
    yield from ()
    paths = tuple(EvidencePath(item.id, Node(item.id, item.kind, item.document)) for item in evidence)
    return Retrieval(question, "hybrid", "c", tuple(evidence), paths)


@pytest.fixture(scope="session")
def passage() -> Callable[..., Evidence]:
    """``passage(id, *sentences, document=…, title=…, section=…)``."""
    return make_passage


@pytest.fixture(scope="session")
def table() -> Callable[..., Evidence]:
    """``table(id, caption, header, *rows, document=…, title=…)``."""
    return make_table


@pytest.fixture(scope="session")
def models() -> ModelRegistry:
    """The included models, with the real reader."""
    return ModelRegistry(BUNDLED)


@pytest.fixture
def answer(models: ModelRegistry) -> Callable[..., Answer]:
    """``answer(question, *evidence, names=…, aliases=…, hidden=…)``: the extractive answer of the included reader."""

    def ask(question: str, *evidence: Evidence, reader: bool = True, **known: Any) -> Answer:
        services = Services(KnownGraph(evidence, **known), NoEmbedder(), models=models)
        return run_flow(answer_question(question, lambda _: retrieve(question, evidence), reader=reader), services)

    return ask


@pytest.fixture
def write(models: ModelRegistry) -> Callable[..., tuple[Answer, list[Prompt]]]:
    """``write(question, reply, *evidence)``: the answer of a model that gives this reply, and its prompts."""

    def ask(
        question: str,
        reply: Reply | HoplineError,
        *evidence: Evidence,
        budget: Budget | None = None,
        verification: Verification = "mark",
        context: int = DEFAULT_CONTEXT,
        on_draft: Callable[[AnswerDraft], None] | None = None,
        **known: Any,
    ) -> tuple[Answer, list[Prompt]]:
        chat = CannedChat(reply)
        services = Services(KnownGraph(evidence, **known), NoEmbedder(), chat, models=models)
        model = AnswerModel(chat.name, verification, context, on_draft)
        flow = answer_question(question, lambda _: retrieve(question, evidence), model=model)
        done = run(flow, services, Scope("c"), budget=budget)
        retrieval = replace(done.result.retrieval, trace=done.trace)
        return replace(done.result, retrieval=retrieval), chat.prompts

    return ask


def run_flow(flow: Flow[Answer], services: Services, budget: Budget | None = None) -> Answer:
    """Run a flow to its end and return the answer."""
    return run(flow, services, Scope("c"), budget=budget).result
