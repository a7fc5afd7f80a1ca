"""Corrections of passages in a small graph: stored, applied, listed and undone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hopline.corrections.service import MAX_TEXT, CorrectionService
from hopline.entities.resolution import EntityResolution
from hopline.errors import UnknownName, UsageError
from hopline.exchange.folder_export import ExportOptions, OpenHome, create_folder, export_folder
from hopline.exchange.folder_import import import_folder
from hopline.exchange.folder_reader import ExportedFolder
from hopline.flow.requests import search
from hopline.flow.run import run
from hopline.flow.services import Scope, Services
from hopline.graph_explorer import GraphExplorer
from hopline.ids import collection_id, document_id, entity_id, triple_id
from hopline.retrieval.evidence_retrieval import parse_evidence
from hopline.store.collection_catalog import CollectionCatalog
from hopline.store.entity_update import update_entities
from hopline.store.removal import remove_collection, remove_documents
from hopline.tables.grid import join_cells, render_table
from hopline.tables.structure import infer_structure

READ = "The pier was built in 19l1 by Hedda Lunn."
RIGHT = "The pier was built in 1911 by Hedda Lunn."


@pytest.fixture
def graph(tiny):
    graph = tiny()
    graph.passage("a", READ, [1, 0, 0, 0])
    graph.passage("b", "It rained.", [0, 1, 0, 0], "two.pdf")
    graph.table("t", "1", "Piers | 3", [0, 0, 0, 1], "two.pdf")
    graph.entity("Hedda Lunn", "a")
    graph.triple("a", "Hedda Lunn", "built", "pier", [0, 1, 0, 0])
    graph.write_pending()
    return graph


@pytest.fixture
def worker_starts():
    """The calls that start the worker."""
    return []


@pytest.fixture
def corrections(graph, worker_starts):
    return CorrectionService(graph.store, CollectionCatalog(graph.store), lambda: worker_starts.append(True))


def read_evidence(graph, key):
    [evidence] = parse_evidence(graph.store.read("retrieval/evidence", {"ids": [graph.id(key)], "documents": []}))
    return evidence


def read_node(graph: Any, id: str) -> dict[str, Any]:
    """Return the labels and properties of evidence, without vectors."""
    query = "MATCH (n:Evidence {id: $id}) RETURN labels(n) AS labels, properties(n) AS properties"
    [row] = graph.store.driver.execute_query(query, id=id, database_=graph.store.connection.database).records
    properties = {name: value for name, value in row["properties"].items() if not name.startswith("vector_")}
    return {"labels": sorted(row["labels"]), **properties}


def find(graph, words):
    services = Services(graph.store, graph.embedder)
    hits = run(search_flow(words), services, Scope(graph.collection)).result
    return graph.keys(hits.ids)


def search_flow(words):
    return (yield search(words, 5, by="text"))


def test_a_corrected_passage_is_searched_and_cited_at_once_and_waits_for_the_worker(graph, corrections, worker_starts):
    corrected = corrections.correct_passage(graph.id("a"), f"  {RIGHT}\n", author="Ada Lovelace")
    assert worker_starts
    assert find(graph, "1911") == ["a"]
    assert find(graph, "19l1") == []
    evidence = read_evidence(graph, "a")
    assert evidence.text == RIGHT
    assert evidence.text[slice(*evidence.sentences[0])] == RIGHT
    assert evidence.correction == corrected
    assert (corrected.original, corrected.corrected, corrected.author) == (READ, RIGHT, "Ada Lovelace")
    assert (corrected.document, corrected.pages, corrected.applies) == ("one.pdf", (1,), True)
    assert {"Unread", "Unembedded"} <= {*read_node(graph, graph.id("a"))["labels"]}
    details = GraphExplorer(graph.store, CollectionCatalog(graph.store)).get_node(graph.id("a"))
    assert details.triples == (), "its triples have spans of the earlier text"
    assert read_evidence(graph, "b").correction is None


def test_undo_restores_every_property(graph, corrections):
    before = read_node(graph, graph.id("a"))
    corrections.correct_passage(graph.id("a"), RIGHT)
    last = corrections.correct_passage(graph.id("a"), f"{RIGHT} It leaks.")
    assert read_node(graph, graph.id("a")) != before
    corrections.undo(last.id)
    after = read_node(graph, graph.id("a"))
    assert after.pop("labels") == sorted([*before.pop("labels"), "Unembedded", "Unread"])
    assert after == before
    assert corrections.list(graph.name) == ()
    with pytest.raises(UnknownName, match="no correction called"):
        corrections.undo(last.id)


def test_corrections_are_listed_the_newest_first_by_collection_and_document(graph, corrections, tiny):
    first = corrections.correct_passage(graph.id("a"), RIGHT)
    second = corrections.correct_passage(graph.id("b"), "It snowed.", author="Bo")
    again = corrections.correct_passage(graph.id("a"), f"{RIGHT} It leaks.")
    assert again.id == first.id
    assert again.original == READ
    assert {item.id for item in corrections.list(graph.name)} == {again.id, second.id}
    assert corrections.list(graph.name)[-1] == second
    assert corrections.list(graph.name, document="two.pdf") == (second,)
    assert corrections.list(tiny().name) == ()
    with pytest.raises(UnknownName, match="document"):
        corrections.list(graph.name, document="three.pdf")


@pytest.mark.parametrize(
    ("key", "text", "message"),
    [
        ("a", " \n", "must not be empty"),
        ("a", None, "is a text; got None"),
        ("a", "x" * (MAX_TEXT + 1), "at most 20,000 characters"),
        ("a", READ, "the passage has this content already"),
        ("t", "Piers", "this corrects a passage; .* is a table"),
    ],
)
def test_what_cannot_be_stored_is_an_error_that_says_what_is_expected(graph, corrections, key, text, message):
    with pytest.raises(UsageError, match=message):
        corrections.correct_passage(graph.id(key), text)
    assert corrections.list(graph.name) == ()


def test_an_unknown_passage_or_an_author_who_is_no_name_is_an_error(graph, corrections):
    with pytest.raises(UnknownName, match="no passage called 'nothing'; pass the id of a passage"):
        corrections.correct_passage("nothing", "x")
    with pytest.raises(UsageError, match="at most 200 characters"):
        corrections.correct_passage(graph.id("a"), RIGHT, author="x" * 201)


def test_the_text_that_was_read_is_restored_by_undo_only(graph, corrections):
    corrections.correct_passage(graph.id("a"), RIGHT)
    with pytest.raises(UsageError, match="undo the correction"):
        corrections.correct_passage(graph.id("a"), READ)


def test_while_a_document_is_parsed_its_corrections_do_not_change(graph, corrections):
    corrected = corrections.correct_passage(graph.id("b"), "It snowed.")
    graph.store.driver.execute_query(
        "MATCH (d:Document) WHERE d.id IN $ids SET d:Waiting",
        ids=[document_id(graph.collection, name) for name in ("one.pdf", "two.pdf")],
        database_=graph.store.connection.database,
    )
    with pytest.raises(UsageError, match="being parsed again"):
        corrections.correct_passage(graph.id("a"), RIGHT)
    with pytest.raises(UsageError, match="being parsed again"):
        corrections.undo(corrected.id)
    assert read_evidence(graph, "a").text == READ
    assert read_evidence(graph, "b").text == "It snowed."


def test_a_vector_and_an_extraction_of_the_earlier_text_do_not_end_the_waiting(graph, corrections):
    corrections.correct_passage(graph.id("a"), RIGHT)
    vectors = {"rows": [{"id": graph.id("a"), "vector": [1.0, 0, 0, 0], "corrected_at": None}]}
    extractions = {"rows": [{"id": graph.id("a"), "extractor": "x", "warning": "", "aliases": [], "citations": None}]}

    def process(corrected_at):
        for rows in (vectors["rows"], extractions["rows"]):
            rows[0]["corrected_at"] = corrected_at
        graph.store.write(
            ("ingest/write_vectors_evidence", {**vectors, "embedding": graph.store.embedding}),
            ("ingest/finish_extraction", extractions),
        )
        return {"Unread", "Unembedded"} & {*read_node(graph, graph.id("a"))["labels"]}

    assert process(None) == {"Unread", "Unembedded"}
    assert process(read_node(graph, graph.id("a"))["corrected_at"]) == set()


def test_corrections_are_exported_imported_and_undone_there(graph, corrections, tmp_path):
    corrections.correct_passage(graph.id("a"), RIGHT, author="Ada")
    home = OpenHome(graph.store, tmp_path / "stored", "toy")
    graph.store.driver.execute_query(
        "MATCH (d:Document {collection: $id}) SET d.sha256 = ''",  # there are no files
        id=graph.collection,
        database_=graph.store.connection.database,
    )
    with create_folder(tmp_path / "export") as partial:
        export_folder(home, graph.collection, partial, ExportOptions())
    imported = import_folder(home, ExportedFolder.open(tmp_path / "export"), f"{graph.name} copy")
    [copy] = corrections.list(imported.name)
    [source] = corrections.list(graph.name)
    assert (copy.original, copy.corrected, copy.author, copy.at) == (READ, RIGHT, "Ada", source.at)
    assert copy.evidence
    assert copy.evidence != source.evidence
    corrections.undo(copy.id)
    assert read_node(graph, copy.evidence)["text"] == READ
    assert corrections.list(imported.name) == ()
    assert corrections.list(graph.name) == (source,)


def count_corrections(graph):
    query = "MATCH (k:Correction {collection: $id}) RETURN count(k) AS count"
    database = graph.store.connection.database
    return graph.store.driver.execute_query(query, id=graph.collection, database_=database).records[0]["count"]


def test_corrections_are_removed_with_their_document_and_with_their_collection(graph, corrections):
    corrections.correct_passage(graph.id("a"), RIGHT)
    corrections.correct_passage(graph.id("b"), "It snowed.")
    assert count_corrections(graph) == 2
    remove_documents(graph.store, [document_id(graph.collection, "one.pdf")])
    assert [item.document for item in corrections.list(graph.name)] == ["two.pdf"]
    assert count_corrections(graph) == 1
    remove_collection(graph.store, graph.collection)
    assert count_corrections(graph) == 0


def test_a_correction_is_no_node_of_the_explored_graph(graph, corrections):
    corrections.correct_passage(graph.id("a"), RIGHT)
    explorer = GraphExplorer(graph.store, CollectionCatalog(graph.store))
    around = explorer.get_neighbourhood(graph.id("a"), limit=50)
    assert {node.kind for node in around.nodes} <= {"passage", "page", "entity", "triple"}
    [listed] = corrections.list(graph.name)
    assert explorer.get_collection(listed.id) == graph.name


CELLS = (("Port", "Output"), ("Halm", "l2"), ("Orre", "7"))
TABLE_TEXT = f"Table 1: Ports\n{render_table(CELLS)[0]}"


@pytest.fixture
def with_table(tiny):
    graph = tiny()
    spans = [end + 15 for row in render_table(CELLS)[1] for span in row for end in span]
    table = {"cells": json.dumps(CELLS), "structure": json.dumps(infer_structure(CELLS, "", 1).to_dict()),
             "markdown": render_table(CELLS)[0], "caption": "Table 1: Ports", "lines": spans,
             "boxes": [float(n) for box in range(6) for n in (1, 50, box, 500, box + 1)]}  # fmt: skip
    graph.table("t", "1", TABLE_TEXT, [1, 0, 0, 0])
    graph.store.driver.execute_query(
        "MATCH (t:Table {id: $id}) SET t += $table, t.search = $search",
        id=graph.id("t"),
        table=table,
        search=f"one.pdf\nTable 1: Ports\n{join_cells(CELLS)}",
        database_=graph.store.connection.database,
    )
    return graph


def test_a_corrected_cell_is_searched_and_keeps_its_box(with_table):
    graph = with_table
    corrections = CorrectionService(graph.store, CollectionCatalog(graph.store), lambda: None)
    before = read_node(graph, graph.id("t"))
    cells = [["Port", "Output"], ["Halm", "12"], ["Orre", "7"]]
    first = corrections.correct_table(graph.id("t"), cells=cells, author="Ada")
    evidence = read_evidence(graph, "t")
    assert evidence.cells == tuple(map(tuple, cells))
    assert evidence.text == f"Table 1: Ports\n{render_table(evidence.cells)[0]}"
    assert evidence.correction == first
    assert (first.kind, first.original) == ("table", TABLE_TEXT)
    assert find(graph, "12") == ["t"]
    start = evidence.text.index("12")
    assert [box.y0 for box in evidence.find_boxes(start, start + 2)] == [3.0]
    last = corrections.correct_table(graph.id("t"), header_rows=2, caption="Table 7")
    evidence = read_evidence(graph, "t")
    assert (evidence.caption, evidence.number, evidence.cells[1][1]) == ("Table 7", "7", "12")
    assert evidence.structure.header_rows == 2
    corrections.undo(last.id)
    after = read_node(graph, graph.id("t"))
    assert after | {"labels": []} == before | {"labels": []}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "the table has this content already"),
        ({"caption": "Table 1: Ports", "header_rows": 1}, "the table has this content already"),
        ({"cells": [["Port", "Output"]]}, r"the table has 3 rows with \[2, 2, 2\] cells; got \[2\]"),
        ({"cells": [["Port", "Output"], ["Halm", 12], ["Orre", "7"]]}, "every cell of a table is a text"),
        ({"header_rows": 4}, "a whole number from 0 to 3"),
        ({"caption": 7}, "a caption is a text"),
    ],
)
def test_what_cannot_be_stored_of_a_table_is_an_error(with_table, arguments, message):
    graph = with_table
    corrections = CorrectionService(graph.store, CollectionCatalog(graph.store), lambda: None)
    with pytest.raises(UsageError, match=message):
        corrections.correct_table(graph.id("t"), **arguments)


def test_a_passage_is_no_table(graph, corrections):
    with pytest.raises(UsageError, match=r"this corrects a table; .* is a passage"):
        corrections.correct_table(graph.id("a"), caption="x")


def read_entity(graph, name):
    """Return the properties of an entity that has mentions, without vectors."""
    query = "MATCH (n:Entity|Merged {id: $id}) RETURN properties(n) AS properties"
    [row] = graph.store.driver.execute_query(
        query, id=graph.entity(name), database_=graph.store.connection.database
    ).records
    return {name: value for name, value in row["properties"].items() if not name.startswith("vector_")}


def mention(graph, name, key):
    """Mention an entity as extraction does: with the name and the kind that the text gives it."""
    row = {"evidence": graph.id(key), "entity": graph.entity(name), "count": 1, "spans": [0, 1]}
    row |= {"name": name, "kind": "PERSON", "aliases": []}
    graph.store.write(("ingest/write_mentions", {"mentions": [row]}))


def test_a_corrected_entity_has_its_new_name_and_type_after_every_update_until_it_is_undone(graph, corrections):
    mention(graph, "Hedda Lunn", "a")
    id = graph.entity("Hedda Lunn")
    explorer = GraphExplorer(graph.store, CollectionCatalog(graph.store))
    graph.store.driver.execute_query(
        "MATCH (e:Entity {id: $id}) SET e:Unsettled", id=id, database_=graph.store.connection.database
    )
    update_entities(graph.store)
    before = read_entity(graph, "Hedda Lunn")
    corrected = corrections.correct_entity(id, name="Hedda  Lund", type="organisation", author="Ada")
    assert (corrected.original, corrected.corrected) == ("Hedda Lunn (person)", "Hedda Lund (organisation)")
    graph.store.driver.execute_query(
        "MATCH (e:Entity {id: $id}) SET e:Unsettled", id=id, database_=graph.store.connection.database
    )
    update_entities(graph.store)
    details = explorer.get_node(id)
    assert (details.node.name, details.entity_kind, details.aliases) == ("Hedda Lund", "ORG", ("Hedda Lunn",))
    assert details.correction == corrected
    assert {match.node.id for match in explorer.find("Lunn", collection=graph.name, kinds=["entity"])} == {id}
    assert corrections.list(graph.name) == (corrected,)
    assert corrections.list(graph.name, document="one.pdf") == ()
    again = corrections.correct_entity(id, type="place")
    assert (again.id, again.original, again.corrected) == (corrected.id, corrected.original, "Hedda Lund (place)")
    corrections.undo(again.id)
    assert read_entity(graph, "Hedda Lunn") == before
    assert explorer.get_node(id).correction is None


def test_a_merge_of_a_corrected_entity_is_undone_before_the_correction(graph, corrections):
    graph.entity("H. Lunn", "b")
    mention(graph, "Hedda Lunn", "a")
    resolution = EntityResolution(graph.store, CollectionCatalog(graph.store), lambda: None)
    source = graph.entity("Hedda Lunn")
    corrected = corrections.correct_entity(source, name="Hedda Lund")
    resolution.merge(source, graph.entity("H. Lunn"))
    assert "Hedda Lund" in read_entity(graph, "H. Lunn")["aliases"]
    with pytest.raises(UsageError, match="undo the merge first"):
        corrections.undo(corrected.id)
    with pytest.raises(UnknownName, match="no entity called"):
        corrections.correct_entity(source, name="Lund")
    resolution.undo(source)
    corrections.undo(corrected.id)
    assert read_entity(graph, "Hedda Lunn")["name"] == "Hedda Lunn"


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({}, UsageError, "the entity has this content already"),
        ({"name": " "}, UsageError, "from 1 to 200 characters"),
        ({"type": "ship"}, UnknownName, "no type of entities called 'ship'; there are: .*person"),
    ],
)
def test_what_cannot_be_stored_of_an_entity_is_an_error(graph, corrections, arguments, error, message):
    with pytest.raises(error, match=message):
        corrections.correct_entity(graph.entity("Hedda Lunn"), **arguments)


def test_a_corrected_entity_is_exported_and_imported(graph, corrections, tmp_path):
    mention(graph, "Hedda Lunn", "a")
    corrected = corrections.correct_entity(graph.entity("Hedda Lunn"), name="Hedda Lund")
    home = OpenHome(graph.store, tmp_path / "stored", "toy")
    graph.store.driver.execute_query(
        "MATCH (d:Document {collection: $id}) SET d.sha256 = ''",
        id=graph.collection,
        database_=graph.store.connection.database,
    )
    with create_folder(tmp_path / "export") as partial:
        export_folder(home, graph.collection, partial, ExportOptions())
    imported = import_folder(home, ExportedFolder.open(tmp_path / "export"), f"{graph.name} copy")
    [copy] = corrections.list(imported.name)
    assert copy.entity == entity_id(collection_id(imported.name), "Hedda Lunn") != corrected.entity
    corrections.undo(copy.id)
    assert corrections.list(graph.name) == (corrected,)


def read_triple_row(graph):
    """Return the row of the triple of passage "a", as extraction writes it, with the case of its words changed."""
    evidence = graph.id("a")
    properties = {
        "collection": graph.collection,
        "document": document_id(graph.collection, "one.pdf"),
        "evidence": evidence,
    }
    properties |= {"subject": "Hedda LUNN", "predicate": "built", "object": "pier", "text": "Hedda LUNN built pier"}
    properties |= {"search": "Hedda LUNN built pier", "start": 0, "end": 10, "confidence": 0.9}
    ends = {"subject_id": graph.entity("Hedda Lunn"), "subject_name": "Hedda Lunn"}
    return {
        "id": triple_id(evidence, "Hedda LUNN", "built", "pier"),
        "evidence": evidence,
        "properties": properties,
        **ends,
    }


def test_a_wrong_triple_is_left_out_everywhere_until_it_is_undone(graph, corrections, worker_starts):
    explorer = GraphExplorer(graph.store, CollectionCatalog(graph.store))
    entity = graph.entity("Hedda Lunn")
    [triple] = explorer.get_node(entity).triples
    edges = set(explorer.get_neighbourhood(entity, 2).edges)
    rejected = corrections.reject_triple(triple.id, author="Ada")
    assert (rejected.kind, rejected.original, rejected.corrected) == ("triple", "Hedda Lunn built pier", "")
    assert (rejected.author, rejected.evidence, rejected.document) == ("Ada", graph.id("a"), "one.pdf")
    assert rejected.applies
    assert corrections.list(graph.name) == corrections.list(graph.name, document="one.pdf") == (rejected,)
    assert corrections.list(graph.name, document="two.pdf") == ()
    assert explorer.get_node(entity).triples == explorer.get_node(graph.id("a")).triples == ()
    assert not any("STATES" in edge for edge in explorer.get_neighbourhood(entity, 2).edges)
    scope = Scope(graph.collection)
    for by in ("text", "dense", "hybrid"):
        hits = run(_search_triples(by), Services(graph.store, graph.embedder), scope).result
        assert triple.id not in hits
    with pytest.raises(UnknownName, match="no triple called"):
        corrections.reject_triple(triple.id)
    corrections.undo(rejected.id)
    assert explorer.get_node(entity).triples == (triple,)
    assert set(explorer.get_neighbourhood(entity, 2).edges) == edges
    assert corrections.list(graph.name) == ()
    assert len(worker_starts) == 2


def _search_triples(by):
    hits = yield search("Hedda Lunn built the pier", 5, over="triple", by=by)
    return set(hits.ids)


def test_a_wrong_triple_stays_left_out_when_it_is_extracted_again(graph, corrections):
    explorer = GraphExplorer(graph.store, CollectionCatalog(graph.store))
    [triple] = explorer.get_node(graph.id("a")).triples
    rejected = corrections.reject_triple(triple.id)
    row = read_triple_row(graph)
    graph.store.write(
        ("ingest/drop_extraction", {"ids": [graph.id("a")]}), ("ingest/write_triples", {"triples": [row]})
    )
    assert explorer.get_node(graph.id("a")).triples == ()
    other = row | {"id": "another", "properties": row["properties"] | {"object": "quay"}}
    graph.store.write(("ingest/write_triples", {"triples": [other]}))
    assert [item.object for item in explorer.get_node(graph.id("a")).triples] == ["quay"]
    corrections.undo(rejected.id)
    restored = {item.subject for item in explorer.get_node(graph.id("a")).triples}
    assert restored == {"Hedda LUNN"}, "as it was extracted last"


def test_a_wrong_triple_belongs_to_the_new_passage_of_its_page(graph, corrections):
    explorer = GraphExplorer(graph.store, CollectionCatalog(graph.store))
    [triple] = explorer.get_node(graph.id("a")).triples
    rejected = corrections.reject_triple(triple.id)
    graph.passage("new", READ.replace("19l1", "1911"), [1, 0, 0, 0])
    graph.passage("elsewhere", READ, [1, 0, 0, 0], page=2, pages=2)
    rows = [read_triple_row(graph) | {"id": key, "evidence": graph.id(key)} for key in ("elsewhere", "new")]
    graph.store.write(("ingest/write_triples", {"triples": rows}))
    assert len(explorer.get_node(graph.id("new")).triples) == 1, "its own passage is still there"
    query = "MATCH (e:Evidence {id: $id}) DETACH DELETE e"
    graph.store.driver.execute_query(query, id=graph.id("a"), database_=graph.store.connection.database)
    assert not corrections.list(graph.name)[0].applies
    graph.store.write(("ingest/drop_extraction", {"ids": [graph.id("new")]}))
    graph.store.driver.execute_query(
        "MATCH (t:Triple {id: 'new'}) DETACH DELETE t", database_=graph.store.connection.database
    )
    graph.store.write(("ingest/write_triples", {"triples": rows}))
    [listed] = corrections.list(graph.name)
    assert (listed.id, listed.evidence) == (rejected.id, graph.id("new"))
    assert explorer.get_node(graph.id("new")).triples == ()
    assert len(explorer.get_node(graph.id("elsewhere")).triples) == 1


def test_a_wrong_triple_is_restored_with_a_merged_entity(graph, corrections):
    explorer = GraphExplorer(graph.store, CollectionCatalog(graph.store))
    graph.entity("H. Lunn", "b")
    resolution = EntityResolution(graph.store, CollectionCatalog(graph.store), lambda: None)
    [triple] = explorer.get_node(graph.entity("Hedda Lunn")).triples
    rejected = corrections.reject_triple(triple.id)
    resolution.merge(graph.entity("Hedda Lunn"), graph.entity("H. Lunn"))
    corrections.undo(rejected.id)
    assert [item.id for item in explorer.get_node(graph.entity("H. Lunn")).triples] == [triple.id]


def test_a_wrong_triple_is_exported_and_imported(graph, corrections, tmp_path):
    explorer = GraphExplorer(graph.store, CollectionCatalog(graph.store))
    [triple] = explorer.get_node(graph.id("a")).triples
    rejected = corrections.reject_triple(triple.id, author="Ada")
    home = OpenHome(graph.store, tmp_path / "stored", "toy")
    graph.store.driver.execute_query(
        "MATCH (d:Document {collection: $id}) SET d.sha256 = ''",
        id=graph.collection,
        database_=graph.store.connection.database,
    )
    with create_folder(tmp_path / "export") as partial:
        export_folder(home, graph.collection, partial, ExportOptions())
    imported = import_folder(home, ExportedFolder.open(tmp_path / "export"), f"{graph.name} copy")
    [copy] = corrections.list(imported.name)
    assert (copy.original, copy.author, copy.at) == (rejected.original, "Ada", rejected.at)
    assert copy.applies
    entity = entity_id(collection_id(imported.name), "Hedda Lunn")
    assert explorer.get_node(entity).triples == ()
    corrections.undo(copy.id)
    assert [item.object for item in explorer.get_node(entity).triples] == ["pier"]
    assert corrections.list(graph.name) == (rejected,)
