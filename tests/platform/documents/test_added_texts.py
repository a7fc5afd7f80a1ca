"""Texts, documents of other libraries and files in memory become documents of a collection."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime

import numpy as np
import pytest
from haystack import Document as HaystackDocument
from haystack.dataclasses import ByteStream
from langchain_core.documents import Document as LangChainDocument
from llama_index.core.schema import Document as LlamaDocument
from llama_index.core.schema import TextNode

from hopline import Hopline, NamedBytes
from hopline.documents.foreign_documents import build_document_files
from hopline.documents.foreign_metadata import clean_metadata
from hopline.documents.text_files import MAX_ROW, build_text_files
from hopline.errors import UsageError
from hopline.testing import FakeHopline

FEE = "The mooring fee in Halm is 40 kroner a night. It is paid at the harbour office."
TOWER = "The tower of Orre was built by Ingrid Vale in 1927."


def read_rows(file: NamedBytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.data.decode().splitlines()]


def read_passages(hop: Hopline, collection: str, question: str = "What is the mooring fee in Halm?") -> list[str]:
    return sorted(item.text for item in hop.retrieve(question, collection=collection, k=50).evidence)


def test_each_text_is_a_document_that_is_found_cited_and_unchanged_when_it_is_added_again(hop: Hopline) -> None:
    batch = hop.add_texts([FEE, TOWER], ["Harbour rules", None], [{"year": 2024}, {}], "texts").wait(timeout=240)
    assert batch.failures == ()
    assert sorted(document.name.split()[0] for document in hop.documents.list("texts")) == ["Harbour", "row"]
    answer = hop.ask("What is the mooring fee in Halm?", collection="texts")
    citation = answer.sentences[0].citations[0]
    assert (answer.short, citation.document, citation.evidence.source_id) == (
        "40 kroner a night",
        "Harbour rules",
        "Harbour rules",
    )
    before = hop.retrieve("Who built the tower?", collection="texts").to_dict()["evidence"]
    again = hop.add_texts([FEE, TOWER], ["Harbour rules", None], [{"year": 2024}, {}], "texts").wait(timeout=240)
    assert {file.change for file in again.files} == {"unchanged"}
    assert hop.retrieve("Who built the tower?", collection="texts").to_dict()["evidence"] == before


def test_another_text_with_a_known_title_replaces_it_and_others_stay(hop: Hopline) -> None:
    hop.add_texts([FEE, TOWER], ["Harbour rules", "Tower"], collection="replaced texts").wait(timeout=240)
    batch = hop.add_texts([FEE.replace("40", "45")], ["Harbour rules"], collection="replaced texts").wait(timeout=240)
    assert batch.replaced == ("Harbour rules.text.jsonl",)
    assert read_passages(hop, "replaced texts") == [FEE.replace("40", "45"), TOWER]
    hop.remove("Tower", collection="replaced texts")
    assert len(read_passages(hop, "replaced texts")) == 1
    hop.add_texts([TOWER], ["Tower"], collection="replaced texts").wait(timeout=240)
    assert len(read_passages(hop, "replaced texts")) == 2


def test_no_word_of_a_long_text_is_lost_and_all_survives_export_and_import(hop: Hopline, tmp_path) -> None:
    text = "\n\n".join(
        f"Berth {n} of Halm lies {n * 7} metres from the pier. Its number is B{n:04d}." for n in range(90)
    )
    hop.add_texts([text], ["Berths"], collection="long text").wait(timeout=240)
    passages = read_passages(hop, "long text", "Which berth of Halm lies 7 metres from the pier?")
    assert len(passages) > 5
    assert {word for passage in passages for word in passage.split()} == set(text.split())
    hop.export("long text", tmp_path / "exported")
    hop.import_collection(tmp_path / "exported", "long text copy")
    assert read_passages(hop, "long text copy", "Which berth of Halm lies 7 metres from the pier?") == passages
    again = hop.add_texts([text], ["Berths"], collection="long text copy").wait(timeout=240)
    assert {file.change for file in again.files} == {"unchanged"}


def test_items_that_cannot_be_added_are_named_and_the_others_are_added(hop: Hopline) -> None:
    documents = [
        ("notes.txt", FEE.encode()),
        ("photo.xyz", b"?"),
        LangChainDocument("  ", metadata={"source": "empty.md"}),
        5,
        LangChainDocument(TOWER, metadata={"source": "tower.md"}),
    ]
    batch = hop.add_documents(documents, "mixed documents").wait(timeout=240)
    failures = {failure.document: failure.reason for failure in batch.failures}
    assert failures["documents[2] (empty.md)"] == "has no text"
    assert "expected a document of LangChain" in failures["documents[3]"]
    assert "unsupported file type (.xyz)" in failures["photo.xyz"]
    ready = [document.name for document in hop.documents.list("mixed documents") if document.state == "ready"]
    assert ready == ["notes.txt", "tower.md"]


def test_a_long_text_is_divided_into_rows_of_one_document_without_loss() -> None:
    text = "\n\n".join(f"Paragraph {n} of the register." for n in range(40_000))
    [file] = build_text_files([text], ["Register"], None).files
    rows = read_rows(file)
    assert len(rows) > 1
    assert {row["title"] for row in rows} == {"Register"}
    assert max(len(str(row["text"])) for row in rows) <= MAX_ROW
    assert " ".join(str(row["text"]) for row in rows).split() == text.split()


def test_a_text_that_is_none_is_a_failure_with_its_number_and_title() -> None:
    prepared = build_text_files([FEE, "", 7], ["Rules", "Empty", None], [{}, {}, {}])  # type: ignore[list-item]
    assert [file.name for file in prepared.files] == ["Rules.text.jsonl"]
    assert [failure.document for failure in prepared.failures] == ["texts[1] (Empty)", "texts[2]"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((FEE, None, None), "texts must be a list"),
        (([FEE], ["a", "b"], None), "titles must have an item for each of the 1 texts; got 2"),
        (([FEE], None, {"year": 2024}), "metadata must be a list"),
    ],
)
def test_arguments_of_different_lengths_are_rejected(arguments, message) -> None:
    with pytest.raises(UsageError, match=message):
        build_text_files(*arguments)
    with pytest.raises(UsageError, match="documents must be a list"):
        build_document_files(FEE)


def test_documents_of_three_libraries_are_recognized_with_their_source_id_and_metadata() -> None:
    prepared = build_document_files([
        LangChainDocument(FEE, id="lc-1", metadata={"source": "/tmp/rules.pdf", "title": "Harbour rules", "page": 0}),
        LlamaDocument(text=TOWER, id_="ll-1", metadata={"file_path": "C:\\texts\\tower.md", "year": 1927}),
        HaystackDocument(content=FEE, id="h-1", meta={"url": "https://halm.example/fees"}),
        HaystackDocument(blob=ByteStream(b"%PDF-1.7"), meta={"file_path": "scan.pdf"}),
        TextNode(text="Untitled text."),
    ])  # fmt: skip
    assert prepared.failures == ()
    assert prepared.files[0] == NamedBytes("scan.pdf", b"%PDF-1.7")
    rows = [read_rows(file)[0] for file in prepared.files[1:]]
    assert [(row.get("title"), row["id"]) for row in rows[:3]] == [
        ("Harbour rules", "lc-1"), ("tower.md", "ll-1"), ("https://halm.example/fees", "h-1"),
    ]  # fmt: skip
    assert rows[0]["metadata"] == {"source": "/tmp/rules.pdf", "title": "Harbour rules", "page": 0}
    assert "title" not in rows[3]


def test_parts_of_one_source_are_one_document_in_their_order() -> None:
    parts = [LangChainDocument(f"Page {n}.", metadata={"source": "a.pdf", "page": n}) for n in range(3)]
    [file] = build_document_files(parts).files
    assert [row["text"] for row in read_rows(file)] == ["Page 0.", "Page 1.", "Page 2."]


def test_new_objects_of_the_same_text_are_the_same_document() -> None:
    first, second = (build_document_files([TextNode(text=FEE)]).files[0] for _ in range(2))
    assert first.name == second.name


def test_metadata_are_texts_numbers_booleans_and_lists() -> None:
    metadata = {"a b/c": 1, "day": date(2024, 3, 1), "at": datetime(2024, 3, 1, 12, tzinfo=UTC), "none": None, "nan": float("nan"),
                "loc": {"lines": {"from": 3}}, "tags": ("x", None, 2), "n": np.int64(4), "long": "x" * 5000,
                "other": object, "yes": True}  # fmt: skip
    cleaned = clean_metadata(metadata)
    assert json.loads(json.dumps(cleaned)) == cleaned
    assert cleaned == {
        "a_b_c": 1, "day": "2024-03-01", "at": "2024-03-01T12:00:00+00:00", "loc.lines.from": 3, "tags": ["x", 2], "n": 4,
        "long": "x" * 1000, "other": "<class 'object'>", "yes": True,
    }  # fmt: skip


def test_the_fake_client_notes_texts_and_failures() -> None:
    hop = FakeHopline()
    batch = hop.add_texts([FEE, ""], ["Rules", "Empty"], collection="notes")
    assert [(file.collection, file.name) for file in hop.state.added] == [("notes", "Rules.text.jsonl")]
    assert [failure.document for failure in batch.failures] == ["texts[1] (Empty)"]
    hop.add_documents([NamedBytes("a.txt", b"one")], "notes")
    assert hop.state.added[1].data == b"one"
