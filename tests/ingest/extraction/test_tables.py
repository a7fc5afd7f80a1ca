import pytest

from hopline_ingest.extraction import ExtractionInput, extract_batch
from hopline_ingest.extraction.relations.tables import MAX_TABLE_TRIPLES, parse_markdown_rows, strip_caption_number

TABLE = """\
| Region | 2021 | 2022 |
|---|---:|---:|
| North Isle | 12 | 14 |
| South Isle | 7 | n.a. |
"""


def read(text, **fields):
    return extract_batch([ExtractionInput("t", "table", text, **fields)])[0]


def test_a_cell_is_stated_under_its_row_and_column():
    triples = {(triple.subject, triple.predicate, triple.object) for triple in read(TABLE).triples}
    assert triples == {("North Isle", "2021", "12"), ("North Isle", "2022", "14"), ("South Isle", "2021", "7")}


def test_a_triple_has_the_span_of_its_row():
    assert {TABLE[slice(*triple.span)] for triple in read(TABLE).triples} == {
        "North Isle | 12 | 14",
        "South Isle | 7 | n.a.",
    }


def test_names_in_the_first_column_and_the_header_are_mentions_with_spans():
    mentions = {mention.name: mention.spans for mention in read(TABLE).mentions}
    assert set(mentions) == {"Region", "North Isle", "South Isle"}
    assert all(TABLE[a:b] == name for name, spans in mentions.items() for a, b in spans)


def test_a_table_without_names_in_its_first_column_states_nothing():
    assert read("| a | b |\n|---|---|\n| 1 | 2 |\n").triples == ()


@pytest.mark.parametrize("text", ["", "|", "no table", "| only |\n", "| a | b |\n|---|---|\n| c |\n", "\\|"])
def test_text_that_is_not_a_table_yields_no_triples(text):
    assert read(text).triples == ()


def test_an_escaped_bar_belongs_to_its_cell():
    assert parse_markdown_rows("| a \\| b | c |\n")[0][0][0] == "a \\| b"


def test_a_large_table_states_its_first_cells_only():
    body = "".join(f"| name {n}x | {n} |\n" for n in range(MAX_TABLE_TRIPLES * 2))
    assert len(read("| Name | Value |\n|---|---|\n" + body).triples) == MAX_TABLE_TRIPLES


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
