"""Triples that a model reads out of passages, and what they lead to in the graph: GEAR's links.

GEAR (Shen et al. 2025): `read_triples` is its read (eq. 1, 4), `link_triples` tripleLink (eq. 2),
`link_passages` passageLink (eq. 8, 11), `base_list` its base retriever, over passages or passages ∪ triples (eq. 10).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal

from hopline.flow.requests import By, Flow, embed, fetch, search
from hopline.ids import normalise
from hopline.retrieval.agent.llm_session import TEXT, Talk, form, one_line
from hopline.retrieval.evidence_texts import numbered, read_texts
from hopline.retrieval.pooling import pooled
from hopline.retrieval.ranking import Ranking
from hopline.types import Node, Step

Over = Literal["passages", "both"]
Triples = tuple[str, ...]  # each "subject predicate object"
MOST_TRIPLES: Final = 12  # of one reading
READ_TOKENS: Final = 600

_TRIPLE: Final = {**form(subject=TEXT, predicate=TEXT, object=TEXT)}
_FORM: Final = form(triples={"type": "array", "items": _TRIPLE, "maxItems": MOST_TRIPLES})
READ: Final = """You read numbered passages for somebody who must answer a question.
Write down, as triples of subject, predicate and object, the facts of the passages that help to answer it, directly or
on the way. Use full names, never "he" or "it"; one fact a triple; nothing that the passages do not say, and nothing
that is among the known facts already. When nothing helps, give an empty list."""


def base_list(query: str, k: int, *, by: By, over: Over) -> Flow[Ranking]:
    """The ``k`` best passages; with ``over="both"`` joined with those that state the best triples (eq. 10)."""
    hits = yield search(query, k, by=by)
    passages = Ranking.of_hits(hits)
    if over == "passages":
        return passages
    return pooled([passages, (yield from _by_triples(query, k, by))], k, "rrf")


def _by_triples(query: str, k: int, by: By) -> Flow[Ranking]:
    """The evidence of the triples nearest to a query, each once, ``k`` at most; reached from its triple."""
    hits = yield search(query, 3 * k, over="triple", by=by)
    columns = yield fetch("read/triples", ids=hits.ids)
    stated = dict(zip(columns["id"], columns["evidence"], strict=True))
    scores: dict[str, float] = {}
    ways: dict[str, tuple[Step, ...]] = {}
    for id, score in zip(hits.ids, hits.scores, strict=True):
        evidence = stated.get(id)
        if evidence is not None and evidence not in scores and len(scores) < k:
            scores[evidence] = score
            ways[evidence] = (Step(Node(id, "triple"), "STATES", Node(evidence, "passage")),)
    return Ranking(tuple(scores), tuple(scores.values()), ways)


def read_triples(talk: Talk, question: str, ids: Sequence[str], known: Iterable[str] = ()) -> Flow[Triples]:
    """The facts of some evidence that help with a question; none that is ``known``, each once.

    Raises:
        Silence: as `Talk.told`.
    """
    evidence = yield from read_texts(ids)
    facts = "\n".join(f"- {fact}" for fact in known)
    parts = (numbered(evidence), f"Known facts:\n{facts}" if facts else "", f"Question: {question}")
    data = yield from talk.told("\n\n".join(filter(None, parts)), _FORM, system=READ, most=READ_TOKENS)
    had = {normalise(fact) for fact in known}
    found: dict[str, str] = {}
    for row in data["triples"] if data else ():
        said = [one_line(row[part]) for part in ("subject", "predicate", "object")]
        text = " ".join(said)
        if all(said) and normalise(text) not in had:
            found.setdefault(normalise(text), text)
    return tuple(found.values())


def link_triples(triples: Triples) -> Flow[dict[str, list[Any]]]:
    """The nearest triple of the graph to each (eq. 2), each once, as a beam begins at them."""
    if not triples:
        return {"id": [], "evidence": [], "text": [], "vector": []}
    vectors = yield embed(triples)
    ids: dict[str, None] = {}
    for vector in vectors:
        hits = yield search(vector, 1, over="triple")
        ids |= dict.fromkeys(hits.ids)
    columns: dict[str, list[Any]] = yield fetch("sync_ge/start", ids=list(ids))
    return columns


def link_passages(triple: str, k: int, *, by: By) -> Flow[Ranking]:
    """The passages that a triple of the memory leads to (eq. 11), ``k`` at most."""
    return (yield from base_list(triple, k, by=by, over="both"))
