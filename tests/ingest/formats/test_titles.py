import pytest

from hopline_ingest.formats.titles import find_largest_text, is_plausible_title, is_version_of, title_from_name


@pytest.mark.parametrize(
    "title",
    ["", "untitled", "Microsoft Word - draft", "report_final", "paper.dvi", "C:\\docs\\a", "12345", "ADBE 10-K FY22"],
)
def test_what_programs_write_is_no_title(title):
    assert not is_plausible_title(title, "FORM 10-K of ADBE, an annual report")


def test_a_title_whose_words_the_first_pages_show_is_one():
    assert is_plausible_title("Free Culture", "FREE CULTURE by Lawrence Lessig")
    assert not is_plausible_title("Another Book", "FREE CULTURE by Lawrence Lessig")


def test_the_largest_text_is_the_title_over_all_its_lines(line):
    lines = [line("Journal of Water"), line("Solubility of", size=16), line("water", size=16), line("Authors", size=12)]
    assert find_largest_text(lines, 10.0) == "Solubility of water"


def test_the_body_is_no_title(line):
    assert find_largest_text([line("Some ordinary words here")], 10.0) == ""
    assert find_largest_text([], 10.0) == ""
    assert find_largest_text([line("FORM 10-K", size=20)], 10.0) == ""


def test_a_name_becomes_words():
    assert title_from_name("annual_report-2022.pdf") == "annual report 2022"


def test_a_sentence_in_large_letters_is_no_title(line):
    large = line("1. The board approved the purchase of two tugs.", size=14)
    assert find_largest_text([large, line("It was a long day.")], 10.0) == ""


def test_the_title_of_the_page_is_taken_where_the_properties_have_another_version():
    assert is_version_of("Art in Machine Learning", "Creativity in Machine Learning")
    assert not is_version_of("Annual report 2024", "Varrow Ferries")
    assert not is_version_of("", "Varrow Ferries")
