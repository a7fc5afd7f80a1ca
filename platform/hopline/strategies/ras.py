"""Planned sub-questions, each searched for within the topics that its answer is expected in: RAS.

RAS (retrieval-and-structuring): a planner decides in each round what to search for, or that the evidence is sufficient
(`hopline.retrieval.agent.planning`), by ``rules``, by a ``model``, or ``trained`` (``hopline train graph_llm``). A
sub-question is searched for by cosine within the part of the collection whose topics (RAS's "themes") are nearest to
those expected of its answer (``hopline topics``). The evidence is turned into facts, the query graph
(`hopline.retrieval.agent.query_graph`), from the graph's triples or by ``facts=model``; a ranking needs the facts of
the rounds that a ``model`` or ``trained`` planner reads, an answer of GraphLLM those of all rounds. ``scope`` is that
part: below 1 a fraction of the collection, at most 10,000 passages, else a number of passages; ``mix`` is the weight of
the topic similarity in the score (.1 or .2 in the released code, 0 in the paper).

Departures: the default leaves out what a model does in the paper: ``planner=rules`` reads no facts, so that no query
graph is built for a ranking, and a collection has topics only after ``hopline topics``, which learns them by clustering
where the paper takes the 298 labels of DBPedia. Facts come from the graph or from the configured model, not from a
text-to-triple model: at most six of a passage by the rules of ingestion, twelve by ``facts=model``. The prompts are our
own, without examples. The planner ``model`` sees at most 40 facts of a round, without the encoded graph; ``trained``
reads the graph, and as many facts as fit into 700 tokens (paper: 2,500). A reply that cannot be used, or a repeated
sub-question, ends the loop. The part that is searched is a quarter of the collection, where the paper's is 4 %, and the
distributions of topics have unit length, so that their order is that of cosines, not of the L2 distances that equation
5 compares. With ``base=hybrid`` a full-text search of the whole collection is joined with the dense search within the
topics; ``base=dense`` is the paper's, and ``base=bm25`` that of its runs on 2Wiki. Other bases, a collection without
topics and ``scope=0`` search everywhere. Each round has the paper's 5 passages (``depth``) whatever ``k`` is, so that
fewer than ``k`` may be returned. The rounds are joined by reciprocal rank fusion into one ranking; if no retrieval is
needed, the answer is closed-book and marked so. Answers are those from the passages of this ranking. The paper answers
from the query graph (equation 11): ``answer_from=graph`` lets the language model read the sub-questions with their
facts, ``answer_from=graph_llm`` the trained GraphLLM, which also reads the encoded graph
(`hopline.answers.query_graph_answer`). It applies to ``hopline evaluate --answers paper`` and to
`Hopline.answer_from_graph`; the ranking is the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any, Final, Literal

from hopline.entities.linking import EntityName
from hopline.entities.question_entities import find_question_entities
from hopline.errors import BudgetSpent
from hopline.flow.requests import Flow, Vector, embed, search
from hopline.results import PathStep
from hopline.retrieval.agent.evidence_sources import Base, create_source
from hopline.retrieval.agent.llm_session import LlmSession
from hopline.retrieval.agent.planning import READ_PER_ROUND, LlmPlanner, Planner, RulePlanner, TrainedPlanner
from hopline.retrieval.agent.query_graph import (
    QueryFact,
    QueryGraph,
    QueryRound,
    extract_facts,
    fetch_facts,
)
from hopline.retrieval.agent.sub_questions import is_repeated
from hopline.retrieval.entity_links import EntityLink, fetch_entity_links
from hopline.retrieval.evidence_texts import fetch_evidence, format_evidence
from hopline.retrieval.pooling import PoolMethod, pool_rankings
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.stages.seeds import SEARCH_DEPTH
from hopline.retrieval.strategy_options import Fraction, ListSize, Range, StepCount
from hopline.scoring.evidence_graph import attach_to_question, remove_cycles
from hopline.topics.topic_scope import TopicScope

MAX_ROUNDS: Final = 5
DEPTH: Final = 5
SCOPE: Final = 0.25  # the paper's is .04, which retains 67 % of R@5 on train questions of HotpotQA; .25 retains 95 %

PlannerName = Literal["rules", "model", "trained"]
AnswerSource = Literal["passages", "graph", "graph_llm"]


def rank(
    question: str,
    k: int,
    *,
    planner: PlannerName = "rules",
    facts: Literal["graph", "model"] = "graph",
    rounds: StepCount = MAX_ROUNDS,
    scope: Annotated[float, Range(0, 10_000)] = SCOPE,
    mix: Fraction = 0.0,
    base: Base = "hybrid",
    depth: ListSize = DEPTH,
    pool: PoolMethod = "rrf",
    answer_from: AnswerSource = "passages",  # noqa: ARG001 - of answers, not of the ranking
) -> Flow[Ranking]:
    """Return the ``k`` best over at most ``rounds`` sub-questions, of the ``depth`` best for each of them."""
    config = RasConfig(planner, facts, rounds, scope, mix, base, depth)
    graph = yield from build_query_graph(question, config, facts_of_last_round=False)
    return _rank_rounds(graph, k, pool)


def rank_with_facts(question: str, k: int, *, options: Mapping[str, Any]) -> Flow[tuple[Ranking, QueryGraph]]:
    """Return the ranking of `rank` with these options, and the query graph with the facts of all rounds."""
    names = {item.name for item in fields(RasConfig)}
    config = RasConfig(**{name: value for name, value in options.items() if name in names})
    graph = yield from build_query_graph(question, config)
    return _rank_rounds(graph, k, options.get("pool", "rrf")), graph


def _rank_rounds(graph: QueryGraph, k: int, pool: PoolMethod) -> Ranking:
    if not graph.rounds:
        return Ranking(closed_book=True)
    ranking = pool_rankings([item.ranking for item in graph.rounds], k, pool)
    paths = {**_find_paths(graph, ranking), **ranking.paths}
    return Ranking(ranking.ids, ranking.scores, paths, _build_evidence_graph(graph, ranking.ids))


@dataclass(frozen=True, slots=True)
class RasConfig:
    """The options of `rank` for building the query graph."""

    planner: PlannerName = "rules"
    facts: Literal["graph", "model"] = "graph"
    rounds: int = MAX_ROUNDS
    scope: float = SCOPE
    mix: float = 0.0
    base: Base = "hybrid"
    depth: int = DEPTH


def build_query_graph(question: str, config: RasConfig, *, facts_of_last_round: bool = True) -> Flow[QueryGraph]:
    """Build the query graph: at most ``config.rounds`` sub-questions with the best evidence of each; possibly no round.

    Without ``facts_of_last_round``, only the facts that the planner reads are fetched or extracted: none for
    ``planner=rules``, else those of every round that another one may follow.

    Raises:
        ModelUnavailable: the planner or the facts need a language model, and none is available.
        UsageError: a trained model is missing on this machine; names the command that trains it.
    """
    names = yield from find_question_entities(question)
    [vector] = yield embed([question])
    session, topics = LlmSession(), TopicScope(config.scope, config.mix)
    searcher = SubQuestionSearch(question, vector, config, names, session, topics)
    planners: dict[PlannerName, Planner] = {
        "rules": RulePlanner(names),
        "model": LlmPlanner(session),
        "trained": TrainedPlanner(),
    }
    graph = QueryGraph()
    for round_number in range(1, config.rounds + 1):
        plan = yield from planners[config.planner].plan_next(question, graph)
        if plan.action != "sub_question" or is_repeated(plan.question, (item.question for item in graph.rounds)):
            break
        with_facts = facts_of_last_round or (config.planner != "rules" and round_number < config.rounds)
        try:
            graph.rounds.append((yield from searcher.run(plan.question, plan.entity, with_facts=with_facts)))
        except BudgetSpent:  # the time is spent: what was found is enough, or a last search
            if not graph.rounds:
                graph.rounds.append((yield from searcher.run(question, "", with_facts=False)))
            break
    return graph


@dataclass(slots=True)
class SubQuestionSearch:
    """Searches for the sub-questions of one question."""

    question: str
    vector: Vector
    config: RasConfig
    names: Sequence[EntityName]
    session: LlmSession
    topics: TopicScope

    def run(self, sub_question: str, entity: str, *, with_facts: bool) -> Flow[QueryRound]:
        """Run one round: retrieve evidence, facts if they are needed, and links to further evidence."""
        ranking = yield from self._search(sub_question)
        evidence = yield from fetch_evidence(ranking.ids)
        ids, texts = [item.id for item in evidence], [format_evidence(item) for item in evidence]
        facts = (yield from self._find_facts(ids, texts)) if with_facts else ()
        by_rules = self.config.planner == "rules"
        links = (yield from self._fetch_links(ids[:READ_PER_ROUND])) if by_rules else ()
        return QueryRound(sub_question, ranking, tuple(texts), facts, links, entity)

    def _find_facts(self, ids: Sequence[str], texts: Sequence[str]) -> Flow[tuple[QueryFact, ...]]:
        if self.config.facts == "model":
            return (yield from extract_facts(self.session, ids, texts))
        return (yield from fetch_facts(ids))

    def _fetch_links(self, ids: Sequence[str]) -> Flow[tuple[EntityLink, ...]]:
        """Return the links from evidence over entities that the question does not name."""
        named = {name.id for name in self.names}
        links = yield from fetch_entity_links(ids, self.names, self.question, self.vector)
        return tuple(link for link in links if link.entity not in named)

    def _search(self, sub_question: str) -> Flow[Ranking]:
        base, k = self.config.base, self.config.depth
        if base not in ("dense", "hybrid") or not (yield from self.topics.load_topic_set()):
            return (yield from create_source(base).find(sub_question, k))
        [vector] = yield embed([sub_question])
        topic_filter = yield from self.topics.build_filter(vector)
        depth = k if base == "dense" else max(SEARCH_DEPTH, k)
        dense = Ranking.from_hits((yield search(vector, depth, vector_filter=topic_filter)))
        if base == "dense":
            return dense
        text = Ranking.from_hits((yield search(sub_question, depth, by="text")))
        return pool_rankings([dense, text], k, "rrf")


def _list_followed_links(graph: QueryGraph) -> list[EntityLink]:
    """Return the links of earlier rounds that a sub-question followed, and whose target it found."""
    followed: list[EntityLink] = []
    for n, item in enumerate(graph.rounds):
        links = (link for earlier in graph.rounds[:n] for link in earlier.links)
        followed += [link for link in links if link.entity == item.entity and link.target in item.ranking.ids]
    return followed


def _find_paths(graph: QueryGraph, ranking: Ranking) -> dict[str, tuple[PathStep, ...]]:
    """Return the paths to evidence that only a followed link found, from the evidence that mentions the entity."""
    first = set(graph.rounds[0].ranking.ids)
    links = [link for link in _list_followed_links(graph) if link.target in ranking.ids and link.target not in first]
    return {link.target: link.steps for link in reversed(links)}


def _build_evidence_graph(graph: QueryGraph, ids: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Build the graph from the question to the best evidence of each round, and along the links that were followed."""
    edges: dict[tuple[str, str], None] = {}
    links = [link for link in _list_followed_links(graph) if link.target in ids and link.source in ids]
    targets = {link.target for link in links}
    for item in graph.rounds:
        best = next((id for id in item.ranking.ids if id in ids), None)
        if best is not None and best not in targets:
            edges["", best] = None
    for link in links:
        edges |= {("", link.source): None} if link.source not in targets else {}
        edges[link.source, link.target] = None
    return tuple(attach_to_question(remove_cycles(edges)))
