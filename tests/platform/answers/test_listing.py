"""Questions for several things: all items are given, each with its sentence or row; the files are those of a report."""

import csv
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from hopline.answers.list_question import parse_list_question
from hopline.questions.analysis import analyse_question
from hopline.results import Answer, Evidence

CASE = Path(__file__).parent / "cases" / "26-list-question-gets-one-item"
Ask = Callable[..., Answer]
Make = Callable[..., Evidence]

CLUB = (
    "The committee of the chess club has the following members:",
    "Petra Lund",
    "Olaf Brink",
    "Mina Sato",
    "The club was founded by Ada Quill, Bo Rask and Cy Thorn in 1952.",
    "It owns a hut.",
)
SUPPLY = (
    "The supplier has the following obligations:",
    "(a) deliver the timber on the first Monday of each month; (b) insure every delivery; (c) keep records.",
    "3. Devices The pump P1 is in the cellar.",
)


def list_answers(answer: Answer) -> list[str]:
    """Return the spans that the citations of an answer mark."""
    citations = [citation for sentence in answer.claims for citation in sentence.citations]
    return [citation.evidence.text[slice(*citation.answer)] for citation in citations if citation.answer]


@pytest.fixture
def bridges(passage: Make) -> Evidence:
    text = " ".join((CASE / "bridges.md").read_text("utf-8").splitlines()[2:])
    return passage("bridges", *(f"{part.strip(' .')}." for part in text.split(". ")), document="bridges.md")


@pytest.mark.parametrize(
    ("question", "noun", "count"),
    [
        ("List all ports in Estmark.", "ports", None),
        ("Please give me the names of the three bridges of Velm", "bridges", 3),
        ("Which of the wells are dry?", "wells", None),
        ("In which years did the club win the cup?", "years", None),
        ("What bridges are there in Velm?", "bridges", None),
        ("Who are the parties to the agreement?", "parties", None),
        ("Name every ship that was scrapped.", "ship", None),
    ],
)
def test_a_question_for_several_things_names_them(question: str, noun: str, count: int | None) -> None:
    parsed = parse_list_question(analyse_question(question))
    assert parsed is not None
    assert (parsed.noun, parsed.count) == (noun, count)


@pytest.mark.parametrize(
    "question",
    [
        "Which bridge was repaired in 2020?",
        "Which of the bridges carries the railway?",
        "How many bridges are there in Velm?",
        "Which of the wells is the deepest?",
        "Are the wells dry?",
        "Name the captain of the Tern.",
        "Who designed the Marl bridge?",
    ],
)
def test_a_question_for_one_thing_a_number_or_a_verdict_is_no_list_question(question: str) -> None:
    assert parse_list_question(analyse_question(question)) is None


def test_all_things_of_an_enumeration_are_the_answer_of_the_reported_case(answer: Ask, bridges: Evidence) -> None:
    result = answer("Which bridges were repaired in 2020?", bridges)
    assert result.status == "answered"
    assert result.short == "the Mill Bridge, the Iron Bridge"
    assert list_answers(result) == ["the Mill Bridge and the Iron Bridge"]


@pytest.mark.parametrize(
    ("question", "sentences", "items"),
    [
        ("Who are the members of the committee of the chess club?", CLUB, CLUB[1:4]),
        ("Who are the founders of the chess club?", CLUB, ("Ada Quill", "Bo Rask", "Cy Thorn")),
        (
            "What are the obligations of the supplier?",
            SUPPLY,
            ("deliver the timber on the first Monday of each month", "insure every delivery", "keep records"),
        ),
    ],
)
def test_all_items_of_a_list_are_the_answer(
    answer: Ask, passage: Make, question: str, sentences: Sequence[str], items: Sequence[str]
) -> None:
    result = answer(question, passage("list", *sentences))
    assert result.status == "answered"
    assert result.short == ", ".join(items)


