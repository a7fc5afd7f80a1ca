from functools import cache

import pytest
from table_text import make_table_evidence, parse_grid

from hopline.answers.answerer import THRESHOLD, EvidenceReader
from hopline.answers.cells import MAX_CITED, TableResult, TableSource, answer_over_tables
from hopline.flow.requests import Infer
from hopline.learned.registry import BUNDLED, ModelRegistry
from hopline.questions.analysis import analyse_question
from hopline.results import POSSIBLE, Evidence
from hopline.tables.cell_selection import CellSelection


def ask(question: str, *texts: str, heading: str = "Medals of the games") -> TableResult | None:
    """Answer over tables with the scores of the included cell selector."""
    tables = [make_table_evidence(text, f"t{n}", caption=heading) for n, text in enumerate(texts)]
    sources = [TableSource(table, heading, selection=select(question, table)) for table in tables]
    return answer_over_tables(analyse_question(question), tuple(sources))


def select(question: str, table: Evidence) -> CellSelection:
    """Score the rows and columns of a table with the included cell selector."""
    flow = EvidenceReader().select_cells(analyse_question(question), [table])
    request = next(flow)
    assert isinstance(request, Infer)
    try:
        flow.send(load_models().infer(request.part, request.inputs))
    except StopIteration as stopped:
        return stopped.value[table.id]  # type: ignore[no-any-return]
    raise AssertionError(request)


@cache
def load_models() -> ModelRegistry:
    return ModelRegistry(BUNDLED)


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Which country has the most total medals?", "Norway"),
        ("Did Norway win more total medals than Japan?", "yes"),
        ("Did Korea win more total medals than Norway?", "no"),
        ("Which country has the fewest total medals?", "Japan"),
        ("How many countries are in Europe?", "2"),
        ("How many countries won more than 10 gold medals?", "3"),
        ("How many more total medals did Norway win than Japan?", "26"),
        ("Which country is ranked after Germany?", "Canada"),
        ("Which country is from the same continent as Japan?", "Korea"),
        ("How many gold medals did Canada win?", "11"),
    ],
)
def test_the_likeliest_program_answers_the_question(medals: str, question: str, short: str) -> None:
    result = ask(question, medals)
    assert result is not None
    assert result.short == short


STATIONS = (
    "| Station | Opened | Platforms | Daily passengers | Electric | Ticket EUR |\n| --- | --- | --- | --- | --- | --- |\n"
    "| Halm | 1901 | 4 | 12000 | yes | 3.50 |\n| Borre | 1922 | – | 8000 | no | 3.00 |\n| Crest |  | 2 |  | yes | .. |\n"
    "| Dale | 1950 | n/a | 310 | no | 2.10 |"
)


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("How many platforms does Borre have?", "no value in the table"),
        ("How many platforms does Dale have?", "no value in the table"),
        ("When was Crest opened?", "no value in the table"),
        ("How many passengers does Crest have?", "no value in the table"),
        ("What does a ticket cost in Crest?", "no value in the table"),
        ("How many stations are there?", "4"),
        ("How many stations are electric?", "2"),
        ("What is the average number of platforms?", "3"),
    ],
)
def test_an_empty_cell_is_the_answer_and_counts_as_no_value(question: str, short: str) -> None:
    result = ask(question, STATIONS, heading="Stations")
    assert result is not None
    assert (result.short, result.named) == (short, True)


CROPS = (
    "| Crop | Hectares | Yield | Sown |\n| --- | --- | --- | --- |\n| Barley | 22 | 5.1 t | 3 April |\n"
    "| Flax | 9 | – | – |\n| Peas | 14 | 3.0 t | 2 May |\n| Plot A | 3 | 1 t | 4 May |\n| Plot B | 5 | 2 t | 5 May |"
)


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("How many hectares did barley and peas cover together?", "36 Hectares"),
        ("What is the total of hectares?", "53 Hectares"),
        ("On what date was flax sown?", "no value in the table"),
        ("What was the average yield of the flax?", "no value in the table"),
        ("Which crop has the highest yield?", "Barley"),
    ],
)
def test_rows_are_added_and_missing_values_are_said(question: str, short: str) -> None:
    result = ask(question, CROPS, heading="Crops")
    assert result is not None
    assert result.short == short


