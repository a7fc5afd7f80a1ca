import pytest

from hopline.answers.two_hops import parse_two_hop_question
from hopline.questions.analysis import analyse_question


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        (
            "Who founded the company that operates the Brackwater Plant?",
            "What is the company that operates the Brackwater Plant?",
            "Who founded Tidewell?",
        ),
        (
            "How old was the executive who leads the Geek Squad, as of March 2023?",
            "Who is the executive who leads the Geek Squad?",
            "How old was Tidewell, as of March 2023?",
        ),
        (
            "When was the director of Northern Light born?",
            "What is the director of Northern Light?",
            "When was Tidewell born?",
        ),
    ],
)
def test_the_description_is_asked_for_and_replaced_by_a_name(question: str, first: str, second: str) -> None:
    split = parse_two_hop_question(analyse_question(question))
    assert split is not None
    assert (split.first, split.fill_in("Tidewell")) == (first, second)


@pytest.mark.parametrize(
    "question",
    [
        "Who founded Tidewell Utilities?",
        "What is the name of the company that operates the Brackwater Plant?",
        "What was the revenue of Adobe in fiscal 2022?",
        "How many people worked for Adobe at the end of fiscal 2022?",
        "Which film has the director who is older, Salt or Ash?",
        "Which company that operates in Norway was founded in 1987?",
        "",
    ],
)
def test_a_question_that_describes_nothing_by_a_name_is_not_split(question: str) -> None:
    assert parse_two_hop_question(analyse_question(question)) is None


def test_a_question_that_cannot_describe_a_thing_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hopline.questions.analysis.load_question_parser", lambda: pytest.fail("the parser was loaded"))
    assert parse_two_hop_question(analyse_question("Who founded Tidewell Utilities in 1987?")) is None
