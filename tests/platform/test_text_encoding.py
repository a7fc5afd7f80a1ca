"""Characters that no text of a document or of a model may have."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from hopline.text_encoding import (
    clean_name,
    clean_text,
    clean_texts_in,
    normalize_text,
    remove_accents,
    remove_control_characters,
)

HYPERLINK = "\x1b]8;;http://evil.example\x07click\x1b]8;;\x07"
CLEAR_SCREEN = "\x9b2J"


@given(st.text(st.characters(codec=None)))
def test_every_text_becomes_encodable_and_keeps_its_length(text):
    clean = clean_text(text)
    assert clean.encode("utf-8")[:0] == b""
    assert len(clean) == len(text)


@given(st.text(st.characters(codec=None)))
def test_no_control_character_but_tab_and_line_breaks_remains(text):
    assert {character for character in clean_text(text) if unicodedata.category(character) == "Cc"} <= set("\t\n\r")
    assert not [character for character in clean_name(text) if unicodedata.category(character) == "Cc"]
    shown = remove_control_characters(text)
    assert {character for character in shown if unicodedata.category(character) == "Cc"} <= set("\t\n")


def test_ordinary_text_is_unchanged():
    for text in ("Ørsted 🚢", "two\nlines\tand a tab\r\n"):
        assert clean_text(text) == text
    assert remove_control_characters("two\nlines") == "two\nlines"


def test_accents_are_composed_and_removed():
    decomposed = unicodedata.normalize("NFD", "Café Brûlé")
    assert normalize_text(decomposed) == clean_texts_in([decomposed])[0] == "Café Brûlé"
    assert remove_accents("Café Brûlé, Łódź, Søren, Groß") == "Cafe Brule, Lodz, Soren, Gross"


def test_surrogates_and_terminal_sequences_are_replaced():
    assert clean_text("half \ud83d pair") == "half \ufffd pair"
    assert clean_text(HYPERLINK) == " ]8;;http://evil.example click ]8;; "
    assert clean_text(CLEAR_SCREEN) == " 2J"
    assert clean_name("a\nb\x1b[31m.pdf") == "a b [31m.pdf"
    assert remove_control_characters(HYPERLINK) == "]8;;http://evil.exampleclick]8;;"


def test_texts_are_cleaned_within_lists_and_dictionaries():
    row = {"title \udc00": ["a", ("\ud800", "\x1b", 1)], "n": None}
    assert clean_texts_in(row) == {"title \ufffd": ["a", ("\ufffd", " ", 1)], "n": None}
