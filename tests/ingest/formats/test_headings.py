import pytest

from hopline_ingest.formats.pdf.layout.headings import SectionPath, body_size, heading_style, is_heading

BODY = 10.0


def heading(line, text, **more):
    return is_heading([line(text, **more)], BODY)


@pytest.mark.parametrize("text", ["Results and discussion", "3.2 Methods", "“Piracy”", "PART II"])
def test_large_short_lines_are_headings(line, text):
    assert heading(line, text, size=13.0)


def test_bold_lines_are_headings_unless_they_end_a_sentence(line):
    assert heading(line, "Data availability", bold=True)
    assert not heading(line, "Data are available.", bold=True)


@pytest.mark.parametrize("text", ["C = a + b", "(In millions)", "and so on", "12", "a, b,", "x" * 200])
def test_formulas_numbers_and_parts_of_sentences_are_none(line, text):
    assert not heading(line, text, size=13.0)


def test_plain_text_is_no_heading(line):
    assert not heading(line, "Results and discussion")


def test_names_under_the_title_are_no_heading(line):
    assert not is_heading(
        [line("Paolo A. Sossi, Peter M.E. Tollan, James Badro, Dan J. Bower", size=13)], BODY, first=True
    )
    assert is_heading([line("Abstract", size=13)], BODY, first=True)


def test_the_body_is_set_in_the_size_of_most_characters(line):
    assert body_size([line("Heading", size=20), line("x" * 100, size=9.9), line("note", size=7)]) == 10.0
    assert body_size([]) == 0.0


def nest_headings(line, *headings):
    sections, paths = SectionPath(), []
    for text, more in headings:
        sections.enter(text, heading_style(text, [line(text, **more)]))
        paths.append(sections.path)
    return paths


def test_numbers_nest(line):
    paths = nest_headings(
        line, *[(text, {"bold": True}) for text in ("1 Intro", "1.1 Aim", "1.1.1 Why", "1.2 Plan", "2 Methods")]
    )
    assert paths == [
        ("1 Intro",),
        ("1 Intro", "1.1 Aim"),
        ("1 Intro", "1.1 Aim", "1.1.1 Why"),
        ("1 Intro", "1.2 Plan"),
        ("2 Methods",),
    ]


def test_sizes_and_capitals_nest(line):
    paths = nest_headings(
        line, ("Large", {"size": 16}), ("CAPITALS", {"bold": True}), ("Bold", {"bold": True}), ("Plain", {})
    )
    assert paths[-1] == ("Large", "CAPITALS", "Bold", "Plain")
    assert nest_headings(line, ("Bold", {"bold": True}), ("Large", {"size": 16}))[-1] == ("Large",)


def test_a_part_ends_the_sections_of_the_part_before(line):
    paths = nest_headings(
        line,
        ("PART I", {}),
        ("Item 1. Business", {}),
        ("COMPETITION", {"bold": True}),
        ("Item 2. Properties", {}),
        ("PART II", {}),
    )
    assert paths[2] == ("PART I", "Item 1. Business", "COMPETITION")
    assert paths[3:] == [("PART I", "Item 2. Properties"), ("PART II",)]


def test_an_age_is_no_number_of_a_heading(line):
    assert heading_style("53 Executive Vice President", [line("x")]).depth == 0
    assert heading_style("5 Conclusions", [line("x")]).depth == 1


def test_the_heading_of_a_list_of_references_needs_no_other_type(line):
    assert is_heading([line("REFERENCES", size=BODY)], BODY, modelled=True)
    assert is_heading([line("7. Bibliography", size=BODY)], BODY, modelled=True)
    assert not is_heading([line("References to ships", size=BODY)], BODY, modelled=True)
