import pytest

from hopline_ingest.formats.pdf.text.paragraph_text import collect_words, join_lines, join_text

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


def test_a_compound_keeps_the_hyphen_that_the_document_writes(line):
    words = collect_words([line("a cellulose-based gel")])
    assert join_lines([(1, line("cellulose" + SOFT)), (1, line("based"))], words)[0] == "cellulose-based"


def test_two_long_words_of_the_document_are_a_compound(line):
    words = collect_words([line("cellulose is based on")])
    assert join_lines([(1, line("cellulose" + SOFT)), (1, line("based"))], words)[0] == "cellulose-based"
    whole = collect_words([line("under stand understand")])
    assert join_lines([(1, line("under-")), (1, line("stand"))], whole)[0] == "understand"


def test_a_hyphen_before_a_capital_or_a_number_stays(line):
    assert join_text([line("the Nobel-"), line("Prize")]) == "the Nobel-Prize"
    assert join_text([line("1990-"), line("1994")]) == "1990-1994"


def test_a_dash_between_words_is_no_hyphen(line):
    assert join_text([line("he came -"), line("and went")]) == "he came - and went"


def test_a_soft_hyphen_within_a_line_is_not_shown(line):
    text, lines = join_lines([(1, line(f"co{SOFT}operate"))])
    assert text == "cooperate"
    assert len(lines[0].lefts) == len(text)


def test_the_last_line_keeps_its_hyphen(line):
    assert join_text([line("open-")]) == "open-"
