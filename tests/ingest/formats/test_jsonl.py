import gzip
import json

import pytest

from hopline.errors import DocumentError
from hopline_ingest.chunking import LIMIT, count_tokens
from hopline_ingest.formats.jsonl import InvalidRow, JsonlRow, read_rows
from hopline_ingest.formats.parsed_document import GivenFacts


@pytest.fixture
def write_rows(tmp_path):
    def write(*lines, name="rows.jsonl"):
        path = tmp_path / name
        data = b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return list(read_rows(path, max_mb=100))

    return write


ONE = {"id": "a1", "title": "Skarv", "text": "It is a bridge. It opened in 1931."}


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.gz"])
def test_a_row_is_an_unchanged_passage(write_rows, name):
    (row,) = write_rows(ONE, name=name)
    [passage] = row.to_passages("rows.jsonl")
    assert (passage.source_id, passage.title, passage.text) == ("a1", "Skarv", ONE["text"])
    assert [passage.text[a:b] for a, b in passage.sentences] == ["It is a bridge.", "It opened in 1931."]
    assert passage.facts is None


def test_a_row_longer_than_a_passage_is_not_split(write_rows):
    text = "A sentence of some words. " * 200
    (row,) = write_rows({**ONE, "text": text})
    assert [passage.text for passage in row.to_passages("rows.jsonl")] == [text]


@pytest.mark.parametrize("words", [40, 240])
def test_a_longer_row_that_is_to_be_split_becomes_passages_with_its_id_and_title(write_rows, words):
    text = " ".join(f"Sentence {n} has seven words in it." for n in range(words))
    (row,) = write_rows({**ONE, "text": text, "split": True})
    passages = row.to_passages("rows.jsonl")
    assert len(passages) > 1
    assert all(count_tokens(passage.text) <= LIMIT for passage in passages)
    assert {(passage.source_id, passage.title, passage.pages) for passage in passages} == {("a1", "Skarv", ())}
    assert " ".join(passage.text for passage in passages) == text
    assert passages[1].text[slice(*passages[1].sentences[0])].startswith("Sentence ")


@pytest.mark.parametrize("row", [{}, {"text": "Word. " * 300, "entities": ["Skarv"]}])
def test_a_short_row_and_one_with_facts_stay_whole(write_rows, row):
    (whole,) = write_rows({**ONE, **row, "split": True})
    assert [passage.text for passage in whole.to_passages("rows.jsonl")] == [whole.text]


def test_a_row_brings_entities_and_triples(write_rows):
    (row,) = write_rows({**ONE, "entities": ["Skarv"], "triples": [["Skarv", "opened in", "1931"]]})
    assert row.facts == GivenFacts(("Skarv",), (("Skarv", "opened in", "1931"),))
    (only,) = write_rows({**ONE, "entities": []})
    assert only.facts == GivenFacts((), None)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b"{not json", "is not valid JSON"),
        (b"[1, 2]", "expected an object"),
        ({"id": 1, "title": "x"}, "has no text"),
        ({"id": 1, "text": "  "}, "has no text"),
        ({"id": 1, "text": 5}, "text of type int"),
        ({**ONE, "entities": "Skarv"}, "entities that are not a list"),
        ({**ONE, "triples": [["a", "b"]]}, "triples that are not a list"),
        ({**ONE, "split": "no"}, "expected true or false"),
        (b'{"text": "\xff\xfe"}', "is not valid JSON"),
        (b"[" * 100_000, "is not valid JSON"),
    ],
)
def test_a_bad_row_is_reported_with_its_line_and_the_others_are_parsed(write_rows, bad, reason):
    first, invalid, last = write_rows(ONE, bad, {**ONE, "id": "a3"})
    assert isinstance(first, JsonlRow)
    assert isinstance(invalid, InvalidRow)
    assert invalid.line == 2
    assert reason in invalid.reason
    assert (last.id, last.line) == ("a3", 3)


def test_empty_lines_and_a_byte_order_mark_are_no_rows(write_rows):
    rows = write_rows(b"\xef\xbb\xbf" + json.dumps(ONE).encode(), b"", b"   ", ONE)
    assert [row.line for row in rows] == [1, 4]


def test_a_row_without_an_id_is_named_by_its_file_and_line(write_rows):
    (row,) = write_rows({"text": "No name."})
    assert (row.to_passages("rows.jsonl")[0].source_id, row.title) == ("rows.jsonl:1", "")
    (zero,) = write_rows({"id": 0, "text": "Zero."})
    assert zero.id == "0"


def test_a_truncated_archive_yields_its_rows_and_then_an_error(tmp_path):
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(gzip.compress(b"\n".join(json.dumps({**ONE, "id": str(n)}).encode() for n in range(5000)))[:-2000])
    with pytest.raises(DocumentError, match="cannot be opened or decompressed"):
        list(read_rows(path, max_mb=100))
