"""Text that UTF-8 cannot encode."""

from hypothesis import given
from hypothesis import strategies as st

from hopline.text_encoding import replace_surrogates, replace_surrogates_in


@given(st.text(st.characters(codec=None)))
def test_every_text_becomes_encodable_and_keeps_its_length(text):
    clean = replace_surrogates(text)
    assert clean.encode("utf-8")[:0] == b""
    assert len(clean) == len(text)


def test_encodable_text_is_unchanged():
    assert replace_surrogates("Ørsted 🚢") == "Ørsted 🚢"
    assert replace_surrogates("half \ud83d pair") == "half \ufffd pair"


def test_surrogates_are_replaced_within_lists_and_dictionaries():
    row = {"title \udc00": ["a", ("\ud800", 1)], "n": None}
    assert replace_surrogates_in(row) == {"title \ufffd": ["a", ("\ufffd", 1)], "n": None}
