"""What the page reads of a collection with many documents: one page of the list, and one document by its id."""

from dataclasses import replace

import pytest

from hopline.documents.progress import Progress
from hopline.graph_explorer import Neighbourhood, NodeDetails
from hopline.results import Node
from hopline.testing import make_document


@pytest.fixture
def documents(hop):
    reports = [make_document("nordvik", f"report {number:04}.pdf", tables=number) for number in range(1000)]
    reports[400] = replace(reports[400], state="failed")
    hop.state.documents["nordvik"] = reports
    return reports


def list_limits(hop):
    """Return how many documents each call of the list may return; None: all."""
    return [call.get("limit") for call in hop.state.calls_of("documents.list")]


def test_the_list_reads_one_page_of_documents_while_they_are_processed(open_page, hop, documents, page_text):
    hop.state.progress = Progress(documents=1000, documents_done=4)
    page = open_page("documents")
    assert page.subheader[0].value == "1,000 documents"
    assert page.button(key="retry").label == "Retry 1 failed document"
    page = page.text_input(key="find document").set_value("REPORT 07").run()
    assert page_text(page).count('<div class="document">') == 25
    assert "report 0700.pdf" in page_text(page)
    assert set(list_limits(hop)) == {25}


def test_the_details_of_a_document_node_read_one_document(open_page, hop, documents, page_text):
    node = Node(documents[7].id, "document", documents[7].name)
    hop.state.details = lambda _: NodeDetails(node)
    hop.state.neighbourhood = lambda _: Neighbourhood((node,))
    assert "7 tables" in page_text(open_page("explore", node=node.id))
    assert list_limits(hop) == []
