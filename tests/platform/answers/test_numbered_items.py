import pytest

from hopline.answers.form import find_numbered_item
from hopline.questions.analysis import analyse_question
from hopline.results import Evidence

WINCH = "1. Lower the ramp.\n2. Lock the drum.\nWait for the lamp.\n3. Open the valve.\n10. Rinse it."
RULES = "Rules of the harbour\nClause 3 No boat may leave at night.\n3.1 Ferries may."


def find(question: str, *passages: tuple[str, str]) -> str | None:
    evidence = [
        Evidence(f"p{n}", "passage", 1.0, text, document_id=f"d{n}", title=title)
        for n, (title, text) in enumerate(passages or (("Winch manual", WINCH),))
    ]
    item = find_numbered_item(analyse_question(question), evidence)
    return item.text if item else None


@pytest.mark.parametrize(
    ("question", "item"),
    [
        ("What is step 3 of the winch manual?", "Open the valve."),
        ("What is the step number 1 of the manual for the winch?", "Lower the ramp."),
        ("What does item 10 say?", "Rinse it."),
    ],
)
def test_the_item_has_the_number_of_the_question(question: str, item: str) -> None:
    assert find(question) == item


@pytest.mark.parametrize(("number", "item"), [("3", "No boat may leave at night."), ("3.1", "Ferries may.")])
def test_numbers_with_a_word_before_them_and_of_several_levels_are_read(number: str, item: str) -> None:
    assert find(f"What does clause {number} of the harbour rules say?", ("Statutes", RULES)) == item


@pytest.mark.parametrize(
    "question",
    [
        "What is step 4 of the winch manual?",  # there is none
        "What is step 3 of the crane manual?",  # another document
        "What is step 3 (b) of the winch manual?",  # it has no items
        "What is step 3 (b)(ii) of the winch manual?",
        "Which winch has 3 drums?",
    ],
)
def test_other_questions_have_no_item(question: str) -> None:
    assert find(question) is None


DUTIES = "1. Pay.\na. Early.\n2. Duties:\n(a) Light the lamp.\n(b) Ring the bell.\n3 (a) Leave.\nb) Stay.\n(i) Rest.\n4. End."


@pytest.mark.parametrize(
    ("number", "item"),
    [
        *(("1(a)", "Early."), ("2 (a)", "Light the lamp."), ("2(b)", "Ring the bell."), ("3 (a)", "Leave.")),
        *(("3(b)", "Stay."), ("3(i)", "Rest."), ("1(b)", None), ("2(c)", None), ("4(a)", None), ("2(B)", None)),
    ],
)
def test_items_within_items_are_those_before_the_next_number(number: str, item: str | None) -> None:
    assert find(f"What does clause {number} of the statutes say?", ("Statutes", DUTIES)) == item


def test_two_documents_with_different_items_have_no_answer() -> None:
    passages = [("Winch manual", WINCH), ("Crane manual", "3. Stop the crane.")]
    assert find("What is step 3?", *passages) is None
    assert find("What is step 3 of the crane manual?", *passages) == "Stop the crane."
    assert find("What is step 3?", passages[0], passages[0]) == "Open the valve."
