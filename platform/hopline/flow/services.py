"""What a runner needs of the world: a graph, an embedder and, where there is one, a model.

These are the parts that are swapped: the store is one `Graph`, a test's canned answers another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from hopline.errors import HoplineError
from hopline.flow.requests import Hits, Reply, Search, Vector, Vectors

Columns = dict[str, list[Any]]  # named columns of equal length


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a question looks: one collection by its id, and some of its documents (empty: all).

    ``excluded`` documents are being removed and are searched no more.
    """

    collection: str
    documents: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt with all that decides its reply; equal prompts may share one.

    ``extra_calls`` is how often a reply that cannot be used may be asked for again, as each is billed; None: as often
    as retries and repair want. Calls that the model did not answer are not counted.
    """

    text: str
    system: str = ""
    schema: Mapping[str, Any] | None = None
    max_tokens: int = 800
    extra_calls: int | None = None


@dataclass(frozen=True, slots=True)
class Price:
    """What a model charges for a million tokens, in any one currency."""

    tokens_in: float = 0.0
    tokens_out: float = 0.0

    def of(self, replies: Sequence[Reply]) -> float:
        """What these replies cost; one that came from the cache costs nothing."""
        paid = [reply for reply in replies if not reply.cached]
        return sum(r.tokens_in * self.tokens_in + r.tokens_out * self.tokens_out for r in paid) / 1e6


class Graph(Protocol):
    """What can be searched and fetched. Safe to call from several threads.

    Inherit from it to get the two batch methods as loops; a graph that can answer many at once
    overrides them.
    """

    def search(self, request: Search, scope: Scope, vector: Vector | None) -> Hits:
        """The nearest nodes; ``vector`` (d,) is there for dense and hybrid searches, None for text."""
        ...

    def fetch(self, name: str, parameters: Mapping[str, Any], scope: Scope) -> Columns:
        """The rows of one statement as columns."""
        ...

    def search_many(self, asked: Sequence[tuple[Search, Scope, Vector | None]]) -> list[Hits | HoplineError]:
        """Answers in order; an error stands in its own place and costs no other answer."""
        return [_or_error(self.search, *one) for one in asked]

    def fetch_many(self, asked: Sequence[tuple[str, Mapping[str, Any], Scope]]) -> list[Columns | HoplineError]:
        """Answers in order; an error stands in its own place and costs no other answer."""
        return [_or_error(self.fetch, *one) for one in asked]


class Embedder(Protocol):
    """Texts into vectors. Safe to call from several threads."""

    @property
    def name(self) -> str:
        """Lower-case letters, digits and underscores: it names a property and an index."""
        ...

    @property
    def dimension(self) -> int:
        """Numbers in one vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Texts -> float32 (n, d), rows of unit length, in order; no text -> (0, d)."""
        ...


class Chat(Protocol):
    """A language model. Safe to call from several threads."""

    @property
    def name(self) -> str:
        """What the trace calls the model."""
        ...

    def complete(self, prompts: Sequence[Prompt]) -> list[Reply]:
        """One reply a prompt, in order; a bad reply is a `Reply` whose ``error`` says why.

        Raises:
            ModelUnavailable: the model cannot be reached at all.
        """
        ...


class Parts(Protocol):
    """Networks that were trained for one strategy or another. Safe to call from several threads."""

    def infer(self, part: str, inputs: Mapping[str, Any]) -> Any:
        """What the part makes of its inputs.

        Raises:
            UsageError: no such part, or nothing was trained for it on this machine; says how to.
        """
        ...


@dataclass(frozen=True, slots=True)
class World:
    """All that a flow can reach, through requests only. ``chat`` is None where no model is configured."""

    graph: Graph
    embedder: Embedder
    chat: Chat | None = None
    price: Price = Price()
    parts: Parts | None = None


def _or_error(call: Any, *arguments: Any) -> Any:
    try:
        return call(*arguments)
    except HoplineError as error:
        return error
