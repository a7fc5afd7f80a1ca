"""Other forms of an exported folder, read by the programs or by the rules that they are for."""

import csv
import io
import json
import re
from typing import Any

import networkx as nx
import pyarrow.parquet
import pytest
import rdflib

from hopline.errors import UsageError
from hopline.exchange import neo4j_csv
from hopline.exchange.forms import check_form, convert_folder
from hopline.exchange.layout import NODE_KINDS, RELATIONSHIP_KINDS, get_node_path, get_relationship_path
from hopline.exchange.neo4j_csv import LIST_DELIMITER
from hopline.exchange.turtle import PREDICATES
from hopline.exchange.vector_files import VectorWriter

TEXT = 'A "quoted", <tagged> & back\\slashed text;\r\nsecond\tline ✓ 😀'
NODES: dict[str, Any] = {
    "collection": [{"id": "c", "name": "loans"}],
    "documents": [{"id": "d", "name": "a.pdf", "pages": 2, "warnings": [], "title": ""}],
    "pages": [{"id": "g", "document": "d", "number": 1, "width": 595.0}],
    "passages": [
        {"id": "p 1/ü", "text": TEXT, "pages": [1, 2], "boxes": [1.0, 0.5], "section": ["1; Fees", 'a "b"'], "search": "x"},
        {"id": "p2", "text": "", "pages": [], "labels": ["Warned"], "search": "y"},
    ],
    "tables": [{"id": "t", "number": "1a", "text": "x\x1fy", "search": "z"}],
    "entities": [{"id": "e", "name": "Ada", "named": True}],
    "corrections": [{"id": "k", "kind": "passage", "text": "y"}],
    "triples": [{"id": "s", "subject": "Ada", "evidence": "p2"}],
}  # fmt: skip
RELATIONSHIPS: dict[str, Any] = {
    "MENTIONS": [
        {"source": "p 1/ü", "target": "e", "properties": {"count": 2, "spans": [0, 3], "name": "Ada"}},
        {"source": "p 1/ü", "target": "e"},
    ],
    "CORRECTS": [{"source": "k", "target": "p2"}],
    "SUBJECT": [{"source": "s", "target": "e"}],
    "SIMILAR": [{"source": "p 1/ü", "target": "p2", "properties": {"score": 0.25}}],
}


@pytest.fixture
def convert(tmp_path):
    """Converts the folder of the rows above to a form; returns the folder of the result."""
    source, target = tmp_path / "rows", tmp_path / "target"
    (source / "relationships").mkdir(parents=True)
    (source / "vectors").mkdir()
    target.mkdir()
    for kind in NODE_KINDS:
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in NODES.get(kind.file, []))
        (source / get_node_path(kind)).write_text(lines, encoding="utf-8")
    for relationship in RELATIONSHIP_KINDS:
        lines = "".join(json.dumps(row) + "\n" for row in RELATIONSHIPS.get(relationship.type, []))
        (source / get_relationship_path(relationship)).write_text(lines, encoding="utf-8")
    with VectorWriter(source / "vectors" / "passages.vector_toy") as writer:
        writer.write("p2", [0.5, -1.0])

    def run(form):
        convert_folder(form, source, target)
        return target

    return run


def test_every_kind_of_node_and_type_of_relationship_has_a_name_in_each_form():
    assert neo4j_csv._ID_SPACES.keys() == set(NODE_KINDS)
    types = {kind.type for kind in RELATIONSHIP_KINDS}
    assert neo4j_csv._ENDS.keys() == types
    assert PREDICATES.keys() == types


def test_networkx_reads_the_graphml(convert):
    graph = nx.read_graphml(convert("graphml") / "graph.graphml")
    assert graph.is_directed()
    assert graph.number_of_nodes() == 9
    passage = graph.nodes["p 1/ü"]
    assert passage == {
        "kind": "Passage", "text": TEXT, "pages": "[1, 2]", "boxes": "[1.0, 0.5]", "section": '["1; Fees", "a \\"b\\""]',
    }  # fmt: skip
    assert (graph.nodes["g"]["number"], graph.nodes["t"]["number"]) == (1, "1a")
    assert (graph.nodes["g"]["width"], graph.nodes["e"]["named"]) == (595.0, True)
    assert graph.nodes["t"]["text"] == "x\ufffdy"  # XML has no U+001F
    edges = [data for _, _, data in graph.edges("p 1/ü", data=True)]
    assert {"type": "MENTIONS", "count": 2, "spans": "[0, 3]", "name": "Ada"} in edges
    assert {"type": "SIMILAR", "score": 0.25} in edges
    assert len(edges) == 3
    assert [path.name for path in convert("graphml").iterdir()] == ["graph.graphml"]


