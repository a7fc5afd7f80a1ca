"""The measures of Graph-Hop, by hand."""

from __future__ import annotations

import pytest

from hopline.evaluation.graph_matching import match
from hopline.scoring.evidence_graph import QUESTION

GOLD = [(QUESTION, "a"), ("a", "b")]


def test_the_same_edges_in_any_order_match():
    found = match(list(reversed(GOLD)), GOLD)
    assert (found.gm, found.gs, found.ged, found.labelled_ged, found.f1, found.em) == (1, 1, 0, 0, 1, 1)


def test_another_fact_in_the_same_place_keeps_the_shape_and_nothing_else():
    found = match([(QUESTION, "a"), ("a", "c")], GOLD)
    assert (found.gm, found.gs, found.ged) == (0, 1, 0)
    assert found.labelled_ged == 4  # node c and edge a→c away, node b and edge a→b in
    assert (found.precision, found.recall, found.f1, found.em) == (0.5, 0.5, 0.5, 0)


def test_precision_is_of_what_was_found_and_recall_of_what_is_right():
    found = match([(QUESTION, "a"), (QUESTION, "b"), (QUESTION, "c"), (QUESTION, "d")], GOLD)
    assert (found.precision, found.recall) == (0.5, 1.0)
    assert found.f1 == pytest.approx(2 / 3)


def test_the_right_facts_in_another_shape_are_the_right_set_only():
    found = match([(QUESTION, "a"), (QUESTION, "b")], GOLD)
    assert (found.em, found.gm, found.gs) == (1, 0, 0)
    assert found.ged == 2  # an edge away, an edge in
    assert found.labelled_ged == 2


def test_an_empty_graph_is_the_whole_right_one_away():
    found = match([], GOLD)
    assert (found.precision, found.recall, found.f1, found.em) == (0, 0, 0, 0)
    assert found.ged == found.labelled_ged == 4


def test_a_distance_that_no_time_is_left_for_is_that_of_the_edits_by_name():
    chain = [(QUESTION, "0"), *((str(n), str(n + 1)) for n in range(12))]
    star = [(QUESTION, f"other {n}") for n in range(14)]
    found = match(star, chain, seconds=1e-9)
    assert found.ged <= found.labelled_ged == len(star) * 2 + len(chain) * 2
