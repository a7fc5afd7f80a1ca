"""Corrected passages after the worker has read them again: answers, new versions of a document, undo."""

from __future__ import annotations

import time

import pytest
from canonical import canonical_graph, differences

from hopline.documents.file_store import PARSER_VERSION
from hopline.store.graph import Store

PIER = "The Petrel pier was built in 1901 by Hedda Lnun. It is made of stone."
SHIP = "The ferry Tern sails from Halm to Orre.\n\nHarbour dues are 40 crowns."
QUESTION = "Who built the Petrel pier?"


def wait(hop, store: Store, seconds: float = 240.0) -> None:
    """Wait until the worker has nothing to do."""
    deadline = time.monotonic() + seconds
    while store.read("documents/has_work", {"embedder": "minilm"})["has_work"][0]:
        assert time.monotonic() < deadline
        time.sleep(0.2)


def add(hop, store, tmp_path, collection, name, text):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    batch = hop.add(path, collection).wait(timeout=240)
    assert batch.failures == ()
    wait(hop, store)


def find_passage(hop, collection, word):
    [passage] = [
        item for item in hop.retrieve(word, collection=collection, strategy="bm25").evidence if word in item.text
    ]
    return passage


@pytest.fixture
def collection(request, hop, store, tmp_path):
    name = request.node.name
    add(hop, store, tmp_path, name, "pier.md", f"# Piers\n\n{PIER}\n\n# Ships\n\n{SHIP}\n")
    return name


def parse_again(hop, store, collection):
    """Parse the documents of a collection again, as after an upgrade of the parser."""
    query = "MATCH (d:Document)<-[:HAS_DOCUMENT]-(:Collection {name: $name}) SET d.version = replace(d.version, $now, 'old')"
    store.driver.execute_query(query, name=collection, now=PARSER_VERSION, database_=store.connection.database)
    assert hop.upgrade() >= 1
    wait(hop, store)


def test_answers_quote_the_corrected_text_until_it_is_undone(hop, store, collection):
    assert hop.ask(QUESTION, collection=collection).short == "Hedda Lnun"
    before = canonical_graph(store, collection)
    passage = find_passage(hop, collection, "Petrel")
    corrected = hop.corrections.correct_passage(passage.id, passage.text.replace("Lnun", "Lunn"), author="Ada")
    wait(hop, store)
    answer = hop.ask(QUESTION, collection=collection)
    assert answer.short == "Hedda Lunn"
    [citation, *_] = answer.sentences[0].citations
    assert citation.evidence.text[citation.start : citation.end] == citation.quote
    assert "Lunn" in citation.quote
    assert citation.evidence.correction == corrected
    names = {match.node.name for match in hop.graph.find("Hedda", collection=collection, kinds=["entity"])}
    assert names == {"Hedda Lunn"}

    parse_again(hop, store, collection)
    assert hop.ask(QUESTION, collection=collection).short == "Hedda Lunn"
    [listed] = hop.corrections.list(collection)
    assert listed == corrected

    hop.corrections.undo(corrected.id)
    wait(hop, store)
    assert differences(before, canonical_graph(store, collection)) == {}
    assert hop.ask(QUESTION, collection=collection).short == "Hedda Lnun"


def test_a_new_version_of_a_document_keeps_the_correction_of_a_similar_text(hop, store, tmp_path, collection):
    passage = find_passage(hop, collection, "Petrel")
    hop.corrections.correct_passage(passage.id, passage.text.replace("Lnun", "Lunn"))
    dues = find_passage(hop, collection, "crowns")
    hop.corrections.correct_passage(dues.id, dues.text.replace("40", "60"))
    longer = PIER.replace("stone.", "stone. Its light is red.")
    add(hop, store, tmp_path, collection, "pier.md", f"# Piers\n\n{longer}\n\n# Ships\n\nNothing sails in winter.\n")
    assert find_passage(hop, collection, "Petrel").text == longer.replace("Lnun", "Lunn")
    assert hop.ask(QUESTION, collection=collection).short == "Hedda Lunn"
    assert sorted((item.applies, "crowns" in item.corrected) for item in hop.corrections.list(collection)) == [
        (False, True),
        (True, False),
    ]
    [lost] = [item for item in hop.corrections.list(collection) if not item.applies]
    add(hop, store, tmp_path, collection, "pier.md", f"# Piers\n\n{PIER}\n\n# Ships\n\n{SHIP}\n")
    assert "60 crowns" in find_passage(hop, collection, "crowns").text, "it applies again"
    hop.corrections.undo(lost.id)
    assert "40 crowns" in find_passage(hop, collection, "crowns").text


