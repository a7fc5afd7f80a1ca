"""Queries of users on a graph of three passages."""

import json
import math
import re
from pathlib import Path

import pytest

from hopline.errors import ResourceError, UsageError
from hopline.graph_explorer import GraphExplorer
from hopline.store.collection_catalog import CollectionCatalog
from hopline.store.plain_values import to_plain_value
from hopline.store.query_check import check_query_plan, check_query_text


@pytest.fixture(scope="module")
def graph(tiny):
    graph = tiny()
    graph.passage("a", "Tidewell runs the plant.", [1, 0, 0, 0])
    graph.passage("b", "Tidewell was founded by Maud Kerrigan.", [0, 1, 0, 0])
    graph.passage("c", "It rained.", [0, 0, 1, 0])
    graph.entity("Tidewell", "a", "b")
    return graph


@pytest.fixture(scope="module")
def cypher(graph):
    explorer = GraphExplorer(graph.store, CollectionCatalog(graph.store))

    def run(query, parameters=None, **options):
        return explorer.cypher(query, {"collection": graph.collection, **(parameters or {})}, **options)

    return run


def test_rows_are_dictionaries_by_column(graph, cypher):
    result = cypher("MATCH (p:Passage {collection: $collection}) RETURN p.text AS text, p.ordinal AS n ORDER BY text")
    assert result.columns == ("text", "n")
    assert [row["text"] for row in result] == [
        "It rained.", "Tidewell runs the plant.", "Tidewell was founded by Maud Kerrigan.",
    ]  # fmt: skip
    assert not result.truncated


def test_nodes_relationships_and_paths_are_json_without_vectors(graph, cypher):
    query = "MATCH path = (p:Passage {id: $id})-[m:MENTIONS]->(e) RETURN p, m, path, p {.*} AS map, p[$v] AS vector"
    parameters = {"id": graph.id("a"), "v": graph.store.embedding}
    [row] = json.loads(json.dumps(cypher(query, parameters).rows))
    assert row["p"]["labels"] == ["Evidence", "Passage"]
    assert row["p"]["properties"]["text"] == row["map"]["text"] == "Tidewell runs the plant."
    assert row["m"]["type"] == "MENTIONS"
    assert [node["element_id"] for node in row["path"]["nodes"]] == [row["m"]["start"], row["m"]["end"]]
    assert row["vector"] == [1, 0, 0, 0]  # it was asked for by name
    assert not {"vector_toy"} & (row["p"]["properties"].keys() | row["map"].keys())
    [row] = cypher(query, parameters, vectors=True)
    assert row["p"]["properties"]["vector_toy"] == row["map"]["vector_toy"] == [1, 0, 0, 0]


def test_values_that_json_lacks_are_text(cypher):
    [row] = cypher(
        "RETURN date('2024-03-01') AS day, duration('P1DT2H') AS time, 0.0 / 0.0 AS nan, point({x: 1, y: 2}) AS p"
    )
    assert row == {"day": "2024-03-01", "time": "P1DT2H", "nan": "nan", "p": {"srid": 7203, "coordinates": [1.0, 2.0]}}
    assert to_plain_value([b"\x00\xff", (1, math.inf)]) == ["AP8=", [1, "inf"]]


def test_the_number_of_rows_is_limited(cypher):
    result = cypher("UNWIND range(1, 5) AS n RETURN n", limit=3)
    assert [row["n"] for row in result] == [1, 2, 3]
    assert result.truncated
    assert not cypher("UNWIND range(1, 3) AS n RETURN n", limit=3).truncated


def test_the_time_is_limited(cypher):
    with pytest.raises(ResourceError, match=r"longer than 0\.5 s"):
        cypher("UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN sum(a * b % 7) AS n", timeout=0.5)


@pytest.mark.parametrize(
    "query",
    [
        "CREATE (n:Entity {id: 'x'}) RETURN n",
        "MATCH (n:Passage) SET n.text = '' RETURN n",
        "MATCH (n) DETACH DELETE n",
        "MERGE (n:Entity {id: 'x'}) RETURN n.id",
        "MATCH (n:Passage) FOREACH (x IN [1] | SET n.text = '')",
        "CALL () { CREATE (n:Entity {id: 'x'}) } RETURN 1",
        "UNWIND [1] AS x CALL (x) { CREATE (n:A) } IN TRANSACTIONS RETURN x",
        "CREATE INDEX other FOR (n:A) ON (n.b)",
        "DROP INDEX entity_text",
        "CALL db.createLabel('Other')",
        "CALL db.labels() YIELD label CALL db.createProperty(label) RETURN label",
        "CALL db.awaitIndexes(1)",
        "CALL dbms.listConfig('')",
        "MATCH (n) WHERE EXISTS { CALL db.awaitIndexes(1) RETURN 1 AS x } RETURN n",
        "RETURN [x IN [1] | EXISTS { CALL db.awaitIndexes(1) RETURN 1 AS y }] AS z",
        "RETURN [x IN [1] | EXISTS { CALL /* a */ db . `awaitIndexes`(1) RETURN 1 AS y }] AS z",
        "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line",
        "RETURN COUNT { load /* a */ csv FROM 'file:///etc/passwd' AS line RETURN line } AS n",
        "RETURN apoc.load.json('file:///etc/passwd') AS value",
        "RETURN `apoc`.`load`.`json`('file:///etc/passwd') AS value",
        "C\\u0041LL db.awaitIndexes(1)",
        "SHOW SETTINGS",
        "SHOW TRANSACTIONS",
        "SHOW USERS",
        "TERMINATE TRANSACTIONS 'neo4j-transaction-1'",
        "EXPLAIN MATCH (n) RETURN n",
        "CYPHER planner=cost PROFILE MATCH (n) RETURN n",
        "RETURN 1; MATCH (n) DETACH DELETE n",
        "",
        "  ",
    ],
)  # fmt: skip
def test_a_query_that_does_not_only_read_is_refused_and_changes_nothing(graph, cypher, query):
    before = [list(row.values()) for row in cypher("MATCH (n) RETURN count(n) AS nodes, count(n.text) AS texts")]
    with pytest.raises(UsageError):
        cypher(query)
    assert [
        list(row.values()) for row in cypher("MATCH (n) RETURN count(n) AS nodes, count(n.text) AS texts")
    ] == before


