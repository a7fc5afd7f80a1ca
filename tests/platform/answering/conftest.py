"""Evidence by hand and a graph that knows what stands around it, so that answers can be checked by eye."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from hopline.answering import extractive, written
from hopline.errors import HoplineError
from hopline.flow.requests import Flow, Hits, Reply, Search, Vector, Vectors
from hopline.flow.run import Budget, run
from hopline.flow.services import Columns, Graph, Prompt, Scope, World
from hopline.types import Answer, Evidence, EvidencePath, Node, Retrieval
from hopline_cypher.loader import load_statement

Name = tuple[str, str]  # a name and its kind


def make_passage(
    id: str, *sentences: str, document: str = "report.pdf", title: str = "", section: Sequence[str] = ()
) -> Evidence:
    """A passage of these sentences, a space between them."""
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
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "|" + " --- |" * len(rows[0]))
    return Evidence(id, "table", 1.0, "\n".join([caption, *lines]), document, f"d-{document}", title, caption=caption)


_MENTIONS = ("id", "entity", "name", "kind", "aliases", "spans")


@dataclass
class KnownGraph(Graph):
    """Answers what an answer asks for from what it was told; finds names by looking for them.

    ``names`` are (name, kind); a name is its own entity. ``hidden`` is evidence that the retrieval
    does not hold.
    """

    evidence: Sequence[Evidence]
    hidden: Sequence[Evidence] = ()
    names: Sequence[tuple[str, str]] = ()
    aliases: Mapping[str, Sequence[str]] = field(default_factory=dict)
    beside: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    openings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def search(self, request: Search, scope: Scope, vector: Vector | None) -> Hits:
        self.asked.append(f"search {request.over}")
        words = set(str(request.query).lower().split())
        found = [one for one in self.hidden if request.over != "table" or one.kind == "table"]
        near = [one for one in found if words & set(one.text.lower().replace(".", "").split())]
        return Hits(tuple(one.id for one in near[: request.k]), (1.0,) * len(near[: request.k]))

    def fetch(self, name: str, parameters: Mapping[str, Any], scope: Scope) -> Columns:
        self.asked.append(name)
        ids = list(parameters.get("ids", ()))
        rows = getattr(self, name.replace("/", "_"))(ids, parameters)
        columns = load_statement(name).returns
        return {column: [row[n] for row in rows] for n, column in enumerate(columns)}

    def read_evidence(self, ids: list[str], parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        return [evidence_row(one) for id in ids for one in self.hidden if one.id == id]

    def answer_beside(self, ids: list[str], parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        return [(id, *self.beside.get(id, ("", ""))) for id in ids]

    def answer_openings(self, ids: list[str], parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        return [(id, list(self.openings.get(id, ()))) for id in ids]

    def answer_mentions(self, ids: list[str], parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        return [
            (one.id, name, name, kind, list(self.aliases.get(name, ())), [at, at + len(name)])
            for one in (*self.evidence, *self.hidden)
            for name, kind in self.names
            if one.id in ids and (at := one.text.find(name)) >= 0
        ]

    def answer_mentioning(self, ids: list[str], parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        everything = (*self.evidence, *self.hidden)
        return [
            (one.id, name, name, one.text) for name in parameters["entities"] for one in everything if name in one.text
        ]


def evidence_row(one: Evidence) -> tuple[Any, ...]:
    """An evidence as ``read/evidence`` gives it."""
    spans = [place for span in one.sentences for place in span]
    told = (one.id, one.kind, one.text, one.document, one.document_id, one.title, list(one.section), one.caption)
    return (*told, one.number, [1], [], [], spans, "")


class NoEmbedder:
    """An answer embeds nothing."""

    name = "none"
    dimension = 2

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.zeros((len(texts), 2), dtype=np.float32)


@dataclass
class CannedChat:
    """Gives one reply to every prompt, and keeps the prompts."""

    reply: Reply | HoplineError
    prompts: list[Prompt] = field(default_factory=list)
    name: str = "canned"

    def complete(self, prompts: Sequence[Prompt]) -> list[Reply]:
        self.prompts += prompts
        if isinstance(self.reply, HoplineError):
            raise self.reply
        return [self.reply] * len(prompts)


def retrieval_of(question: str, evidence: Sequence[Evidence]) -> Retrieval:
    """A retrieval in which each evidence is its own seed."""
    paths = tuple(EvidencePath(one.id, Node(one.id, one.kind, one.document)) for one in evidence)
    return Retrieval(question, "hybrid", "c", tuple(evidence), paths)


@pytest.fixture(scope="session")
def passage() -> Callable[..., Evidence]:
    """``passage(id, *sentences, document=…, title=…, section=…)``."""
    return make_passage


@pytest.fixture(scope="session")
def table() -> Callable[..., Evidence]:
    """``table(id, caption, header, *rows, document=…, title=…)``."""
    return make_table


@pytest.fixture
def answer() -> Callable[..., Answer]:
    """``answer(question, *evidence, names=…, aliases=…, beside=…, openings=…)``: the extractive answer."""

    def ask(question: str, *evidence: Evidence, **known: Any) -> Answer:
        graph = KnownGraph(evidence, **known)
        return finish(extractive(question, retrieval_of(question, evidence)), World(graph, NoEmbedder()))

    return ask


@pytest.fixture
def write() -> Callable[..., tuple[Answer, list[Prompt]]]:
    """``write(question, reply, *evidence)``: the answer of a model that gives this reply, and its prompts."""

    def ask(
        question: str, reply: Reply | HoplineError, *evidence: Evidence, budget: Budget | None = None, **known: Any
    ) -> tuple[Answer, list[Prompt]]:
        chat = CannedChat(reply)
        world = World(KnownGraph(evidence, **known), NoEmbedder(), chat)
        flow = written(question, retrieval_of(question, evidence), model=chat.name)
        done = run(flow, world, Scope("c"), budget=budget)
        retrieval = replace(done.result.retrieval, trace=done.trace)
        return replace(done.result, retrieval=retrieval), chat.prompts

    return ask


def finish(flow: Flow[Answer], world: World, budget: Budget | None = None) -> Answer:
    """Run a flow of an answer to its end."""
    return run(flow, world, Scope("c"), budget=budget).result
