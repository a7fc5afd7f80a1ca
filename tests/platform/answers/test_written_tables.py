"""Tables in the prompts of a model: the paths of rows and columns, units and scales, notes, and rows left out."""

from dataclasses import replace

import pytest
from table_text import make_structured_table, make_table_evidence

from hopline.answers.prompts import build_prompt, estimate_tokens, select_evidence
from hopline.answers.verification import SentenceVerifier
from hopline.answers.written_tables import find_quoted_lines, write_table
from hopline.questions.analysis import analyse_question
from hopline.results import Evidence, Retrieval

INCOME = """
Table 2: Income statement (in EUR million)
| | Year ended 31 December | Year ended 31 December |
| | 2023 | 2022 |
| Costs | | |
| Materials | 120 | 110 |
| Staff | 80 | 75 |
| Total costs | 200 | 185 |
| Revenue | 250 | 230 |
| (1) restated | | |
"""


def write(table: Evidence) -> list[str]:
    written = write_table(table)
    assert written is not None
    return written.join().split("\n")


def test_a_table_is_written_with_the_paths_of_its_rows_and_columns() -> None:
    assert write(make_structured_table(INCOME)) == [
        "Table 2: Income statement (in EUR million)",
        "|  | Year ended 31 December › 2023 (in millions) | Year ended 31 December › 2022 (in millions) |",
        "| --- | --- | --- |",
        "| Costs › Materials | 120 | 110 |",
        "| Costs › Staff | 80 | 75 |",
        "| Costs › Total costs | 200 | 185 |",
        "| Revenue | 250 | 230 |",
        "(1) restated",
    ]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "| State | City | Stores |\n| Oregon | Salem | 12 |\n| | Portland | 30 |\n| Nevada | Reno | 5 |",
            ["| Oregon | Portland | 30 |", "| Nevada | Reno | 5 |"],
        ),
        (
            "| | Length (m) | Share |\n| North | | |\n| Pier | 1,200 | 40% |\n| Quay \\ slip | 90 | 60% |",
            ["|  | Length (m) | Share |", "| North › Pier | 1,200 | 40% |", "| North › Quay \\ slip | 90 | 60% |"],
        ),
        (
            "Loans ($ thousands)\n| Bank | Amount | Rate |\n| Arden | 5,300 | 4.1% |\n| Bure | 700 | 3.9% |",
            ["| Bank | Amount (in thousands) | Rate |", "| Arden | 5,300 | 4.1% |"],
        ),
        (
            "Towns (in thousands)\n| Town | People | Area (km²) |\n| Arden | 96.1 | 88 |\n| Bure | 94.8 | 240 |",
            ["| Town | People (in thousands) | Area (km²) |"],
        ),
        ("| Opened | 1987 |\n| Depth in m | 14 |", ["| Opened | 1987 |", "| Depth in m | 14 |"]),
    ],
    ids=["two label columns", "units of headers", "scale of the caption", "unit without scale", "no header"],
)
def test_labels_units_and_scales_are_written_where_they_apply(text: str, lines: list[str]) -> None:
    written = write(make_structured_table(text))
    assert [line for line in written if line in lines] == lines


def test_a_table_without_structure_or_that_is_not_understood_is_given_as_it_is() -> None:
    table = make_table_evidence(INCOME)
    assert write_table(table) is None
    unclear = make_structured_table("| a | | |\n| x | 1 | 2 |\n| y | 3 | 4 |\n| z | 5 | 6 |")
    assert unclear.structure is not None
    assert write_table(replace(unclear, structure=replace(unclear.structure, problem="no header"))) is None
    question = analyse_question("What were the staff costs?")
    [shown] = select_evidence(question, [table], {}, context=8192)
    assert table.text in shown.text


def test_the_answer_of_the_reader_is_marked_in_its_cell() -> None:
    table = make_structured_table(INCOME)
    start = table.text.index("75")
    written = write_table(table, (start, start + 2))
    assert written is not None
    assert "| Costs › Staff | 80 | **75** |" in written.join()


def test_a_table_that_is_too_long_has_its_header_the_rows_of_the_question_and_the_number_of_the_others() -> None:
    rows = "\n".join(f"| Plant {n} | | |\n| Output | {n + 100} | {n + 90} |\n| Staff | {n} | {n} |" for n in range(300))
    table = make_structured_table(
        f"Table 7: Plants\n| | 2023 | 2022 |\n{rows}", section=("Works", "Output"), title="Review 2023"
    )
    question = analyse_question("What was the output of plant 217?")
    [shown] = select_evidence(question, [table], {}, context=4096)
    assert "Review 2023, Works › Output\nTable 7: Plants\n|  | 2023 | 2022 |" in shown.text
    assert "| Plant 217 › Output | 317 | 307 |" in shown.text
    row_count = shown.text.count("| Plant ")
    assert f"({600 - row_count} of the 600 rows are left out)" in shown.text
    assert "| Plant 299 › Staff |" not in shown.text
    assert estimate_tokens(build_prompt(question.original, [shown])) < 1000


@pytest.mark.parametrize(
    "quote",
    [
        "| Costs › Staff | 80 | 75 |", "Costs > Staff | 80", "Costs | Staff | 80", "| Staff | 80 | 75 |", "Costs › Staff | 75",
    ],
)  # fmt: skip
def test_a_row_may_be_quoted_as_the_prompt_or_the_page_shows_it(quote: str) -> None:
    table = make_structured_table(INCOME)
    retrieval = Retrieval("q", "hybrid", "c", (table,), ())
    verifier = SentenceVerifier(analyse_question("What were the costs of staff?"), retrieval, [table])
    [sentence] = verifier.verify([{"text": "It had staff costs.", "citations": [{"evidence": 1, "quote": quote}]}])
    [citation] = sentence.citations
    assert table.grid is not None
    row = table.grid.find_row(citation.start)
    assert row is not None
    assert [cell.text for cell in row.cells] == ["Staff", "80", "75"]


@pytest.mark.parametrize("quote", ["Costs › Staff | 81", "Revenue › Staff | 80", "Costs › Staff | -80"])
def test_a_row_with_another_path_or_number_is_not_quoted(quote: str) -> None:
    assert find_quoted_lines(quote, make_structured_table(INCOME)) == ()