@pytest.fixture
def wells(table: Make) -> Evidence:
    rows = tuple(csv.reader((CASE / "wells.csv").read_text("utf-8").splitlines()))
    return table("wells", "", *rows, document="wells.csv")


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("Which wells are in Lund?", ("Hagen", "Birk", "Steen")),
        ("Which wells have drinking water?", ("Hagen", "Osen", "Steen")),
        ("Which wells have no drinking water?", ("Birk", "Torp")),
        ("Which wells are deeper than 40 m?", ("Hagen", "Osen", "Steen")),
        ("Which wells in Lund are at least 41 metres deep?", ("Hagen", "Steen")),
        ("List all wells.", ("Hagen", "Birk", "Osen", "Torp", "Steen")),
        ("Which wells are shallower than 0.1 km?", ("Hagen", "Birk", "Osen", "Torp", "Steen")),
    ],
)
def test_all_rows_that_satisfy_the_conditions_are_the_answer_of_the_reported_case(
    answer: Ask, wells: Evidence, question: str, labels: Sequence[str]
) -> None:
    result = answer(question, wells)
    assert result.status == "answered"
    assert result.short == ", ".join(labels)
    assert list_answers(result) == list(labels)
    assert len(result.sentences) == len(labels)


def test_rows_of_which_a_word_is_not_in_the_table_are_no_sure_answer(answer: Ask, wells: Evidence) -> None:
    for question in (
        "Which wells in Lund were dug by monks?",
        "List all mills.",
        "Which wells were cleaned in 2020?",
        "Which wells in Lund have a pump?",
    ):
        assert answer(question, wells).status != "answered", question


SHIPS = (
    ("Ship", "Type", "Owner", "Built", "Scrapped"),
    ("Tern", "ferry", "Lund Line, Norvik", "3 May 1899", "1955"),
    ("Gull", "tug", "Norvik", "7 June 1921", ""),
    ("Skua", "ferry", "Lund Line", "11 May 1933", "1970"),
    ("Heron", "dredger", "Halden", "2 April 1948", "–"),
)


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Which ships are ferries?", "Tern, Skua"),
        ("Name the ferries.", "Tern, Skua"),
        ("Which ships belong to Norvik?", "Tern, Gull"),
        ("Which ships were built before 1930?", "Tern, Gull"),
        ("Which ships were built in June?", "Gull"),
        ("Which ships were scrapped?", "Tern, Skua"),
        ("Which ships were not scrapped?", "Gull, Heron"),
        ("Which ferries were built between 1930 and 1940?", "Skua"),
        ("Which types are there?", "ferry, tug, dredger"),
    ],
)
def test_rows_are_selected_by_parts_of_cells_dates_bounds_and_columns_with_a_value(
    answer: Ask, table: Make, question: str, short: str
) -> None:
    result = answer(question, table("ships", "", *SHIPS, document="ships.csv"))
    assert (result.status, result.short) == ("answered", short)


@pytest.mark.parametrize(
    "question", ["What bridges are there in Velm?", "List the bridges of Velm.", "Name all bridges."]
)
def test_items_of_several_sentences_are_as_many_as_a_sentence_says(
    answer: Ask, bridges: Evidence, question: str
) -> None:
    result = answer(question, bridges)
    assert [name.removeprefix("the ").removeprefix("The ") for name in result.short.split(", ")] == [
        "Mill Bridge",
        "Iron Bridge",
        "New Bridge",
    ]
    assert result.status == "answered"
    assert len(result.sentences) == 3


def test_sentences_that_say_the_same_of_several_things_give_all_of_them(answer: Ask, passage: Make) -> None:
    sentences = (
        "Hattum is a port in Estmark.",
        "It exports salt.",
        "Brava is another port in Estmark.",
        "The railway was built in 1880.",
    )
    result = answer("List the ports in Estmark.", passage("ports", *sentences))
    assert result.short == "Hattum, Brava"
    assert [sentence.text for sentence in result.claims] == [sentences[0], sentences[2]]


def test_one_thing_or_a_number_is_no_sure_answer_where_several_are_asked_for(answer: Ask, passage: Make) -> None:
    hut = passage("hut", "The hut was sold to 23 countries.", "The council repaired the Grey hut in 2020.")
    assert answer("Which huts were repaired in 2020?", hut).status == "possible"
    result = answer("Which countries was the hut sold to?", hut)
    assert (result.status, result.short) == ("not_found", "")


def test_all_parts_of_a_cell_and_all_things_behind_prepositions_are_items(
    answer: Ask, passage: Make, table: Make
) -> None:
    policy = passage("policy", "1.2 We pay for theft, for damage in an accident and for vandalism.", document="p.md")
    assert answer("Which damages does the policy pay for?", policy).short == "theft, damage in an accident, vandalism"
    rows = (("Film", "Languages", "Year"), ("The Salt Road", "German, Ladin, French", "2019"))
    result = answer("In which languages was The Salt Road made?", table("film", "", *rows))
    assert result.short == "German, Ladin, French"


