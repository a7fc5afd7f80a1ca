"""An agent that remembers what it read as triples, and rewrites the question until they answer it: GEAR.

GEAR (Shen et al. 2025), section 5: every step is SyncGE on the step's own query; what its passages say about the
original question joins the gist memory (eq. 4, 5); the model says whether the memory answers the question and why
not (eq. 6), and writes the next query (eq. 7). At the end every triple of the memory leads to passages
(passageLink, eq. 8, 11), and those lists and the steps' own are joined by reciprocal rank fusion (eq. 9).

Departures: those of `naive_ge`; prompts are our own, without examples; passageLink takes as many passages as a step
(``width``), which the paper leaves open; reading (eq. 1, 4), judging and rewriting that cannot be parsed cost their
step; a repeated query ends the loop.
"""

from __future__ import annotations

from typing import Final, Literal

from hopline.flow.requests import Flow
from hopline.ids import normalise
from hopline.retrieval.agent.llm_session import TEXT, YES_NO, Silence, Talk, form, one_line
from hopline.retrieval.agent.llm_triples import Over, base_list, link_passages, read_triples
from hopline.retrieval.pooling import pooled
from hopline.retrieval.ranking import Ranking
from hopline.strategies.naive_ge import Width
from hopline.strategies.sync_ge import synchronised

NEEDS_MODEL: Final = True
REASON: Final = """You judge whether known facts answer a question.
You see the question and the facts, as triples. When they are enough to give the answer, set "answerable" to true.
When they are not, set it to false and write in "missing" what is still needed: which person, work, date or relation."""
REWRITE: Final = """You write the next query for a search engine.
You see a question, the facts that are known, and what is missing. Write one short question that looks for what is
missing, with the names that the facts give. Do not repeat an earlier query."""


def rank(
    question: str,
    k: int,
    *,
    base: Literal["text", "dense", "hybrid"] = "hybrid",
    over: Over = "passages",
    steps: int = 4,
    width: int = 10,
    beam: int = 10,
    length: int = 2,
    neighbours: int = 100,
    hub: int = 300,
) -> Flow[Ranking]:
    """The ``k`` best over at most ``steps`` steps of ``width`` passages (the paper: 4 for MuSiQue, 2 else; 10)."""
    talk, beams = Talk(), Width(beam, length, neighbours, hub)
    memory: list[str] = []
    lists: list[Ranking] = []
    queries = [question]
    try:
        for _ in range(steps):
            found = yield from base_list(queries[-1], width, by=base, over=over)
            lists.append(found)
            lists[-1] = yield from synchronised(talk, queries[-1], found, 2 * width, beams)
            memory += yield from read_triples(talk, question, lists[-1].ids, memory)
            following = yield from _next_query(talk, question, memory, queries)
            if following is None:
                break
            queries.append(following)
        lists += yield from _linked(memory, width, base)
    except Silence:
        pass
    return pooled(lists, k, "rrf")


def _linked(memory: list[str], width: int, base: Literal["text", "dense", "hybrid"]) -> Flow[list[Ranking]]:
    """The passages of every triple of the memory."""
    found = []
    for triple in memory:
        ranking = yield from link_passages(triple, width, by=base)
        found.append(ranking)
    return found


def _next_query(talk: Talk, question: str, memory: list[str], queries: list[str]) -> Flow[str | None]:
    """What to look for next; None where the memory answers the question, or nothing new is asked."""
    facts = "\n".join(f"- {fact}" for fact in memory) or "none"
    known = f"Question: {question}\n\nFacts:\n{facts}"
    verdict = yield from talk.told(known, form(answerable=YES_NO, missing=TEXT), system=REASON)
    if verdict and verdict["answerable"]:
        return None
    missing = one_line(verdict["missing"]) if verdict else ""
    asked = "\n".join(f"- {query}" for query in queries)
    prompt = f"{known}\n\nMissing: {missing or 'not said'}\n\nEarlier queries:\n{asked}"
    data = yield from talk.told(prompt, form(query=TEXT), system=REWRITE)
    query = one_line(data["query"]) if data else ""
    return query if query and normalise(query) not in {normalise(one) for one in queries} else None
