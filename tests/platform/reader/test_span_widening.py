import pytest

from hopline.reader.reading import widen_span


@pytest.mark.parametrize(
    ("text", "read", "widened"),
    [
        ("In 2021 the works made 13 750 tonnes of steel.", "750", "13 750"),
        ("The depth of the pit is -12.5 metres.", "12.5", "-12.5"),
        ("The rent is EUR 1.250,50 per month.", "250", "EUR 1.250,50"),
        ("Order B-7719-3 was sent.", "3", "B-7719-3"),
        ("Call 555-01-77 for help.", "77", "555-01-77"),
        ("The mill employs between 30 and 45 people.", "45", "between 30 and 45"),
        ("It cost $3.5 million.", "3.5", "$3.5 million"),
        ("A share of 12 % of all.", "12", "12 %"),
        ("Prices fell by 4 per cent.", "4", "4 per cent"),
        ("Philanthropists came.", "anthrop", "Philanthropists"),
        ("He said (the 'Act').", "'Act'", "'Act'"),
        ("The header file is libtasn1.h.", "libtasn1.h.", "libtasn1.h"),
        ("It was founded by Ada Quill.", "Ada Quill.", "Ada Quill"),
    ],
)
def test_a_span_is_widened_to_the_whole_number_code_or_word(text, read, widened):
    start = text.index(read)
    assert text[slice(*widen_span(text, start, start + len(read)))] == widened


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("The fee rose from 40 crowns to 55 crowns.", "55"),
        ("In 2021 750 people came.", "750"),
        ("THE 100 people", "100"),
        ("It opened on Jan. 3, 2010, in Lund.", "3, 2010"),
        ("The bridge was opened by Rune Salk.", "Rune Salk"),
        ("It is owned by Halm Inc. of Lund.", "Halm Inc."),
        ("It is sold in the U.S. only.", "U.S."),
        ("It opens at 9 p.m. on Sundays.", "9 p.m."),
    ],
)
def test_a_whole_span_stays(text, read):
    start = text.index(read)
    assert text[slice(*widen_span(text, start, start + len(read)))] == read


def test_blanks_and_punctuation_at_the_ends_are_left_out():
    text = "built by Ada Quist, in 1871"
    assert text[slice(*widen_span(text, 8, 20))] == "Ada Quist"
    assert widen_span("a, b", 1, 3) == (3, 3)
