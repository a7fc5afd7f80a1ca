import pytest

from hopline.answers.form import find_form_field
from hopline.questions.analysis import analyse_question
from hopline.results import Evidence

FORM = """Oxby Sailing Club
Name of applicant Hedda Lunn
Date of birth 7 July 1969
Occupation Store keeper
Membership fee: 120 crowns   Key deposit: 15 crowns
Length over all 11.4 m
Remarks"""


def find(question: str, *texts: str) -> str | None:
    passages = [Evidence(f"p{n}", "passage", 1.0, text, document_id=f"d{n}") for n, text in enumerate(texts or (FORM,))]
    field = find_form_field(analyse_question(question), passages)
    return field.text if field else None


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the date of birth of the applicant?", "7 July 1969"),
        ("What is the occupation of Hedda Lunn?", "Store keeper"),
        ("What is the membership fee?", "120 crowns"),
        ("What is the key deposit of the sailing club?", "15 crowns"),
        ("What was the length over all?", "11.4 m"),
    ],
)
def test_the_value_is_behind_its_label(question: str, value: str) -> None:
    assert find(question) == value


@pytest.mark.parametrize(
    "question",
    [
        "What is the date of the application?",  # "Date of birth" is another date
        "What is the occupation of Lena Voss?",
        "What is the membership number?",
        "What are the remarks?",
        "What is the birth?",
        "When was Hedda Lunn born?",
    ],
)
def test_another_label_or_another_person_is_no_answer(question: str) -> None:
    assert find(question) is None


def test_running_text_is_no_field() -> None:
    assert find("What is the occupation of the town?", "Occupation of the town lasted three years.\nTown") is None


def test_the_colon_of_a_time_ends_no_label() -> None:
    assert find("When does the office in Borre open?", "The office in Borre opens at 9:00.") is None


def test_two_forms_with_different_values_are_no_answer() -> None:
    assert find("What is the occupation?", FORM, "Occupation Surveyor") is None
    assert find("What is the occupation?", FORM, "Occupation: Store keeper") == "Store keeper"


def test_a_label_with_all_words_of_a_question_has_the_value() -> None:
    assert find("What share was counted right?", "Cost: 9\nShare counted right: 96.4%") == "96.4%"
    assert find("What share was counted?", "Share counted right: 96.4%") is None
    assert find("What share was counted right?", "Share counted right: 96%", "Share counted right: 97%") is None