def test_csv_files_have_the_columns_that_their_headers_declare(convert):
    folder = convert("csv")

    def read(name):
        [header] = csv.reader(io.StringIO((folder / f"{name}-header.csv").read_text("utf-8")))
        with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            return header, list(csv.reader(file))

    header, rows = read("passages")
    assert header == [
        "id:ID(Evidence)", "boxes:double[]", "pages:long[]", "search:string", "section:string[]", "text:string",
        "vector_toy:float[]", ":LABEL",
    ]  # fmt: skip
    assert rows[0] == [
        "p 1/ü", f"1.0{LIST_DELIMITER}0.5", f"1{LIST_DELIMITER}2", "x", f'1; Fees{LIST_DELIMITER}a "b"', TEXT, "",
        f"Evidence{LIST_DELIMITER}Passage",
    ]  # fmt: skip
    assert rows[1][-2:] == [f"0.5{LIST_DELIMITER}-1.0", LIST_DELIMITER.join(("Evidence", "Passage", "Warned"))]
    assert (
        (folder / "passages.csv").read_text("utf-8").splitlines()[-1].startswith('"p2",,"","y",,"",')
    )  # none and empty
    assert read("entities")[1] == [["e", "Ada", "true", "Entity"]]
    header, rows = read("MENTIONS")
    assert header == [":START_ID(Evidence)", ":END_ID(Entity)", "count:long", "name:string", "spans:long[]"]
    assert rows == [["p 1/ü", "e", "2", "Ada", f"0{LIST_DELIMITER}3"], ["p 1/ü", "e", "", "", ""]]
    arguments = (folder / "arguments.txt").read_text().split()
    assert "--nodes=passages-header.csv,passages.csv" in arguments
    assert "--relationships=MENTIONS=MENTIONS-header.csv,MENTIONS.csv" in arguments
    named = {name for argument in arguments if ".csv" in argument for name in argument.split("=")[-1].split(",")}
    assert named == {path.name for path in folder.glob("*.csv")}


# The grammar of Turtle, as far as the file uses it: https://www.w3.org/TR/turtle/#sec-grammar
IRI = r"<urn:hopline:[A-Za-z0-9._~%-]+>"
STRING = r'"(?:[^"\\\n\r]|\\[tbnrf"\'\\]|\\u[0-9A-Fa-f]{4})*"'
LITERAL = rf"(?:{STRING}(?:\^\^xsd:double)?|-?\d+|true|false)"
OBJECT = rf"(?:{LITERAL}|{IRI}|\(\)|\( {LITERAL}(?: {LITERAL})* \))"
STATEMENT = re.compile(rf"({IRI}) (?:a|h:\w+) (?:h:\w+|{OBJECT})(?: ;\n  h:\w+ {OBJECT})* \.\n")


def test_the_turtle_file_follows_the_grammar(convert):
    text = (convert("turtle") / "graph.ttl").read_text("utf-8")
    prefixes, body = text.split("\n\n", 1)
    assert prefixes.splitlines() == [
        "@prefix h: <urn:hopline:vocabulary:> .", "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .",
    ]  # fmt: skip
    statements = list(STATEMENT.finditer(body))
    assert "".join(match[0] for match in statements) == body
    assert len(statements) == 9 + 5
    assert "<urn:hopline:p%201%2F%C3%BC> h:mentions <urn:hopline:e> ." in body
    assert 'h:section ( "1; Fees" "a \\"b\\"" )' in body
    assert 'h:text "x\\u001Fy"' in body


def test_rdflib_reads_the_turtle_file(convert):
    graph = rdflib.Graph().parse(convert("turtle") / "graph.ttl", format="turtle")
    node, name = rdflib.URIRef("urn:hopline:p%201%2F%C3%BC"), rdflib.Namespace("urn:hopline:vocabulary:")
    assert str(graph.value(node, name.text)) == TEXT
    assert (node, name.mentions, rdflib.URIRef("urn:hopline:e")) in graph
    sections = graph.items(graph.value(node, name.section))  # type: ignore[arg-type]
    assert list(map(str, sections)) == ["1; Fees", 'a "b"']


def test_parquet_files_have_the_rows_with_their_types(convert):
    folder = convert("parquet")
    rows = pyarrow.parquet.read_table(folder / "passages.parquet").to_pylist()
    assert rows[0]["text"] == TEXT
    assert rows[0]["section"] == ["1; Fees", 'a "b"']
    assert (rows[1]["pages"], rows[1]["labels"], rows[1]["vector_toy"]) == ([], ["Warned"], [0.5, -1.0])
    assert rows[1]["boxes"] is None
    [row] = pyarrow.parquet.read_table(folder / "relationships" / "SIMILAR.parquet").to_pylist()
    assert row == {"source": "p 1/ü", "target": "p2", "score": 0.25}


def test_a_form_that_does_not_exist_or_lacks_its_package_is_an_error(monkeypatch):
    with pytest.raises(UsageError, match="available: jsonl"):
        check_form("xml")
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    with pytest.raises(UsageError, match=r"hopline\[export\]"):
        check_form("parquet")
