"""Collections under new names, on the real graph."""

import pytest

from hopline.errors import UnknownName, UsageError


def names(hop):
    return [one.name for one in hop.collections()]


@pytest.fixture
def added(hop, tmp_path):
    """Adds one document to a collection, read by the real worker."""

    def add(collection, text):
        file = tmp_path / "note.md"
        file.write_text(text)
        hop.add(file, collection=collection).wait(timeout=240)

    return add


def test_a_renamed_collection_keeps_what_is_in_it_and_its_old_name_is_free_again(hop, added):
    added("drafts", "The lighthouse of Halm was lit in 1902.")
    hop.rename("drafts", "plans: 2030 🙂")
    assert "drafts" not in names(hop)
    assert hop.retrieve("When was the lighthouse lit?", collection="plans: 2030 🙂").evidence
    with pytest.raises(UnknownName, match="no collection called 'drafts'"):
        hop.retrieve("When was the lighthouse lit?", collection="drafts")
    added("drafts", "The quarry of Orre was closed in 1950.")
    assert {"drafts", "plans: 2030 🙂"} <= set(names(hop))
    [evidence] = hop.retrieve("When was the quarry closed?", collection="drafts").evidence
    assert "quarry" in evidence.text
    hop.rename("drafts", "older")
    added("drafts", "A third text, about a ferry.")
    assert len({one.id for one in hop.collections() if one.name in {"drafts", "older", "plans: 2030 🙂"}}) == 3
    hop.remove(collection="older")
    assert [one.name for one in hop.documents("plans: 2030 🙂")] == ["note.md"]


def test_a_name_that_is_taken_or_empty_is_refused(hop, added):
    added("one", "One.")
    added("two", "Two.")
    with pytest.raises(UsageError, match="called 'two' already"):
        hop.rename("one", "two")
    with pytest.raises(UsageError, match="needs a name"):
        hop.rename("one", "  ")
    with pytest.raises(UnknownName, match="nowhere"):
        hop.rename("nowhere", "three")
    hop.rename("one", "one")
    assert {"one", "two"} <= set(names(hop))


def test_how_far_a_document_is_counts_its_passages_and_names(hop, added):
    added("far", "The lighthouse of Halm was built by Ingrid Vale in 1902. Ingrid Vale lived in Halm.")
    [document] = hop.documents("far")
    far = hop.reading([document.id, "nowhere"])
    assert list(far) == [document.id]
    reading = far[document.id]
    assert (reading.passages, reading.extracted, reading.embedded, reading.warned) == (1, 1, 1, 0)
    assert reading.entities >= 2
    assert reading.share == 1.0
