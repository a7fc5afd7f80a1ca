"""One contract for three clients: an open graph, a service, and asyncio over each."""

from __future__ import annotations

import asyncio
import inspect
from dataclasses import replace

import pytest

from hopline import AsyncHopline, Hopline, RemoteHopline
from hopline.corrections.service import CorrectionService
from hopline.documents.library import DocumentLibrary
from hopline.entities.resolution import EntityResolution
from hopline.errors import AccessDenied, ServiceError, UnknownName, UsageError
from hopline.feedback.service import FeedbackService
from hopline.graph_explorer import GraphExplorer
from hopline.records import GoldCitation
from hopline.remote.documents import RemoteDocumentLibrary
from hopline.remote.graph import (
    RemoteCorrectionService,
    RemoteEntityResolution,
    RemoteFeedbackService,
    RemoteGraphExplorer,
    RemoteTopicService,
)
from hopline.results import Answer, AnswerDraft, TraceStep
from hopline.results.trace import EMPTY_TRACE
from hopline.topics.service import TopicService

LOCAL_ONLY = {
    Hopline: {
        "open",
        "connect",
        "stop",
        "warm_up",
        "start_warm_up",
        "create_uncached_client",
        "reload_model",
        "import_collection",
        "backup",
        "restore",
    },
    DocumentLibrary: set(),
    EntityResolution: set(),
    CorrectionService: set(),
    FeedbackService: set(),
    GraphExplorer: {"get_access"},
    TopicService: {"assign_card"},
}
PAIRS = [
    (Hopline, RemoteHopline),
    (DocumentLibrary, RemoteDocumentLibrary),
    (EntityResolution, RemoteEntityResolution),
    (CorrectionService, RemoteCorrectionService),
    (FeedbackService, RemoteFeedbackService),
    (GraphExplorer, RemoteGraphExplorer),
    (TopicService, RemoteTopicService),
]
QUESTION = "Who designed the Skarv Bridge?"


def public_methods(kind):
    return {name: method for name, method in inspect.getmembers(kind, callable) if not name.startswith("_")}


@pytest.mark.parametrize(("local", "other"), PAIRS, ids=lambda kind: kind.__name__)
def test_a_service_has_the_methods_of_the_open_client_with_their_parameters(local, other):
    expected = {
        name: list(inspect.signature(method).parameters.values())
        for name, method in public_methods(local).items()
        if name not in LOCAL_ONLY[local]
    }
    actual = {
        name: list(inspect.signature(method).parameters.values()) for name, method in public_methods(other).items()
    }
    assert actual.keys() == expected.keys()
    for name, parameters in expected.items():
        assert [(p.name, p.kind, p.default) for p in actual[name]] == [
            (p.name, p.kind, p.default) for p in parameters
        ], name


class Awaited:
    """A client for asyncio as one that waits, so that it can be compared with the others."""

    def __init__(self, loop, part):
        self._loop, self._part = loop, part

    def __getattr__(self, name):
        value = getattr(self._part, name)
        if not callable(value):
            return Awaited(self._loop, value)
        return lambda *args, **kwargs: self._loop.run_until_complete(value(*args, **kwargs))


@pytest.fixture(scope="module", params=["open", "service", "async", "async over a service"])
def client(request, hop, remote):
    if not request.param.startswith("async"):
        yield hop if request.param == "open" else remote
        return
    loop = asyncio.new_event_loop()
    yield Awaited(loop, AsyncHopline(hop if request.param == "async" else remote))
    loop.close()


def without_trace(answer: Answer) -> Answer:
    """The answer without durations, and with numbers as JSON has them."""
    return Answer.from_dict(replace(answer, retrieval=replace(answer.retrieval, trace=EMPTY_TRACE)).to_dict())


def test_ask_gives_the_same_answer(client, hop, corpus):
    answer = client.ask(QUESTION, collection=corpus)
    assert answer.short == "Ingrid Vale"
    assert answer.sentences[0].citations[0].quote in answer.sentences[0].citations[0].evidence.text
    assert answer.retrieval.trace.steps
    assert without_trace(answer) == without_trace(hop.ask(QUESTION, collection=corpus))


def test_a_follow_up_question_gets_the_earlier_answers(client, corpus):
    first = client.ask(QUESTION, collection=corpus)
    second = client.ask("Where did she study?", collection=corpus, history=[first])
    assert "Ingrid Vale" in second.retrieval.question
    assert second.short == "Trondheim"


def test_every_step_is_reported(client, corpus):
    steps: list[TraceStep] = []
    retrieval = client.retrieve(QUESTION, collection=corpus, k=3, on_step=steps.append)
    assert [step.request for step in steps] == [step.request for step in retrieval.trace.steps]
    answer_steps: list[TraceStep] = []
    client.ask(QUESTION, collection=corpus, on_step=answer_steps.append)
    assert len(answer_steps) > len(steps)


