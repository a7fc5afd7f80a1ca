import pytest

from hopline_ingest.formats.pdf.page_content import TableCell
from hopline_ingest.formats.pdf.tables.wrapped_cells import (
    count_header_lines,
    join_header_lines,
    join_lines_between_rules,
    join_wrapped_labels,
    join_wrapped_rows,
)


def table(*rows, gap=1.0, indents=None, lead=0.0):
    """Return the cells of rows such as "text|text"; a text in several adjacent columns spans these.

    ``lead`` is the space above the first row that begins with "Elm".
    """
    grid = []
    y = 100.0
    for row in rows:
        cells = []
        y += lead if row.startswith("Elm") else 0.0
        for column, text in enumerate(row.split("|")):
            left = 50 + 60.0 * column + (indents or {}).get(text, 0.0)
            cells.append(TableCell(text, (left, y, left + 5 * len(text), y + 10)) if text else TableCell())
            if column and text and cells[-2].text == text:
                cells[-1] = cells[-2]
        grid.append(tuple(cells))
        y += 10 + gap
    return tuple(grid)


def texts_of(cells):
    return ["|".join(cell.text for cell in row) for row in cells]


def test_the_lines_of_each_header_are_one_cell_though_they_are_at_different_heights():
    cells = table("|Percent||", "|who|Average|", "Course|borrowed|amount|Year", "Law|44.8|33,200|2019")
    assert texts_of(join_header_lines(cells, 3)) == [
        "Course|Percent who borrowed|Average amount|Year",
        "Law|44.8|33,200|2019",
    ]


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        (("Loan|Less than|$10,000–|$15,000–", "|$10,000|14,999|29,999", "Elm|1|2|3"), "Loan|Less than $10,000|$10,000–14,999|$15,000–29,999"),
        (("|who|Less than|$10,000–|$15,000–", "Loan|borrowed|$10,000|14,999|29,999", "Elm|1|2|3|4"), "Loan|who borrowed|Less than $10,000|$10,000–14,999|$15,000–29,999"),
        (("Age|0 -|5 -|10 -", "|4|9|14", "Elm|1|2|3"), "Age|0 -4|5 -9|10 -14"),
        (("Land|people|shops|sales", "|1995|(000)|(mn)", "Elm|1|2|3"), "Land|people 1995|shops (000)|sales (mn)"),
        (("|Ships|No ships", "Grade of|in May|in May", "the port|(n = 46)|(n = 91)", "Elm|1|2"), "Grade of the port|Ships in May (n = 46)|No ships in May (n = 91)"),
        (("Grade|Ships|Crew", "of port|entered|on board", "Elm|1|2"), "Grade of port|Ships entered|Crew on board"),
    ],
)  # fmt: skip
def test_figures_and_texts_close_to_a_header_are_lines_of_it(rows, header):
    cells = table(*rows, lead=4.0)
    assert count_header_lines(cells) == len(rows) - 1
    columns = zip(*join_header_lines(cells, len(rows) - 1)[:-1], strict=True)
    assert "|".join(" ".join(cell.text for cell in column if cell) for column in columns) == header


@pytest.mark.parametrize(
    "rows",
    [
        ("Port|Ships|Crew", "|3|4", "Elm|1|2"),
        ("Port|Ships|Crew", "Ash|(3)|(4)", "Elm|1|2"),
        ("Port|Ships|Crew", "Northern ports||", "Elm|1|2"),
        ("Port|Ships|Crew", "Ash|–|n/a", "Elm|1|2"),
        ("Port|Master|Crew", "Ash|Lund|Berg", "Oak|Holm|Dahl", "Elm|Ek|Lind"),
    ],
)
def test_the_first_row_of_a_body_is_no_line_of_the_header(rows):
    assert count_header_lines(table(*rows)) == 1


def test_a_header_of_several_columns_is_not_joined_with_those_below_it():
    cells = table("|2023|2023|2024|2024", "||Ships||Ships", "Port|In|out|In|out", "Elm|1|2|3|4")
    assert texts_of(join_header_lines(cells, 3))[:2] == ["|2023|2023|2024|2024", "Port|In|Ships out|In|Ships out"]


def test_the_lines_of_a_header_of_several_columns_are_joined():
    cells = table("|Amount|Amount|", "|of loans|of loans|", "Bank|2023|2024|Seat", "Elm|1|2|Osk")
    assert texts_of(join_header_lines(cells, 3))[0] == "|Amount of loans|Amount of loans|"


def test_headers_with_a_rule_or_a_gap_between_them_are_two():
    rows = ("|Ships|", "Port|in May|Crew", "Elm|1|2")
    rule = (100.0, 110.3, 180.0, 110.8)
    assert texts_of(join_header_lines(table(*rows), 2, [rule]))[0] == "|Ships|"
    assert texts_of(join_header_lines(table(*rows, gap=8.0), 2))[0] == "|Ships|"


def test_the_box_of_a_joined_header_is_around_its_lines():
    (header, _) = join_header_lines(table("|Average", "Port|draught", "Elm|1"), 2)
    assert header[1].rect == (110.0, 100.0, 145.0, 121.0)


