"""Renaming of collections, on the real graph."""

import pytest

from hopline.errors import UnknownName, UsageError


def names(hop):
    return [collection.name for collection in hop.collections()]


@pytest.fixture
def add_text(hop, tmp_path):
    """Adds a document to a collection and waits until the worker has processed it."""

    def add(collection, text):
        file = tmp_path / "note.md"
        file.write_text(text)
        hop.add(file, collection=collection).wait(timeout=240)

    return add


def test_a_renamed_collection_keeps_its_documents_and_frees_its_old_name(hop, add_text):
    add_text("drafts", "The lighthouse of Halm was lit in 1902.")
    hop.rename_collection("drafts", "plans: 2030 🙂")
    assert "drafts" not in names(hop)
    assert hop.retrieve("When was the lighthouse lit?", collection="plans: 2030 🙂").evidence
    with pytest.raises(UnknownName, match="no collection called 'drafts'"):
        hop.retrieve("When was the lighthouse lit?", collection="drafts")
    add_text("drafts", "The quarry of Orre was closed in 1950.")
    assert {"drafts", "plans: 2030 🙂"} <= set(names(hop))
    [evidence] = hop.retrieve("When was the quarry closed?", collection="drafts").evidence
    assert "quarry" in evidence.text
    hop.rename_collection("drafts", "retired plans")
    add_text("drafts", "A third text, about a ferry.")
    ids = {collection.name: collection.id for collection in hop.collections()}
    assert len({ids["drafts"], ids["retired plans"], ids["plans: 2030 🙂"]}) == 3
    hop.documents.remove(collection="retired plans")
    assert [document.name for document in hop.documents.list("plans: 2030 🙂")] == ["note.md"]


def test_a_name_that_is_in_use_or_blank_is_refused(hop, add_text):
    add_text("one", "One.")
    add_text("two", "Two.")
    with pytest.raises(UsageError, match="called 'two' already"):
        hop.rename_collection("one", "two")
    with pytest.raises(UsageError, match="must not be blank"):
        hop.rename_collection("one", "  ")
    with pytest.raises(UnknownName, match="nowhere"):
        hop.rename_collection("nowhere", "three")
    hop.rename_collection("one", "one")
    assert {"one", "two"} <= set(names(hop))


def test_a_collection_of_tables_only_counts_them(hop, tmp_path):
    (tmp_path / "fleet.csv").write_text("Vessel,Built\nPetrel,1950\nTern,1962\n")
    hop.add(tmp_path / "fleet.csv", collection="fleet").wait(timeout=240)
    [fleet] = [collection for collection in hop.collections() if collection.name == "fleet"]
    assert (fleet.documents, fleet.passages, fleet.tables) == (1, 0, 1)
    assert hop.status().tables >= 1


def test_the_progress_of_a_document_counts_passages_and_entities(hop, add_text):
    add_text("far", "The lighthouse of Halm was built by Ingrid Vale in 1902. Ingrid Vale lived in Halm.")
    [document] = hop.documents.list("far")
    far = hop.documents.states([document.id, "nowhere"])
    assert list(far) == [document.id]
    reading = far[document.id]
    assert (reading.passages, reading.extracted, reading.embedded, reading.warned) == (1, 1, 1, 0)
    assert reading.entities >= 2
    assert reading.fraction_done == 1.0
