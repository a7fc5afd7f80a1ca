"""Two graphs into one, each rule by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopline.scoring.evidence_graph import QUESTION, acyclic, confidence, in_order, merged, nodes_of, rooted

F = [(QUESTION, "a"), ("a", "b"), ("b", "c")]
B = [(QUESTION, "a"), ("a", "b"), ("d", "b"), (QUESTION, "d")]


def test_confidence_is_shared_edges_over_all_edges():
    assert confidence(F, B) == pytest.approx(2 / 5)
    assert confidence(F, F) == 1.0


def test_two_empty_graphs_agree_in_nothing():
    assert confidence([], []) == 0.0
    assert merged([], [], rule="equation", gamma=0.0) == []


def test_equation_2_takes_the_union_where_both_agree_enough():
    assert set(merged(F, B, rule="equation", gamma=0.2)) == set(F) | set(B)


def test_equation_2_takes_the_backward_graph_where_they_do_not():
    assert merged(F, B, rule="equation", gamma=0.4) == B  # above γ, not at it


def test_the_union_hangs_from_the_question_only_what_follows_no_evidence():
    backward = [("a", "b"), (QUESTION, "a")]
    forward = [(QUESTION, "b"), (QUESTION, "a")]
    assert merged(forward, backward, rule="equation", gamma=0.0) == [(QUESTION, "a"), ("a", "b")]


def test_a_union_that_would_close_a_circle_leaves_out_the_later_edge():
    forward = [(QUESTION, "a"), ("a", "b")]
    backward = [(QUESTION, "a"), ("b", "a")]
    assert merged(forward, backward, rule="equation", gamma=0.1) == [(QUESTION, "b"), ("b", "a")]


def test_text_and_code_keep_the_backward_graph_where_both_agree():
    assert merged(F, B, rule="text_code", gamma=0.2) == B


def test_text_and_code_else_give_each_node_one_edge_and_then_the_leaves_theirs():
    # shared first: Q→a, a→b; then backward d→b (b has its edge already), Q→d; then forward b→c.
    # b leads on to c, so it is no leaf and d→b stays out.
    assert merged(F, B, rule="text_code", gamma=0.5) == [(QUESTION, "a"), ("a", "b"), (QUESTION, "d"), ("b", "c")]


def test_text_and_code_let_a_leaf_have_a_second_edge():
    forward = [(QUESTION, "a"), ("a", "b")]
    backward = [("d", "b"), (QUESTION, "d")]
    found = merged(forward, backward, rule="text_code", gamma=0.5)
    assert found == [("d", "b"), (QUESTION, "d"), (QUESTION, "a"), ("a", "b")]


def test_intersection_keeps_what_both_have():
    assert merged(F, B, rule="intersection", gamma=0.0) == [(QUESTION, "a"), ("a", "b")]


def test_one_direction_alone_can_be_kept():
    assert merged(F, B, rule="forward", gamma=0.0) == F
    assert merged(F, B, rule="backward", gamma=0.0) == B


def test_evidence_is_read_behind_all_that_it_follows():
    assert in_order([("b", "c"), (QUESTION, "b"), (QUESTION, "a"), ("a", "c"), ("c", "d")]) == ["b", "a", "c", "d"]


def test_what_follows_nothing_hangs_from_the_question():
    assert rooted([("a", "b"), (QUESTION, "b")]) == [(QUESTION, "a"), ("a", "b")]


NAMES = st.sampled_from("abcdef")
EDGES = st.lists(st.tuples(NAMES | st.just(QUESTION), NAMES).filter(lambda edge: edge[0] != edge[1]), max_size=14)


@given(EDGES, EDGES, st.sampled_from(["equation", "text_code"]), st.floats(0, 1))
def test_no_merged_graph_has_a_circle_unless_one_direction_had(forward, backward, rule, gamma):
    backward, forward = acyclic(backward), acyclic(forward)
    found = merged(forward, backward, rule=rule, gamma=gamma)
    assert acyclic(found) == list(dict.fromkeys(found))
    assert set(nodes_of(found)) <= set(nodes_of(forward)) | set(nodes_of(backward))
    assert sorted(in_order(found)) == sorted(nodes_of(found))
