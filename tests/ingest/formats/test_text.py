from hopline_ingest.formats.text import parse_plain_text


def read(text):
    return parse_plain_text(text.encode(), "notes_on-ships.txt")


def test_hard_wrapped_lines_are_one_paragraph():
    document = read("The Port\n\nIt opened in 1921.\nShips came\nfrom Lund.\n")
    assert document.title == "The Port"
    assert document.passages[0].text == "The Port\nIt opened in 1921. Ships came from Lund."
    assert document.pages[0].number == 1
    assert document.passages[0].boxes == document.passages[0].lines == ()


def test_words_that_hard_wraps_break_are_whole():
    document = read("The Port\n\nThe repre-\n  sentative of a non-\nresident owner.\n")
    assert document.passages[0].text == "The Port\nThe representative of a non-resident owner."


def test_numbered_underlined_and_capital_lines_head_sections():
    document = read("A title\n\n1. Trade\n\nGrain.\n\n1.1 Rye\n\nRye rose.\n\nPEOPLE\n\nAnna.\n\nBoats\n-----\n\nTwo.")
    assert [(passage.section, passage.text) for passage in document.passages] == [
        (("1. Trade",), "Grain."),
        (("1. Trade", "1.1 Rye"), "Rye rose."),
        (("PEOPLE",), "Anna."),
        (("PEOPLE", "Boats"), "Two."),
    ]


def test_lines_that_begin_with_the_number_of_a_part_head_sections():
    parts = ["§ 4 Aufsicht", "Artikel 5", "Annex B: Forms", "Chapter Three", "Deuxième partie", "第三章 费用"]
    document = read("A title\n\n" + "\n\n".join(f"{part}\n\nThe text." for part in parts))
    assert [passage.section for passage in document.passages] == [(part,) for part in parts]


def test_each_item_of_a_list_is_a_paragraph():
    assert read("Title\n\nIt has:\n- one\n- two\n").passages[0].text == "Title\nIt has:\n- one\n- two"


def test_a_file_of_one_line_is_a_passage():
    parsed = read("Meeting moved to Tuesday 4 pm\n")
    assert parsed.title == "Meeting moved to Tuesday 4 pm"
    assert [passage.text for passage in parsed.passages] == ["Meeting moved to Tuesday 4 pm"]


def test_a_title_in_the_form_of_a_heading_is_no_passage():
    assert [passage.text for passage in read("HARBOUR NEWS\n\nIt opened in 1921.").passages] == ["It opened in 1921."]


def test_without_a_title_the_name_is_it():
    assert read("It opened in 1921. It closed.\n\nMore.").title == "notes on ships"


def test_an_empty_text_has_no_passages():
    assert read(" \n\n ").passages == ()
