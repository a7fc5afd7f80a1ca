"""Themes of a real collection: learned, written by the worker, searched within, and gone again."""

import json
import time

import pytest

from hopline.errors import UsageError
from hopline.topics.collection_topics import build_own_set_name
from hopline.topics.topic_scope import topic_property
from hopline_ingest.stages.topics import ClassifyTopics

SAYINGS = {
    "ferry": "The ferry {n} leaves the harbour of Halm with cars, cargo and passengers, and sails along the coast.",
    "slate": "Quarry {n} cuts slate in blocks; masons split the stone and carry the tiles to the roofs of houses.",
    "bird": "Colony {n} of terns breeds on the cliffs; the birds feed their chicks with herring that they dive for.",
}


@pytest.fixture(scope="module")
def coast(hop, tmp_path_factory):
    """Thirty passages about three things."""
    file = tmp_path_factory.mktemp("coast") / "coast.jsonl"
    rows = [
        {"id": f"{kind}{n}", "title": f"{kind} {n}", "text": text.format(n=n)}
        for n in range(10)
        for kind, text in SAYINGS.items()
    ]
    file.write_text("\n".join(map(json.dumps, rows)))
    assert hop.add(file, collection="coast").wait(timeout=240).failures == ()
    return "coast"


def wait_for_topics(hop, collection, seconds=60):
    end = time.monotonic() + seconds
    while (listing := hop.topics.list(collection)).waiting and time.monotonic() < end:
        time.sleep(0.2)
    return listing


def test_topics_are_trained_named_written_and_searched(hop, coast, tmp_path):
    assert not hop.topics.list(coast)
    card = hop.training.topics(coast, count=3)
    listing = wait_for_topics(hop, coast)
    assert listing.waiting == 0
    assert sorted(theme.evidence for theme in listing.topics) == [10, 10, 10]
    kind_words = [
        set(SAYINGS[kind].lower().replace(",", "").replace(".", "").replace(";", "").split()) for kind in SAYINGS
    ]
    names = [set(theme.name.replace(",", "").split()) for theme in listing.topics]
    assert sorted(n for name in names for n, words in enumerate(kind_words) if name <= words) == [0, 1, 2]
    assert card.part == f"themes/{listing.set}"

    question = "Where do the birds find food for their young?"
    whole, within = (
        hop.retrieve(question, collection=coast, strategy="ras:scope=0", k=10),
        hop.retrieve(question, collection=coast, strategy="ras:base=dense,scope=0.34,rounds=1", k=10),
    )
    both = hop.retrieve("Which cliffs have slate?", collection=coast, strategy="ras:scope=0.34,rounds=1,depth=30", k=30)
    assert {evidence.source_id[:4] for evidence in within.evidence} == {"bird"}
    assert any("among themes_" in step.name for step in within.trace.steps)
    assert not any("among themes_" in step.name for step in whole.trace.steps)
    assert {"bird", "slat"} <= {evidence.source_id[:4] for evidence in both.evidence}  # the words look everywhere

    more = tmp_path / "more.jsonl"
    more.write_text(json.dumps({"id": "late", "title": "late", "text": SAYINGS["slate"].format(n=99)}))
    hop.add(more, collection=coast).wait(timeout=240)
    assert wait_for_topics(hop, coast).waiting == 0
    assert sum(theme.evidence for theme in hop.topics.list(coast).topics) == 31

    hop.topics.assign("", coast)
    assert not hop.topics.list(coast)
    assert hop.retrieve(question, collection=coast, strategy="ras", k=3).evidence


def test_a_set_that_was_never_trained_is_refused(hop, coast):
    with pytest.raises(UsageError, match="hopline topics"):
        hop.topics.assign("never", coast)


def test_questions_with_gold_teach_the_shifter(hop, coast):
    from hopline.evaluation.questions import Question

    questions = [Question(f"q{n}", f"Which ship sails as number {n}?", gold=(f"ferry{n}",)) for n in range(10)]
    card = hop.training.topics(coast, count=2, questions=[*questions, *questions])
    assert card.data["the shifter from"] == "questions"
    assert card.data["pairs"] == 20
    wait_for_topics(hop, coast)


class Broken:
    def infer(self, part, inputs):
        raise UsageError("it was not trained on this machine")


def test_without_its_weights_a_collection_is_ingested_without_topics(tiny_store):
    store, id = tiny_store
    assert ClassifyTopics(store, Broken()).step()
    assert not ClassifyTopics(store, Broken()).step()
    assert id


@pytest.fixture
def tiny_store(store):
    """One passage of a collection whose topic model is missing."""
    own = {"collection": "themeless", "name": "themeless", "extraction_model": ""}
    claim = {"id": "themeless:d", "sha256": "x", "version": "1"}
    row = {"id": "themeless:d", "name": "a.pdf", "sha256": "x", "version": "x-1", "reason": ""}
    passage = {
        "id": "themeless:a", "pages": ["themeless:p"], "search": "a", "version": "1",
        "properties": {"document": "themeless:d", "collection": "themeless", "ordinal": 0, "section": [], "pages": [1],
                       "boxes": [], "text": "a", "lines": [], "sentences": [0, 1], "source_id": "a"},
    }  # fmt: skip
    store.write(
        ("ingest/add_documents", {**own, "documents": [row]}),
        ("ingest/claim_documents", {"documents": [claim]}),
        ("ingest/write_pages", {"pages": [
            {"id": "themeless:p", "document": "themeless:d", "number": 1, "width": 0.0, "height": 0.0, "version": "1"}]}),
        ("ingest/write_passages", {"passages": [passage]}),
        ("topics/set_topics", {"collection": "themeless", "themes": "gone", "labels": ["a"]}),
        ("ingest/write_vectors_evidence", {
            "rows": [{"id": "themeless:a", "vector": [1.0, 0.0, 0.0, 0.0]}], "embedding": store.embedding}),
    )  # fmt: skip
    return store, "themeless:a"


def test_names_of_sets_are_those_of_properties():
    assert topic_property(build_own_set_name("0123456789abcdef")) == "themes_own_0123456789abcdef"
    with pytest.raises(UsageError, match="lowercase letters"):
        topic_property("My themes")
