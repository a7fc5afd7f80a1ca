"""Text that UTF-8 cannot encode."""

from hypothesis import given
from hypothesis import strategies as st

from hopline.surrogates import replace_surrogates, replace_surrogates_in


@given(st.text(st.characters(codec=None)))
def test_any_text_can_be_encoded_afterwards_and_keeps_its_length(text):
    clean = replace_surrogates(text)
    assert clean.encode("utf-8")[:0] == b""
    assert len(clean) == len(text)


def test_what_can_be_encoded_stays_as_it_is():
    assert replace_surrogates("Ørsted 🚢") == "Ørsted 🚢"
    assert replace_surrogates("half \ud83d pair") == "half \ufffd pair"


def test_lists_and_dictionaries_are_replaced_within():
    row = {"title \udc00": ["a", ("\ud800", 1)], "n": None}
    assert replace_surrogates_in(row) == {"title \ufffd": ["a", ("\ufffd", 1)], "n": None}
