"""Agent that collects triples as its memory and rewrites the query until they answer the question: GEAR.

GEAR (Shen et al. 2025), section 5: every step is SyncGE on the step's query; the triples of its passages that help with
the original question join the gist memory (eq. 4, 5); the model judges whether the memory answers the question and what
is missing (eq. 6), and writes the next query (eq. 7). At the end every triple of the memory is linked to passages
(passageLink, eq. 8, 11), and those lists and the lists of the steps are joined by reciprocal rank fusion (eq. 9).

Departures: those of `naive_ge` and `sync_ge`, so that a step without proximal triples (eq. 1) starts its beam at all
triples of its list; but the base list has ``width`` passages whatever ``k`` is, as in the paper. The prompts are our
own, without examples. The list of a step is cut at ``2 * width``; a reading sees as much of a list as fits into 3,500
tokens, and gives at most 12 triples; passageLink takes as many passages as a step (``width``). The paper leaves these
limits open. The rewriting sees the earlier queries as well, the judge does not write the answer, and nothing is judged
after the last step. A triple enters the memory once, where eq. 5 would retain repetitions. A list without passages is
not read. ``over=both`` searches triples for the list of each step as well, which the paper does in passageLink alone. A
reply of reading, judging or rewriting that cannot be used costs its step: where there is no next query, what the judge
says is missing is searched for, and without that the same list is read again. The loop ends at a repeated query, and
where a list that is read again adds no triple. No prompt is sent twice: if the beam changes neither the passages of the
first step nor their order, one reading serves both eq. 1 and 4. With a spent budget of calls the memory is still linked
to passages; without time left it is not.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

from hopline.errors import BudgetSpent
from hopline.flow.quoted_text import quote_text
from hopline.flow.requests import Flow
from hopline.retrieval.agent.llm_session import TEXT, YES_NO, LlmExhausted, LlmSession, object_schema, to_one_line
from hopline.retrieval.agent.llm_triples import Over, extract_triples, link_passages, search_base
from hopline.retrieval.agent.sub_questions import is_repeated
from hopline.retrieval.pooling import pool_rankings
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.stages.triples import BeamConfig
from hopline.retrieval.strategy_options import BeamLength, HubDegree, ListSize, SearchDepth, StepCount
from hopline.strategies.sync_ge import expand_base_list

NEEDS_MODEL: Final = True
JUDGE_PROMPT: Final = """You judge whether known facts answer a question.
You see the question and the facts, as triples. When they are enough to give the answer, set "answerable" to true.
When they are not, set it to false and write in "missing" what is still needed: which person, work, date or relation."""
REWRITE_PROMPT: Final = """You write the next query for a search engine.
You see a question, the facts that are known, and what is missing. Write one short question that looks for what is
missing, with the names that the facts give. Do not repeat an earlier query."""


def rank(
    question: str,
    k: int,
    *,
    base: Literal["text", "dense", "hybrid"] = "hybrid",
    over: Over = "passages",
    steps: StepCount = 4,
    width: ListSize = 10,
    beam: ListSize = 10,
    length: BeamLength = 2,
    neighbours: SearchDepth = 100,
    hub: HubDegree = 300,
    diverse: bool = True,
) -> Flow[Ranking]:
    """Return the ``k`` best over at most ``steps`` steps of ``width`` passages.

    The triples of the memory are part of the result. The paper has 4 steps for MuSiQue, else 2, and 10 passages.
    ``diverse`` is that of `naive_ge`.
    """
    session, beams = LlmSession(), BeamConfig(beam, length, neighbours, hub, diverse)
    memory: list[str] = []
    lists: list[Ranking] = []
    queries = [question]
    try:
        for step in range(1, steps + 1):
            is_new = len(lists) < len(queries)
            if is_new:
                base_list = yield from search_base(queries[-1], width, by=base, over=over)
                # The expansion raises where the model is exhausted. The base list, which it would have replaced, is
                # then in the lists already, so that the search of this step counts in the fusion below.
                lists.append(base_list)
                lists[-1] = yield from expand_base_list(session, queries[-1], base_list, 2 * width, beams)
            if not lists[-1].ids:
                break
            new_triples = yield from extract_triples(session, question, lists[-1].ids, memory)
            memory += new_triples
            if step == steps or not (is_new or new_triples):
                break
            is_answerable, query = yield from _ask_next_query(session, question, memory, queries)
            if is_answerable or is_repeated(query, queries):
                break
            queries += [query] if query else []
    except (LlmExhausted, BudgetSpent) as error:
        if not lists:
            raise
        if error.out_of_time:
            return _pool_lists(lists, k, memory)
    lists += yield from _search_memory(memory, width, base)
    return _pool_lists(lists, k, memory)


def _pool_lists(lists: list[Ranking], k: int, memory: list[str]) -> Ranking:
    return replace(pool_rankings(lists, k, "rrf"), memory=tuple(memory))


def _search_memory(memory: list[str], width: int, base: Literal["text", "dense", "hybrid"]) -> Flow[list[Ranking]]:
    """Return the passages of every triple of the memory."""
    rankings = []
    for triple in memory:
        ranking = yield from link_passages(triple, width, by=base)
        rankings.append(ranking)
    return rankings


def _ask_next_query(
    session: LlmSession, question: str, memory: list[str], queries: list[str]
) -> Flow[tuple[bool, str]]:
    """Return whether the memory answers the question, and if not, the next query; "" if the replies have none."""
    facts = "\n".join(f"- {fact}" for fact in memory) or "none"
    known = f"Question: {question}\n\nFacts:\n{quote_text(facts)}"
    verdict = yield from session.ask(known, object_schema(answerable=YES_NO, missing=TEXT), system=JUDGE_PROMPT)
    if verdict and verdict["answerable"]:
        return True, ""
    missing = to_one_line(verdict["missing"]) if verdict else ""
    earlier = "\n".join(f"- {query}" for query in queries)
    prompt = f"{known}\n\nMissing: {quote_text(missing) if missing else 'not said'}\n\nEarlier queries:\n{earlier}"
    data = yield from session.ask(prompt, object_schema(query=TEXT), system=REWRITE_PROMPT)
    return False, (to_one_line(data["query"]) if data else "") or missing
