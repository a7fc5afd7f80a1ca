"""A plan of sub-questions, each looked up within the themes that its answer is expected in: RAS.

RAS (retrieval-and-structuring): a planner says round by round what to look up or that it suffices
(`hopline.retrieval.agent.planning`), by ``rules``, by a ``model``, or ``trained`` (`hopline train graph_llm`); a
sub-question
is searched for by cosine within the part of the collection whose themes are nearest to those expected of its answer
(``hopline themes``); what was found becomes facts, the graph of the query (`hopline.retrieval.agent.query_graph`),
from the
graph's triples or ``facts=model``. ``scope`` is that part: below 1 a share of the collection, 10,000 passages at most,
else a number of them; ``mix`` what the likeness of themes counts in the score (.1 or .2 in the released code, 0 in the
paper).

Departures: with ``base=hybrid`` what the words find in the whole collection joins what the vectors find within the
themes; ``base=dense`` is the paper's. Other bases, a collection without themes and ``scope=0`` look everywhere. The
rounds are joined by reciprocal rank fusion into one ranking; where nothing needs to be looked up, the answer is the
model's own, and marked so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from hopline.entities.linking import Name
from hopline.entities.question_entities import question_names
from hopline.flow.requests import Flow, Vector, embed, infer, search
from hopline.retrieval.agent.evidence_sources import Base, source_of
from hopline.retrieval.agent.llm_session import Talk
from hopline.retrieval.agent.planning import ANSWERS, PART, ByModel, ByRules, ByTraining, Planner, asked_before
from hopline.retrieval.agent.query_graph import Link, QueryGraph, Round, stated, structured
from hopline.retrieval.candidates import link_steps, weighed_links
from hopline.retrieval.evidence_texts import read_texts, titled
from hopline.retrieval.hybrid_search import DEPTH as DEEP
from hopline.retrieval.pooling import Pool, pooled
from hopline.retrieval.ranking import Ranking
from hopline.scoring.evidence_graph import acyclic, rooted
from hopline.topics.topic_scope import ThemeScope
from hopline.types import Step

ROUNDS: Final = 5
DEPTH: Final = 5
SCOPE: Final = 0.25  # the paper's is .04, which kept 67 % of R@5 on train questions of HotpotQA, where .25 kept 95 %

By = Literal["rules", "model", "trained"]


def rank(
    question: str,
    k: int,
    *,
    planner: By = "rules",
    facts: Literal["graph", "model"] = "graph",
    rounds: int = ROUNDS,
    scope: float = SCOPE,
    mix: float = 0.0,
    base: Base = "hybrid",
    depth: int = DEPTH,
    pool: Pool = "rrf",
) -> Flow[Ranking]:
    """The ``k`` best over at most ``rounds`` sub-questions; ``depth`` evidence of each become facts."""
    plan = Method(planner, facts, rounds, scope, mix, base, depth)
    found = yield from graph_of(question, k, plan)
    if not found.rounds:
        return Ranking(unaided=True)
    ranking = pooled([one.ranking for one in found.rounds], k, pool)
    return Ranking(ranking.ids, ranking.scores, {**_ways(found, ranking), **ranking.ways}, _graph(found, ranking.ids))


def answered(question: str, *, merged: bool | None = None, **options: Any) -> Flow[str]:
    """The short answer of the trained GraphLLM, from the graphs of all rounds, or from the ``merged`` one.

    Without ``merged`` it gets the graphs that it was trained on.

    Raises:
        UsageError: nothing was trained on this machine; says how to.
    """
    options.pop("pool", None)
    found = yield from graph_of(question, 0, Method(**options))
    said: str = yield infer(PART, task="answer", question=question, rounds=found.as_rounds(), merged=merged)
    return said


@dataclass(frozen=True, slots=True)
class Method:
    """How a question is looked up; the options of `rank`."""

    planner: By = "rules"
    facts: Literal["graph", "model"] = "graph"
    rounds: int = ROUNDS
    scope: float = SCOPE
    mix: float = 0.0
    base: Base = "hybrid"
    depth: int = DEPTH


def graph_of(question: str, k: int, plan: Method) -> Flow[QueryGraph]:
    """The graph of a question: at most ``plan.rounds`` sub-questions with the ``k`` best of each; none may be needed.

    Raises:
        ModelUnavailable, UsageError: what plans is not there.
    """
    names = yield from question_names(question)
    [vector] = yield embed([question])
    talk = Talk()
    looking = Looking(question, vector, max(k, plan.depth), plan, names, talk, ThemeScope(plan.scope, plan.mix))
    planners: dict[By, Planner] = {"rules": ByRules(names), "model": ByModel(talk), "trained": ByTraining()}
    found = QueryGraph()
    for _ in range(plan.rounds):
        following = yield from planners[plan.planner].next(question, found)
        if following.action != "sub_question" or asked_before(following.question, found):
            break
        found.rounds.append((yield from looking.up(following.question, following.entity)))
    return found


@dataclass(slots=True)
class Looking:
    """How one sub-question of a question is looked up."""

    question: str
    vector: Vector
    k: int
    plan: Method
    names: Sequence[Name]
    talk: Talk
    where: ThemeScope

    def up(self, asked: str, entity: str) -> Flow[Round]:
        """One round: evidence, facts, and where they lead on."""
        ranking = yield from self._found(asked)
        evidence = yield from read_texts(ranking.ids[: self.plan.depth])
        ids, texts = [one.id for one in evidence], [titled(one) for one in evidence]
        facts = yield from (structured(self.talk, ids, texts) if self.plan.facts == "model" else stated(ids))
        links = (yield from self._onward(ids[:ANSWERS])) if self.plan.planner == "rules" else ()
        return Round(asked, ranking, tuple(texts), facts, links, entity)

    def _onward(self, ids: Sequence[str]) -> Flow[tuple[Link, ...]]:
        """The links from evidence to what the question does not name itself."""
        named = {one.id for one in self.names}
        weighed = yield from weighed_links(ids, self.names, self.question, self.vector)
        return tuple(
            Link(weight, row["entity"], row["name"], row["seed"], row["id"], link_steps(row))
            for weight, row in weighed
            if row["entity"] not in named
        )

    def _found(self, asked: str) -> Flow[Ranking]:
        base = self.plan.base
        if base not in ("dense", "hybrid") or not (yield from self.where.themes()):
            return (yield from source_of(base).find(asked, self.k))
        [vector] = yield embed([asked])
        among, depth = (yield from self.where.of(vector)), self.k if base == "dense" else max(DEEP, self.k)
        near = Ranking.of_hits((yield search(vector, depth, among=among)))
        if base == "dense":
            return near
        words = Ranking.of_hits((yield search(asked, depth, by="text")))
        return pooled([near, words], self.k, "rrf")


def _links(found: QueryGraph) -> list[Link]:
    """The links that were followed to evidence that was then found."""
    followed: list[Link] = []
    for n, one in enumerate(found.rounds):
        links = (link for earlier in found.rounds[:n] for link in earlier.links)
        followed += [link for link in links if link.entity == one.entity and link.target in one.ranking.ids]
    return followed


def _ways(found: QueryGraph, ranking: Ranking) -> dict[str, tuple[Step, ...]]:
    """The way to what only a followed link led to: from the evidence that mentions it."""
    first = set(found.rounds[0].ranking.ids)
    links = [link for link in _links(found) if link.target in ranking.ids and link.target not in first]
    return {link.target: link.steps for link in reversed(links)}


def _graph(found: QueryGraph, ids: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """From the question to the best evidence of each round, and along the links that were followed."""
    edges: dict[tuple[str, str], None] = {}
    links = [link for link in _links(found) if link.target in ids and link.source in ids]
    led = {link.target for link in links}
    for one in found.rounds:
        best = next((id for id in one.ranking.ids if id in ids), None)
        if best is not None and best not in led:
            edges["", best] = None
    for link in links:
        edges |= {("", link.source): None} if link.source not in led else {}
        edges[link.source, link.target] = None
    return tuple(rooted(acyclic(edges)))
