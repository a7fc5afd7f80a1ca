"""Protocols of the services that a runner uses: a graph, an embedder, a language model, trained models.

The store is one implementation of `Graph`; a test's canned answers are another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from hopline.errors import HoplineError
from hopline.flow.requests import Hits, Reply, Search, TextCallback, Vector, Vectors

Columns = dict[str, list[Any]]  # named columns of equal length

NO_DOCUMENT: Final = "nodocument"  # is the id of no document: ids have hexadecimal digits only


@dataclass(frozen=True, slots=True)
class Scope:
    """The part of the graph that is searched: one collection by its id, and some of its documents (empty: all).

    A scope in which nothing is searched has `NO_DOCUMENT` as its only document, which no statement finds. ``excluded``
    documents are being removed and are not searched. ``notice`` says why nothing is searched.
    """

    collection: str
    documents: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    notice: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is searched: no document matches the filter of a question."""
        return self.documents == (NO_DOCUMENT,)


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt with everything that determines its reply; equal prompts may share a reply.

    ``extra_calls`` is how many more calls may be made for a reply that cannot be used, as each is billed; None: as many
    as retries and repair need. Calls that the model did not answer are not counted. ``on_text`` is called with the text
    of the reply so far: see `hopline.flow.requests.ask`.
    """

    text: str
    system: str = ""
    schema: Mapping[str, Any] | None = None
    max_tokens: int = 800
    extra_calls: int | None = None
    on_text: TextCallback | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Price:
    """Price of a million input and a million output tokens, in any one currency."""

    tokens_in: float = 0.0
    tokens_out: float = 0.0

    def compute_cost(self, replies: Sequence[Reply]) -> float:
        """Compute the cost of replies by their tokens, whether they are cached or not."""
        return sum(r.tokens_in * self.tokens_in + r.tokens_out * self.tokens_out for r in replies) / 1e6


class Graph(Protocol):
    """A graph that can be searched and fetched from. Safe to call from several threads.

    Inherit from it to get the two batch methods as loops; a graph that can answer many requests at once overrides them.
    """

    def search(self, request: Search, scope: Scope, vector: Vector | None) -> Hits:
        """Return the nearest nodes; ``vector`` (d,) is given for dense and hybrid searches, None for text."""
        ...

    def fetch(self, name: str, parameters: Mapping[str, Any], scope: Scope) -> Columns:
        """Return the rows of one statement as columns."""
        ...

    def search_many(self, requests: Sequence[tuple[Search, Scope, Vector | None]]) -> list[Hits | HoplineError]:
        """Answer requests in order; the answer of one that fails is its error, and the others are answered."""
        return [_call_or_error(self.search, *request) for request in requests]

    def fetch_many(self, requests: Sequence[tuple[str, Mapping[str, Any], Scope]]) -> list[Columns | HoplineError]:
        """Answer requests in order; the answer of one that fails is its error, and the others are answered."""
        return [_call_or_error(self.fetch, *request) for request in requests]


class Embedder(Protocol):
    """An embedding model. Safe to call from several threads."""

    @property
    def name(self) -> str:
        """Name in lower-case letters, digits and underscores: a property and an index are named after it."""
        ...

    @property
    def dimension(self) -> int:
        """Dimension of one vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts -> float32 (n, d), rows of unit length, in order; no text -> (0, d)."""
        ...


class LanguageModel(Protocol):
    """A language model. Safe to call from several threads."""

    @property
    def name(self) -> str:
        """Name of the model in the trace."""
        ...

    def complete(self, prompts: Sequence[Prompt]) -> list[Reply]:
        """Complete prompts: one reply per prompt, in order; a bad reply is a `Reply` whose ``error`` says why.

        Raises:
            ModelUnavailable: the model cannot be reached at all.
        """
        ...


class Models(Protocol):
    """Trained models that strategies use. Safe to call from several threads."""

    def infer(self, part: str, inputs: Mapping[str, Any]) -> Any:
        """Run a trained part on its inputs.

        Raises:
            UsageError: no such part, or no weights for it on this machine; says how to train it.
        """
        ...


@dataclass(frozen=True, slots=True)
class Services:
    """The services that answer the requests of flows; ``language_model`` is None where none is configured."""

    graph: Graph
    embedder: Embedder
    language_model: LanguageModel | None = None
    price: Price = Price()
    models: Models | None = None


def _call_or_error(call: Any, *arguments: Any) -> Any:
    try:
        return call(*arguments)
    except HoplineError as error:
        return error