def test_retrieve_compare_and_many(client, hop, corpus):
    expected = hop.retrieve(QUESTION, collection=corpus, strategy="bm25", k=2)
    retrieval = client.retrieve(QUESTION, collection=corpus, strategy="bm25", k=2)
    assert retrieval.evidence == expected.evidence
    assert retrieval.paths == expected.paths
    compared = client.compare(QUESTION, strategies=["bm25", "dense"], collection=corpus, k=2)
    assert compared["bm25"].evidence == expected.evidence
    many = client.retrieve_many([QUESTION, "What is slate?"], collection=corpus, strategy="bm25", k=2)
    assert many[0].evidence == expected.evidence
    assert many[1].evidence[0].title == "Slate"
    assert client.strategies()["bm25"]


def test_suggested_questions(client, hop, corpus):
    suggested = client.suggest_questions(corpus, limit=2)
    assert suggested == hop.suggest_questions(corpus, limit=2)
    assert suggested
    with pytest.raises(UsageError, match="limit"):
        client.suggest_questions(corpus, limit=0)


def test_the_context_for_another_model(client, hop, corpus):
    assert client.context(QUESTION, 400, collection=corpus) == hop.context(QUESTION, 400, collection=corpus)


def test_documents(client, hop, corpus, tmp_path):
    assert [c.name for c in client.collections() if c.name == corpus] == [corpus]
    documents = tuple(client.documents.list(corpus, text="or"))
    assert documents == tuple(hop.documents.list(corpus, text="or"))
    assert client.documents.count(corpus) == hop.documents.count(corpus)
    assert client.documents.get(documents[0].id) == documents[0]
    assert client.documents.progress(corpus).done
    assert client.documents.states([documents[0].id]) == hop.documents.states([documents[0].id])
    assert client.status().passages >= 10


def test_the_graph_and_its_entities(client, hop, corpus):
    [match, *_] = client.graph.find("Ingrid Vale", collection=corpus, kinds=["entity"])
    assert match == hop.graph.find("Ingrid Vale", collection=corpus, kinds=["entity"])[0]
    [bergen, *_] = client.graph.find("Bergen", collection=corpus, kinds=["entity"])
    assert client.graph.get_node(match.node.id) == hop.graph.get_node(match.node.id)
    assert client.graph.get_collection(match.node.id) == corpus
    assert client.explore(match.node.id) == hop.explore(match.node.id)
    assert client.graph.get_overview(corpus, limit=20).nodes
    assert client.graph.list_entities(corpus, limit=5) == hop.graph.list_entities(corpus, limit=5)
    assert {entity.type for entity in client.graph.list_entities(corpus, types=["person"])} == {"person"}
    communities = client.graph.list_communities(corpus, limit=3)
    assert communities == hop.graph.list_communities(corpus, limit=3)
    [first, *_] = communities.communities
    assert client.graph.get_community(first.id, corpus) == hop.graph.get_community(first.id, corpus)
    paths = client.graph.find_paths(match.node.id, bergen.node.id)
    assert paths == hop.graph.find_paths(match.node.id, bergen.node.id)
    assert client.same_names(corpus) == hop.same_names(corpus)
    assert client.topics.list(corpus) == hop.topics.list(corpus)
    assert client.graph.cypher("RETURN $x AS x", {"x": [1, "a"]}).rows == ({"x": [1, "a"]},)


def test_a_document_is_added_read_and_removed(client, tmp_path, request):
    collection = f"contract {request.node.callspec.params['client']}/ä"
    (tmp_path / "a").mkdir()
    (tmp_path / "note.txt").write_text("The Petrel was built by Hedda Lunn in 1911.", "utf-8")
    (tmp_path / "a" / "other.md").write_text(
        "# Berth\n\n## Piers\n\nThe berth of the Petrel is the north pier.", "utf-8"
    )
    batch = client.add([tmp_path], collection)
    if isinstance(client, Awaited):
        client._loop.run_until_complete(batch.wait(timeout=240))
        failures = client._loop.run_until_complete(batch.failures())
    else:
        batch.wait(timeout=240)
        failures = batch.failures
    assert failures == ()
    assert sorted(file.name for file in batch.files) == ["a/other.md", "note.txt"]
    assert client.ask("Who built the Petrel?", collection=collection).short == "Hedda Lunn"
    [note] = client.documents.list(collection, text="note")
    [other] = client.documents.list(collection, text="other")
    assert [(item.kind, item.title, item.page) for item in client.documents.outline(other.id)] == [
        ("section", "Piers", 1)
    ]
    with pytest.raises(UnknownName, match="document"):
        client.documents.outline("0" * 16)
    page = client.documents.read_page(note.id, 1)
    assert (page.number, page.has_image, page.total, len(page.evidence)) == (1, False, 1, 1)
    assert {(mention.name, mention.type) for mention in page.mentions} >= {("Hedda Lunn", "person")}
    assert client.documents.find_pages(note.id, "1") == (1,)
    [match] = client.documents.find_text(note.id, "hédda LUNN")
    assert (match.page, match.text, match.evidence) == (1, "Hedda Lunn", page.evidence[0].id)
    with pytest.raises(UnknownName, match="page"):
        client.documents.read_page(note.id, 2)
    assert client.documents.file(note.id).read_bytes() == (tmp_path / "note.txt").read_bytes()
    assert client.remove("note.txt", collection=collection) == 1
    renamed = f"{collection} renamed"
    client.rename_collection(collection, renamed)
    assert [document.name for document in client.documents.list(renamed)] == ["a/other.md"]
    assert client.remove(collection=renamed) == 1


