"""Paths, progress and time in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hopline.client import Estimate, Progress
from hopline.flow.services import Price
from hopline.types import EvidencePath, Node, Step
from hopline_ui.formatting import Pace, counts, edge_words, expected, fraction, path_lines, took

PASSAGE, OTHER = Node("p", "passage"), Node("q", "passage")
ENTITY, TRIPLE = Node("e", "entity", "Nordvik"), Node("t", "triple", "Nordvik acquired Halcyon")


@pytest.mark.parametrize(
    ("source", "edge", "target", "words"),
    [
        (PASSAGE, "MENTIONS", ENTITY, "mentions"),
        (ENTITY, "MENTIONS", PASSAGE, "mentioned in"),
        (PASSAGE, "STATES", TRIPLE, "states"),
        (TRIPLE, "STATES", PASSAGE, "stated in"),
        (TRIPLE, "SUBJECT", ENTITY, "whose subject is"),
        (ENTITY, "OBJECT", TRIPLE, "object of"),
        (PASSAGE, "NEXT", OTHER, "next to"),
        (Node("d", "document"), "HAS_PAGE", Node("g", "page"), "has"),
        (PASSAGE, "COSINE_OF", OTHER, "cosine of"),
    ],
)
def test_an_edge_is_read_in_the_direction_of_the_path(source, edge, target, words):
    assert edge_words(Step(source, edge, target)) == words


def test_a_path_is_told_edge_by_edge_with_evidence_by_its_place():
    path = EvidencePath("q", PASSAGE, (Step(PASSAGE, "MENTIONS", ENTITY), Step(ENTITY, "MENTIONS", OTHER)))
    assert path_lines(path, {"p": "a.pdf p. 1", "q": "b.pdf p. 7"}) == [
        "The question's search found passage “a.pdf p. 1”.",
        "passage “a.pdf p. 1” — mentions → entity “Nordvik”",
        "entity “Nordvik” — mentioned in → passage “b.pdf p. 7”",
    ]


def test_a_path_without_steps_says_that_search_found_it():
    assert path_lines(EvidencePath("p", PASSAGE), {}) == ["The question's search found passage “p” directly."]


def test_nothing_to_do_is_all_done():
    assert fraction(Progress()) == 1.0
    assert fraction(Progress(documents=3, done=True)) == 1.0


def test_the_bar_only_grows_while_documents_are_read():
    begun = Progress(documents=4)
    steps = [
        begun,
        replace(begun, pages=80, pages_done=20),
        replace(begun, documents_done=2, pages=80, pages_done=40, passages=100, extracted=50),
        replace(begun, documents_done=4, pages=80, pages_done=80, passages=200, extracted=150, embedded=100),
        replace(
            begun, documents_done=4, pages=80, pages_done=80, passages=200, extracted=200, embedded=200, related=200
        ),
    ]
    shares = [fraction(step) for step in steps]
    assert shares == sorted(shares)
    assert shares[0] == 0.0
    assert shares[-1] == 0.99  # until the graph says that it is done


def test_counts_leave_out_what_is_not_known_yet():
    assert counts(Progress(documents=2), None) == "0 of 2 documents"
    assert (
        counts(Progress(documents=2, pages=5, pages_done=1), 42.0)
        == "0 of 2 documents · 1 of 5 pages · about 42 s left"
    )


def test_the_time_left_follows_the_pace_once_there_is_one():
    pace = Pace(begun=100.0, first=0.2)
    assert pace.left(101.0, 0.3) is None  # too soon
    assert pace.left(140.0, 0.21) is None  # too little
    assert pace.left(120.0, 0.4) == pytest.approx(60.0)


def test_short_times_have_hundredths():
    assert [took(0.714), took(9.99), took(12.4)] == ["0.71 s", "9.99 s", "12 s"]


@pytest.mark.parametrize(
    ("estimate", "words"),
    [
        (Estimate(2, 14, 60, 12.0), "2 documents · about 14 pages, 60 passages, 12 s"),
        (Estimate(0), "0 documents"),
        (
            Estimate(1, 1, 2, 90.0, calls=2, tokens=1400),
            "1 document · about 1 page, 2 passages, 1 min 30 s · 2 model calls, 1,400 tokens, about 0.01 at your price",
        ),
    ],
)
def test_what_is_expected_of_a_reading(estimate, words):
    assert expected(estimate, Price(5.0, 15.0)) == words
