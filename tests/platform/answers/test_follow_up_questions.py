"""Conversations about files, asked of the real worker and reader."""

from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "cases" / "32-follow-up-when-what-about"


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
        [("What is the depth of Ansel?", "12"), ("And Brack?", "9")],
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
