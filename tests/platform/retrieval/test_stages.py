"""The contract of every stage of retrieval, on nine passages of which the search finds two."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

import numpy as np
import pytest

from hopline.flow.replay import replay
from hopline.flow.requests import Flow
from hopline.flow.run import run
from hopline.flow.services import Scope, Services
from hopline.ids import collection_id
from hopline.retrieval.agent.llm_session import LlmSession
from hopline.retrieval.candidates import Candidates
from hopline.retrieval.passage_graph import create_passage_graph
from hopline.retrieval.stages.expansion import expand_links, propagate_distances
from hopline.retrieval.stages.scoring import SCORE_FLOOR, cover_query_terms, fuse_ranks, fuse_scores, rank_by_pagerank
from hopline.retrieval.stages.seeds import NAME_BOOST, link_question_entities, search_seeds
from hopline.retrieval.stages.traversal import Traversal, traverse_passages
from hopline.retrieval.stages.triples import BeamConfig, expand_triples
from hopline.strategies.hipporag import rank_by_triples

QUESTION, EAST = "Who directed Blind Shaft's rival?", [1, 0, 0, 0]
WEIGHTS = {"links": 1.0, "gnn": 1.5, "pagerank": 1.0}
PAGERANK = (math.log(SCORE_FLOOR), math.log(1 + SCORE_FLOOR))


def fuse(candidates):
    yield from ()
    return fuse_scores(candidates, WEIGHTS)


def traverse(candidates):
    return traverse_passages(candidates, Traversal(create_passage_graph("entities"), seeds=9, hops=3), LlmSession())


def fuse_by_rank(candidates):
    yield from ()
    return fuse_ranks(candidates, ("base", "links", "gnn", "pagerank", "beam", "triples", "hop_2"))


@dataclass(frozen=True)
class Stage:
    """A stage, the ranges of the columns that it promises, and the passage that it adds to those before it."""

    apply: Callable[[Candidates], Flow[Candidates]]
    ranges: dict
    complete: set = field(default_factory=set)  # columns without missing values
    added: str = ""


STAGES = {
    "link_question_entities": Stage(
        link_question_entities, {"boost": (0, NAME_BOOST), "base": (0, 1 + NAME_BOOST)}, {"base"}, "named"
    ),
    "expand_links": Stage(partial(expand_links, parents=2, link=0.7, overlap=1.0), {"links": (0, 5)}, set(), "linked"),
    "propagate_distances": Stage(propagate_distances, {"gnn": (0, 1 + NAME_BOOST)}, set(), "next"),
    "rank_by_pagerank": Stage(partial(rank_by_pagerank, seeds=10, nodes=5), {"pagerank": PAGERANK}, set(), "shared"),
    "fuse_scores": Stage(fuse, {"score": (0, sum(WEIGHTS.values()))}, {"score"}),
    "cover_query_terms": Stage(cover_query_terms, {"score": (0, sum(WEIGHTS.values()) + 2.5)}, {"score"}),
    "expand_triples": Stage(
        lambda candidates: expand_triples(candidates, BeamConfig()), {"beam": (0.01, 1)}, set(), "stated"
    ),
    "rank_by_triples": Stage(
        lambda candidates: rank_by_triples(candidates, damping=0.5, hub=100), {"triples": (0, 2)}, set(), "fact"
    ),
    "traverse_passages": Stage(traverse, {"hop_2": (0, 1), "hop_3": (0, 1), "path": (0, 1)}, set(), "distant"),
    "fuse_ranks": Stage(fuse_by_rank, {"score": (1 / 70, 7 / 61)}, {"score"}),
}


@pytest.fixture(scope="module")
def graph(tiny):
    graph = tiny()
    graph.passage("best", "The rival, directed by Ada Wong, won.", EAST)
    graph.passage("near", "beta", [0.9, 0.4359, 0, 0], "two.pdf")
    graph.passage("next", "gamma", [-0.1, 0.995, 0, 0], "two.pdf")
    graph.passage("named", "delta", [0.1, 0.995, 0, 0], "three.pdf")
    graph.passage("linked", "epsilon", [0, 0, 1, 0], "four.pdf")
    graph.passage("shared", "zeta", [0, 0, 0, 1], "five.pdf")
    graph.follow("near", "next")
    graph.entity("Blind Shaft", "near")
    graph.about("named", "Blind Shaft")
    graph.entity("Ada Wong", "best")
    graph.about("linked", "Ada Wong")
    graph.entity("Bergen", "linked", "shared")
    graph.passage("stated", "eta", [0, 0, 0.9, -0.4359], "six.pdf")
    graph.triple("best", "The Rival", "won", "Golden Bear", EAST)
    graph.triple("stated", "The Rival", "premiered in", "Hull", [0.8, 0.6, 0, 0])
    graph.passage("distant", "theta", [0, 0, -0.9, 0.4359], "seven.pdf")
    graph.entity("Golden Bear", "stated", "distant")
    graph.passage("fact", "iota", [0, 0, -1, 0], "eight.pdf")
    graph.triple("fact", "Blind Shaft", "was filmed in", "Hebei", [0, 1, 0, 0])
    graph.embedder.known[QUESTION] = EAST
    return graph


def start(by="hybrid", depth=2, until=""):
    """Return the flow of the search and of the stages before ``until``."""
    candidates = yield from search_seeds(QUESTION, by=by, depth=depth)
    for name, stage in STAGES.items():
        if name == until:
            return candidates
        candidates = yield from stage.apply(candidates)
    return candidates


def apply_twice(name):
    candidates = yield from start(until=name)
    for _ in range(2):
        candidates = yield from STAGES[name].apply(candidates)
    return candidates


def execute(graph, flow, scope=None):
    return run(flow, Services(graph.store, graph.embedder), scope or graph.scope(), record=True)


def to_plain(candidates):
    columns = {name: np.nan_to_num(values, nan=-99.0).tolist() for name, values in candidates.columns.items()}
    return candidates.ids, columns, dict(candidates.parents), candidates.seeds


@pytest.fixture(scope="module", params=STAGES)
def stage(request, graph):
    """The stage with the candidates before and after it."""
    before = execute(graph, start(until=request.param)).result
    plain = to_plain(before)
    selected = STAGES[request.param]
    after = execute(graph, selected.apply(before)).result
    assert to_plain(before) == plain  # a stage changes no input
    return selected, before, after


def test_the_search_finds_what_is_similar_in_meaning_or_words(graph):
    candidates = execute(graph, start(until="link_question_entities")).result
    assert graph.keys(candidates.ids) == ["best", "near"]
    assert candidates.seeds == 2
    assert candidates.column("cosine").tolist() == pytest.approx([1.0, 0.9], abs=1e-3)
    assert candidates.column("bm25")[0] > 0
    assert np.isnan(candidates.column("bm25")[1])
    assert candidates.column("similarity").tolist() == pytest.approx([1.0, 0.6 * 0.9], abs=1e-3)


def test_a_dense_search_scores_by_cosine_alone(graph):
    candidates = execute(graph, search_seeds(QUESTION, by="dense", depth=3)).result
    assert graph.keys(candidates.ids) == ["best", "near", "named"]
    assert candidates.scores("similarity") == candidates.scores("cosine")
    assert np.isnan(candidates.column("bm25")).all()


def test_no_candidate_and_no_column_is_lost(stage):
    _, before, after = stage
    assert after.ids[: len(before.ids)] == before.ids
    assert set(before.columns) <= set(after.columns)
    assert after.seeds == before.seeds
    assert {id: after.parents[id] for id in before.parents} == dict(before.parents)
    assert len(set(after.ids)) == len(after.ids)


def test_the_promised_columns_are_in_their_range(stage):
    promised, _, after = stage
    assert all(values.shape == (len(after.ids),) for values in after.columns.values())
    for name, (least, most) in promised.ranges.items():
        values = np.array(list(after.scores(name).values()))
        assert len(values)
        assert least <= values.min() <= values.max() <= most
        assert name not in promised.complete or len(values) == len(after.ids)


def test_the_expected_evidence_is_added(graph, stage):
    promised, before, after = stage
    assert graph.keys(after.ids[len(before.ids) :]) == ([promised.added] if promised.added else [])


def test_added_evidence_has_a_path_from_a_seed_or_an_entity_of_the_question(stage):
    _, _, after = stage
    starts = {*after.ids[: after.seeds], *(entity.id for entity in after.entities)}
    for id in after.ids[after.seeds :]:
        path = after.path(id)
        assert path[0].source.id in starts
        assert path[-1].target.id == id
        assert all(step.target.id == following.source.id for step, following in pairwise(path))


@pytest.mark.parametrize("name", STAGES)
def test_two_rounds_are_replayed_with_the_same_result(graph, name):
    outcome = execute(graph, apply_twice(name))
    assert to_plain(replay(apply_twice(name), outcome.trace)) == to_plain(outcome.result)


@pytest.mark.parametrize("by", ["dense", "hybrid"])
def test_without_hits_there_are_no_candidates(graph, by):
    outcome = execute(graph, start(by), Scope(collection_id("none")))
    assert outcome.result.ids == ()
    assert all(values.shape == (0,) for values in outcome.result.columns.values())
    assert outcome.result.to_ranking(5).ids == ()


def test_evidence_is_raised_for_the_terms_that_it_matches(graph):
    before = execute(graph, start(until="cover_query_terms")).result
    after = execute(graph, cover_query_terms(before, weight=2.0)).result
    raised = after.column("score") - before.column("score")
    matched, unmatched = math.log1p(6 / 1.5), math.log1p(6 / 0.5)  # of six: direct and rival; blind, s and shaft
    assert raised[0] == pytest.approx(2.0 * 2 * matched / (2 * matched + 3 * unmatched))
    assert not raised[1:].any()
