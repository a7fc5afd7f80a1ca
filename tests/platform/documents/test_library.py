"""Listing and counting documents, and one document by its id."""

import pytest

from hopline import Hopline
from hopline.errors import UnknownName
from hopline.ids import document_id


@pytest.fixture
def hop(graph_settings):
    """A client of the server of hand-made graphs, where no worker runs."""
    with Hopline.open(home=graph_settings.home, worker=False) as opened:
        yield opened


@pytest.fixture
def graph(tiny):
    """A collection with three documents, one of which failed."""
    graph = tiny()
    for number, name in enumerate(("b.pdf", "A.pdf", "c.pdf")):
        graph.passage(f"p{number}", f"Passage {number}", (1, 0, 0, 0), document=name)
    row = {
        "id": document_id(graph.collection, "broken.pdf"),
        "name": "broken.pdf",
        "sha256": "",
        "version": "",
        "reason": "no such type",
    }
    target = {"collection": graph.collection, "name": graph.name, "extraction_model": ""}
    graph.store.write(("ingest/add_documents", {**target, "documents": [row]}))
    return graph


def test_documents_are_counted_by_state(hop, graph):
    counts = hop.documents.count(graph.name)
    assert (counts.total, counts.ready, counts.failed) == (4, 3, 1)
    assert hop.documents.count(graph.name, text="B").total == 2
    with pytest.raises(UnknownName):
        hop.documents.count("no such collection")


def test_a_part_of_the_list_is_read(hop, graph):
    assert [document.name for document in hop.documents.list(graph.name, start=1, limit=2)] == ["b.pdf", "broken.pdf"]
    assert [document.name for document in hop.documents.list(graph.name, text="B")] == ["b.pdf", "broken.pdf"]
    assert list(hop.documents.list(graph.name, start=4)) == []


def test_one_document_is_found_by_its_id(hop, graph):
    for document in hop.documents.list(graph.name):
        assert hop.documents.get(document.id) == document
    with pytest.raises(UnknownName, match="no document called 'nothing'"):
        hop.documents.get("nothing")
