"""Extraction by a language model within a limit on its calls; the stages run by hand while the lease is held."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from canonical import rows as query
from interruption import Killed

from hopline import Hopline
from hopline.documents.progress import Batch
from hopline.embeddings.loader import load_embedder
from hopline.errors import EngineUnavailable, ModelUnavailable
from hopline.flow.requests import Reply
from hopline.flow.services import Services
from hopline.ids import collection_id
from hopline_ingest.lease import Lease
from hopline_ingest.process_pool import ResilientExecutor
from hopline_ingest.stages.extract import ExtractEvidence
from hopline_ingest.stages.jsonl_files import ParseJsonlFiles

TEXTS = (
    "Halm was built by Ingrid Vale.",
    "Orre lies west of Halm.",
    "Ingrid Vale died in 1960.",
    "Tern sails to Orre.",
)


class Chat:
    """Extracts the same two names from every passage."""

    name = "names"

    def __init__(self):
        self.calls = 0

    def complete(self, prompts):
        self.calls += len(prompts)
        facts = {"entities": ["Ingrid Vale", "Halm"], "triples": []}
        return [Reply(json.dumps(facts), facts, "", 10, 5) for _ in prompts]


def build_model_settings(model):
    """Settings of a client for collections that a model extracts; the client itself calls no model."""
    return {"model": model, "openai_api_key": "unused", "extract_with_model": True}


@pytest.fixture
def read(hop, store, settings, tmp_path, end_worker):
    """Adds four passages under a cap and lets a stage with a model read them."""

    def read_passages(collection, chat, **options):
        rows = [{"id": str(n), "title": f"Row {n}", "text": text} for n, text in enumerate(TEXTS)]
        (tmp_path / "rows.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
        end_worker()
        with Lease(store) as lease, closing(ResilientExecutor(lambda: ThreadPoolExecutor(1))) as pool:
            assert lease.active
            with Hopline.open(home=settings.home, **build_model_settings(chat.name)) as by_model:
                by_model.add(tmp_path / "rows.jsonl", collection=collection, **options)
            batch = hop.add(tmp_path / "rows.jsonl", collection=collection)
            parsing = ParseJsonlFiles(store, settings)
            while parsing.step():  # files of other tests may wait too
                pass
            stage = ExtractEvidence(store, pool, Services(store, load_embedder(settings), chat))
            while stage.step():
                pass
        return batch

    return read_passages


def warnings(batch: Batch):
    assert batch.failures == (), "the passages were extracted"
    return [warning.message for warning in batch.warnings]


def count_remaining_calls(store, collection):
    rows = query(store, "MATCH (c:Collection {id: $id}) RETURN c.calls_left", id=collection_id(collection))
    return [left for [left] in rows]


def test_evidence_beyond_the_limit_is_extracted_by_rules_with_a_warning(read, store):
    chat = Chat()
    messages = warnings(read("capped", chat, max_calls=3))
    assert chat.calls == 3
    assert count_remaining_calls(store, "capped") == [0]
    assert len(messages) == 1
    assert "extracted without the model: the limit on calls" in messages[0]


class TalkativeChat(Chat):
    """Extracts thirteen triples from every passage, most of them with a name at one end only."""

    def complete(self, prompts):
        self.calls += len(prompts)
        triples = [
            {"subject": "Halm", "predicate": f"has by count {n}", "object": "Ingrid Vale" if n % 3 else "slate"}
            for n in range(13)
        ]
        facts = {"entities": ["Ingrid Vale", "Halm"], "triples": triples}
        return [Reply(json.dumps(facts), facts, "", 10, 5) for _ in prompts]


def test_every_triple_of_the_model_is_in_the_graph(read, store):
    assert warnings(read("talkative", TalkativeChat())) == []
    [[count]] = query(store, "MATCH (t:Triple {collection: $id}) RETURN count(t)", id=collection_id("talkative"))
    assert count == 13 * len(TEXTS)


class KillingChat(Chat):
    """Answers every prompt, and ends the worker before the replies arrive."""

    def complete(self, prompts):
        super().complete(prompts)
        raise Killed


class RefusingChat(Chat):
    """Answers some prompts of a batch; the endpoint refuses the others."""

    def __init__(self, answered):
        super().__init__()
        self.answered = answered

    def complete(self, prompts):
        self.calls += self.answered
        raise ModelUnavailable("model 'names' at http://h/v1 answered HTTP 401", calls=self.answered)


@pytest.mark.parametrize("answered", [0, 2])
def test_an_outage_of_the_model_counts_only_the_calls_that_it_answered(read, store, answered):
    messages = warnings(read(f"refused {answered}", RefusingChat(answered), max_calls=3))
    assert count_remaining_calls(store, f"refused {answered}") == [3 - answered]
    assert any("answered HTTP 401" in message for message in messages)


def test_calls_of_a_worker_that_is_killed_before_it_counts_them_stay_counted(read, hop, store, settings, end_worker):
    chat = KillingChat()
    with pytest.raises(Killed):
        read("ended after replies", chat, max_calls=3)
    assert chat.calls == 3
    assert count_remaining_calls(store, "ended after replies") == [0]
    end_worker()
    with Lease(store), closing(ResilientExecutor(lambda: ThreadPoolExecutor(1))) as pool:
        after = Chat()
        while ExtractEvidence(store, pool, Services(store, load_embedder(settings), after)).step():
            pass
    assert after.calls == 0


class OutageAtSettlement:
    """A store whose database is not available for the first settlement of reserved calls."""

    def __init__(self, store):
        self._store = store
        self._failed = False

    def __getattr__(self, name):
        return getattr(self._store, name)

    def write(self, *writes):
        if not self._failed and writes[0][0] == "ingest/settle_calls":
            self._failed = True
            raise EngineUnavailable("the database does not run")
        return self._store.write(*writes)


def test_reserved_calls_are_settled_after_an_outage_of_the_database(read, hop, store, settings, end_worker):
    read("interrupted", RefusingChat(0), max_calls=20)
    end_worker()
    with Lease(store), closing(ResilientExecutor(lambda: ThreadPoolExecutor(1))) as pool:
        assert hop.documents.retry(collection="interrupted") == 4
        chat = Chat()
        services = Services(store, load_embedder(settings), chat)
        stage = ExtractEvidence(OutageAtSettlement(store), pool, services)  # type: ignore[arg-type]
        with pytest.raises(EngineUnavailable):
            stage.step()
        while stage.step():
            pass
    assert count_remaining_calls(store, "interrupted") == [20 - chat.calls]


def test_a_repeated_transaction_counts_and_raises_once(read, hop, store):
    read("repeated", Chat(), max_calls=10)
    collection = collection_id("repeated")
    assert count_remaining_calls(store, "repeated") == [6]
    for _ in range(2):
        [row] = store.write(("ingest/reserve_calls", {"collection": collection, "reservation": "r", "calls": 4}))
        assert row["reserved"] == [4]
        assert count_remaining_calls(store, "repeated") == [2]
    for _ in range(2):
        store.write(("ingest/settle_calls", {"collection": collection, "reservation": "r", "calls": 1}))
        assert count_remaining_calls(store, "repeated") == [5]
    for statement in ("ingest/limit_calls", "ingest/raise_call_limit"):
        before = count_remaining_calls(store, "repeated")[0]
        for _ in range(2):
            store.write((statement, {"collection": collection, "calls": 7, "request": statement}))
            assert count_remaining_calls(store, "repeated") == [before + 7]


def test_adding_unchanged_files_again_does_not_raise_the_limit(read, hop, store, tmp_path, end_worker):
    read("same", Chat(), max_calls=3)
    rows, text = tmp_path / "rows.jsonl", tmp_path / "one.txt"
    end_worker()
    with Lease(store):  # no worker starts
        for content, paths, remaining in (
            (TEXTS[0], [rows], 0), (TEXTS[0], [rows, text], 5), (TEXTS[0], [rows, text], 5), (TEXTS[1], [text], 10),
        ):  # fmt: skip
            text.write_text(content)
            hop.add(paths, collection="same", max_calls=5)
            assert count_remaining_calls(store, "same") == [remaining]
        hop.documents.remove(collection="same")  # no file waits for the next test


def test_a_retry_does_not_limit_a_collection_without_a_limit(read, hop, store):
    read("free", Chat())
    assert hop.documents.retry(collection="free", max_calls=1) == 0
    assert count_remaining_calls(store, "free") == [None]


def test_without_a_limit_every_passage_is_sent_to_the_model(read, store):
    chat = Chat()
    assert warnings(read("uncapped", chat)) == []
    assert (chat.calls, count_remaining_calls(store, "uncapped")) == (4, [None])


def test_a_retry_with_more_calls_extracts_the_rest_with_the_model(read, hop, store, settings, end_worker):
    read("raised", Chat(), max_calls=1)
    end_worker()
    with Lease(store), closing(ResilientExecutor(lambda: ThreadPoolExecutor(1))) as pool:
        assert hop.documents.retry(collection="raised", max_calls=2) == 3
        chat = Chat()
        stage = ExtractEvidence(store, pool, Services(store, load_embedder(settings), chat))
        while stage.step():
            pass
    assert chat.calls == 2
    documents = hop.documents.list("raised")
    states = hop.documents.states([document.id for document in documents])
    assert sorted(state.warned for state in states.values()) == [0, 0, 0, 1]
    assert all(state.extracted == 1 for state in states.values())
