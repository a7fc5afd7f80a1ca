"""The metrics of Graph-Hop, computed by hand."""

from __future__ import annotations

import pytest

from hopline.evaluation.graph_matching import match_graphs
from hopline.scoring.evidence_graph import QUESTION

GOLD = [(QUESTION, "a"), ("a", "b")]


def test_the_same_edges_in_any_order_match():
    match = match_graphs(list(reversed(GOLD)), GOLD)
    assert (match.gm, match.gs, match.ged, match.labelled_ged, match.f1, match.em) == (1, 1, 0, 0, 1, 1)


def test_a_wrong_fact_at_the_same_position_keeps_the_shape_only():
    match = match_graphs([(QUESTION, "a"), ("a", "c")], GOLD)
    assert (match.gm, match.gs, match.ged) == (0, 1, 0)
    assert match.labelled_ged == 4  # node c and edge a→c away, node b and edge a→b in
    assert (match.precision, match.recall, match.f1, match.em) == (0.5, 0.5, 0.5, 0)


def test_precision_and_recall_are_not_swapped():
    match = match_graphs([(QUESTION, "a"), (QUESTION, "b"), (QUESTION, "c"), (QUESTION, "d")], GOLD)
    assert (match.precision, match.recall) == (0.5, 1.0)
    assert match.f1 == pytest.approx(2 / 3)


def test_gold_facts_in_another_shape_match_as_a_set_only():
    match = match_graphs([(QUESTION, "a"), (QUESTION, "b")], GOLD)
    assert (match.em, match.gm, match.gs) == (1, 0, 0)
    assert match.ged == 2  # an edge away, an edge in
    assert match.labelled_ged == 2


def test_the_distance_of_an_empty_graph_is_the_size_of_the_gold_graph():
    match = match_graphs([], GOLD)
    assert (match.precision, match.recall, match.f1, match.em) == (0, 0, 0, 0)
    assert match.ged == match.labelled_ged == 4


def test_after_the_timeout_the_distance_is_at_most_the_labelled_one():
    chain = [(QUESTION, "0"), *((str(n), str(n + 1)) for n in range(12))]
    star = [(QUESTION, f"other {n}") for n in range(14)]
    match = match_graphs(star, chain, timeout=1e-9)
    assert match.ged <= match.labelled_ged == len(star) * 2 + len(chain) * 2
