"""Training samples of each direction from small gold graphs, computed by hand."""

from itertools import pairwise

from hopline.scoring.evidence_graph import QUESTION
from hopline.training.graph_hop_samples import PathSample, enumerate_paths

CHAIN = [(QUESTION, "a"), (QUESTION, "b"), ("a", "c"), ("b", "c")]


def test_forward_samples_are_all_paths_from_the_question_with_their_successors():
    assert enumerate_paths(CHAIN, "forward") == [
        PathSample((), None, ("a", "b")), PathSample(("a",), 0, ("c",)), PathSample(("b",), 0, ("c",)),
        PathSample(("a", "c"), 1, ()), PathSample(("b", "c"), 2, ()),
    ]  # fmt: skip


def test_backward_samples_are_all_paths_from_the_last_facts_with_their_predecessors():
    assert enumerate_paths(CHAIN, "backward") == [
        PathSample((), None, ("c",)), PathSample(("c",), 0, ("a", "b")), PathSample(("c", "a"), 1, ()), PathSample(("c", "b"), 1, ()),
    ]  # fmt: skip


def test_a_fact_that_is_first_and_last_is_a_target_in_both_directions():
    star = [(QUESTION, "a"), (QUESTION, "b")]
    assert enumerate_paths(star, "forward")[0].targets == enumerate_paths(star, "backward")[0].targets == ("a", "b")


def test_the_number_of_paths_is_limited():
    layers = [[f"{row}{column}" for column in range(4)] for row in range(5)]
    edges = [(QUESTION, node) for node in layers[0]]
    edges += [(a, b) for upper, lower in pairwise(layers) for a in upper for b in lower]
    assert len(enumerate_paths(edges, "forward")) == 60
