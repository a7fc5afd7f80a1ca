from hopline_ingest.formats.pdf.tables.grids import (
    Grid,
    better,
    cells_of,
    finest,
    gap_grid,
    is_table,
    markdown,
    proper,
    tidied,
)


def sheet(line, *texts, step=100):
    """Pieces of a table: one row a text, cells parted by |."""
    return [
        line(cell, x=50 + step * column, y=100 + 14 * row)
        for row, text in enumerate(texts)
        for column, cell in enumerate(text.split("|"))
        if cell
    ]


def grid(columns, rows):
    return Grid(tuple(45.0 + 100 * n for n in range(columns + 1)), tuple(98.0 + 14 * n for n in range(rows + 1)))


def test_each_piece_goes_to_the_cell_that_holds_most_of_it(line):
    pieces = sheet(line, "Year|Ships", "2023|40", "2024|52")
    assert cells_of(grid(2, 3), pieces) == (("Year", "Ships"), ("2023", "40"), ("2024", "52"))


def test_a_currency_sign_goes_to_its_number_and_a_bracket_too():
    texts = [["Net income", "$", "4,756", ""], ["Loss", "$", "(12", ")"], ["Growth", "", "12", "%"]]
    assert tidied(texts) == (("Net income", "$4,756"), ("Loss", "$(12)"), ("Growth", "12%"))


def test_a_heading_over_the_column_of_signs_goes_with_it():
    texts = [["", "December 2,", ""], ["", "2022", ""], ["Revenue", "$", "16"], ["Cost", "", "7"]]
    assert tidied(texts) == (("", "December 2,"), ("", "2022"), ("Revenue", "$16"), ("Cost", "7"))


def test_a_cell_broken_over_two_rows_is_one(line):
    pieces = sheet(line, "Initial dye concen\u00ad|4–8", "tration (mg/l)", "Mesh size|50")
    assert cells_of(grid(2, 3), pieces) == (("Initial dye concentration (mg/l)", "4–8"), ("Mesh size", "50"))


def test_a_label_that_its_numbers_follow_below_is_one_row(line):
    pieces = sheet(line, "Basic net income per", "share|10.13", "Diluted|10.10")
    assert cells_of(grid(2, 3), pieces) == (("Basic net income per share", "10.13"), ("Diluted", "10.10"))


def test_a_subscript_is_no_row_of_its_own(line):
    pieces = [line("x", y=100), line("1", x=56, y=105, size=6), line("25", x=150, y=100)]
    assert cells_of(Grid((45, 145, 245), (98, 104, 112)), pieces) == (("x1", "25"),)


def test_rules_win_where_they_part_the_text_as_finely_as_gaps(line):
    pieces = sheet(line, "Year|Ships", "2023|40", "2024|52")
    ruled, loose = grid(2, 3), Grid((45, 120, 245), (98, 112, 126, 140))
    assert better(loose, ruled, pieces) is ruled


def test_a_box_around_everything_is_no_grid_of_cells(line):
    pieces = sheet(line, "Year|Ships", "2023|40", "2024|52")
    box, loose = Grid((45, 245), (98, 140)), grid(2, 3)
    assert better(loose, box, pieces) is loose
    assert better(None, box, pieces) is box


def test_columns_of_prose_in_rules_lose_to_gaps(line):
    pieces = sheet(line, *["words of prose|more words"] * 8)
    coarse = Grid((45.0, 145.0, 245.0), (98.0, 154.0, 210.0))
    assert better(grid(2, 8), coarse, pieces).rows == grid(2, 8).rows


def test_gaps_through_all_rows_make_a_grid(line):
    pieces = sheet(line, "Country|Sales|Share", "Germany|373|12", "Belgium|33|1")
    assert cells_of(gap_grid(pieces), pieces) == (
        ("Country", "Sales", "Share"),
        ("Germany", "373", "12"),
        ("Belgium", "33", "1"),
    )
    assert gap_grid(sheet(line, "one", "two")) is None
    assert gap_grid([]) is None


def test_notes_under_a_table_are_not_part_of_it(line):
    pieces = sheet(line, "Year|Ships", "2023|40", "2024|52", "— Not available.", "Source: the port's office, 2025")
    assert [piece.text for piece in proper(grid(2, 5), pieces)] == ["Year", "Ships", "2023", "40", "2024", "52"]
    assert len(proper(grid(2, 3), pieces[:6])) == 6


def test_a_title_in_the_first_row_is_not_part_of_the_table(line):
    title = "The following table shows key statistics of the harbours:"
    pieces = sheet(line, title, "Year|Ships", "2023|40", "2024|52")
    assert title not in {piece.text for piece in proper(grid(2, 4), pieces)}
    assert len(proper(grid(2, 3), sheet(line, "Trade", "Year|Ships", "2023|40"))) == 5


def test_a_grid_that_parts_numbers_better_is_taken(line):
    pieces = sheet(line, "Ships|40|52", "Grain|1,200|900", "Rye|7|80")
    coarse, fine = Grid((45.0, 145.0, 345.0), grid(3, 3).rows), grid(3, 3)
    assert finest(pieces, coarse, fine) is fine
    assert finest(pieces, fine, coarse) is fine
    assert finest(pieces, None, None) is None


def test_a_note_carries_no_cell_on(line):
    pieces = sheet(line, "Tax rate|12 %", "(1) See the notes", "Rate|3 %")
    assert cells_of(grid(2, 3), pieces)[0] == ("Tax rate", "12 %")


def test_numbers_columns_or_a_caption_make_a_table_and_prose_never_does():
    numbers = (("Year", "Ships"), ("2023", "40"))
    words = (("Name", "Role"), ("Anna", "Head"))
    prose = (("Received 2 May", "x" * 90), ("Accepted", "y" * 90))
    assert is_table(numbers, captioned=False)
    assert not is_table(words, captioned=False)
    assert is_table(words, captioned=True)
    assert is_table((("a", "b", "c", "d", "e"), ("f", "g", "h", "i", "j")), captioned=False)
    assert not is_table(prose, captioned=True)
    assert not is_table((("only", "a row"),), captioned=True)
    assert not is_table((), captioned=True)


def test_markdown_has_a_rule_under_its_head_and_escapes_bars():
    assert markdown((("a|b", "c"), ("1", "2"))) == "| a\\|b | c |\n| --- | --- |\n| 1 | 2 |"
    assert markdown(()) == ""
