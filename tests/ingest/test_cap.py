"""Reading with a model within a cap on its calls; the stages are driven by hand, with the lease held."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from hopline import Hopline
from hopline.documents.progress import Batch
from hopline.embeddings.loader import load_embedder
from hopline.flow.requests import Reply
from hopline.flow.services import World
from hopline.ids import collection_id
from hopline_ingest.lease import Lease
from hopline_ingest.process_pool import Pool
from hopline_ingest.stages.extract import ExtractEvidence
from hopline_ingest.stages.jsonl_files import ReadCorpora

TEXTS = (
    "Halm was built by Ingrid Vale.",
    "Orre lies west of Halm.",
    "Ingrid Vale died in 1960.",
    "Tern sails to Orre.",
)


class Chat:
    """Finds the same two names in every passage."""

    name = "names"

    def __init__(self):
        self.calls = 0

    def complete(self, prompts):
        self.calls += len(prompts)
        facts = {"entities": ["Ingrid Vale", "Halm"], "triples": []}
        return [Reply(json.dumps(facts), facts, "", 10, 5) for _ in prompts]


@pytest.fixture
def read(hop, store, settings, tmp_path, end_worker):
    """Adds four passages under a cap and lets a stage with a model read them."""

    def reading(collection, chat, **given):
        rows = [{"id": str(n), "title": f"Row {n}", "text": text} for n, text in enumerate(TEXTS)]
        (tmp_path / "rows.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
        end_worker()
        with Lease(store) as lease, closing(Pool(lambda: ThreadPoolExecutor(1))) as pool:
            assert lease.held
            with Hopline.open(home=settings.home, model=chat.name, extract_with_model=True) as by_model:
                by_model.add(tmp_path / "rows.jsonl", collection=collection, **given)
            batch = hop.add(tmp_path / "rows.jsonl", collection=collection)
            ReadCorpora(store, settings).step()
            stage = ExtractEvidence(store, pool, World(store, load_embedder(settings), chat))
            while stage.step():
                pass
        return batch

    return reading


def warnings(batch: Batch):
    return [failure.reason for failure in batch.failures]


def left(store, collection):
    return store.columns("ingest/calls_left", {"collection": collection_id(collection)})["left"]


def test_what_is_beyond_the_cap_is_read_by_rules_and_says_so(read, store):
    chat = Chat()
    failures = warnings(read("capped", chat, max_calls=3))
    assert chat.calls == 3
    assert left(store, "capped") == [0]
    assert len(failures) == 1
    assert "read without the model: the cap on calls" in failures[0]


def test_trying_again_caps_no_collection_that_has_no_cap(read, hop, store):
    read("free", Chat())
    assert hop.retry(collection="free", max_calls=1) == 0
    assert left(store, "free") == [None]


def test_no_cap_asks_for_every_passage(read, store):
    chat = Chat()
    assert warnings(read("uncapped", chat)) == []
    assert (chat.calls, left(store, "uncapped")) == (4, [None])


def test_trying_again_with_more_calls_reads_the_rest_with_the_model(read, hop, store, settings, end_worker):
    read("raised", Chat(), max_calls=1)
    end_worker()
    with Lease(store), closing(Pool(lambda: ThreadPoolExecutor(1))) as pool:
        assert hop.retry(collection="raised", max_calls=2) == 3
        chat = Chat()
        stage = ExtractEvidence(store, pool, World(store, load_embedder(settings), chat))
        while stage.step():
            pass
    assert chat.calls == 2
    documents = hop.documents("raised")
    states = hop.reading([one.id for one in documents])
    assert sorted(state.warned for state in states.values()) == [0, 0, 0, 1]
    assert all(state.extracted == 1 for state in states.values())
