from collections.abc import Callable

import pytest

from hopline.answers.answerer import THRESHOLD
from hopline.results import Answer, Evidence

Ask = Callable[..., Answer]
Make = Callable[..., Evidence]


@pytest.fixture
def water(passage: Make) -> Evidence:
    return passage(
        "p1",
        "Tidewell Utilities was founded by Maud Kerrigan in 1987.",
        "It employs 214 people.",
        document="review.pdf",
    )


@pytest.fixture
def offices(passage: Make) -> Evidence:
    return passage("p2", "Tidewell Utilities has its head office in Port Ansel.", document="offices.pdf")


def test_each_part_has_its_own_short_answer_and_citation(answer: Ask, water: Evidence, offices: Evidence) -> None:
    result = answer("Who founded Tidewell Utilities and where is its head office?", water, offices)
    assert result.short == "Maud Kerrigan; Port Ansel"
    assert [[citation.document for citation in sentence.citations] for sentence in result.sentences] == [
        ["review.pdf"],
        ["offices.pdf"],
    ]
    assert result.notice == ""
    assert result.confidence is not None
    assert result.confidence >= THRESHOLD


def test_a_sentence_that_answers_two_parts_is_shown_once_with_both_answers(answer: Ask, water: Evidence) -> None:
    result = answer("Who founded Tidewell Utilities and when?", water)
    assert result.short == "Maud Kerrigan; 1987"
    [sentence] = result.sentences
    assert [citation.evidence.text[slice(*citation.answer)] for citation in sentence.citations if citation.answer] == [
        "Maud Kerrigan",
        "1987",
    ]


def test_a_part_may_be_about_the_answer_to_the_first_one(passage: Make, answer: Ask, water: Evidence) -> None:
    born = passage("p4", "Maud Kerrigan was born in Port Ansel.", "Ingrid Vale was born in Halm.", document="lives.pdf")
    result = answer("Who founded Tidewell Utilities and where was she born?", born, water)
    assert result.short == "Maud Kerrigan; Port Ansel"


def test_a_pronoun_is_read_as_the_thing_that_the_documents_say_it_of(passage: Make, answer: Ask) -> None:
    ferry = passage("p5", "Osk Ferries operates the ferry Ida to Halm.", document="ferries.pdf")
    firm = passage("p6", "Osk Ferries has its head office in Port Ansel.", document="firm.pdf")
    result = answer("Which company operates the ferry Ida and where is its head office?", ferry, firm)
    assert result.short == "Osk Ferries; Port Ansel"


def test_the_time_of_the_first_part_holds_for_the_second_one(passage: Make, answer: Ask) -> None:
    profit = passage("p7", "In 2022, Varrow Water had a profit of 5 million euros.", document="profit.pdf")
    club = passage("p8", "The club was founded in 1921.", document="club.pdf")
    result = answer("What was Varrow Water's profit in 2022 and what was its revenue?", profit, club)
    assert result.short == "5 million euros"
    assert "What was Varrow Water's revenue in 2022?" in result.notice


def test_several_things_are_looked_up_in_a_table(table: Make, answer: Ask) -> None:
    votes = table(
        "t1",
        "Results of the Halm election",
        ("Party", "Votes", "Seats"),
        ("Union Party", "58,860", "40"),
        ("Slate Party", "31,200", "22"),
    )
    result = answer("How many votes and seats did the Union Party win in the Halm election?", votes)
    assert result.short == "58,860; 40"


def test_an_abbreviated_fiscal_year_is_found_in_a_table(table: Make, answer: Ask) -> None:
    sales = table("t1", "Sales by fiscal year", ("", "2022", "2021"), ("Document sales", "2,383", "1,974"))
    result = answer("What were document sales in FY21?", sales)
    assert result.short == "1,974"


def test_one_answer_to_two_parts_is_shown_once_and_the_other_part_named(table: Make, answer: Ask) -> None:
    prize = table("t1", "Prizes of 1911", ("Place", "Name"), ("Winner", "Ingrid Vale"), ("Guest", "Aron Orre"))
    result = answer("Who were the winner and runner up of the prizes of 1911?", prize)
    assert result.short == "Ingrid Vale"
    assert result.notice == "Not sure: Who were runner up of the prizes of 1911?"


def test_a_possible_answer_to_a_part_is_shown_as_such(passage: Make, answer: Ask, water: Evidence) -> None:
    vague = passage("p3", "Offices in Halm: 1990 (planned).", document="vague.pdf")
    result = answer("Who founded Tidewell Utilities and what did the office in Halm cost?", water, vague)
    assert result.short == "Maud Kerrigan; possibly 1990"
    assert result.notice == "Not sure: What did the office in Halm cost?"
    assert [sentence.text for sentence in result.nearest] == ["Offices in Halm: 1990 (planned)."]


def test_a_part_without_an_answer_is_named(answer: Ask, water: Evidence) -> None:
    result = answer("Who founded Tidewell Utilities and what was the price of a share in 2003?", water)
    assert not result.abstained
    assert result.short == "Maud Kerrigan"
    assert result.notice == "No answer was found to: What was the price of a share in 2003?"


def test_a_question_that_is_too_long_to_parse_is_not_split(answer: Ask, offices: Evidence) -> None:
    assert answer("Who wrote it and when was it printed " * 40_000, offices).abstained


def test_a_question_without_an_answer_to_any_part_is_refused(answer: Ask, offices: Evidence) -> None:
    result = answer("Who wrote the Cadderly Report and when was it printed?", offices)
    assert result.abstained
    assert result.notice == ""
