import pytest

from hopline.errors import DocumentError
from hopline_ingest.formats.text import decode_text, parse_plain_text

WORDS = "Café – naïve “quotes”\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
def test_every_common_encoding_is_detected(encoding):
    assert decode_text(WORDS.encode(encoding)) == WORDS


def test_line_ends_of_every_system_are_one():
    assert decode_text(b"a\r\nb\rc\n") == "a\nb\nc\n"


def test_bytes_that_are_not_text_are_rejected():
    with pytest.raises(DocumentError, match="not a text file"):
        decode_text(bytes(range(32)) * 40)


def read(text):
    return parse_plain_text(text.encode(), "notes_on-ships.txt")


def test_hard_wrapped_lines_are_one_paragraph():
    found = read("The Port\n\nIt opened in 1921.\nShips came\nfrom Lund.\n")
    assert found.title == "The Port"
    assert found.passages[0].text == "It opened in 1921. Ships came from Lund."
    assert found.pages[0].number == 1
    assert found.passages[0].boxes == found.passages[0].lines == ()


def test_numbered_underlined_and_capital_lines_head_sections():
    found = read("A title\n\n1. Trade\n\nGrain.\n\n1.1 Rye\n\nRye rose.\n\nPEOPLE\n\nAnna.\n\nBoats\n-----\n\nTwo.")
    assert [(passage.section, passage.text) for passage in found.passages] == [
        (("1. Trade",), "Grain."),
        (("1. Trade", "1.1 Rye"), "Rye rose."),
        (("PEOPLE",), "Anna."),
        (("PEOPLE", "Boats"), "Two."),
    ]


def test_each_item_of_a_list_is_a_paragraph():
    assert read("Title\n\nIt has:\n- one\n- two\n").passages[0].text == "It has:\n- one\n- two"


def test_without_a_title_the_name_is_it():
    assert read("It opened in 1921. It closed.\n\nMore.").title == "notes on ships"


def test_an_empty_text_has_no_passages():
    assert read(" \n\n ").passages == ()