def test_metadata_filters_and_facets(client, request, tmp_path):
    collection = f"filters {request.node.callspec.params['client']}"
    (tmp_path / "old.txt").write_text("The Kite was built by Odile Farrow.", "utf-8")
    (tmp_path / "new.txt").write_text("The Kite was built by Bo Lind.", "utf-8")
    (tmp_path / "new.txt.metadata.json").write_text('{"year": 2024}', "utf-8")
    wait = client.add(
        [tmp_path / "old.txt", tmp_path / "new.txt"], collection, metadata={"tag": ["ships", "log"]}
    ).wait(timeout=240)
    if isinstance(client, Awaited):
        client._loop.run_until_complete(wait)
    assert client.documents.set_metadata("old.txt", {"year": 1911}, collection=collection).metadata["year"] == 1911
    question = "Who built the Kite?"
    assert client.ask(question, collection=collection, filter="year < 2000").short == "Odile Farrow"
    assert client.ask(question, collection=collection, filter="year >= 2000 and tag = ships").short == "Bo Lind"
    nothing = client.ask(question, collection=collection, filter="year > 3000")
    assert nothing.abstained
    assert "filter" in nothing.notice
    assert {
        item.document for item in client.retrieve(question, collection=collection, filter="year = 2024").evidence
    } == {"new.txt"}
    assert client.context(question, collection=collection, filter="year = 2024").blocks[0].document == "new.txt"
    assert [document.name for document in client.documents.list(collection, filter="year = 1911")] == ["old.txt"]
    assert client.documents.count(collection, filter="tag = log").total == 2
    assert {facet.key: facet.distinct for facet in client.documents.facets(collection)} == {"tag": 2, "year": 2}
    with pytest.raises(UnknownName, match="year"):
        client.ask(question, collection=collection, filter="yaer = 1")
    client.remove(collection=collection)


def test_a_passage_is_corrected_listed_and_undone(client, hop, corpus):
    [passage] = hop.retrieve("Slate is a fine-grained rock", collection=corpus, strategy="bm25", k=1).evidence
    corrected = client.corrections.correct_passage(passage.id, f"{passage.text} It is grey.", author="Ada")
    assert client.corrections.list(corpus) == (corrected,)
    retrieval = client.retrieve("Slate is a fine-grained rock", collection=corpus, strategy="bm25", k=1)
    assert retrieval.evidence[0].correction == corrected
    assert retrieval.evidence[0].text.endswith("It is grey.")
    with pytest.raises(UsageError, match="must not be empty"):
        client.corrections.correct_passage(passage.id, "")
    client.corrections.undo(corrected.id)
    assert client.corrections.list(corpus) == ()
    with pytest.raises(UnknownName, match=r"no .* called"):
        client.corrections.undo(corrected.id)


def test_a_wrong_triple_is_left_out_and_restored(client, hop, corpus):
    [entity, *_] = [
        item for item in hop.graph.list_entities(corpus, limit=50) if hop.graph.get_node(item.node.id).triples
    ]
    [triple, *_] = hop.graph.get_node(entity.node.id).triples
    rejected = client.corrections.reject_triple(triple.id, author="Ada")
    assert client.corrections.list(corpus) == (rejected,)
    assert triple not in client.graph.get_node(entity.node.id).triples
    client.corrections.undo(rejected.id)
    assert triple in client.graph.get_node(entity.node.id).triples


def test_feedback_is_added_listed_and_deleted(client, hop, corpus):
    [passage] = hop.retrieve("Slate is a fine-grained rock", collection=corpus, strategy="bm25", k=1).evidence
    citation = GoldCitation(passage.id, "fine-grained", 1)
    added = client.feedback.add("What is slate?", "right", collection=corpus, answer="a rock", citations=[citation])
    assert client.feedback.list(corpus) == (added,)
    assert added.citations == (GoldCitation(passage.id, "fine-grained", 1, passage.document),)
    with pytest.raises(UsageError, match="better answer is for a wrong one"):
        client.feedback.add("What is slate?", "right", collection=corpus, better="a stone")
    client.feedback.delete(added.id)
    assert client.feedback.list(corpus) == ()
    with pytest.raises(UnknownName, match=r"no .* called"):
        client.feedback.delete(added.id)