def test_rows_that_are_named_by_letters_are_not_all_rows() -> None:
    result = ask("How many hectares do plots A and B have together?", CROPS, heading="Crops")
    assert result is None or not result.named


def test_the_number_of_a_row_is_not_counted() -> None:
    result = ask("How many platforms does Halm have?", STATIONS, heading="Stations")
    assert result is not None
    assert result.short == "4"


SHIPS = "| Vessel | Built | Tonnage |\n| --- | --- | --- |\n| Ship 2 | 1902 | 1,074 |\n| Ship 20 | 1920 | 1,740 |"


def test_a_cell_whose_row_and_column_the_question_names_is_sure() -> None:
    result = ask("What is the tonnage of Ship 20?", SHIPS, heading="Register of ships")
    assert result is not None
    assert (result.short, result.named, result.probability) == ("1,740", True, 0.9)


@pytest.mark.parametrize(
    "question",
    [
        "What is the tonnage of Ship 20 of the northern fleet?",  # more than the cell
        "What is the tonnage of the ship?",  # no row
        "What is the gross tonnage of Ship 20?",  # another column
    ],
)
def test_other_cells_are_not_named(question: str) -> None:
    result = ask(question, SHIPS, heading="Register of ships")
    assert result is not None
    assert not result.named


def test_how_many_does_not_name_a_column_of_men() -> None:
    crew = "| Ship | Sailors, men | Sailors, women |\n| --- | --- | --- |\n| Tern | 31 | 32 |\n| Gull | 33 | 34 |\n"
    total, men = (ask(f"How many {words} does the Tern have?", crew) for words in ("sailors", "men sailors"))
    assert total is None or not total.named
    assert men is not None
    assert (men.short, men.named) == ("31", True)


def test_two_columns_with_the_header_of_the_question_are_not_named() -> None:
    table = SHIPS.replace("Built |", "Tonnage |", 1)
    result = ask("What is the tonnage of Ship 20?", table, heading="Register of ships")
    assert result is not None
    assert not result.named


def test_a_result_has_its_cells_and_says_how_it_was_computed(medals: str) -> None:
    result = ask("How many more total medals did Norway win than Japan?", medals)
    assert result is not None
    assert result.text.endswith("Total: 39 − 13 = 26")
    assert [item.cell.text for item in result.cells] == ["39", "13"]
    assert [medals[item.cell.start : item.cell.end] for item in result.cells] == ["39", "13"]


def test_a_count_cites_the_cells_by_which_rows_were_selected(medals: str) -> None:
    result = ask("How many countries are in Europe?", medals)
    assert result is not None
    assert [item.cell.text for item in result.cells] == ["Europe", "Europe"]


@pytest.mark.parametrize(
    "question",
    [
        "Which country won the most gold medals in 2021?",
        "How many medals did Sweden win?",
        "How many ships were built?",
    ],
)
def test_what_the_table_does_not_have_is_not_sure(medals: str, question: str) -> None:
    result = ask(question, medals)
    assert result is None or result.probability < THRESHOLD


def test_the_largest_of_a_measure_that_is_in_no_header_is_no_answer(medals: str) -> None:
    result = ask("Which country has the highest turnover?", medals)
    assert result is not None
    assert result.probability < POSSIBLE


def test_another_word_that_the_table_does_not_have_lowers_the_probability_of_a_superlative(medals: str) -> None:
    named = ask("Which country has the largest total?", medals)
    unnamed = ask("Which captain has the largest total?", medals)
    assert named is not None
    assert unnamed is not None
    assert unnamed.probability < min(THRESHOLD, 0.75 * named.probability)


