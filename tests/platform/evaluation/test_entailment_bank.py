"""EntailmentBank's rows, made up in both of its forms."""

from __future__ import annotations

import pytest

from hopline.evaluation.entailment_bank import extract_leaf_edges, parse_tree
from hopline.scoring.evidence_graph import QUESTION

FACTS = {name: f"fact {name}" for name in ("sent1", "sent2", "sent3", "sent4")}


def test_facts_of_a_step_follow_those_that_its_conclusions_rest_on():
    steps = [(("sent1", "sent2"), "int1"), (("int1", "sent3"), "hypothesis")]
    assert extract_leaf_edges(steps, FACTS) == [  # type: ignore[arg-type]
        (QUESTION, "sent1"), (QUESTION, "sent2"), ("sent1", "sent3"), ("sent2", "sent3"),
    ]  # fmt: skip


def test_a_step_of_conclusions_alone_passes_on_what_they_rest_on():
    steps = [(("sent1",), "int1"), (("sent2",), "int2"), (("int1", "int2"), "int3"), (("int3", "sent4"), "hypothesis")]
    assert extract_leaf_edges(steps, FACTS)[2:] == [("sent1", "sent4"), ("sent2", "sent4")]


def test_a_fact_that_is_used_twice_closes_no_circle_and_hangs_from_one_place():
    steps = [(("sent1", "sent2"), "int1"), (("int1", "sent1", "sent3"), "hypothesis")]
    assert extract_leaf_edges(steps, FACTS) == [
        (QUESTION, "sent2"), ("sent2", "sent1"), ("sent1", "sent3"), ("sent2", "sent3"),
    ]  # fmt: skip


def test_both_published_forms_say_the_same():
    whole = {
        "question": "Which is it?", "answer": "a star", "context": "sent1: one fact sent2: another: fact",
        "proof": "sent1 & sent2 -> hypothesis; ", "meta": {},
    }  # fmt: skip
    angle = {
        "input": "$proof$ ; $question$ = Which is it? ; $answer$ = a star ; $hypothesis$ = it is a star ; "
        "$context$ = sent1: one fact sent2: another: fact",
        "output": "$proof$ = sent1 & sent2 -> hypothesis; ",
    }
    expected = (
        "Which is it?",
        "a star",
        {"sent1": "one fact", "sent2": "another: fact"},
        [("", "sent1"), ("", "sent2")],
    )
    assert parse_tree(whole) == parse_tree(angle) == expected


def test_a_proof_that_is_none_is_refused():
    row = {"question": "?", "answer": "", "context": "sent1: a", "proof": "sent1 and sent2", "meta": {}}
    with pytest.raises(ValueError, match="a step of a proof"):
        parse_tree(row)
