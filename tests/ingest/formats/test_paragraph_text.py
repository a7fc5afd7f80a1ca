import pytest

from hopline_ingest.formats.pdf.text.paragraph_text import join_lines, join_text

SOFT = "\u00ad"


def test_lines_are_parted_by_a_blank_and_keep_their_spans(line):
    text, lines = join_lines([(1, line("one")), (2, line("two", y=50))])
    assert text == "one two"
    assert [(part.span, part.page) for part in lines] == [((0, 3), 1), ((4, 7), 2)]


@pytest.mark.parametrize("hyphen", ["-", SOFT, "‐"])
def test_a_broken_word_is_made_whole(line, hyphen):
    text, lines = join_lines([(1, line("an exam" + hyphen)), (1, line("ple here"))])
    assert text == "an example here"
    assert [text[slice(*part.span)] for part in lines] == ["an exam", "ple here"]


def test_a_dash_between_words_is_no_hyphen(line):
    assert join_text([line("he came -"), line("and went")]) == "he came - and went"


def test_a_soft_hyphen_within_a_line_is_not_shown(line):
    text, lines = join_lines([(1, line(f"co{SOFT}operate"))])
    assert text == "cooperate"
    assert len(lines[0].lefts) == len(text)


def test_the_last_line_keeps_its_hyphen(line):
    assert join_text([line("open-")]) == "open-"
