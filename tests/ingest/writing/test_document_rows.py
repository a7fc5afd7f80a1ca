import json

from hopline.records import Box
from hopline_ingest.formats.parsed_document import GivenFacts, PageTable, ParsedDocument, ParsedPage, ParsedPassage
from hopline_ingest.writing.document_rows import DocumentRows, build_search_text

DOCUMENT = ParsedDocument(
    "Annual report",
    (ParsedPage(1, 595, 842), ParsedPage(2, 595, 842)),
    (
        ParsedPassage("One. Two.", ("1 Harbours",), (1, 2), (Box(1, 1, 2, 3, 4), Box(2, 5, 6, 7, 8)), ((0, 4), (5, 9)), ((0, 4), (5, 9))),
        ParsedPassage("One. Two.", ("2 Ships",), (2,), facts=GivenFacts(("Orre",), None)),
    ),
    (PageTable(2, "Table 1: Ships", "1", (("Ship", "Year"), ("Tern", "1931")), "| Ship | Year |", ("2 Ships",)),),
    ("page 2 is dim",),
)  # fmt: skip


def rows():
    document_rows = DocumentRows()
    document_rows.add("d", DOCUMENT, collection="c", version="v")
    return document_rows


def test_the_same_text_twice_gets_two_ids_that_stay_the_same():
    first, second = (row["id"] for row in rows().passages)
    assert first != second
    assert [row["id"] for row in rows().passages] == [first, second]
    assert rows().order == [{"first": first, "second": second}]


def test_a_passage_across_a_page_break_is_on_both_pages():
    document_rows = rows()
    first, second = (page["id"] for page in document_rows.pages)
    assert [row["pages"] for row in document_rows.passages] == [[first, second], [second]]


def test_boxes_lines_and_sentences_are_flat_lists():
    properties = rows().passages[0]["properties"]
    assert properties["boxes"] == [1.0, 1, 2, 3, 4, 2.0, 5, 6, 7, 8]
    assert properties["lines"] == properties["sentences"] == [0, 4, 5, 9]


def test_the_search_text_is_title_section_caption_and_text():
    document_rows = rows()
    assert document_rows.passages[0]["search"] == "Annual report\n1 Harbours\nOne. Two."
    assert document_rows.tables[0]["search"] == "Annual report\n2 Ships\nTable 1: Ships\nShip Year\nTern 1931"
    assert build_search_text("", (), "", "only text") == "only text"


def test_given_facts_of_a_row_are_stored():
    assert json.loads(rows().passages[1]["properties"]["given"]) == {"entities": ["Orre"], "triples": None}


def test_a_document_row_has_its_counts():
    [document] = rows().documents
    assert (document["pages"], document["passages"], document["tables"], document["warnings"]) == (
        2,
        2,
        1,
        ["page 2 is dim"],
    )


def test_control_characters_are_replaced_in_passages_titles_and_cells():
    evil = "\x1b]0;title\x07\x9b2J"
    passage = ParsedPassage(f"Before {evil} after.", (evil,), title=evil, sentences=((0, 26),))
    table = PageTable(1, evil, "1", ((evil, "1931"),), f"| {evil} |", (evil,))
    rows = DocumentRows()
    document = ParsedDocument(evil, (ParsedPage(1),), (passage,), (table,), (evil,), (evil,))
    rows.add("d", document, collection="c", version="v")
    stored = repr((rows.documents, rows.passages, rows.tables))
    assert "\\x1b" not in stored
    assert "\\u001b" not in stored
    assert "\\x9b" not in stored
    assert rows.passages[0]["properties"]["text"] == "Before  ]0;title  2J after."
    assert len(rows.passages[0]["properties"]["text"]) == len(passage.text)
