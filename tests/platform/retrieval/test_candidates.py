"""Candidates: columns by name, links by which the graph reached them, and the ranking made of both."""

import numpy as np
import pytest

from hopline.results import Node, PathStep
from hopline.retrieval.candidates import Candidates, ParentLink
from hopline.retrieval.ranking import Ranking

VECTOR = np.array([1.0, 0.0], dtype=np.float32)
NAN = float("nan")


def link(source, target):
    return ParentLink(source, target, (PathStep(Node(source, "passage"), "NEXT", Node(target, "passage")),))


@pytest.fixture
def candidates():
    return Candidates("who?", VECTOR).with_scores("score", {"b": 0.5, "a": 0.5, "c": 0.9})


def test_scores_of_unknown_ids_add_candidates_without_other_scores(candidates):
    extended = candidates.with_scores("links", {"d": 1.0, "a": 2.0})
    assert extended.ids == ("b", "a", "c", "d")
    assert extended.column("links").tolist() == pytest.approx([NAN, 2.0, NAN, 1.0], nan_ok=True)
    assert extended.column("score").tolist() == pytest.approx([0.5, 0.5, 0.9, NAN], nan_ok=True)
    assert extended.scores("links") == {"a": 2.0, "d": 1.0}
    assert candidates.ids == ("b", "a", "c")


def test_a_column_is_replaced_as_a_whole(candidates):
    assert candidates.with_scores("score", {"c": 0.1}).scores("score") == {"c": 0.1}


def test_a_column_that_no_stage_has_written_is_missing_for_all(candidates):
    assert np.isnan(candidates.column("gnn")).all()
    assert candidates.top(3, "gnn") == []
    assert candidates.to_ranking(3, "gnn").ids == ()


def test_the_best_have_the_highest_values_and_ties_are_ordered_by_id(candidates):
    assert candidates.with_scores("links", {"d": 1.0}).top(9) == ["c", "a", "b"]
    assert candidates.top(0) == []


def test_the_first_cosine_counts():
    candidates = Candidates("who?", VECTOR).with_cosines({"a": 0.5}).with_cosines({"a": 0.7, "b": 0.2})
    assert candidates.scores("cosine") == candidates.scores("similarity") == {"a": 0.5, "b": 0.2}


def test_the_similarity_is_the_weighted_sum_of_cosine_and_words():
    candidates = Candidates("who?", VECTOR, 0.6).with_scores("bm25", {"a": 4.0, "b": 8.0})
    similarity = candidates.with_cosines({"b": 0.2, "c": 0.4}).scores("similarity")
    assert similarity == pytest.approx({"a": 0.4 * 0.5, "b": 0.6 * 0.5 + 0.4, "c": 0.6})


def test_a_path_follows_the_links_from_a_seed(candidates):
    linked = candidates.with_links([link("a", "b")]).with_links([link("b", "c"), link("a", "c")])
    assert [(step.source.id, step.target.id) for step in linked.path("c")] == [("a", "b"), ("b", "c")]
    assert linked.path("a") == ()
    ranking = linked.to_ranking(2)
    assert (ranking.ids, ranking.scores) == (("c", "a"), (0.9, 0.5))
    assert ranking.paths == {"c": linked.path("c")}
    assert list(linked.paths()) == ["b", "c"]


def test_a_ranking_keeps_its_order_and_paths():
    steps = (*link("x", "y").steps, *link("y", "a").steps)
    candidates = Candidates.from_ranking("who?", VECTOR, Ranking(("b", "a"), (0.5, 0.5), {"a": steps}))
    assert candidates.scores("base") == {"b": 1.0, "a": 0.5}
    assert candidates.to_ranking(2, "base") == Ranking(("b", "a"), (1.0, 0.5), {"a": steps})


def test_links_form_no_cycle(candidates):
    linked = candidates.with_links([link("a", "b"), link("b", "c"), link("c", "a"), link("a", "a")])
    assert set(linked.parents) == {"b", "c"}