@pytest.mark.parametrize(
    "query",
    [
        "RETURN [x IN [1] | EXISTS { CALL db.awaitIndexes(1) RETURN 1 AS y }] AS z",  # not in its plan
        "RETURN [x IN [1] | COUNT { LOAD CSV FROM 'x' AS line RETURN line }] AS z",
    ],
)
def test_what_a_plan_does_not_show_is_refused_by_the_text(query):
    with pytest.raises(UsageError, match="refused"):
        check_query_text(query)


def test_what_a_text_does_not_show_is_refused_by_the_plan():
    read = {"operatorType": "ProduceResults@neo4j", "children": []}
    check_query_plan("r", read)
    call = {"operatorType": "ProcedureCall@neo4j", "args": {"Details": "apoc.load.json($a) :: (value :: MAP)"}}
    for kind, plan in [("rw", read), ("w", read), ("s", read), (None, read), ("r", None),
                       ("r", {**read, "children": [call]}), ("r", {"operatorType": "LoadCSV@neo4j"})]:  # fmt: skip
        with pytest.raises(UsageError, match="refused"):
            check_query_plan(kind, plan)


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (n:Passage {collection: $collection}) RETURN count(n) AS passages // CALL apoc.do.it()",
        "RETURN 'LOAD CSV; CALL apoc.load.json()' AS text",
        "MATCH (load:Passage) RETURN load.call AS `apoc.do(`",
        "CALL db.labels() YIELD label RETURN label",
        "MATCH (n) CALL (n) { RETURN 1 AS x } RETURN x LIMIT 1",
        "CALL db.index.fulltext.queryNodes('entity_text', 'tidewell') YIELD node RETURN node.name AS name",
        "RETURN point.distance(point({x: 0, y: 0}), point({x: 3, y: 4})) AS d, date.truncate('year', date('2024-05-01')) AS y",
        "RETURN vector.similarity.cosine([1.0, 0.0], [1.0, 0.0]) AS s",
        "SHOW INDEXES",
        "CYPHER runtime=slotted MATCH (n) RETURN count(n) AS n",
    ],
)
def test_a_query_that_reads_is_run(cypher, query):
    assert cypher(query).columns


@pytest.mark.parametrize(
    ("query", "options", "message"),
    [
        ("RETURN n", {}, "Variable `n` not defined"),
        ("MATCH (n:Passage {id: $id}) RETURN n", {}, "id"),
        ("RETURN $x AS x", {"parameters": {"x": object()}}, "JSON"),
        ("RETURN 1 AS n", {"limit": 0}, "limit"),
        ("RETURN 1 AS n", {"timeout": 0}, "timeout"),
    ],
)
def test_an_error_says_what_is_wrong(cypher, query, options, message):
    with pytest.raises(UsageError, match=message):
        cypher(query, **options)


def test_the_example_queries_of_the_documentation_return_rows(tiny):
    page = Path(__file__).parents[3] / "docs" / "concepts" / "graph-schema.md"
    queries = re.findall(r"^```cypher\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(queries) == 10
    graph = tiny()
    graph.passage("a", "Tidewell was founded by Maud Kerrigan.", [1, 0, 0, 0])
    graph.passage("b", "Maud Kerrigan lives in Orre.", [0, 1, 0, 0])
    graph.passage("c", "Tidewell has a plant.", [0, 0, 1, 0], "two.pdf")
    graph.table("t", "1", "Plants | 3", [0, 0, 0, 1], "two.pdf")
    graph.entity("Tidewell", "a", "c")
    graph.entity("Maud Kerrigan", "a", "b")
    graph.about("b", "Maud Kerrigan")
    graph.triple("a", "Maud Kerrigan", "founded", "Tidewell", [1, 0, 0, 0])
    graph.similar("a", "b", 0.75)
    graph.follow("a", "b")
    explorer = GraphExplorer(graph.store, CollectionCatalog(graph.store))
    rows = [explorer.cypher(query, {"collection": graph.collection}).rows for query in queries]
    assert [len(each) > 0 for each in rows] == [True] * 10
    assert {"entity": "Tidewell", "kind": "PERSON", "documents": 2} in rows[3]
    assert rows[-1] == ({"nodes": ["Maud Kerrigan", "Maud Kerrigan founded Tidewell", "Tidewell"], "length": 2},)
