import pytest

from hopline_cypher.loader import (
    MalformedStatement,
    NoSuchStatement,
    load_statement,
    parse_statement,
    statement_names,
)

STATEMENT = """// Returns: id, score — the best matches.
// $ids: ids of the seeds.
MATCH (p:Passage) WHERE p.id IN $ids AND p.text <> 'costs $5' // not a $parameter
RETURN p.id AS id, 1.0 AS score
"""


def test_the_header_declares_columns_and_parameters():
    statement = parse_statement("x/statement", STATEMENT)
    assert statement.returns == ("id", "score")
    assert statement.parameters == {"ids"}
    assert statement.description == "the best matches."


def test_rows_can_be_packed_in_one_record():
    statement = parse_statement(
        "x", "// Returns: rows of id, score — all.\nMATCH (n) RETURN collect([n.id, 1]) AS rows\n"
    )
    assert (statement.returns, statement.packed) == (("id", "score"), True)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("MATCH (n) RETURN n", r"x\.cypher:1: the first line"),
        ("// Returns: id\n// $k: number of rows.\nMATCH (n) RETURN n.id AS id", r"x\.cypher:2: \$k is declared"),
        ("// Returns: id\nMATCH (n)\nRETURN n.id AS id LIMIT $k", r"x\.cypher:3: \$k is used"),
        ("// Returns: nothing\nMATCH (n);\nMATCH (m)", r"x\.cypher:2: expected one statement"),
        ("// Returns: rows of id\nMATCH (n) RETURN n.id AS id", r"x\.cypher:1: 'Returns: rows of'"),
        ("// Returns: id\nMATCH (n) RETURN collect([n.id]) AS rows", r"x\.cypher:1: 'Returns: rows of'"),
        ("", r"x\.cypher:1"),
    ],
)
def test_an_invalid_header_is_rejected_with_the_line_number(source, message):
    with pytest.raises(MalformedStatement, match=message):
        parse_statement("x", source)


def test_an_unknown_name_lists_the_available_statements():
    with pytest.raises(NoSuchStatement, match="ingest/"):
        load_statement("ingest/nothing")


@pytest.mark.parametrize("name", statement_names())
def test_every_shipped_statement_loads(name):
    statement = load_statement(name)
    assert statement.text.startswith("// Returns:")
