"""Conversations about files, asked of the real worker and reader."""

from pathlib import Path

import pytest

CASES = Path(__file__).parent / "cases"
FOLDER = CASES / "32-follow-up-when-what-about"
PRONOUNS = CASES / "36-follow-up-pronouns"


@pytest.fixture(scope="module")
def mills(hop):
    """The collection with the files of the case."""
    assert hop.add(sorted(FOLDER.iterdir()), "mills").wait(timeout=240).failures == ()
    return "mills"


@pytest.mark.parametrize(
    "turns",
    [
        [("Who founded the Harl Mill?", "Otto Senn"), ("When?", "1811"), ("What about the Brook Mill?", "1875")],
        [("Who founded the Harl Mill?", "Otto Senn"), ("What about the Brook Mill?", "Klara Voss"), ("When?", "1875")],
        [("How many people does the Harl Mill employ?", "34"), ("And the Brook Mill?", "12")],
        [("How many people does the Brook Mill employ?", "12"), ("Who founded it?", "Klara Voss")],
        [
            ("Who founded the rowing club Teal?", "Hedda Lunn"),
            ("Where?", "Bergum"),
            ("And the sailing club Merl?", "Tarnby"),
        ],
        [("What is the fee for adults?", "80 crowns a year"), ("And for children?", "25 crowns a year")],
        [("How many ships came to Ansel in 2020?", "340"), ("And in 2021?", "355"), ("What about Corm?", "498")],
        [("What is the depth of Ansel?", "12 metres"), ("And Brack?", "9 metres")],
        [("Which port has the greatest depth?", "Corm"), ("And the smallest?", "Brack")],
        [("Who is the mayor of Osk?", "Ida Farrow"), ("Since when?", "2015")],
        [("Who designed the town hall of Osk?", "Tove Kest"), ("When was it opened?", "1931")],
    ],
)
def test_each_turn_is_answered_for_what_it_asks(hop, mills, turns):
    history = []
    for question, short in turns:
        history.append(hop.ask(question, collection=mills, history=history))
        assert (history[-1].status, history[-1].short) == ("answered", short), history[-1].retrieval.question


@pytest.mark.parametrize("question", ["And the cheapest?", "And the other one?", "And the Fen Mill?", "And in Ohio?"])
def test_the_answer_before_is_not_given_again_as_sure(hop, mills, question):
    first = hop.ask("Who founded the Harl Mill?", collection=mills)
    assert hop.ask(question, collection=mills, history=[first]).status != "answered"


@pytest.fixture(scope="module")
def leisure(hop):
    """The collection with a zoo, hiking routes, the rules of a club, and telephones."""
    assert hop.add(sorted(PRONOUNS.iterdir()), "leisure").wait(timeout=240).failures == ()
    return "leisure"


@pytest.mark.parametrize(
    ("before", "question", "rewritten", "short"),
    [
        ("Who founded the zoo in Ellery?", "And when did she die?", "When did Hanna Voigt die?", "1961"),
        ("Who is the director of Ellery Zoo?", "How old is he?", "How old is Piet Lammers?", "54"),
        (
            "Which is the oldest elephant in the zoo?",
            "How much does it weigh?",
            "How much does the oldest elephant in the zoo weigh?",
            "3,900 kg",
        ),
        (
            "Was the elephant house closed in 2022?",
            "When was it reopened?",
            "When was the elephant house reopened?",
            "May 2023",
        ),
        ("How long is the zoo railway?", "How often does it run?", "How often does the zoo railway run?", "20 minutes"),
        ("How many elephants does the zoo have?", "And otters?", "How many otters does the zoo have?", "12"),
        ("How long is the Adler route?", "And Dohle?", "How long is the Dohle route?", "17.9"),
        ("Who built the slipway?", "In which year?", "In which year did Fergus Boyle build the slipway?", "1964"),
        ("Who designed the Norden 5?", "When did it come out?", "When did the Norden 5 come out?", "March 2023"),
    ],
)
def test_a_follow_up_is_rewritten_and_answered(hop, leisure, before, question, rewritten, short):
    first = hop.ask(before, collection=leisure)
    answer = hop.ask(question, collection=leisure, history=[first])
    assert answer.retrieval.question == rewritten
    assert answer.status == "answered"
    assert short in answer.short


def test_the_answer_for_another_day_is_not_given_again_as_sure(hop, leisure):
    first = hop.ask("When does Ellery Zoo open on weekdays?", collection=leisure)
    answer = hop.ask("and on Sundays?", collection=leisure, history=[first])
    assert answer.retrieval.question == "When does Ellery Zoo open on Sundays?"
    assert (first.short, answer.short, answer.status) != ("9:00", "9:00", "answered")
