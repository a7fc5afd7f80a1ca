"""The expression that finds a text whatever its case, accents, spaces, quotation marks and dashes."""

import pytest

from hopline.text.folded_pattern import build_folded_pattern, compile_folded_pattern


@pytest.mark.parametrize(
    ("text", "spelling"),
    [
        ("zurich", "ZÜRICH"),
        ("Zürich", "zurich"),
        ("strasse", "Straße"),
        ("Straße", "STRASSE"),
        ("aether", "Æther"),
        ("the fee", "The\n  fee"),
        ("owner's", "owner’s"),
        ("2019-2020", "2019–2020"),
        ("a.b (c)*", "A.B (C)*"),
        ("αθηνα", "Αθήνα"),
    ],
)
def test_a_text_is_found_in_its_other_spellings(text, spelling):
    assert compile_folded_pattern(text).search(f"x {spelling} y")[0] == spelling


def test_signs_of_expressions_are_letters_like_others():
    assert not compile_folded_pattern("a.b").search("axb")
    assert not compile_folded_pattern("[ab]").search("a")


def test_the_pattern_of_a_blank_text_is_empty():
    assert build_folded_pattern(" \n") == ""