def test_the_rows_of_a_jsonl_file_keep_their_corrections(hop, store, tmp_path, request):
    collection = request.node.name
    add(hop, store, tmp_path, collection, "rows.jsonl", '{"id": "1", "title": "Pier", "text": "' + PIER + '"}\n')
    passage = find_passage(hop, collection, "Petrel")
    hop.corrections.correct_passage(passage.id, passage.text.replace("Lnun", "Lunn"))
    parse_again(hop, store, collection)
    assert "Hedda Lunn" in find_passage(hop, collection, "Petrel").text
    [listed] = hop.corrections.list(collection)
    assert listed.applies


def test_answers_are_read_from_the_corrected_cells_until_they_are_undone(hop, store, tmp_path, request):
    collection = request.node.name
    text = "# Ports\n\nTable 1: Output of the ports in tonnes\n\n| Port | Output |\n|---|---|\n| Halm | 120 |\n| Orre | 75 |\n"
    add(hop, store, tmp_path, collection, "ports.md", text)
    question = "What is the output of Halm?"
    assert hop.ask(question, collection=collection).short == "120"
    before = canonical_graph(store, collection)
    table = find_passage(hop, collection, "Halm")
    cells = [[cell.replace("120", "150") for cell in row] for row in table.cells]
    corrected = hop.corrections.correct_table(table.id, cells=cells, author="Ada")
    wait(hop, store)
    answer = hop.ask(question, collection=collection)
    assert answer.short == "150"
    [citation, *_] = answer.sentences[0].citations
    assert citation.evidence.text[citation.start : citation.end] == citation.quote
    assert citation.evidence.correction == corrected
    parse_again(hop, store, collection)
    assert hop.corrections.list(collection) == (corrected,)
    assert hop.ask(question, collection=collection).short == "150"
    hop.corrections.undo(corrected.id)
    wait(hop, store)
    assert differences(before, canonical_graph(store, collection)) == {}
    assert hop.ask(question, collection=collection).short == "120"


def test_a_corrected_entity_stays_when_its_document_is_parsed_and_extracted_again(hop, store, collection):
    wait(hop, store)
    before = canonical_graph(store, collection)
    [match] = hop.graph.find("Hedda Lnun", collection=collection, kinds=["entity"])
    corrected = hop.corrections.correct_entity(match.node.id, name="Hedda Lunn", author="Ada")
    passage = find_passage(hop, collection, "Petrel")
    changed = hop.corrections.correct_passage(passage.id, f"{passage.text} It leaks.")
    parse_again(hop, store, collection)
    assert hop.graph.get_node(match.node.id).node.name == "Hedda Lunn"
    assert [item.node.id for item in hop.graph.find("Lunn", collection=collection, kinds=["entity"])] == [match.node.id]
    for correction in (changed, corrected):
        hop.corrections.undo(correction.id)
    wait(hop, store)
    assert differences(before, canonical_graph(store, collection)) == {}


def list_statements(hop, collection):
    """Return the triples of the passage about the Petrel pier."""
    return hop.graph.get_node(find_passage(hop, collection, "Petrel").id).triples


def test_a_wrong_statement_stays_left_out_when_its_document_is_parsed_again(hop, store, collection):
    before = canonical_graph(store, collection)
    [triple, *others] = list_statements(hop, collection)
    rejected = hop.corrections.reject_triple(triple.id, author="Ada")
    wait(hop, store)
    assert list_statements(hop, collection) == tuple(others)
    parse_again(hop, store, collection)
    assert hop.documents.extract_again(collection) > 0
    wait(hop, store)
    assert list_statements(hop, collection) == tuple(others)
    assert hop.corrections.list(collection) == (rejected,)
    hop.corrections.undo(rejected.id)
    assert triple in list_statements(hop, collection), "at once, without the worker"
    wait(hop, store)
    assert differences(before, canonical_graph(store, collection)) == {}
