import pytest

from hopline.tables.parts import RowRange, group_parts, parse_row_range, unite_cells


@pytest.mark.parametrize(
    ("caption", "rows"),
    [
        ("(rows 1–50)", RowRange("", 1, 50)),
        ("Stock of May (rows 101–120)", RowRange("Stock of May", 101, 120)),
        ("Stock of May", None),
        ("Stock (rows 1–50) of May", None),
    ],
)
def test_the_caption_of_a_part_gives_its_rows(caption: str, rows: RowRange | None) -> None:
    assert parse_row_range(caption) == rows


@pytest.mark.parametrize(
    ("ranges", "groups"),
    [
        ([("", 1, 50), ("", 51, 60)], [[0, 1]]),
        ([("", 1, 50), ("", 51, 60), ("", 1, 50), ("", 51, 99)], [[0, 1], [2, 3]]),
        ([("A", 1, 50), ("A", 51, 60), ("B", 1, 50), ("B", 101, 120)], [[0, 1]]),
        ([("", 51, 100)], []),
    ],
)
def test_parts_are_grouped_unless_one_is_missing(ranges: list[tuple[str, int, int]], groups: list[list[int]]) -> None:
    assert group_parts((RowRange(*rows), number) for number, rows in enumerate(ranges)) == groups


def test_the_header_of_united_parts_is_that_of_the_first() -> None:
    assert unite_cells([(("A",), ("1",)), (("A",), ("2",), ("3",))]) == (("A",), ("1",), ("2",), ("3",))
