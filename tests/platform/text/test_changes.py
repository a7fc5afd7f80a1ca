"""Sentences that state a former and a new value."""

import pytest

from hopline.text.changes import find_changes


@pytest.mark.parametrize(
    ("sentence", "old", "new"),
    [
        ("(3) The speed limit inside the mole is lowered from 3 knots to 2 knots.", "3 knots", "2 knots"),
        (
            "The visitor's fee of 2.40 pounds per night is replaced by 2.95 pounds per night.",
            "2.40 pounds",
            "2.95 pounds",
        ),
        ("Priya Raman was elected on 18 November and follows Dominic Ashworth.", "Dominic Ashworth", "Priya Raman"),
        ("Juniors no longer train on Wednesday but on Friday at 16:30.", "Wednesday", "Friday"),
        ("The fee rose to 55 crowns, from 40 before.", "40", "55 crowns"),
        ("The notice period is two months instead of three months.", "three months", "two months"),
        ("Rolf Imme was succeeded by Ada Wick.", "Rolf Imme", "Ada Wick"),
        ("Ada Wick has taken over the library from Rolf Imme.", "Rolf Imme", "Ada Wick"),
        ("The meeting is on Tuesdays instead of Mondays.", "Mondays", "Tuesdays"),
        ("The deposit has been increased from €200 to €250.", "€200", "€250"),
        ("From May the fee goes up from £35 to £40.", "£35", "£40"),
    ],
)
def test_the_old_and_the_new_value_of_a_change_are_found(sentence, old, new):
    assert (old, new) in [(sentence[slice(*item.old)], sentence[slice(*item.new)]) for item in find_changes(sentence)]


@pytest.mark.parametrize(
    "sentence",
    [
        "The office is open from 8:00 to 17:00.",
        "The bridge was built by Odile Farrow in 1899.",
        "The visitor's fee is 2.40 pounds per metre and night.",
        "The tram runs from Bonn to Halm.",
    ],
)
def test_a_sentence_without_a_change_has_none(sentence):
    assert not find_changes(sentence)
