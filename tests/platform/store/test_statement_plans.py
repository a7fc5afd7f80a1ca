"""Plans of the statements: none reads all documents, evidence, entities or triples of the graph without need."""

import re

import pytest

from hopline.store.statements import get_statement
from hopline_cypher.loader import statement_names

# A stage or the removal takes these labels from a node when it is done: the nodes that have one are the remaining work.
WORK = {
    "Waiting", "Removed", "ToExtract", "ToEmbed", "Unread", "Unembedded", "Unrelated", "Unsettled", "Unlinked",
    "Unthemed", "UnembeddedTriple", "UnembeddedEntity", "Warned", "EmptyLists",
}  # fmt: skip
# Few nodes have these: a graph has one for each collection, .jsonl file, trained part, or decision about two entities.
FEW = {"Collection", "Corpus", "Learned", "Merged", "Refused", "MERGED_INTO"}
WHOLE_GRAPH = {
    "documents/outdated_documents": "compares the parser of every document, for `hopline status`",
    "documents/totals": "counts the failed documents of the graph, for `hopline status`",
    "ingest/queue_outdated_documents": "compares the parser of every document, for `hopline upgrade`",
    "ingest/queue_outdated_jsonl_files": "compares the parser of every document, for `hopline upgrade`",
    "migration/folded_words": "changes the searched text of every node, once in the life of a graph",
    "removal/orphan_evidence": "looks for evidence without a document, once at the start of a worker",
}


def list_operators(plan):
    yield plan
    for child in plan.get("children", ()):
        yield from list_operators(child)


def find_scans(store, name):
    """Find the operators that read all nodes, all nodes of a label or all edges of a type, and not only a few.

    Where a pattern names two labels, the plan scans those of one and filters them by the other. Which of them is rarer
    is not known in a small graph, so that a scan is allowed if its nodes must have a label of few nodes.
    """
    text = get_statement(name).text.replace("<embedding>", store.embedding)
    with store.driver.session(database=store.connection.database) as session:
        plan = session.run(f"EXPLAIN {text}").consume().plan
    operators = [
        (operator["operatorType"].partition("@")[0], operator["args"].get("Details", ""))
        for operator in list_operators(plan)
    ]
    filters = [details for kind, details in operators if kind == "Filter"]
    scans = [(kind, details) for kind, details in operators if kind.endswith("Scan")]
    return [f"{kind} {details}" for kind, details in scans if not is_limited(details, filters)]


def is_limited(scanned, filters):
    """Whether the nodes or edges of a scan, "d:Document&Waiting" or "(m)-[r:MERGED_INTO]->(t)", are only a few."""
    [(variable, labels)] = re.findall(r"(\w+):([\w&|!]+)", scanned) or [(scanned, "")]
    conditions = [condition for details in filters for condition in details.split(" AND ")]
    required = labels.split("&") + [
        condition.removeprefix(f"{variable}:") for condition in conditions if condition.startswith(f"{variable}:")
    ]
    return any(set(re.split(r"\|| OR \w+:", label)) <= WORK | FEW for label in required)


@pytest.mark.parametrize("name", [name for name in statement_names() if name not in WHOLE_GRAPH])
def test_a_statement_finds_its_nodes_by_an_index(store, name):
    assert find_scans(store, name) == []


@pytest.mark.parametrize("name", WHOLE_GRAPH)
def test_a_statement_that_may_read_the_whole_graph_does(store, name):
    assert find_scans(store, name) != []
