"""What looks like a name and deserves no entity, and what does."""

import pytest

from hopline_ingest.extraction import ExtractionInput, extract_batch
from hopline_ingest.extraction.mentions.no_names import is_no_name, trim_surroundings


@pytest.mark.parametrize(
    "text",
    ["C", "737", "Fig. 3", "Table 1", "Figure A-2", "p. 12", "Section 4(b)", "Item 1A", "Exhibit 10.1", "a@b.com",
     "https://example.org", "report.pdf", "x = 2", "max_size", "Depth (m)", "OH) X", "\ufffdIW", "", "§ 4",
     "Vice President and Treasurer", "Adjusted EBIT of $73 million", "JE4 9WG", "S.W. 364", "PG 86", "IW+2", "∼ 40 bar",
     "Corollary 3", "Theorem 2.1"],
)  # fmt: skip
def test_letters_numbers_and_parts_of_documents_are_no_names(text):
    assert is_no_name(text)


@pytest.mark.parametrize(
    "text",
    [
        "Pump P-12",
        "Room 101",
        "IBM",
        "ISO 9001",
        "O'Brien",
        "Form 10-K",
        "Article 29 Working Party",
        "Table Mountain",
        "Supreme Court",
    ],
)
def test_names_are_names(text):
    assert not is_no_name(text)


def test_common_nouns_numbers_and_labels_are_no_names_of_a_text():
    text = "Fig. 3 shows the annual output. In 2021 Tidewell Ltd sold 12 pumps to Maud Kerrigan; see Table 2 and Section 4."
    [extraction] = extract_batch([ExtractionInput("e", "passage", text)])
    common = {"NOUN", "DATE", "CARDINAL"}
    assert {mention.name for mention in extraction.mentions if mention.kind not in common} == {
        "Tidewell Ltd",
        "Maud Kerrigan",
    }


def test_a_term_that_a_text_defines_means_the_name_before_it():
    text = 'Tidewell Utilities Ltd (the "Company") runs a plant. The Company was founded by Maud Kerrigan in Oxby.'
    [extraction] = extract_batch([ExtractionInput("e", "passage", text)])
    assert ("Company", "Tidewell Utilities Ltd") in extraction.aliases
    assert "Company" not in {mention.name for mention in extraction.mentions}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("SOURCE: Census Bureau", "Census Bureau"),
        ("205–7 Clark", "Clark"),
        ("b Freundlich", "Freundlich"),
        ("Commerce Clause.8", "Commerce Clause"),
        ("Port Ansel Port Ansel", "Port Ansel"),
        ("Washington, D.C. 20549", "Washington, D.C."),
        ("Substitute Issuer further", "Substitute Issuer"),
        ("Danqi Chen‡", "Danqi Chen"),
        ("COVID-19", "COVID-19"),
        ("Toy Story 3", "Toy Story 3"),
        ("Bora Bora", "Bora Bora"),
    ],
)
def test_what_surrounds_a_name_is_trimmed(text, name):
    start, end = trim_surroundings(text)
    assert text[start:end] == name


def test_the_letters_of_lines_are_no_part_of_names():
    text = "Texts made by a program.\nA. Shakespeare\nAlas, the day is gone.\nB. Linux Code\nIt increments a counter."
    [extraction] = extract_batch([ExtractionInput("e", "passage", text)])
    named = {mention.name for mention in extraction.mentions}
    assert "Shakespeare" in named
    assert not {name for name in named if name.startswith(("A. ", "B. "))}


def test_the_letter_of_a_person_alone_on_a_line_is_a_part_of_the_name():
    text = "Yours sincerely,\nJ. Watt\nBoulton and Watt, Birmingham"
    [extraction] = extract_batch([ExtractionInput("e", "passage", text)])
    assert "J. Watt" in {mention.name for mention in extraction.mentions}


def test_the_label_of_a_field_is_no_name():
    text = "Case Number: 1512-FOND Agency: Fond du Lac County Department of Social Services. Owner: Ada Byron."
    [extraction] = extract_batch([ExtractionInput("e", "passage", text)])
    named = {mention.name for mention in extraction.mentions}
    assert not {"Agency", "Owner"} & named
    assert "Ada Byron" in named
