"""Writes that are repeated, as after a connection that was lost before the commit was confirmed."""

from typing import Any

EAST = [1.0, 0.0, 0.0, 0.0]


def list_edges(graph: Any) -> list[list[Any]]:
    """List the edges of all nodes of a collection with their properties."""
    edges = """MATCH (n {collection: $collection})-[r]-() WITH DISTINCT r
        RETURN startNode(r).id AS source, type(r) AS kind, endNode(r).id AS target, properties(r) AS properties
        ORDER BY source, kind, target"""
    with graph.store.driver.session(database=graph.store.connection.database) as session:
        return session.run(edges, collection=graph.collection).values()


def test_processing_a_document_twice_writes_every_edge_once(tiny: Any) -> None:
    graph = tiny()

    def process() -> None:
        graph.passage("a", "Ingrid Vale drew the bridge.", EAST)
        graph.passage("b", "It opened in 1931.", EAST)
        graph.table("t", "1", "Bridges of Ingrid Vale", EAST)
        graph.follow("a", "b")
        graph.entity("Ingrid Vale", "a", "t")
        graph.about("a", "Ingrid Vale")
        graph.triple("a", "Ingrid Vale", "drew", "Skarv Bridge", EAST)
        graph.similar("a", "b", 0.9)

    process()
    edges = list_edges(graph)
    kinds = {
        "HAS_DOCUMENT",
        "HAS_PAGE",
        "HAS_PASSAGE",
        "HAS_TABLE",
        "NEXT",
        "MENTIONS",
        "ABOUT",
        "STATES",
        "SUBJECT",
        "OBJECT",
        "SIMILAR",
    }
    assert {kind for _, kind, _, _ in edges} == kinds
    process()
    assert list_edges(graph) == edges
