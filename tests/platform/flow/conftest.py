"""Services small enough to check by hand: three passages, an embedder, a model that repeats its prompts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any

import numpy as np
import pytest

from hopline.errors import EngineError, ModelError
from hopline.flow.requests import Hits, Reply, Search, Vector, Vectors
from hopline.flow.services import Columns, Graph, Prompt, Scope, Services

NEIGHBOURS = {"a": ["b"], "b": ["c"], "c": []}


class TinyGraph(Graph):
    """Finds passages by the position of their letter in the alphabet; records its requests."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, Any, Scope]] = []
        self._lock = Lock()

    def search(self, request: Search, scope: Scope, vector: Vector | None) -> Hits:
        with self._lock:
            self.requests.append(("search", request, scope))
        if isinstance(request.query, str) and request.query == "broken":
            raise EngineError("the index is gone")
        if (vector is None) != (request.by == "text"):
            raise AssertionError("a dense search has a vector, a text search has none")
        start = 0 if vector is None else int(vector[0] * 100) % 3
        ids = ("abc"[start:] + "abc"[:start])[: request.k]
        return Hits(tuple(ids), tuple(1.0 / (n + 1) for n in range(len(ids))))

    def fetch(self, name: str, parameters: Mapping[str, Any], scope: Scope) -> Columns:
        with self._lock:
            self.requests.append(("fetch", name, scope))
        if name == "tiny/broken":
            raise EngineError("line 3: no such label")
        return {"id": list(parameters["ids"]), "next": [NEIGHBOURS[id] for id in parameters["ids"]]}


class TinyEmbedder:
    """Computes the vector of a text from its length; records the size of each call."""

    name = "tiny"
    dimension = 2

    def __init__(self) -> None:
        self.calls: list[int] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.calls.append(len(texts))
        if any(text == "poison" for text in texts):
            raise ModelError("this text cannot be embedded")
        angles = np.array([len(text) / 10 for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


class TinyLanguageModel:
    """Repeats the prompt in capitals; ten tokens in, five out; records the size of each call."""

    name = "tiny-chat"

    def __init__(self) -> None:
        self.calls: list[int] = []

    def complete(self, prompts: Sequence[Prompt]) -> list[Reply]:
        self.calls.append(len(prompts))
        return [
            Reply(error="refused", tokens_in=10)
            if prompt.text == "refuse"
            else Reply(prompt.text.upper(), None, "", 10, 5)
            for prompt in prompts
        ]


@pytest.fixture
def graph() -> TinyGraph:
    return TinyGraph()


@pytest.fixture
def embedder() -> TinyEmbedder:
    return TinyEmbedder()


@pytest.fixture
def language_model() -> TinyLanguageModel:
    return TinyLanguageModel()


@pytest.fixture
def services(graph: TinyGraph, embedder: TinyEmbedder, language_model: TinyLanguageModel) -> Services:
    return Services(graph, embedder, language_model)


@pytest.fixture
def scope() -> Scope:
    return Scope("c1", ("d1",))


@pytest.fixture(scope="session")
def make_services() -> Callable[[], Services]:
    return lambda: Services(TinyGraph(), TinyEmbedder(), TinyLanguageModel())
