"""Edits of a text: where its spans are afterwards, and the same edits in another version of it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopline.corrections.text_edits import compute_similarity, merge_edits, move_spans

READ = "The pier was built in 19l1 by Hedda Lunn.\nIt is red."
CORRECTED = "The pier was built in 1911 by Hedda Lunn, an engineer.\nIt is red."


def cut(text, spans):
    return [text[start:end] for start, end in spans]


def test_spans_move_with_their_words():
    assert cut(CORRECTED, move_spans(READ, CORRECTED, [(0, 41), (42, 52)])) == CORRECTED.split("\n")
    assert cut("It is red.", move_spans(READ, "It is red.", [(0, 41), (42, 52)])) == ["", "It is red."]


def test_an_inserted_text_belongs_to_the_span_before_it():
    assert cut("A a. X x. B b. C", move_spans("A a. B b.", "A a. X x. B b. C", [(0, 4), (5, 9)])) == [
        "A a. X x.",
        "B b. C",
    ]
    assert cut("X one two", move_spans("one two", "X one two", [(0, 3), (4, 7)])) == ["X one", "two"]


@pytest.mark.parametrize(
    ("current", "expected"),
    [
        (READ, CORRECTED),
        (f"Ports. {READ} It leaks.", f"Ports. {CORRECTED} It leaks."),  # other limits of the passage
        (READ.replace("19l1", "I9l1"), CORRECTED),  # read in another wrong way
        (READ.replace("19l1", "1911"), CORRECTED),  # read right by now
        (READ.replace(" pier", " old pier"), CORRECTED.replace(" pier", " old pier")),
        ("The pier was built in 19l1.", None),
        ("Ships sail to Orre.", None),
    ],
)
def test_edits_are_made_in_another_version_between_the_same_words(current, expected):
    assert merge_edits(READ, CORRECTED, current) == expected


def test_a_text_that_is_replaced_as_a_whole_is_replaced_where_it_is_whole():
    assert merge_edits("Foo bar", "Qux", "Foo bar baz") == "Qux baz"
    assert merge_edits("Foo bar", "Qux", "Foo new bar") is None


def test_the_similarity_is_the_share_of_common_words():
    assert compute_similarity("one two three", "zero one two three four") == 1.0
    assert compute_similarity("one two three four", "one two 3 4") == 0.5
    assert compute_similarity("one", "two") == 0.0
    assert compute_similarity("", "") == 1.0


words = st.text(alphabet="ab. \n", max_size=24)


@settings(max_examples=60, deadline=None)
@given(words, words)
def test_any_edit_of_the_same_text_gives_the_corrected_one_and_spans_within_it(before, after):
    assert merge_edits(before, after, before) == after
    middle = len(before) // 2
    for start, end in move_spans(before, after, [(0, middle), (middle, len(before))]):
        assert 0 <= start <= end <= len(after)


@settings(max_examples=60, deadline=None)
@given(words, words, words)
def test_no_version_makes_an_edit_fail(before, after, current):
    assert isinstance(merge_edits(before, after, current), str | None)
