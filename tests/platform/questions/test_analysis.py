import pytest

from hopline.questions.analysis import analyse_question
from hopline.text.words import contains_name, find_content_words


def test_names_are_runs_of_capitalised_words_and_quotations() -> None:
    assert list(analyse_question("Did Johnson & Johnson's board meet in the Port of Ansel?").names) == [
        "Johnson & Johnson",
        "Port of Ansel",
    ]
    assert list(analyse_question("What was Adobe's Document Cloud revenue?").names) == ["Adobe", "Document Cloud"]
    assert list(analyse_question('Who wrote "the long way home"?').names) == ["the long way home"]
    assert list(analyse_question("How many people work here?").names) == []


def test_numbers_have_their_separators() -> None:
    assert list(analyse_question("Was it 1,204.5 in 2020 or 7?").numbers) == ["1,204.5", "2020", "7"]


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
    assert analyse_question("When did Halcyon pay Tidewell 40 crowns?").find_unmatched(
        ["Tidewell was paid", "in 1987"]
    ) == (
        "Halcyon",
        "40",
    )


@pytest.mark.parametrize(
    ("number", "text", "unmatched"),
    [
        ("3,000", "They have 3000 buses.", ()),
        ("3000", "They have 3,000 buses.", ()),
        ("3,000", "They have 3\u202f000 buses.", ()),
        ("1,250,000", "It cost 1250000 crowns.", ()),
        ("3,000", "They have 13,000 buses, 3,000,000 seats and 300 drivers.", ("3,000",)),
        ("3000", "They have 30000 buses.", ("3000",)),
    ],
)
def test_a_number_matches_with_and_without_separators(number: str, text: str, unmatched: tuple[str, ...]) -> None:
    assert analyse_question(f"Who insures the {number} buses?").find_unmatched([text]) == unmatched


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who designed 888 7th Avenue?", "The tower at 888 7th Avenue was designed by Emery Roth."),
        ("Who designed 888 7th Avenue?", "The tower at 888 Seventh Avenue was designed by Emery Roth."),
        ("Who owns 12 West 32Nd Street?", "No. 12 on West 32nd Street has been owned by the club."),
        ("What opened on Twenty-First Street?", "A bakery on 21st Street opened in spring."),
        ("Who led the 101st Division?", "Its 101st Division was led by Taylor."),
        ("Who was elected on March 3rd?", "On 3 March, Ada was elected."),
        ("What happened in round 2?", "In the 2nd round he fell."),
        ("Who was the 30th mayor?", "Ada was the thirtieth mayor."),
    ],
)
def test_an_ordinal_matches_its_number_in_figures_and_in_words(question: str, text: str) -> None:
    assert analyse_question(question).find_unmatched([text]) == ()


@pytest.mark.parametrize(
    ("question", "text", "unmatched"),
    [
        ("Who designed 888 7th Avenue?", "The tower at 888 8th Avenue.", ("7th",)),
        ("Who designed 888 7th Avenue?", "The tower at 888 Avenue B, 17th floor.", ("7th",)),
        ("What opened on Seventh Street?", "On 7 Street and 17th Street it opened.", ("Seventh Street",)),
        ("How many of the 2 rooms are free?", "It is the second room.", ("2",)),
        ("Who led the 101st Division?", "The 1st Division was led by Taylor.", ("101st",)),
    ],
)
def test_another_number_does_not_match_an_ordinal(question: str, text: str, unmatched: tuple[str, ...]) -> None:
    assert analyse_question(question).find_unmatched([text]) == unmatched


def test_a_name_matches_with_and_without_its_accents() -> None:
    assert (
        analyse_question("Who founded the Cafe Brule with Søren?").find_unmatched(
            ["Zoë founded the Café Brûlé with Soren."]
        )
        == ()
    )
    assert analyse_question("Who founded the Cafe Brume?").find_unmatched(["Zoë founded the Café Brûlé."]) == (
        "Cafe Brume",
    )


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
    assert analyse_question(question).asks_for_verdict is verdict
    assert analyse_question(question).asks_for_explanation is explanation


@pytest.mark.parametrize("year", ["FY2022", "FY 2022", "FY22", "FY 22", "FY’22"])
def test_abbreviated_fiscal_years_are_written_out(year: str) -> None:
    assert analyse_question(f"What were sales in {year}?").text == "What were sales in fiscal 2022?"


def test_other_abbreviations_are_not_fiscal_years() -> None:
    question = "What does FY mean, and who wrote FYI 2022?"
    assert analyse_question(question).text == question


def test_a_preposition_at_the_beginning_is_no_name():
    assert analyse_question("Against which neighbour did Nigeria build a fence?").names == ("Nigeria",)
    assert analyse_question("Besides Elm Street, which roads are closed?").names == ("Elm Street",)


def test_a_year_is_no_number_of_years():
    question = analyse_question("For how many years did the fence stand?")
    assert not question.fits_answer_type("1940")
    assert question.fits_answer_type("10")
