from io import BytesIO

import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from hopline_ingest.formats.pdf.frame import read_frame
from hopline_ingest.formats.pdf.tables import rules
from hopline_ingest.formats.pdf.tables.ruled_cells import build_ruled_cells, encloses_cells
from hopline_ingest.formats.pdf.tables.rules import Lattice, find_lattices, find_sides, read_edges

COLUMN, ROW = 100.0, 20.0


def draw(*rows):
    """A lattice and the places of its texts: `^` continues the box above, `<` the one to the left; cells parted by |."""
    cells = [row.split("|") for row in rows]
    height, width = len(cells), len(cells[0])
    horizontal = [(50.0, 100.0, 50.0 + COLUMN * width, 100.0)]
    vertical = [(50.0, 100.0, 50.0, 100.0 + ROW * height)]
    for row, texts in enumerate(cells):
        for column, _ in enumerate(texts):
            x0, y0, x1, y1 = rect_of(row, column)
            if row + 1 == height or cells[row + 1][column] != "^":
                horizontal.append((x0, y1, x1, y1))
            if column + 1 == width or texts[column + 1] != "<":
                vertical.append((x1, y0, x1, y1))
    return Lattice(tuple(horizontal), tuple(vertical)), cells


def rect_of(row, column):
    return 50 + COLUMN * column, 100 + ROW * row, 50 + COLUMN * (column + 1), 100 + ROW * (row + 1)


@pytest.fixture
def read(line):
    """Returns the texts of the cells of a drawn table; `/` separates the lines of a cell."""

    def read_cells(*rows, outside=()):
        lattice, cells = draw(*rows)
        pieces = list(outside)
        for row, texts in enumerate(cells):
            for column, text in enumerate(texts):
                if text not in {"", "^", "<"}:
                    lines = text.split("/")
                    pieces += [
                        line(part, x=55 + COLUMN * column, y=102 + ROW * row + 9 * n, size=8)
                        for n, part in enumerate(lines)
                    ]
        built = build_ruled_cells(lattice, pieces)
        return built and ["|".join(cell.text for cell in row) for row in built]

    return read_cells


def test_a_text_belongs_to_all_rows_and_columns_of_its_box(read):
    assert read("Port|2023|<", "^|In|Out", "Elm|All ships|<", "Ash|^|^", "Oak|3|4") == [
        "Port|2023|2023",
        "Port|In|Out",
        "Elm|All ships|All ships",
        "Ash|All ships|All ships",
        "Oak|3|4",
    ]


def test_lines_of_one_box_are_one_cell(read):
    assert read("Port|Ships of/the year|Crew", "Elm/harbour|7|9", "^|8|10")[1:] == [
        "Elm harbour|7|9",
        "Elm harbour|8|10",
    ]


def test_a_box_over_all_columns_labels_the_rows_below_it(read):
    rows = read("Port|Ships|Crew", "North|<|<", "Elm|7|9", "Ash|8|10")
    assert rows == ["Port|Ships|Crew", "North||", "Elm|7|9", "Ash|8|10"]


def test_a_group_label_may_be_right_of_a_box_that_spans_the_group(read):
    rows = read("No|Port|Ships", "1|North|<", "^|Elm|7", "^|Ash|8", "2|South|<", "^|Oak|9")
    assert rows == ["No|Port|Ships", "North||", "1|Elm|7", "1|Ash|8", "South||", "2|Oak|9"]


def test_a_long_first_row_of_one_box_is_a_title_and_a_short_one_a_header(read):
    table = ["Port|Ships|Crew", "Elm|7|^", "Ash|8|9"]
    title = "List of all the ports that the harbour office visited"
    assert read(f"{title}|<|<", *table)[0] == "Port|Ships|Crew"
    assert read("All ports|<|<", *table)[0] == "All ports|All ports|All ports"


@pytest.mark.parametrize(("size", "is_title"), [(12, True), (8, False)])
def test_a_first_row_of_one_box_in_large_type_is_a_title(read, line, size, is_title):
    table = ["|<|<", "Port|Ships|Crew", "Elm|7|^", "Ash|8|9"]
    rows = read(*table, outside=[line("Harbours", x=180, y=103, size=size)])
    assert (rows[0] == "Port|Ships|Crew") is is_title


@pytest.mark.parametrize(
    ("rows", "is_table"),
    [
        (("Port|Ships|Crew", "Elm|7|9", "Ash|8|10"), True),
        (("Port|Ships|<", "^|In|Out", "Elm|7|9", "Ash|^|10"), True),
        (("Elm|7|9", "Ash|8|10"), False),  # few rows
        (("Port", "Elm", "Ash", "Oak", "Fir", "Yew"), False),  # one column
        (("Port||", "|Ships|", "||", "Elm||"), False),  # hardly a text
    ],
)
def test_rules_around_cells_are_the_frame_of_a_table(rows, is_table, line):
    lattice, cells = draw(*rows)
    pieces = [
        line(text, x=55 + COLUMN * column, y=102 + ROW * row, size=8)
        for row, texts in enumerate(cells)
        for column, text in enumerate(texts)
        if text not in {"", "^", "<"}
    ]
    assert encloses_cells(lattice, pieces) is is_table


