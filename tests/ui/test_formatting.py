"""Formatting of paths, progress, estimates and durations."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from hopline.documents.estimate import Estimate
from hopline.documents.progress import Progress
from hopline.flow.services import Price
from hopline.results import EvidencePath, Node, PathStep
from hopline_ui.formatting import (
    ProgressRate,
    SteadyProgress,
    compute_progress,
    describe_path,
    format_edge,
    format_estimate,
    format_progress,
    format_seconds,
)

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
def test_an_edge_is_labelled_in_the_direction_of_the_path(source, edge, target, words):
    assert format_edge(PathStep(source, edge, target)) == words


def test_a_path_is_described_edge_by_edge_with_locations_of_evidence():
    path = EvidencePath("q", PASSAGE, (PathStep(PASSAGE, "MENTIONS", ENTITY), PathStep(ENTITY, "MENTIONS", OTHER)))
    assert describe_path(path, {"p": "a.pdf p. 1", "q": "b.pdf p. 7"}) == [
        "Search found passage “a.pdf p. 1”.",
        "passage “a.pdf p. 1” — mentions → entity “Nordvik”",
        "entity “Nordvik” — mentioned in → passage “b.pdf p. 7”",
    ]


def test_a_path_without_steps_says_that_search_found_it():
    assert describe_path(EvidencePath("p", PASSAGE), {}) == ["Search found passage “p” directly."]


def test_no_work_counts_as_done():
    assert compute_progress(Progress()) == 1.0
    assert compute_progress(Progress(documents=3, done=True)) == 1.0


def test_progress_only_grows_during_processing():
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
    shares = [compute_progress(step) for step in steps]
    assert shares == sorted(shares)
    assert shares[0] == 0.0
    assert shares[-1] == 0.99  # until the progress is reported as done


def test_documents_that_are_not_opened_yet_are_expected_to_have_pages():
    first_read = Progress(documents=5, documents_done=1, pages=10, pages_done=10, passages=40, extracted=40)
    opened = replace(first_read, pages=90, pages_done=12, reading=("long.pdf: page 2 of 80",))
    assert 0.0 < compute_progress(first_read) < 0.2
    assert 0.0 < compute_progress(opened) < 0.2
    assert format_progress(first_read, None) == "1 of 5 documents · 10 pages read · Finding entities 40 · Indexing 0"
    all_opened = replace(opened, reading=tuple(f"{n}.pdf: page 1 of 20" for n in range(4)))
    assert "12 of 90 pages · Finding entities 40/40" in format_progress(all_opened, None)


def test_what_is_shown_does_not_fall_and_the_time_left_does_not_jump():
    steady = SteadyProgress(5, 0.0, ProgressRate(0.0, 0.0))
    assert steady.update(1.0, 0.1) is None
    shown, left = [], []
    for second, fraction in enumerate([0.1, 0.2, 0.15, 0.1, 0.5, 0.45, 0.6], start=10):
        left.append(steady.update(float(second), fraction) or 0.0)
        shown.append(steady.shown)
    assert shown == [0.1, 0.2, 0.2, 0.2, 0.5, 0.5, 0.6]
    changes = [abs(later - earlier) for earlier, later in pairwise(left)]
    assert max(changes) < 10  # without smoothing, from 52 s to 14 s at once


def test_unknown_counts_are_left_out():
    assert format_progress(Progress(documents=2), None) == "0 of 2 documents"
    assert (
        format_progress(Progress(documents=2, pages=5, pages_done=1), 42.0)
        == "0 of 2 documents · 1 of 5 pages · about 42 s left"
    )


def test_the_time_left_is_extrapolated_after_enough_progress():
    pace = ProgressRate(start=100.0, fraction=0.2)
    assert pace.estimate_seconds_left(101.0, 0.3) is None  # too soon
    assert pace.estimate_seconds_left(140.0, 0.21) is None  # too little
    assert pace.estimate_seconds_left(120.0, 0.4) == pytest.approx(60.0)


def test_short_durations_have_two_decimals():
    assert [format_seconds(0.714), format_seconds(9.99), format_seconds(12.4)] == ["0.71 s", "9.99 s", "12 s"]


@pytest.mark.parametrize(
    ("estimate", "words"),
    [
        (Estimate(2, 14, 60, 12.0), "2 documents · about 14 pages, 60 passages, 12 s"),
        (Estimate(0), "0 documents"),
        (
            Estimate(1, 1, 2, 90.0, calls=2, tokens=1400),
            "1 document · about 1 page, 2 passages, 1 min 30 s · 2 model calls, 1,400 tokens, estimated cost 0.01",
        ),
    ],
)
def test_an_estimate_is_formatted_with_calls_and_cost(estimate, words):
    assert format_estimate(estimate, Price(5.0, 15.0)) == words