def test_of_two_tables_with_different_answers_neither_is_sure(medals: str) -> None:
    other = medals.replace("Korea", "China").replace("| 4 | Japan | Asia | 4 |", "| 4 | Japan | Asia | 9 |")
    question = "Which country has the fewest gold medals?"
    alone, both, same = ask(question, medals), ask(question, medals, other), ask(question, medals, medals)
    assert alone is not None
    assert both is not None
    assert same is not None
    assert alone.short == same.short == "Japan"
    assert alone.probability == pytest.approx(same.probability)
    assert both.probability < alone.probability


def test_of_many_rows_the_first_are_cited() -> None:
    rows = "".join(f"| Town {n} | {'coast' if n < 20 else 'hill'} |\n" for n in range(30))
    result = ask("How many towns are on the coast?", f"| Town | Region |\n|---|---|\n{rows}", heading="Towns")
    assert result is not None
    assert result.short == "20"
    assert len(result.cells) == MAX_CITED
    assert "…" in result.text


def test_the_label_of_a_group_is_not_cited_as_a_cell_of_its_rows() -> None:
    text = "| Sex | 2020 |\n|---|---|\n| Men | |\n| Paid | 3 |\n| Unpaid | 4 |\n| Women | |\n| Paid | 9 |\n| Unpaid | 2 |\n"
    result = ask("How many women are there?", text, heading="Staff")
    assert result is not None
    assert all(item.row.start <= item.cell.start < item.row.end for item in result.cells)


INCOME = """|  | Twelve Months Ended June 30, 2022 | Twelve Months Ended June 30, 2022 | Twelve Months Ended June 30, 2023 | Twelve Months Ended June 30, 2023 |
| --- | --- | --- | --- | --- |
|  |  | EPS (Diluted |  | EPS (Diluted |
| ($ million) | EBITDA | cents)(1) | EBITDA | cents)(1) |
| Net income | 805 | 52.9 | 1,048 | 70.5 |
| Adjusted result | 2,117 | 80.5 | 2,018 | 73.3 |"""


@pytest.mark.parametrize("year", ["2022", "2023"])
def test_a_value_is_of_the_year_of_the_question(year: str) -> None:
    result = ask(f"What was the EBITDA of the adjusted result in {year}?", INCOME)
    assert result is not None
    assert result.short == {"2022": "2,117", "2023": "2,018"}[year]
    assert result.program.column is not None
    assert result.program.column.header == f"Twelve Months Ended June 30, {year} EBITDA"


def test_the_last_row_of_a_header_may_end_with_a_footnote() -> None:
    assert parse_grid(INCOME).column(2) == "Twelve Months Ended June 30, 2022 EPS (Diluted cents)(1)"


def test_a_result_knows_how_likely_those_over_other_tables_are(medals: str) -> None:
    first = make_table_evidence(medals, id="first", caption="Winter games")
    second = make_table_evidence(medals.replace("| 14 |", "| 16 |"), id="second", caption="Winter games")
    question = analyse_question("How much gold did Norway win?")
    sources = tuple(TableSource(table, "Winter games") for table in (first, second))
    result = answer_over_tables(question, sources)
    assert result is not None
    assert (result.short, result.table.id) == ("14", "first")
    assert list(result.elsewhere) == ["16"]
    assert result.elsewhere["16"] == pytest.approx(result.probability / 2)


def test_a_number_of_things_is_no_percentage() -> None:
    tickets = "| Age | Ferry | Tram |\n|---|---|---|\n| Children | 41 | 12 |\n| Adults | 59 | 88 |"
    question = "What percentage of ferry tickets was sold to adults?"
    numbers, shares = (ask(question, tickets, heading=f"Tickets sold{unit}") for unit in ("", ", in per cent"))
    assert numbers is not None
    assert shares is not None
    assert (numbers.short, shares.short) == ("59", "59")
    assert numbers.probability < 0.3 < shares.probability