def test_rules_around_several_columns_of_numbers_are_not_those_of_cells(line):
    lattice, _ = draw("Port|", "Elm|", "Ash|", "Oak|")
    names = [line(name, x=55, y=102 + ROW * row, size=8) for row, name in enumerate(["Port", "Elm", "Ash", "Oak"])]
    numbers = [line(str(x + y), x=x, y=102 + ROW * y, size=8) for y in range(1, 4) for x in (155, 205)]
    assert not encloses_cells(lattice, [*names, *numbers])


def test_numbers_of_a_box_of_several_rows_stay_in_their_rows(read, line):
    below = line("8", x=155, y=142, size=8)
    rows = read("Port|Ships|Crew", "Elm|7|9", "Ash|^|10", "Oak|3|^", outside=[below])
    assert rows == ["Port|Ships|Crew", "Elm|7|9", "Ash|8|10", "Oak|3|10"]


@pytest.mark.parametrize(
    "rows",
    [
        ("Port|Ships|Crew", "Elm|7|9", "Ash|8|10"),  # no cell spans others
        ("Port|Ships|<", "Elm|7/8|9", "Ash|8|10"),  # no rules between the rows
        ("Port|Ships|<", "^|Mon|Tue"),  # few rows
    ],
)
def test_other_tables_are_left_to_the_gaps_between_their_texts(rows, read):
    assert read(*rows) is None


def test_a_table_with_values_beside_its_rules_is_not_closed(read, line):
    table = ["Port|Ships|<", "^|In|Out", "Elm|7|9", "Ash|8|10"]
    assert read(*table) is not None
    assert read(*table, outside=[line("11", x=400, y=145, size=8)]) is None
    assert (
        read(*table, outside=[line(text, x=x, y=185, size=8) for text, x in (("Oak", 55), ("1", 155), ("2", 255))])
        is None
    )
    assert read(*table, outside=[line("Counted on Monday", x=55, y=185, size=8)]) is not None


def test_header_rows_above_the_rules_are_part_of_the_table(read, line):
    header = [line("Port", x=55, y=85, size=8), line("Ships", x=155, y=85, size=8)]
    assert read("Elm|7|9", "^|8|10", "Ash|9|11", outside=header) is None


def test_lines_that_meet_are_a_lattice():
    lattice, _ = draw("a|b", "c|d")
    far = (50.0, 400.0, 250.0, 400.0)
    (found_lattice,) = find_lattices([*lattice.horizontal, *lattice.vertical, far])
    assert found_lattice.rect == (50.0, 100.0, 250.0, 140.0)


def test_lattices_of_equal_width_close_to_each_other_are_one():
    lattice, _ = draw("a|b", "c|d")
    edges = [*lattice.horizontal, *lattice.vertical]
    lower = [[(x0, y0 + gap, x1, y1 + gap) for x0, y0, x1, y1 in edges] for gap in (44, 60)]
    assert [len(find_lattices([*edges, *copy])) for copy in lower] == [1, 2]


def test_the_background_of_a_line_within_a_cell_has_no_sides():
    cell, background = (50.0, 100.0, 150.0, 130.0), (51.0, 102.0, 149.0, 114.0)
    assert len(list(find_sides([cell, background]))) == 4
    beside = (150.0, 100.0, 250.0, 130.0)
    assert len(list(find_sides([cell, beside]))) == 6


def test_edges_are_strokes_thin_areas_and_the_sides_of_filled_ones():
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=(600, 800))
    canvas.translate(100, 0)
    canvas.line(0, 700, 200, 700)
    canvas.line(0, 700, 200, 600)  # slanted
    canvas.rect(0, 500, 200, 1, stroke=0, fill=1)
    canvas.rect(0, 300, 200, 50, stroke=0, fill=1)
    canvas.save()
    with pypdfium2.PdfDocument(buffer.getvalue()) as document:
        page = document[0]
        edges = [tuple(map(round, edge)) for edge in read_edges(page, read_frame(page))]
    assert edges[:2] == [(100, 100, 300, 100), (100, 299, 300, 300)]
    assert len(edges) == 6


def test_the_lines_of_a_drawing_are_not_read(monkeypatch):
    buffer = BytesIO()
    canvas = Canvas(buffer)
    canvas.line(0, 700, 200, 700)
    canvas.line(0, 600, 200, 600)
    canvas.save()
    with pypdfium2.PdfDocument(buffer.getvalue()) as document:
        page = document[0]
        assert len(read_edges(page, read_frame(page))) == 2
        monkeypatch.setattr(rules, "MAX_POINTS", 3)
        assert read_edges(page, read_frame(page)) == []