def test_the_indented_second_line_of_a_label_belongs_to_the_label():
    cells = table("Group|2023", "American Indian or|707", "Alaska|", "All|812", indents={"Alaska": 4.0})
    assert texts_of(join_wrapped_labels(cells)) == ["Group|2023", "American Indian or Alaska|707", "All|812"]


def test_the_label_of_a_group_is_no_second_line():
    rows = ("Group|2023", "Islander|707", "By sex|", "Men|400", "Women|412")
    assert texts_of(join_wrapped_labels(table(*rows))) == list(rows)
    indented = {"By sex": 4.0, "Men": 8.0, "Women": 8.0}
    assert texts_of(join_wrapped_labels(table(*rows, indents=indented))) == list(rows)


def rule_after(*numbers):
    """Return the rules below these rows of a table with a gap of 4 points."""
    return [(50.0, 112.0 + 14 * n, 250.0, 112.5 + 14 * n) for n in numbers]


def test_the_lines_between_two_rules_are_one_row():
    cells = table("Code|Good|Tons", "01|Live|", "|fish|4", "02|Crabs|7", "03|Meal of|8", "|dry fish|", gap=4.0)
    assert texts_of(join_lines_between_rules(cells, 1, rule_after(0, 2, 3))) == [
        "Code|Good|Tons",
        "01|Live fish|4",
        "02|Crabs|7",
        "03|Meal of dry fish|8",
    ]


@pytest.mark.parametrize(
    ("rows", "rules"),
    [
        (("Port|Kind|Tons", "Elm|old|4", "Ash|new|5", "Oak|old|6", "Fir|new|7", "Yew|old|8"), (0, 2, 4)),  # blocks
        (("Port|Kind|Tons", "Elm|old|", "|new|4", "Oak|old|6"), (0, 2)),  # few rules
        (("Port|Kind|Tons", "Costs:||", "Elm|old|4", "Ash||", "|new|5", "Oak|old|6"), (0, 2, 4)),  # a group
        (("Port|Kind", "Elm|old", "Ash|new", "Oak|old", "Fir|new", "Yew|old"), (0, 2, 4)),  # no figures
    ],
)
def test_rows_without_rules_between_them_stay_apart(rows, rules):
    cells = table(*rows, gap=4.0)
    assert join_lines_between_rules(cells, 1, rule_after(*rules)) == cells


def test_lines_that_are_far_from_each_other_stay_apart():
    cells = table("Code|Good|Tons", "01|Live|", "|fish|4", "02|Crabs|7", "03|Meal|8", gap=9.0)
    rules = [(50.0, y, 250.0, y) for y in (114.0, 171.0, 190.0)]
    assert join_lines_between_rules(cells, 1, rules) == cells


def test_further_lines_of_a_few_cells_belong_to_the_row_above():
    cells = table("Metal|Way|Coat|Flow", "Gold on|drop|acid and|4.0", "tin||sugar|", "Iron|drop|none|3.1", "||mostly|")
    assert texts_of(join_wrapped_rows(cells, 1))[1:] == [
        "Gold on tin|drop|acid and sugar|4.0",
        "Iron|drop|none mostly|3.1",
    ]


@pytest.mark.parametrize(
    "row",
    ["Tin|drop|acid|", "Tin||7|", "Alloys|||"],  # most columns, a figure, the label of a group
)
def test_other_rows_with_gaps_are_rows_of_their_own(row):
    cells = table("Metal|Way|Coat|Flow", "Gold|drop|acid|4.0", row, "Iron|drop|none|3.1")
    assert join_wrapped_rows(cells, 1) == cells


def stack(*rows):
    """Return the cells of rows such as "text|text", each with its distance from the row above and its indentation."""
    grid, y = [], 100.0
    for row, pitch, indent in rows:
        y += pitch
        texts = enumerate(row.split("|"))
        lefts = [(text, 50 + 200.0 * column + indent * (column == 0)) for column, text in texts]
        grid.append(
            tuple(TableCell(text, (x, y, x + 5 * len(text), y + 8)) if text else TableCell() for text, x in lefts)
        )
    return tuple(grid)


@pytest.mark.parametrize(
    ("first", "last", "pitch", "indent", "is_joined"),
    [
        ("Common stock, 900 shares authorized and", "462 shares issued", 9, 4, True),
        ("Common stock, 900 shares authorized and", "issued", 9, 0, True),
        ("Trade receivables, net of allowances;", "Other receivables", 9, 0, True),
        ("Common stock, 900 shares authorized and", "462 shares issued", 12, 4, False),  # as far as the other rows
        ("Common stock:", "462 shares issued", 9, 4, False),
        ("Common stock", "462 shares issued", 9, -10, False),
        ("Comprehensive income", "Net profit", 9, 4, False),
    ],
)
def test_the_first_line_of_a_label_belongs_to_the_row_of_its_last_line(first, last, pitch, indent, is_joined):
    cells = stack(
        ("|2022", 12, 0),
        ("Cash|4", 12, 0),
        ("Boats|5", 12, 0),
        (f"{first}|", 12, 0),
        (f"{last}|7", pitch, indent),
        ("Loans|8", 12, 0),
        ("Other debt|9", 12, 0),
    )
    labels = [row[0].text for row in join_wrapped_labels(cells)]
    assert (f"{first} {last}" in labels) is is_joined
