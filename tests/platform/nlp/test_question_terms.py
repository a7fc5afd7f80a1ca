import pytest

from hopline.nlp.question_terms import (
    asks_for_explanation,
    asks_yes_or_no,
    contains_name,
    expand_fiscal_years,
    find_content_words,
    find_names,
    find_numbers,
    find_unmatched,
)


def test_names_are_runs_of_capitalised_words_and_quotations() -> None:
    assert find_names("Did Johnson & Johnson's board meet in the Port of Ansel?") == [
        "Johnson & Johnson",
        "Port of Ansel",
    ]
    assert find_names("What was Adobe's Document Cloud revenue?") == ["Adobe", "Document Cloud"]
    assert find_names('Who wrote "the long way home"?') == ["the long way home"]
    assert find_names("How many people work here?") == []


def test_numbers_have_their_separators() -> None:
    assert find_numbers("Was it 1,204.5 in 2020 or 7?") == ["1,204.5", "2020", "7"]


def test_content_words_exclude_function_words() -> None:
    assert find_content_words("How many people does the Tidewell plant employ?") == {
        "people",
        "tidewell",
        "plant",
        "employ",
    }


def test_a_name_is_found_as_whole_words_only() -> None:
    assert contains_name("sold by TIDEWELL.", "Tidewell")
    assert not contains_name("Tidewells", "Tidewell")
    assert contains_name("Richard A. Johnson", "Richard Johnson")


def test_names_and_numbers_in_no_text_are_unmatched() -> None:
    assert find_unmatched("When did Halcyon pay Tidewell 40 crowns?", ["Tidewell was paid", "in 1987"]) == (
        "Halcyon",
        "40",
    )


def test_a_name_matches_with_and_without_its_accents() -> None:
    assert find_unmatched("Who founded the Cafe Brule with Søren?", ["Zoë founded the Café Brûlé with Soren."]) == ()
    assert find_unmatched("Who founded the Cafe Brume?", ["Zoë founded the Café Brûlé."]) == ("Cafe Brume",)


@pytest.mark.parametrize(
    ("question", "verdict", "explanation"),
    [
        ("Is the plant old?", True, False),
        ("Is the plant old or new?", False, False),
        ("Why is the plant old?", False, True),
        ("How was it built?", False, True),
        ("How many plants are there?", False, False),
        ("Who built it?", False, False),
        ("According to the report of 2010, is the plant old?", True, False),
        ("In the first report, did the plant, as planned, open in May?", True, False),
        ("In the report, is the plant old or new?", False, False),
        ("In the report, why is the plant old?", False, True),
        ("In the report, how much does it cost?", False, False),
        ("In which year, according to the report, did it open?", False, False),
        ("In what report, if any, is it named?", False, False),
        ("Could you tell me what page 3 says?", False, False),
    ],
)
def test_questions_for_a_verdict_and_for_an_explanation(question: str, verdict: bool, explanation: bool) -> None:
    assert asks_yes_or_no(question) is verdict
    assert asks_for_explanation(question) is explanation


@pytest.mark.parametrize("year", ["FY2022", "FY 2022", "FY22", "FY 22", "FY’22"])
def test_abbreviated_fiscal_years_are_written_out(year: str) -> None:
    assert expand_fiscal_years(f"What were sales in {year}?") == "What were sales in fiscal 2022?"


def test_other_abbreviations_are_not_fiscal_years() -> None:
    question = "What does FY mean, and who wrote FYI 2022?"
    assert expand_fiscal_years(question) == question
