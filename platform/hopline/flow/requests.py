"""Requests that a flow yields, and the answers that it is sent.

    hits    = yield search("who founded Halcyon?", 10, by="hybrid")   -> Hits
    columns = yield fetch("gnn_ret/neighbours", ids=hits.ids)         -> dict[str, list]
    vectors = yield embed(["a text"])                                 -> float32 (n, d), unit length
    replies = yield ask(["a prompt"], schema=None)                    -> list[Reply]
    values  = yield infer("mdr", texts=["a text"])                    -> an array, as the part defines it

The scope (collection, documents) is not part of a request: it belongs to the runner, so that no flow can forget it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from hopline.flow.quoted_text import add_quoting_rule
from hopline.text_encoding import clean_text

log = logging.getLogger(__name__)

Vector = NDArray[np.float32]  # (d,), unit length
Vectors = NDArray[np.float32]  # (n, d), unit length
SearchTarget = Literal["evidence", "passage", "table", "figure", "entity", "triple"]
SearchMethod = Literal["dense", "text", "hybrid"]
TextCallback = Callable[[str], None]  # is called with the text of a reply so far, each time more of it arrives


@dataclass(frozen=True, slots=True, eq=False)
class VectorFilter:
    """Limits a dense search to the evidence nearest to ``vector`` in another vector property.

    ``scope`` is the size of that set: below 1 a fraction of the collection (10,000 at most), else a number. ``mix``,
    in [0, 1], is the weight of the cosine in that property in the score of the search.
    """

    property: str
    vector: Vector
    scope: float
    mix: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """Request for the k nodes nearest to a text or a vector; see `search`."""

    query: str | Vector
    k: int
    over: SearchTarget
    by: SearchMethod
    vector_filter: VectorFilter | None = None


@dataclass(frozen=True, slots=True)
class Fetch:
    """Request for the rows of one named .cypher file as columns; see `fetch`."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Embed:
    """Request for the embeddings of texts; see `embed`."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """Request for one completion per prompt; see `ask`."""

    prompts: tuple[str, ...]
    schema: Mapping[str, Any] | None = None
    system: str = ""
    max_tokens: int = 800
    on_text: TextCallback | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Infer:
    """Request for the output of a trained part; see `infer`."""

    part: str
    inputs: Mapping[str, Any] = field(default_factory=dict)


Request = Search | Fetch | Embed | Ask | Infer
T = TypeVar("T")
Flow = Generator[Request, Any, T]


@dataclass(frozen=True, slots=True)
class Hits:
    """Results of a search, best first; ties by id. ``scores``: cosine (dense), BM25 (text), RRF (hybrid)."""

    ids: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer to one prompt.

    ``data`` is the parsed JSON where a schema was given and the reply fits it, else None.
    ``error`` says why there is no usable reply; ``text`` is then what the model sent, if anything. ``calls`` is the
    number of calls that the model answered, usably or not, and that are therefore billed; 0 where ``cached``.
    ``truncated``: the reply reached its maximum length; ``data`` is then what came before its end.
    """

    text: str = ""
    data: Any = None
    error: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cached: bool = False
    calls: int = 1
    truncated: bool = False

    @property
    def ok(self) -> bool:
        """Whether the reply can be used."""
        return not self.error


def search(
    query: str | Vector,
    k: int,
    *,
    over: SearchTarget = "evidence",
    by: SearchMethod = "dense",
    vector_filter: VectorFilter | None = None,
) -> Search:
    """Search for the ``k`` nodes of a kind nearest to ``query`` -> `Hits`.

    ``over="evidence"`` searches passages and tables together. ``by="text"`` and ``"hybrid"`` need a text.
    ``vector_filter`` limits a dense search over evidence to a part of it.
    """
    return Search(query, k, over, by, vector_filter)


def fetch(name: str, /, **parameters: Any) -> Fetch:
    """Fetch the rows of ``cypher/…/<name>.cypher`` -> a dict of columns, each a list with one value per row.

    The runner adds ``$collection``, ``$documents`` (empty: all) and ``$embedding`` (the name of
    the vector property) where the statement declares them.
    """
    return Fetch(name, parameters)


def embed(texts: Sequence[str]) -> Embed:
    """Embed texts -> float32 (n, d), rows of unit length, in order."""
    return Embed(tuple(texts))


def ask(
    prompts: Sequence[str],
    *,
    schema: Mapping[str, Any] | None = None,
    system: str = "",
    max_tokens: int = 800,
    on_text: TextCallback | None = None,
) -> Ask:
    """Send prompts to the language model -> a list of `Reply`, one per prompt, in order; a bad reply never raises.

    Text of documents is passed through `hopline.flow.quoted_text.quote_text`; the rule that it holds no instructions is
    then added to ``system``. With one prompt, ``on_text`` is called with the text of the reply so far each time more of
    it arrives, and with "" before another attempt; an error that it raises is logged.
    """
    return Ask(tuple(prompts), schema, add_quoting_rule(system, tuple(prompts)), max_tokens, on_text)


def report_text(on_text: TextCallback | None, text: str) -> None:
    """Call ``on_text`` with the text of a reply so far; an error that it raises is logged."""
    if on_text is None:
        return
    try:
        on_text(clean_text(text))
    except Exception:
        log.warning("on_text raised an error; the reply is read nevertheless", exc_info=True)


def infer(part: str, /, **inputs: Any) -> Infer:
    """Run a trained part on ``inputs`` -> an array; `hopline.learned.registry` lists parts and shapes."""
    return Infer(part, inputs)
