"""What a flow may ask of the world. A flow yields these and is sent answers.

    hits    = yield search("who founded Halcyon?", 10, by="hybrid")   -> Hits
    columns = yield fetch("gnn_ret/neighbours", ids=hits.ids)         -> dict[str, list]
    vectors = yield embed(["a text"])                                 -> float32 (n, d), unit length
    replies = yield ask(["a prompt"], schema=None)                    -> list[Reply]
    values  = yield infer("mdr", texts=["a text"])                    -> an array, as the part says

The scope (collection, documents) is not here: it belongs to the runner, so that no flow can
forget it. DESIGN.md, "The first idea".
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]  # (d,), unit length
Vectors = NDArray[np.float32]  # (n, d), unit length
Over = Literal["evidence", "passage", "table", "entity", "triple"]
By = Literal["dense", "text", "hybrid"]


@dataclass(frozen=True, slots=True, eq=False)
class Among:
    """The evidence that a search is limited to: what is nearest to ``vector`` in the vectors of another property.

    ``scope`` is how much of the collection: below 1 a share of it, 10,000 at most, else a number. ``mix``, in [0, 1],
    is what the cosine there counts in the score beside that of the search.
    """

    property: str
    vector: Vector
    scope: float
    mix: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """The k nodes nearest to a text or a vector; see `search`."""

    query: str | Vector
    k: int
    over: Over
    by: By
    among: Among | None = None


@dataclass(frozen=True, slots=True)
class Fetch:
    """Rows of one named .cypher file as columns; see `fetch`."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Embed:
    """Texts as vectors; see `embed`."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """One completion a prompt; see `ask`."""

    prompts: tuple[str, ...]
    schema: Mapping[str, Any] | None = None
    system: str = ""
    max_tokens: int = 800


@dataclass(frozen=True, slots=True)
class Infer:
    """What a learned part makes of its inputs; see `infer`."""

    part: str
    inputs: Mapping[str, Any] = field(default_factory=dict)


Request = Search | Fetch | Embed | Ask | Infer
T = TypeVar("T")
Flow = Generator[Request, Any, T]


@dataclass(frozen=True, slots=True)
class Hits:
    """What a search found, best first; ties by id. ``scores``: cosine (dense), BM25 (text), RRF (hybrid)."""

    ids: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer to one prompt.

    ``data`` is the parsed JSON where a schema was given and the reply fits it, else None.
    ``error`` says why there is no usable reply; text is then what came, if anything did. ``calls``
    is how many calls it took that the model answered, well or badly, and so are billed; 0 where it was ``cached``.
    """

    text: str = ""
    data: Any = None
    error: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cached: bool = False
    calls: int = 1

    @property
    def ok(self) -> bool:
        """Whether the reply can be used."""
        return not self.error


def search(
    query: str | Vector, k: int, *, over: Over = "evidence", by: By = "dense", among: Among | None = None
) -> Search:
    """The ``k`` nodes of a kind nearest to ``query`` -> `Hits`.

    ``over="evidence"`` searches passages and tables together. ``by="text"`` and ``"hybrid"``
    need a text. ``among`` limits a dense search over evidence to a part of it.
    """
    return Search(query, k, over, by, among)


def fetch(name: str, /, **parameters: Any) -> Fetch:
    """The rows of ``cypher/…/<name>.cypher`` -> a dict of columns, each a list as long as the rows.

    The runner adds ``$collection``, ``$documents`` (empty: all) and ``$embedding`` (the name of
    the vector property) where the statement declares them.
    """
    return Fetch(name, parameters)


def embed(texts: Sequence[str]) -> Embed:
    """Texts -> float32 (n, d), rows of unit length, in order."""
    return Embed(tuple(texts))


def ask(
    prompts: Sequence[str], *, schema: Mapping[str, Any] | None = None, system: str = "", max_tokens: int = 800
) -> Ask:
    """Prompts -> a list of `Reply`, one a prompt, in order. Never raises for a bad reply."""
    return Ask(tuple(prompts), schema, system, max_tokens)


def infer(part: str, /, **inputs: Any) -> Infer:
    """The output of a trained part for ``inputs``, an array; `hopline.learned.registry` lists parts and shapes."""
    return Infer(part, inputs)
