"""Indentation of the labels of tables in PDFs."""

import pytest

from hopline_ingest.formats.pdf.page_content import TableCell
from hopline_ingest.formats.pdf.tables.indentation import find_indentation


def rows_of(*labels):
    """Rows of a label, given with its left and right side, and a value, below a header."""
    header = (TableCell("Post"), TableCell("2022"))
    return (header, *((TableCell(text, (left, 0.0, right, 10.0)), TableCell("4")) for text, left, right in labels))


def test_labels_are_indented_by_levels():
    rows = rows_of(
        ("Assets", 50, 90), ("Cash", 60, 88), ("Boats", 60.5, 93), ("of which new", 70, 130), ("Debt", 50, 77)
    )
    assert find_indentation(rows, 1) == [0, 0, 1, 1, 2, 0]


def test_boxes_of_large_recognised_text_begin_a_little_apart():
    labels = [("Disability", 65, 150), ("Low vision", 68, 150), ("Dexterity", 69, 145), ("Mobility", 69, 140)]
    header, *rows = rows_of(*labels)
    tall = [(TableCell(cell.text, (cell.rect[0], 0.0, cell.rect[2], 28.0)), value) for cell, value in rows]
    assert not any(find_indentation((header, *tall), 1))
    indented = [(TableCell("Of which", (78.0, 0.0, 190.0, 28.0)), TableCell("4"))] * 2
    assert find_indentation((header, *tall, *indented), 1) == [0, 0, 0, 0, 0, 1, 1]


@pytest.mark.parametrize(
    "turn",
    [
        lambda x0, y0, x1, y1: (y0, -x1, y1, -x0),  # read upwards
        lambda x0, y0, x1, y1: (-y1, x0, -y0, x1),  # read downwards
        lambda x0, y0, x1, y1: (-x1, -y1, -x0, -y0),  # upside down
    ],
)
def test_labels_of_a_rotated_table_are_indented_along_its_lines(turn):
    labels = [("Assets", 50, 80), ("Cash", 60, 80), ("Boats", 60, 85), ("Debt", 50, 70)]
    cells = [
        (
            TableCell(text, turn(left, 20.0 * n, right, 20.0 * n + 8)),
            TableCell("4", turn(200, 20.0 * n, 210, 20.0 * n + 8)),
        )
        for n, (text, left, right) in enumerate(labels)
    ]
    assert find_indentation(tuple(cells), 0) == [0, 1, 1, 0]


def test_dots_behind_labels_align_no_labels():
    rows = rows_of(("Crime", 50, 190), ("Theft", 60, 190), ("Arson", 60, 190), ("Fraud", 60, 190), ("Other", 50, 190))
    assert find_indentation(rows, 1) == [0, 0, 1, 1, 1, 0]


@pytest.mark.parametrize(
    "labels",
    [
        [("Apr", 93, 137), ("May", 89, 137), ("June 2015", 80, 137), ("Total", 85, 137)],  # right-aligned
        [("Apr", 90, 110), ("May", 85, 115), ("June 2015", 70, 130), ("Total", 80, 120)],  # centred
        [("2015", 50, 70), ("2016", 60, 80), ("12", 60, 70), ("14", 50, 60)],  # numbers
        [("Assets", 50, 90), ("Cash", 50.5, 88), ("Boats", 51, 93)],  # one level
    ],
)
def test_labels_that_are_aligned_otherwise_are_not_indented(labels):
    assert not any(find_indentation(rows_of(*labels), 1))


@pytest.mark.parametrize(
    "labels",
    [
        [
            ("Sales", 50, 90),
            ("Cost", 50, 80),
            ("Profit", 60, 90),
            ("Fees", 50, 70),
            ("Taxes", 50, 75),
            ("Rest", 60, 80),
        ],
        [("Cotton", 50, 90), ("Oats", 50, 80), ("Subtotal", 50, 99), ("Country", 58, 90)],  # one sum
        [("Excess", 53.7, 79), ("Normal", 55, 80), ("Deficient", 51, 82), ("Scanty", 54.3, 78)],  # no clear step
    ],
)
def test_the_labels_of_sums_and_of_unclear_steps_are_not_indented(labels):
    assert not any(find_indentation(rows_of(*labels), 1))


def test_the_sums_of_the_parts_of_a_group_have_its_level():
    rows = [("North", 50, 90), ("Aker", 60, 90), ("Lom", 60, 80), ("All in the north", 70, 150)]
    rows += [("South", 50, 90), ("Sog", 60, 80), ("Fana", 60, 80), ("All in the south", 70, 150)]
    assert find_indentation(rows_of(*rows), 1) == [0, 0, 1, 1, 1, 0, 1, 1, 1]


def test_single_parts_of_rows_whose_labels_are_repeated_are_indented():
    rows = rows_of(("Men", 50, 70), ("Employed", 60, 99), ("Women", 50, 80), ("Employed", 60, 99), ("Other", 50, 70))
    assert find_indentation(rows, 1) == [0, 0, 1, 0, 1, 0]


def test_single_parts_above_other_rows_are_indented():
    rows = rows_of(
        ("Age", 50, 70), ("Above 45", 60, 99), ("Sex", 50, 80), ("Load", 50, 99), ("High", 60, 99), ("Site", 50, 99)
    )
    assert find_indentation(rows, 1) == [0, 0, 1, 0, 0, 1, 0]


def test_the_centred_label_of_a_group_has_no_indentation():
    header, *rows = rows_of(("Current", 50, 90), ("Cash", 60, 88), ("Boats", 60, 93), ("Debt", 50, 77))
    centred = (TableCell("ASSETS", (200.0, 0.0, 240.0, 10.0)), TableCell(""))
    assert find_indentation((header, centred, *rows), 1) == [0, 0, 0, 1, 1, 0]
