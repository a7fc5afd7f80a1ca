"""What each direction learns from one right graph, by hand."""

from itertools import pairwise

from hopline.scoring.evidence_graph import QUESTION
from hopline.training.graph_hop_samples import Walk, walks

CHAIN = [(QUESTION, "a"), (QUESTION, "b"), ("a", "c"), ("b", "c")]


def test_forward_every_path_from_the_question_has_what_follows():
    assert walks(CHAIN, "forward") == [
        Walk((), None, ("a", "b")), Walk(("a",), 0, ("c",)), Walk(("b",), 0, ("c",)),
        Walk(("a", "c"), 1, ()), Walk(("b", "c"), 2, ()),
    ]  # fmt: skip


def test_backward_every_path_from_what_answers_has_what_precedes():
    assert walks(CHAIN, "backward") == [
        Walk((), None, ("c",)), Walk(("c",), 0, ("a", "b")), Walk(("c", "a"), 1, ()), Walk(("c", "b"), 1, ()),
    ]  # fmt: skip


def test_a_fact_that_is_first_and_last_is_a_target_in_both_directions():
    star = [(QUESTION, "a"), (QUESTION, "b")]
    assert walks(star, "forward")[0].next == walks(star, "backward")[0].next == ("a", "b")


def test_a_graph_of_very_many_paths_gives_some():
    layers = [[f"{row}{place}" for place in range(4)] for row in range(5)]
    edges = [(QUESTION, node) for node in layers[0]]
    edges += [(a, b) for one, other in pairwise(layers) for a in one for b in other]
    assert len(walks(edges, "forward")) == 60
