import pytest

from hopline.tables.grid import render_table
from hopline_ingest.extraction import ExtractionInput, extract_batch
from hopline_ingest.extraction.relations.tables import MAX_TABLE_TRIPLES, strip_caption_number

CELLS = (("Region", "2021", "2022"), ("North Isle", "12", "14"), ("South Isle", "7", "n.a."))
TABLE = render_table(CELLS)[0]


def read(cells, **fields):
    text = render_table(cells)[0]
    return extract_batch([ExtractionInput("t", "table", text, cells=cells, **fields)])[0]


def test_a_cell_is_stated_under_its_row_and_column():
    triples = {(triple.subject, triple.predicate, triple.object) for triple in read(CELLS).triples}
    assert triples == {("North Isle", "2021", "12"), ("North Isle", "2022", "14"), ("South Isle", "2021", "7")}


def test_a_triple_has_the_span_of_its_row():
    assert {TABLE[slice(*triple.span)] for triple in read(CELLS).triples} == {
        "North Isle | 12 | 14",
        "South Isle | 7 | n.a.",
    }


def test_names_below_the_header_are_mentions_with_spans():
    mentions = {mention.name: mention.spans for mention in read(CELLS).mentions}
    assert set(mentions) == {"North Isle", "South Isle"}
    assert all(TABLE[a:b] == name for name, spans in mentions.items() for a, b in spans)


def test_the_column_of_a_cell_tells_the_type_of_its_name():
    rows = ("Walmart", "Gardena"), ("Raley's", "Elk Grove"), ("Toyota Motor", "La Jolla"), ("Tra Vigne", "Chico")
    kinds = {mention.name: mention.kind for mention in read((("Company", "City"), *rows)).mentions}
    assert {kinds[city] for _, city in rows} == {"GPE"}
    assert {kinds[company] for company, _ in rows} == {"ORG"}


def test_columns_and_rows_that_their_labels_do_not_tell_apart_state_nothing():
    side_by_side = (
        ("State", "Stores", "State", "Stores"),
        ("Alabama", "11", "Nebraska", "5"),
        ("Alaska", "2", "Nevada", "9"),
    )
    assert read(side_by_side).triples == ()
    repeated = ("Training", "Model", "Score"), ("Single", "BM25", "59"), ("Single", "DPR", "78"), ("Multi", "DPR", "79")
    assert read(repeated).triples == ()
    two_totals = *((f"Isle {name}", str(number)) for number, name in enumerate("ABCDEFGH")), ("Sum", "9"), ("Sum", "8")
    stated = read((("Region", "2021"), *two_totals)).triples
    assert {triple.subject for triple in stated} == {f"Isle {name}" for name in "ABCDEFGH"}


def test_a_table_without_names_in_its_first_column_states_nothing():
    assert read((("a", "b"), ("1", "2"))).triples == ()


@pytest.mark.parametrize("cells", [(), (("",),), (("only",),), (("a", "b"), ("c",)), (("a", "b"), ())])
def test_a_table_of_one_column_or_with_rows_of_other_lengths_yields_no_triples(cells):
    assert read(cells).triples == ()


def test_a_bar_in_a_cell_belongs_to_the_triples_of_the_table():
    extraction = read((("Yard | dock", "Ships"), ("North | east", "12")))
    [triple] = extraction.triples
    assert triple.subject == "North | east"


def test_a_large_table_states_its_first_cells_only():
    body = tuple((f"name {n}x", str(n)) for n in range(MAX_TABLE_TRIPLES * 2))
    assert len(read((("Name", "Value"), *body)).triples) == MAX_TABLE_TRIPLES


@pytest.mark.parametrize(
    ("caption", "words"),
    [
        ("Table 2: Sales by region", "Sales by region"),
        ("Table A.1 Costs", "Costs"),
        ("Sales", "Sales"),
        ("Table 3", ""),
    ],
)
def test_a_caption_loses_its_number(caption, words):
    assert strip_caption_number(ExtractionInput("t", "table", "", caption=caption)) == words