LIBRARY = (
    "Readers may borrow:",
    "up to ten books",
    "three films",
    "one game",
    "Dogs, bicycles and ice cream are not allowed in the library.",
    "In 1990 the library lent books in Hamburg.",
    "In Kiel it never lent books.",
)


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Which things may readers borrow?", "up to ten books, three films, one game"),
        ("Which things are not allowed in the library?", "Dogs, bicycles, ice cream"),
    ],
)
def test_what_is_behind_a_list_is_no_item_of_it(answer: Ask, passage: Make, question: str, short: str) -> None:
    assert answer(question, passage("library", *LIBRARY, title="Town library")).short == short


def test_a_sentence_that_denies_gives_no_item(answer: Ask, passage: Make) -> None:
    result = answer("In which cities did the library lend books?", passage("library", *LIBRARY, title="Town library"))
    assert "Kiel" not in result.short
    assert result.status != "answered"


def test_a_name_with_an_ampersand_is_one_item(answer: Ask, passage: Make) -> None:
    lease = passage(
        "lease", "between Anders Foss (landlord) and the partnership Brook & Daughters (tenant)", title="Lease"
    )
    assert answer("Who are the parties to the lease?", lease).short == "Anders Foss, the partnership Brook & Daughters"


def test_all_rows_are_listed_only_below_a_heading_that_says_what_they_are(answer: Ask, table: Make) -> None:
    rows = (("Name", "Post"), ("Runa Holt", "director"), ("Ben Achar", "librarian"))
    staff = table("staff", "Staff", *rows, title="Town library")
    assert answer("List the staff of the town library.", staff).short == "Runa Holt, Ben Achar"
    assert answer("List the libraries of the town.", staff).status != "answered"


def test_a_list_is_the_answer_to_what_must_and_who_did(answer: Ask, passage: Make) -> None:
    rules = passage(
        "rules", "The tenant must:", "(a) pay the rent; (b) heat the rooms; (c) report damage.", title="Lease"
    )
    assert answer("What must the tenant do?", rules).short == "pay the rent, heat the rooms, report damage"
    board = passage("board", "The hut was built by Ada Quill, Bo Rask and Cy Thorn.", "It was sold by Mia Lund.")
    assert answer("Who built the hut?", board).short == "Ada Quill, Bo Rask, Cy Thorn"
    assert answer("Who sold the hut?", board).short == "Mia Lund"


def test_a_list_of_what_the_documents_do_not_mention_is_no_sure_answer(answer: Ask, passage: Make) -> None:
    hours = passage("hours", "The library is open on Mondays, Wednesdays and Fridays.", title="Town library")
    assert answer("On which days is the library open?", hours).status == "answered"
    assert answer("On which days is the museum open?", hours).status != "answered"


ISLANDS = (
    "The Marsk group consists of the islands Hove, Lilla, Stor and Tange.",
    "Hove and Tange are inhabited.",
    "A ferry goes to Hove.",
    "Another ferry goes to Stor.",
    "The keepers were Pia Dahl (1901-1920), Nils Dahl (1920-1951) and Sven Ek (1951-1986).",
    "The group has six lights, among them North Head and Old Tower.",
)


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Which islands belong to the Marsk group?", "Hove, Lilla, Stor, Tange"),
        ("Which islands are inhabited?", "Hove, Tange"),
        ("To which islands does a ferry go?", "Hove, Stor"),
        ("Who were the keepers?", "Pia Dahl, Nils Dahl, Sven Ek"),
    ],
)
def test_the_sentence_that_says_what_is_asked_gives_the_items(
    answer: Ask, passage: Make, question: str, short: str
) -> None:
    assert answer(question, passage("marsk", *ISLANDS)).short == short


def test_an_enumeration_that_says_that_there_are_more_is_no_sure_answer(answer: Ask, passage: Make) -> None:
    result = answer("Which lights does the group have?", passage("marsk", *ISLANDS))
    assert (result.status, result.short) == ("possible", "North Head, Old Tower")
    assert answer("Which islands have no ferry?", passage("marsk", *ISLANDS)).status != "answered"


def test_items_of_two_documents_are_no_sure_answer(answer: Ask, passage: Make) -> None:
    first = passage("old", "Hattum is a port in Estmark.", document="old.md")
    second = passage("new", "Brava is a port in Estmark.", document="new.md")
    assert answer("List the ports in Estmark.", first, second).status == "possible"
