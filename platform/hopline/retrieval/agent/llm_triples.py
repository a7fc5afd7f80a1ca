"""Triples that a language model extracts from passages, and their links to the graph (GEAR).

GEAR (Shen et al. 2025): `extract_triples` is its reading step (eq. 1, 4), `link_triples` tripleLink (eq. 2),
`link_passages` passageLink (eq. 8, 11), `search_base` its base retriever, over passages or passages ∪ triples (eq. 10).

Departures: the prompt is our own, without the paper's example; a reading sees at most 3,500 tokens of evidence and
gives at most `MAX_TRIPLES` triples, each of three parts, in at most 600 tokens; tripleLink is a dense search whatever
the base retriever is, which the paper leaves open; of the triple search, the passages of the 3 k best triples are
taken, at most k of them, where the paper ensures k.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal

from hopline.flow.quoted_text import quote_text
from hopline.flow.requests import Flow, SearchMethod, embed, fetch, search
from hopline.ids import normalize_name
from hopline.results import Node, PathStep
from hopline.retrieval.agent.llm_session import TEXT, LlmSession, object_schema, to_one_line
from hopline.retrieval.evidence_texts import fetch_evidence, format_numbered
from hopline.retrieval.pooling import pool_rankings
from hopline.retrieval.ranking import Ranking

Over = Literal["passages", "both"]
Triples = tuple[str, ...]  # each "subject predicate object"
MAX_TRIPLES: Final = 12  # of one reply
MAX_TOKENS: Final = 600

_TRIPLE: Final = {**object_schema(subject=TEXT, predicate=TEXT, object=TEXT)}
SCHEMA: Final = object_schema(triples={"type": "array", "items": _TRIPLE, "maxItems": MAX_TRIPLES})
SYSTEM: Final = """You read numbered passages for somebody who must answer a question.
Write down, as triples of subject, predicate and object, the facts of the passages that help to answer it, directly or
on the way. Use full names, never "he" or "it"; one fact a triple; nothing that the passages do not say, and nothing
that is among the known facts already. When nothing helps, give an empty list."""


def search_base(query: str, k: int, *, by: SearchMethod, over: Over) -> Flow[Ranking]:
    """Return the ``k`` best passages; ``over="both"`` fuses them with the passages of the best triples (eq. 10)."""
    hits = yield search(query, k, by=by)
    passages = Ranking.from_hits(hits)
    if over == "passages":
        return passages
    return pool_rankings([passages, (yield from _search_by_triples(query, k, by))], k, "rrf")


def _search_by_triples(query: str, k: int, by: SearchMethod) -> Flow[Ranking]:
    """Return the evidence that states the triples nearest to a query, each once, at most ``k``, with its path."""
    hits = yield search(query, 3 * k, over="triple", by=by)
    columns = yield fetch("retrieval/triples", ids=hits.ids)
    evidence_of = dict(zip(columns["id"], columns["evidence"], strict=True))
    scores: dict[str, float] = {}
    paths: dict[str, tuple[PathStep, ...]] = {}
    for id, score in zip(hits.ids, hits.scores, strict=True):
        evidence = evidence_of.get(id)
        if evidence is not None and evidence not in scores and len(scores) < k:
            scores[evidence] = score
            paths[evidence] = (PathStep(Node(id, "triple"), "STATES", Node(evidence, "passage")),)
    return Ranking(tuple(scores), tuple(scores.values()), paths)


def extract_triples(session: LlmSession, question: str, ids: Sequence[str], known: Iterable[str] = ()) -> Flow[Triples]:
    """Let the model extract the facts of some evidence that help with a question; each once, none that is ``known``.

    Raises:
        LlmExhausted: as `LlmSession.ask`.
    """
    evidence = yield from fetch_evidence(ids)
    facts = "\n".join(f"- {fact}" for fact in known)
    parts = (format_numbered(evidence), f"Known facts:\n{quote_text(facts)}" if facts else "", f"Question: {question}")
    prompt = "\n\n".join(filter(None, parts))
    data = yield from session.ask(prompt, SCHEMA, system=SYSTEM, max_tokens=MAX_TOKENS)
    known_facts = {normalize_name(fact) for fact in known}
    triples: dict[str, str] = {}
    for row in data["triples"] if data else ():
        terms = [to_one_line(row[part]) for part in ("subject", "predicate", "object")]
        text = " ".join(terms)
        if all(terms) and normalize_name(text) not in known_facts:
            triples.setdefault(normalize_name(text), text)
    return tuple(triples.values())


def link_triples(triples: Triples) -> Flow[dict[str, list[Any]]]:
    """Return the nearest triple of the graph to each triple (eq. 2), each once, as the columns of a beam's start."""
    if not triples:
        return {"id": [], "evidence": [], "text": [], "vector": []}
    vectors = yield embed(triples)
    ids: dict[str, None] = {}
    for vector in vectors:
        hits = yield search(vector, 1, over="triple")
        ids |= dict.fromkeys(hits.ids)
    columns: dict[str, list[Any]] = yield fetch("sync_ge/start_triples", ids=list(ids))
    return columns


def link_passages(triple: str, k: int, *, by: SearchMethod) -> Flow[Ranking]:
    """Return at most ``k`` passages for a triple of the memory (eq. 11)."""
    return (yield from search_base(triple, k, by=by, over="both"))
