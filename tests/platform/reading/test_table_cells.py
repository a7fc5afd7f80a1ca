from hopline.learned.reading import Reading
from hopline.reading.span_reading import SpanReading, find_unit
from hopline.reading.table_cells import describe_cell
from hopline.results import Evidence


def read_cell(text: str, short: str) -> SpanReading:
    table = Evidence("t", "table", 1.0, text, "a.pdf", caption="Table 2: Stores")
    start = text.index(short)
    end = start + len(short)
    return SpanReading(table, 0, start, end, find_unit(table, start, end), Reading(0, 0, 1.0, 1.0, 0.0, 0), 1.0)


def test_a_cell_is_written_with_caption_row_and_column():
    cell = read_cell("| State | 2022 | 2023 |\n|---|---|---|\n| Texas | 110 | 108 |\n", "108")
    assert describe_cell(cell) == "Table 2: Stores — Texas — 2023: 108"


def test_a_label_is_written_with_the_other_cells_of_its_row():
    cell = read_cell("| | 2022 | 2023 |\n|---|---|---|\n| | m | m |\n| Texas | 110 | 108 |\n", "Texas")
    assert describe_cell(cell) == "Table 2: Stores — Texas — 2022 m: 110; 2023 m: 108"
