from table_text import make_table_evidence

from hopline.answers.cells import describe_cell
from hopline.learned.reading import Reading
from hopline.reader.reading import SpanReading, find_unit


def read_cell(text: str, short: str) -> SpanReading:
    table = make_table_evidence(text, document="a.pdf", caption="Table 2: Stores")
    start = table.text.index(short)
    end = start + len(short)
    return SpanReading(
        table,
        0,
        start,
        end,
        find_unit(table, start, end),
        Reading(0, 0, 1.0, 1.0, 0.0, 0),
        Reading(0, 0, 1.0, 1.0, 0.0, 0),
    )


def test_a_cell_is_written_with_caption_row_and_column():
    cell = read_cell("| State | 2022 | 2023 |\n|---|---|---|\n| Texas | 110 | 108 |\n", "108")
    assert describe_cell(cell) == "Table 2: Stores — Texas — 2023: 108"


def test_a_label_is_written_with_the_other_cells_of_its_row():
    cell = read_cell("| | 2022 | 2023 |\n|---|---|---|\n| | m | m |\n| Texas | 110 | 108 |\n", "Texas")
    assert describe_cell(cell) == "Table 2: Stores — Texas — 2022 m: 110; 2023 m: 108"


def test_a_verdict_is_written_with_the_whole_row_so_that_the_column_of_the_question_is_shown():
    cell = read_cell(
        "| Rented | Bicycle | Colour |\n|---|---|---|\n| no | Swift | red |\n| yes | Heron | blue |\n", "Swift"
    )
    assert describe_cell(cell, whole_row=True) == "Table 2: Stores — no — Bicycle: Swift; Colour: red"
