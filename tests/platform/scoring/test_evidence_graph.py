"""Merging of two evidence graphs by each rule, computed by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopline.scoring.evidence_graph import (
    QUESTION,
    attach_to_question,
    confidence,
    list_nodes,
    merge_graphs,
    remove_cycles,
    sort_topologically,
)

F = [(QUESTION, "a"), ("a", "b"), ("b", "c")]
B = [(QUESTION, "a"), ("a", "b"), ("d", "b"), (QUESTION, "d")]


def test_confidence_is_the_fraction_of_shared_edges():
    assert confidence(F, B) == pytest.approx(2 / 5)
    assert confidence(F, F) == 1.0


def test_the_confidence_of_two_empty_graphs_is_0():
    assert confidence([], []) == 0.0
    assert merge_graphs([], [], rule="equation", gamma=0.0) == []


def test_equation_2_returns_the_union_above_the_threshold():
    assert set(merge_graphs(F, B, rule="equation", gamma=0.2)) == set(F) | set(B)


def test_equation_2_returns_the_backward_graph_below_the_threshold():
    assert merge_graphs(F, B, rule="equation", gamma=0.4) == B  # above γ, not at it


def test_the_union_has_every_edge_of_both_directions():
    forward = [(QUESTION, "a"), (QUESTION, "b")]
    backward = [(QUESTION, "a"), ("a", "b")]
    merged = merge_graphs(forward, backward, rule="equation", gamma=0.1)
    assert merged == [(QUESTION, "a"), ("a", "b"), (QUESTION, "b")]


def test_a_union_that_would_have_a_cycle_drops_the_later_edge():
    forward = [(QUESTION, "a"), ("a", "b")]
    backward = [(QUESTION, "b"), (QUESTION, "a"), ("b", "a")]
    merged = merge_graphs(forward, backward, rule="equation", gamma=0.1)
    assert merged == [(QUESTION, "a"), (QUESTION, "b"), ("b", "a")]


def test_the_rule_of_the_text_returns_the_backward_graph_above_the_threshold():
    assert merge_graphs(F, B, rule="text", gamma=0.2) == B


def test_the_rule_of_the_text_otherwise_takes_the_first_shared_edge_into_each_node():
    assert merge_graphs(F, B, rule="text", gamma=0.4) == [(QUESTION, "a"), ("a", "b")]
    forward = [(QUESTION, "a"), (QUESTION, "c"), ("a", "b"), ("c", "b"), ("b", "d")]
    backward = [(QUESTION, "a"), (QUESTION, "c"), ("a", "b"), ("c", "b"), ("c", "e")]
    assert merge_graphs(forward, backward, rule="text", gamma=0.9) == [(QUESTION, "a"), (QUESTION, "c"), ("a", "b")]


def test_text_code_returns_the_backward_graph_above_the_threshold():
    assert merge_graphs(F, B, rule="text_code", gamma=0.2) == B


def test_text_code_otherwise_adds_one_edge_per_node_and_then_edges_to_leaves():
    # shared first: Q→a, a→b; then backward d→b (b has its edge already), Q→d; then forward b→c.
    # b leads on to c, so it is no leaf and d→b stays out.
    assert merge_graphs(F, B, rule="text_code", gamma=0.5) == [(QUESTION, "a"), ("a", "b"), (QUESTION, "d"), ("b", "c")]


def test_text_code_allows_a_leaf_a_second_edge():
    forward = [(QUESTION, "a"), ("a", "b")]
    backward = [("d", "b"), (QUESTION, "d")]
    merged = merge_graphs(forward, backward, rule="text_code", gamma=0.5)
    assert merged == [("d", "b"), (QUESTION, "d"), (QUESTION, "a"), ("a", "b")]


def test_intersection_returns_the_shared_edges():
    assert merge_graphs(F, B, rule="intersection", gamma=0.0) == [(QUESTION, "a"), ("a", "b")]


def test_a_single_direction_can_be_returned():
    assert merge_graphs(F, B, rule="forward", gamma=0.0) == F
    assert merge_graphs(F, B, rule="backward", gamma=0.0) == B


def test_evidence_is_sorted_after_its_predecessors():
    assert sort_topologically([("b", "c"), (QUESTION, "b"), (QUESTION, "a"), ("a", "c"), ("c", "d")]) == [
        "b",
        "a",
        "c",
        "d",
    ]


def test_evidence_without_predecessor_is_attached_to_the_question():
    assert attach_to_question([("a", "b"), (QUESTION, "b")]) == [(QUESTION, "a"), ("a", "b")]


NAMES = st.sampled_from("abcdef")
EDGES = st.lists(st.tuples(NAMES | st.just(QUESTION), NAMES).filter(lambda edge: edge[0] != edge[1]), max_size=14)


@given(EDGES, EDGES, st.sampled_from(["equation", "text", "text_code"]), st.floats(0, 1))
def test_a_merged_graph_has_no_cycle_unless_one_direction_has(forward, backward, rule, gamma):
    backward, forward = remove_cycles(backward), remove_cycles(forward)
    merged = merge_graphs(forward, backward, rule=rule, gamma=gamma)
    assert remove_cycles(merged) == list(dict.fromkeys(merged))
    assert set(list_nodes(merged)) <= set(list_nodes(forward)) | set(list_nodes(backward))
    assert sorted(sort_topologically(merged)) == sorted(list_nodes(merged))