def test_texts_and_files_in_memory_are_added(client, request):
    collection = f"memory {request.node.callspec.params['client']}"
    batch = client.add_texts(["The Kite was built by Odile Farrow.", 7], ["Kite", "Seven"], collection=collection)
    other = client.add_documents([("tern.txt", b"The Tern was built by Bo Lind.")], collection)
    for each in (batch, other):
        wait = each.wait(timeout=240)
        if isinstance(client, Awaited):
            client._loop.run_until_complete(wait)
    failures = batch.failures
    failures = client._loop.run_until_complete(failures()) if isinstance(client, Awaited) else failures
    assert len(failures) == 1
    assert client.ask("Who built the Kite?", collection=collection).short == "Odile Farrow"
    assert client.ask("Who built the Tern?", collection=collection).short == "Bo Lind"
    client.remove(collection=collection)


def test_errors_are_those_of_the_open_client(client, corpus):
    with pytest.raises(UnknownName, match=r"no collection called 'nowhere'; there are: .*orre"):
        client.ask(QUESTION, collection="nowhere")
    with pytest.raises(UnknownName, match="no strategy called 'nothing'"):
        client.retrieve(QUESTION, collection=corpus, strategy="nothing")
    with pytest.raises(UnknownName, match="no document called"):
        client.documents.remove("missing.pdf", collection=corpus)
    with pytest.raises(UnknownName, match="no node called"):
        client.graph.get_node("0" * 16)
    with pytest.raises(UnknownName, match="no document called"):
        client.documents.get("0" * 16)
    with pytest.raises(UsageError, match="question is a text"):
        client.ask(7, collection=corpus)
    with pytest.raises(UsageError, match="list of questions"):
        client.retrieve_many("text", collection=corpus)
    with pytest.raises(UsageError, match=r"only reads|read"):
        client.graph.cypher("CREATE (n) RETURN n")


def test_an_answer_streams_its_steps_and_ends_with_the_answer(hop, remote, corpus):
    async def collect(client):
        return [event async for event in AsyncHopline(client).stream(QUESTION, collection=corpus)]

    for client in (hop, remote):
        *steps, answer = asyncio.run(collect(client))
        assert steps
        assert all(isinstance(step, TraceStep | AnswerDraft) for step in steps)
        assert answer.short == "Ingrid Vale"

    async def fail():
        return [event async for event in AsyncHopline(remote).stream(QUESTION, collection="nowhere")]

    with pytest.raises(UnknownName, match="no collection"):
        asyncio.run(fail())


def test_an_export_is_that_of_the_open_client(hop, remote, corpus, tmp_path):
    local = hop.export(corpus, tmp_path / "local")
    manifest = remote.export(corpus, tmp_path / "remote")
    assert manifest.counts == local.counts
    assert {path: file.sha256 for path, file in manifest.files.items()} == {
        path: file.sha256 for path, file in local.files.items()
    }
    assert (tmp_path / "remote" / "passages.jsonl").read_bytes() == (tmp_path / "local" / "passages.jsonl").read_bytes()
    with pytest.raises(UsageError, match=r"not empty|exists"):
        remote.export(corpus, tmp_path / "remote")


def test_what_a_service_cannot_be_given_is_refused(remote, corpus):
    with pytest.raises(UsageError, match=r"Hopline\.open"):
        remote.ask(QUESTION, collection=corpus, record=True)
    with pytest.raises(UsageError, match="name of a strategy"):
        remote.ask(QUESTION, collection=corpus, strategy=object())
    with pytest.raises(UsageError, match="remove documents by their names"):
        remote.add([], remove_missing=True)


def test_a_service_that_is_not_there_is_a_clear_error():
    with (
        Hopline.connect("http://127.0.0.1:9") as client,
        pytest.raises(ServiceError, match=r"no service answers at http://127\.0\.0\.1:9.*hopline serve"),
    ):
        client.collections()
    with pytest.raises(UsageError, match="the URL of a service is as"):
        Hopline.connect("loans")


def test_access_denied_is_raised_as_such(hop, start_service):
    from hopline.api.keys import KeyStore

    keys = KeyStore(hop.settings.home)
    keys.add("contract")
    try:
        url = start_service(hop)
        with Hopline.connect(url) as client, pytest.raises(AccessDenied, match="Authorization: Bearer"):
            client.collections()
    finally:
        keys.remove("contract")
