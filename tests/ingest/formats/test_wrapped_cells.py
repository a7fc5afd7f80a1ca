from hopline_ingest.formats.pdf.page_content import TableCell
from hopline_ingest.formats.pdf.tables.wrapped_cells import join_header_lines, join_wrapped_labels


def table(*rows, gap=1.0, indents=None):
    """Return the cells of rows such as "text|text"; a text in several adjacent columns spans these."""
    grid = []
    y = 100.0
    for row in rows:
        cells = []
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
