"""Corrections of a document that is parsed again."""

from __future__ import annotations

import json

from hopline.corrections.corrected_table import TABLE_PROPERTIES, TableCorrection
from hopline.records import Box
from hopline.tables.grid import render_table
from hopline.tables.structure import infer_structure
from hopline_ingest.formats.parsed_document import PageTable, ParsedDocument, ParsedPage, ParsedPassage
from hopline_ingest.writing.corrected_rows import correct_rows
from hopline_ingest.writing.document_rows import DocumentRows

READ = "The pier was built in 19l1 by Hedda Lunn."
RIGHT = "The pier was built in 1911 by Hedda Lunn."


def passage(text, top=100.0, page=1):
    box = Box(page, 50, top, 500, top + 20)
    return ParsedPassage(text, (), (page,), (box,), ((0, len(text)),), ((0, len(text)),))


def parse(*passages, document="d"):
    rows = DocumentRows()
    pages = tuple(ParsedPage(number) for number in (1, 2))
    rows.add(document, ParsedDocument("Ports", pages, passages), collection="c", version="v2")
    return rows


def correction(original=READ, corrected=RIGHT, *, evidence="", top=100.0, page=1, id="k", at=7):
    boxes = [float(page), 50.0, top, 500.0, top + 20]
    return {"id": id, "document": "d", "kind": "passage", "evidence": evidence, "pages": [page], "boxes": boxes,
            "original": original, "corrected": corrected, "saved": "", "table": "", "at": at}  # fmt: skip


def texts(rows):
    return [row["properties"]["text"] for row in rows.passages]


def test_a_text_that_is_read_in_the_same_way_is_corrected_and_keeps_its_id():
    rows = parse(passage(READ), passage("It rained.", 200))
    [first, second] = parse(passage(READ), passage("It rained.", 200)).passages
    correct_rows(rows, [correction(evidence=first["id"])])
    assert texts(rows) == [RIGHT, "It rained."]
    assert rows.passages[0]["id"] == first["id"]
    assert rows.passages[0]["search"] == f"Ports\n{RIGHT}"
    assert rows.passages[0]["properties"]["corrected_at"] == 7
    assert rows.passages[1] == second
    [written] = rows.corrections
    assert (written["id"], written["evidence"], written["version"]) == ("k", first["id"], "v2")
    saved = json.loads(written["properties"]["saved"])
    assert saved == {"text": READ, "lines": [0, 41], "sentences": [0, 41], "search": f"Ports\n{READ}"}


def test_a_text_that_is_read_differently_is_corrected_at_its_place():
    rows = parse(passage(f"Ports. {READ.replace('19l1', 'l9l1')}", 95))
    correct_rows(rows, [correction()])
    assert texts(rows) == [f"Ports. {RIGHT}"]
    assert rows.corrections[0]["properties"]["original"] == f"Ports. {READ.replace('19l1', 'l9l1')}"
    assert rows.corrections[0]["properties"]["corrected"] == f"Ports. {RIGHT}"


def test_a_similar_text_at_another_place_is_not_corrected():
    for other in (passage(f"{READ} It leaks.", 400), passage(f"{READ} It leaks.", page=2), passage("Ships sail.")):
        rows = parse(other)
        before = texts(rows)
        correct_rows(rows, [correction()])
        assert texts(rows) == before
        assert rows.corrections == []


def test_without_boxes_the_page_is_the_place():
    rows = parse(ParsedPassage(f"{READ} It leaks.", (), (1,)))
    correct_rows(rows, [{**correction(), "boxes": []}])
    assert texts(rows) == [f"{RIGHT} It leaks."]


def test_each_of_two_equal_texts_has_its_own_correction():
    rows = parse(passage(READ), passage(READ, 300))
    first, second = (row["id"] for row in rows.passages)
    other = correction(corrected=READ.replace("19l1", "1921"), evidence=second, top=300, id="other")
    correct_rows(rows, [other, correction(evidence=first)])
    assert texts(rows) == [RIGHT, READ.replace("19l1", "1921")]


def test_of_two_corrections_of_one_text_the_newest_applies():
    rows = parse(passage(READ))
    correct_rows(rows, [correction(corrected=READ.replace("19l1", "1921"), id="new"), correction(id="old")])
    assert texts(rows) == [READ.replace("19l1", "1921")]
    assert [row["id"] for row in rows.corrections] == ["new"]


def test_a_correction_of_another_document_is_not_applied():
    rows = parse(passage(READ), document="other")
    correct_rows(rows, [correction()])
    assert texts(rows) == [READ]


CELLS = (("Port", "Output"), ("Halm", "l2"), ("Orre", "7"))
RIGHT_CELLS = (("Port", "Output"), ("Halm", "12"), ("Orre", "7"))


def table(cells=CELLS, caption="Table 1: Ports", top=100.0):
    markdown, _ = render_table(cells)
    box = Box(1, 50, top, 500, top + 90)
    return PageTable(1, caption, "1", cells, markdown, (), (box,), (), infer_structure(cells, caption))


def parse_tables(*tables):
    rows = DocumentRows()
    rows.add("d", ParsedDocument("Ports", (ParsedPage(1),), (), tables), collection="c", version="v2")
    return rows


def correct_stored_table(read, corrected):
    """Return the correction of a table that was read, as it is stored."""
    [row] = parse_tables(read).tables
    saved = {name: row["properties"].get(name) for name in TABLE_PROPERTIES} | {"search": row["search"]}
    stored = {"saved": json.dumps(saved), "table": corrected.to_json(), "kind": "table", "evidence": row["id"]}
    return correction() | stored | {"original": row["properties"]["text"], "corrected": ""}


def test_a_cell_and_a_caption_are_corrected_again_in_another_version_of_a_table():
    stored = correct_stored_table(table(), TableCorrection(RIGHT_CELLS, 1, "Table 2: Ports"))
    more = (CELLS[0], ("Bergen", "3"), *CELLS[1:])
    for cells in (CELLS, more):
        rows = parse_tables(table(cells))
        correct_rows(rows, [stored])
        properties = rows.tables[0]["properties"]
        assert json.loads(properties["cells"]) == [["Halm", "12"] if row[0] == "Halm" else [*row] for row in cells]
        assert (properties["caption"], properties["number"]) == ("Table 2: Ports", "2")
        assert "Halm 12" in rows.tables[0]["search"]
        assert rows.corrections[0]["evidence"] == rows.tables[0]["id"]


def test_a_table_without_the_row_of_a_corrected_cell_is_not_corrected():
    stored = correct_stored_table(table(), TableCorrection(RIGHT_CELLS, 1, "Table 1: Ports"))
    rows = parse_tables(table((CELLS[0], CELLS[2], ("Voss", "8"), ("Bergen", "3"))))
    correct_rows(rows, [stored])
    assert rows.corrections == []
