"""Questions about codes, asked of files by the real worker and reader: the code of the question, or nothing."""

from pathlib import Path

import pytest

from hopline.answers.code_meaning import parse_code_question
from hopline.questions.analysis import analyse_question

FOLDER = Path(__file__).parent / "cases" / "31-error-code-not-found"


@pytest.fixture(scope="module")
def manuals(hop):
    """The collection with the files of the case."""
    assert hop.add(sorted(FOLDER.iterdir()), "codes").wait(timeout=240).failures == ()
    return "codes"


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("What does error E1042 mean?", "the valve is not calibrated"),
        ("What does E 1042 mean?", "the valve is not calibrated"),
        ("What does error 1042 mean?", "the valve is not calibrated"),
        ("What does F28 mean?", "no flame was seen"),
        ("What does F75 mean?", "the pressure did not rise when the pump started"),
        ("What does fault E-117 mean?", "the flue is blocked"),
        ("What does code 0x3C mean?", "fan too slow"),
        ("What does F02 mean?", "No water comes in"),
        ("What does E2211 mean?", "The oil is too cold"),
        ("What is alarm A13?", "The load is too heavy"),
        ("What does A130 mean?", "The wind is too strong"),
        ("How much does the kit XR200 cost?", "56 euros"),
        ("How much does the kit XR210 cost?", "71 euros"),
        ("When was the works certified to ISO 9001:2015?", "2018"),
        ("Who certified the works to ISO 14001?", "Lorne Audit"),
        ("In which version was CVE-2021-45046 closed?", "2.4.0"),
        ("How many P-12 are in stock?", "14"),
        ("What is the price of P-13?", "8.10"),
    ],
)
def test_what_stands_beside_the_code_is_answered(hop, manuals, question, short):
    answer = hop.ask(question, collection=manuals)
    assert (answer.status, answer.short, answer.missing) == ("answered", short, ())


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("What does E3333 mean?", "E3333"),
        ("What does A14 mean?", "A14"),
        ("Which units does 4711-C fit?", "4711-C"),
        ("What is the price of P-14?", "P-14"),
        ("Who certified the works to ISO 27001?", "ISO 27001"),
        ("In which version was CVE-2021-45047 closed?", "CVE-2021-45047"),
    ],
)
def test_a_code_that_stands_nowhere_is_not_found(hop, manuals, question, missing):
    answer = hop.ask(question, collection=manuals)
    assert (answer.status, answer.missing) == ("not_found", (missing,))


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("What does error E1042 mean?", "E1042"),
        ("What is the meaning of F28?", "F28"),
        ("Meaning of code F28?", "F28"),
        ("What does E1042 mean on the XR200?", None),
        ("Why is E1042 shown?", None),
        ("What does ISO 9001 mean?", None),
        ("What does the kit XR210 cost?", None),
    ],
)
def test_only_the_meaning_of_one_code_is_looked_up(question, code):
    identifier = parse_code_question(analyse_question(question))
    assert (identifier.text if identifier else None) == code


def test_two_explanations_of_a_code_are_a_possible_answer(answer, passage):
    pump, oven = passage("pump", "E5: the pump is dry."), passage("oven", "E5: the door is open.")
    assert answer("What does E5 mean?", pump).status == "answered"
    assert answer("What does E5 mean?", pump, oven).status == "possible"


def test_a_sentence_that_denies_a_meaning_explains_nothing(answer, passage):
    result = answer("What does E5 mean?", passage("pump", "E5 does not mean that the pump is dry."))
    assert result.status != "answered"
