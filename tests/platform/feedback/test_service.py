"""Feedback on answers in a small graph: stored, replaced, listed, deleted, exported, and read as questions."""

from __future__ import annotations

import json

import pytest

from hopline.errors import UnknownName, UsageError
from hopline.evaluation import Quote, read_questions
from hopline.exchange.folder_export import ExportOptions, OpenHome, create_folder, export_folder
from hopline.exchange.folder_import import import_folder
from hopline.exchange.folder_reader import ExportedFolder
from hopline.exchange.neo4j_csv import convert
from hopline.feedback.question_rows import build_question_row, write_question_rows
from hopline.feedback.service import MAX_CITATIONS, FeedbackService
from hopline.graph_explorer import GraphExplorer
from hopline.ids import document_id
from hopline.records import Feedback, GoldCitation
from hopline.store.collection_catalog import CollectionCatalog
from hopline.store.removal import remove_collection, remove_documents

QUESTION = "Who built the pier?"


@pytest.fixture
def graph(tiny):
    graph = tiny()
    graph.passage("a", "The pier was built in 1911 by Hedda Lunn.", [1, 0, 0, 0])
    graph.passage("b", "It rained.", [0, 1, 0, 0], "two.pdf")
    graph.write_pending()
    return graph


@pytest.fixture
def feedback(graph):
    return FeedbackService(graph.store, CollectionCatalog(graph.store))


def add(feedback, graph, verdict="right", question=QUESTION, **content):
    return feedback.add(question, verdict, collection=graph.name, **content)


def test_feedback_is_stored_with_document_and_page_of_its_citations(graph, feedback):
    citation = GoldCitation(graph.id("a"), "Hedda Lunn")
    added = add(feedback, graph, answer=" Hedda Lunn\n", citations=[citation, citation], author="Ada")
    assert added.citations == (GoldCitation(graph.id("a"), "Hedda Lunn", 1, "one.pdf"),)
    assert (added.question, added.verdict, added.correct_answer, added.author) == (
        QUESTION,
        "right",
        "Hedda Lunn",
        "Ada",
    )
    assert feedback.list(graph.name) == (added,)
    assert GraphExplorer(graph.store, CollectionCatalog(graph.store)).get_collection(added.id) == graph.name


def test_a_later_verdict_on_a_question_replaces_the_earlier_one_and_is_deleted(graph, feedback):
    first = add(feedback, graph, answer="Odd Vik")
    other = add(feedback, graph, answer="Odd Vik", documents=["one.pdf"])
    second = add(feedback, graph, "wrong", answer="Odd Vik", better="Hedda Lunn")
    assert first.id == second.id
    assert feedback.list(graph.name) == (second, other)
    assert other.documents == ("one.pdf",)
    feedback.delete(second.id)
    assert feedback.list(graph.name) == (other,)
    with pytest.raises(UnknownName, match="no feedback called"):
        feedback.delete(second.id)


def test_what_is_no_feedback_is_refused(graph, feedback):
    many = [GoldCitation(graph.id("a"), str(n)) for n in range(MAX_CITATIONS + 1)]
    for content, message in (
        ({"verdict": "good"}, '"right" or "wrong"'),
        ({"question": " "}, "needs the question"),
        ({"verdict": "right", "better": "Bo"}, "better answer is for a wrong one"),
        ({"filter": "year >"}, "filter"),
        ({"answer": 7}, "an answer is a text"),
        ({"citations": many}, "at most 100 citations"),
    ):
        with pytest.raises(UsageError, match=message):
            add(feedback, graph, **content)
    for missing in ({"citations": [GoldCitation("gone")]}, {"documents": ["gone.pdf"]}):
        with pytest.raises(UnknownName, match=r"no .* called 'gone"):
            add(feedback, graph, **missing)
    assert feedback.list(graph.name) == ()


def test_feedback_stays_without_its_documents_and_is_removed_with_its_collection(graph, feedback):
    added = add(feedback, graph, answer="Hedda Lunn", citations=[GoldCitation(graph.id("a"), "Hedda Lunn")])
    remove_documents(graph.store, [document_id(graph.collection, "one.pdf")])
    [listed] = feedback.list(graph.name)
    assert listed.citations == (GoldCitation("", "Hedda Lunn", 1, "one.pdf"),)
    assert build_question_row(listed)["gold"] == []
    remove_collection(graph.store, graph.collection)
    query = "MATCH (f:Feedback {id: $id}) RETURN f"
    database = graph.store.connection.database
    assert graph.store.driver.execute_query(query, id=added.id, database_=database).records == []


def test_feedback_is_exported_and_imported_with_the_ids_of_the_copy(graph, feedback, tmp_path):
    added = add(feedback, graph, answer="Hedda Lunn", citations=[GoldCitation(graph.id("a"), "Hedda Lunn")])
    home = OpenHome(graph.store, tmp_path / "files", "tests")
    graph.store.driver.execute_query(
        "MATCH (d:Document {collection: $id}) SET d.sha256 = ''",  # there are no files
        id=graph.collection,
        database_=graph.store.connection.database,
    )
    with create_folder(tmp_path / "export") as partial:
        export_folder(home, graph.collection, partial, ExportOptions())
    (tmp_path / "csv").mkdir()
    convert(tmp_path / "export", tmp_path / "csv")
    assert "Hedda Lunn" in (tmp_path / "csv" / "feedback.csv").read_text("utf-8")
    imported = import_folder(home, ExportedFolder.open(tmp_path / "export"), f"{graph.name} copy")
    [copy] = feedback.list(imported.name)
    assert copy.id != added.id
    assert (copy.question, copy.answer, copy.at) == (added.question, added.answer, added.at)
    assert copy.citations[0].evidence not in {"", graph.id("a")}
    again = feedback.add(QUESTION, "wrong", collection=imported.name)
    assert [item.id for item in feedback.list(imported.name)] == [again.id] == [copy.id]
    assert feedback.list(graph.name) == (added,)


CITATION = GoldCitation("p1", "Hedda Lunn", 3, "one.pdf")


def test_feedback_becomes_a_question_set_without_wrong_answers_that_have_no_correct_one(tmp_path):
    right = Feedback("f1", "One?", "right", "Hedda", citations=(CITATION,))
    better = Feedback("f2", "Two?", "wrong", "Odd", "Hedda", documents=('a "b".pdf', "c.pdf"), filter="year > 2000")
    unknown = Feedback("f3", "Three?", "wrong", "Odd")
    unanswerable = Feedback("f4", "Four?", "right")
    located = Feedback("f5", "Five?", "wrong", "Odd", citations=(CITATION,))
    file = tmp_path / "q.jsonl"
    file.write_text(write_question_rows((located, unanswerable, unknown, better, right)))
    first, second, third, fourth = read_questions(file)
    assert (first.id, first.text, first.answers, first.gold) == ("f1", "One?", ("Hedda",), ("p1",))
    assert first.quotes == (Quote("one.pdf", 3, "Hedda Lunn"),)
    assert (second.id, second.answers) == ("f2", ("Hedda",))
    assert second.filter == '(year > 2000) and document in ["a \\"b\\".pdf", "c.pdf"]'
    assert (third.id, third.answerable, third.answers) == ("f4", False, ())
    assert (fourth.id, fourth.answerable, fourth.answers, fourth.gold) == ("f5", True, (), ("p1",))
    assert [json.loads(line)["verdict"] for line in file.read_text().splitlines()] == [
        "right",
        "wrong",
        "right",
        "wrong",
    ]
