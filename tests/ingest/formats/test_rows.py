import gzip
import json

import pytest

from hopline.errors import DocumentError
from hopline_ingest.formats.jsonl import BadRow, Row, rows
from hopline_ingest.formats.parsed_document import Given


@pytest.fixture
def written(tmp_path):
    def write(*lines, name="rows.jsonl"):
        path = tmp_path / name
        data = b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return list(rows(path, max_mb=100))

    return write


ONE = {"id": "a1", "title": "Skarv", "text": "It is a bridge. It opened in 1931."}


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.gz"])
def test_a_row_is_a_passage_as_it_stands(written, name):
    (row,) = written(ONE, name=name)
    passage = row.passage()
    assert (passage.source_id, passage.title, passage.text) == ("a1", "Skarv", ONE["text"])
    assert [passage.text[a:b] for a, b in passage.sentences] == ["It is a bridge.", "It opened in 1931."]
    assert passage.given is None


def test_a_row_longer_than_a_passage_is_not_split(written):
    text = "A sentence of some words. " * 200
    (row,) = written({**ONE, "text": text})
    assert row.passage().text == text


def test_a_row_brings_entities_and_triples(written):
    (row,) = written({**ONE, "entities": ["Skarv"], "triples": [["Skarv", "opened in", "1931"]]})
    assert row.given == Given(("Skarv",), (("Skarv", "opened in", "1931"),))
    (only,) = written({**ONE, "entities": []})
    assert only.given == Given((), None)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b"{not json", "is no JSON"),
        (b"[1, 2]", "wanted an object"),
        ({"id": 1, "title": "x"}, "has no text"),
        ({"id": 1, "text": "  "}, "has no text"),
        ({"id": 1, "text": 5}, "text that is a int"),
        ({**ONE, "entities": "Skarv"}, "entities that are no list"),
        ({**ONE, "triples": [["a", "b"]]}, "triples that are no list"),
        (b'{"text": "\xff\xfe"}', "is no JSON"),
        (b"[" * 100_000, "is no JSON"),
    ],
)
def test_a_bad_row_is_told_with_its_line_and_the_others_go_on(written, bad, reason):
    first, told, last = written(ONE, bad, {**ONE, "id": "a3"})
    assert isinstance(first, Row)
    assert isinstance(told, BadRow)
    assert told.line == 2
    assert reason in told.reason
    assert (last.id, last.line) == ("a3", 3)


def test_empty_lines_and_a_byte_order_mark_are_no_rows(written):
    found = written(b"\xef\xbb\xbf" + json.dumps(ONE).encode(), b"", b"   ", ONE)
    assert [row.line for row in found] == [1, 4]


def test_a_row_without_an_id_has_its_line_for_one(written):
    (row,) = written({"text": "No name."})
    assert (row.id, row.title) == ("1", "")
    (zero,) = written({"id": 0, "text": "Zero."})
    assert zero.id == "0"


def test_a_cut_archive_gives_its_rows_and_then_says_so(tmp_path):
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(gzip.compress(b"\n".join(json.dumps({**ONE, "id": str(n)}).encode() for n in range(5000)))[:-2000])
    with pytest.raises(DocumentError, match="cannot be read"):
        list(rows(path, max_mb=100))
