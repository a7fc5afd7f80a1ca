"""Evidence by hand and a graph that knows what stands around it, so that answers can be checked by eye."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from hopline.answer import extractive, written
from hopline.errors import HoplineError
from hopline.flow.requests import Flow, Hits, Reply, Search, Vector, Vectors
from hopline.flow.run import Budget, run
from hopline.flow.world import Columns, Graph, Prompt, Scope, World
from hopline.types import Answer, Evidence, EvidencePath, Node, Retrieval

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
    """Answers the statements of the answer from what it was told; finds names by looking for them."""

    evidence: Sequence[Evidence]
    names: Sequence[Name] = ()
    aliases: Mapping[str, Sequence[str]] = field(default_factory=dict)
    beside: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    openings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def search(self, request: Search, scope: Scope, vector: Vector | None) -> Hits:
        self.asked.append(f"{request.over} by {request.by}")
        return Hits()

    def fetch(self, name: str, parameters: Mapping[str, Any], scope: Scope) -> Columns:
        self.asked.append(name)
        if name == "answer/mentioning":
            wanted = {entity.removeprefix("e:") for entity in parameters["entities"]}
            found = [(one, said) for one in self.evidence for said, _ in self.names if said in wanted & {said}]
            rows = [(one.id, f"e:{said}", said, one.text) for one, said in found if said in one.text]
            return {column: [row[n] for row in rows] for n, column in enumerate(("id", "entity", "name", "text"))}
        ids = list(parameters["ids"])
        if name == "answer/beside":
            sides = [self.beside.get(id, ("", "")) for id in ids]
            return {"id": ids, "before": [a for a, _ in sides], "after": [b for _, b in sides]}
        if name == "answer/openings":
            return {"id": ids, "texts": [list(self.openings.get(id, ())) for id in ids]}
        rows = [row for one in self.evidence if one.id in ids for row in self._mentions(one)]
        return {column: [row[n] for row in rows] for n, column in enumerate(_MENTIONS)}

    def _mentions(self, evidence: Evidence) -> list[tuple[Any, ...]]:
        return [
            (evidence.id, f"e:{name}", name, kind, list(self.aliases.get(name, ())), [at, at + len(name)])
            for name, kind in self.names
            if (at := evidence.text.find(name)) >= 0
        ]


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
        return finish(written(question, retrieval_of(question, evidence)), world, budget), chat.prompts

    return ask


def finish(flow: Flow[Answer], world: World, budget: Budget | None = None) -> Answer:
    """Run a flow of an answer to its end."""
    return run(flow, world, Scope("c"), budget=budget).result
