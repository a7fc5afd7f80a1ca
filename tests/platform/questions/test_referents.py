"""What pronouns refer to in the question before."""

import pytest

from hopline.questions.referents import (
    describe_answer,
    find_alternative,
    find_location,
    find_person,
    find_several,
    find_thing,
    find_time,
    find_topic_name,
)


@pytest.mark.parametrize(
    ("before", "answer", "referent"),
    [
        ("Who founded the Harl Mill?", "", "the Harl Mill"),
        ("Who built the hall of Osk?", "", "the hall of Osk"),
        ("Who is the mayor of Osk?", "", "Osk"),
        ("Who was it?", "", ""),
        ("What does the pottery club at Penhallow School cost?", "", "the pottery club at Penhallow School"),
        ("On which day does the Penhallow chess club meet?", "", "the Penhallow chess club"),
        ("How many stops does line 4 in Vessby have?", "", "line 4 in Vessby"),
        ("How long is the warranty on the Korvex presses?", "", "the warranty on the Korvex presses"),
        ("What is the pressing force of the P-60?", "", "the P-60"),
        ("What is the name of the bull?", "", "the bull"),
        ("Who made the cello YO-CE-056?", "", "the cello YO-CE-056"),
        ("What species is tree OT-1130?", "", "tree OT-1130"),
        ("How often do you take paracetamol after the operation?", "", "paracetamol"),
        ("Which team won the cup in 2019?", "Teal", "Teal"),
        ("Which team won the cup in 2019?", "", "the team that won the cup in 2019"),
        ("Which pontoon at Osk has the most places?", "A", "pontoon A at Osk"),
        ("How many pumps are there?", "12", ""),
    ],
)
def test_it_is_the_subject_or_what_the_question_asks_for(before: str, answer: str, referent: str) -> None:
    assert find_thing(before, answer) == referent


def test_it_is_no_person():
    assert find_thing("When did Ida Lund buy the mill?", "1811", {"ida lund"}) == "the mill"
    assert find_thing("Where does Ida Lund live?", "Osk", {"ida lund"}) == ""


@pytest.mark.parametrize(
    ("before", "answer", "person"),
    [
        ("Who chairs the club?", "Isla Kerr (since 2018)", "Isla Kerr"),
        ("Who chairs the club?", "", "the person who chairs the club"),
        ("Who is the chair of the club?", "", "the chair of the club"),
        ("Where does Ida Lund live?", "Osk", "Ida Lund"),
        ("How many pumps are there?", "12", ""),
    ],
)
def test_she_is_the_answer_or_its_description(before: str, answer: str, person: str) -> None:
    assert find_person(before, answer, {"ida lund"}) == person


@pytest.mark.parametrize(
    ("before", "several"),
    [
        ("Who are the surgeons at Osk?", "the surgeons at Osk"),
        ("Which ships were built in Osk?", "the ships that were built in Osk"),
        ("How many ships were built in Osk?", "the ships that were built in Osk"),
        ("How many flats does Elm Court have?", "the flats of Elm Court"),
        ("When do guided tours of the museum start?", "guided tours of the museum"),
        ("How many trams are there in Osk?", "the trams in Osk"),
        ("Who chairs the club?", "the person who chairs the club"),
    ],
)
def test_they_are_what_is_in_the_plural(before: str, several: str) -> None:
    assert find_several(before, "") == several


def test_then_and_there_are_the_time_and_the_location():
    assert find_time("Is the museum open on Sundays?") == "on Sundays"
    assert find_time("Is the museum open?") == ""
    assert find_location("What is the rent in Elm Court?") == "in Elm Court"
    assert find_location("Who founded the Harl Mill?") == "at the Harl Mill"
    assert find_location("Where does Ida Lund live?", "", {"ida lund"}) == ""


def test_a_description_says_what_a_question_asks_for():
    assert describe_answer("Which is the oldest clock in Osk?") == "the oldest clock in Osk"
    assert describe_answer("What does the club cost?") == ""


def test_the_alternative_is_what_is_not_the_answer():
    assert find_alternative("Which is heavier, the bull or the cow?", "the bull") == "the cow"
    assert find_alternative("Which is heavier, the Tern 5 or the Tern 5 Pro?", "Tern 5 Pro") == ""
    assert find_alternative("Which is heavier?", "the bull") == ""


def test_the_topic_is_the_last_name():
    assert find_topic_name("Who played Captain Vey in The Salt Road?") == "The Salt Road"
    assert find_topic_name("Is the museum open on Sundays?") == ""
