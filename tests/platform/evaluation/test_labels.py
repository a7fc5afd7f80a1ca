"""Texts with labels, and F1 over labels."""

import gzip
import json

import numpy as np
import pytest

from hopline.errors import UsageError
from hopline.evaluation.labels import Labelled, as_matrix, label_f1, read_labelled


def test_lines_and_tables_are_read_packed_or_not(tmp_path):
    lines = tmp_path / "a.jsonl"
    lines.write_text(json.dumps({"text": "A tern dives.", "labels": ["animal", "bird"]}) + "\n\n")
    assert read_labelled(lines) == [Labelled("A tern dives.", ("animal", "bird"))]
    table = tmp_path / "b.csv.gz"
    table.write_bytes(gzip.compress(b'l1,l2,text\n1,10,"A dive, once."\nAgent,Bird,Two\n'))
    assert read_labelled(table) == [
        Labelled("A dive, once.", ("l1 1", "l2 10")),
        Labelled("Two", ("Agent", "Bird")),
    ]
    assert len(read_labelled(table, limit=1)) == 1
    bare = tmp_path / "c.csv"
    bare.write_text('1,10,"A dive, once."\n2,3,Two\n')
    assert read_labelled(bare) == [Labelled("A dive, once.", ("l1 1", "l2 10")), Labelled("Two", ("l1 2", "l2 3"))]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.jsonl", '{"text": "x"}', "a.jsonl:1"),
        ("a.jsonl", '{"text": "x", "labels": "bird"}', "a.jsonl:1"),
        ("a.jsonl", '{"text": "", "labels": ["bird"]}', "a.jsonl:1"),
        ("a.jsonl", "", "no row"),
        ("a.csv", "title,text\nx,y\n", "columns text, l1"),
        ("a.csv", "l1,text\nbird\n", "a.csv:2"),
        ("a.csv", "1,10,A dive\n2\n", "a.csv:2"),
        ("a.csv", "", "got nothing"),
    ],
)
def test_a_row_that_is_none_is_told_with_its_place(tmp_path, name, content, said):
    (tmp_path / name).write_text(content)
    with pytest.raises(UsageError, match=said):
        read_labelled(tmp_path / name)


def test_micro_counts_all_alike_and_macro_each_label_that_there_is():
    rows = [Labelled("", ("a", "b")), Labelled("", ("a",)), Labelled("", ("c",))]
    right = as_matrix(rows, ["a", "b", "c", "never"])
    found = np.array([[1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 1, 0]], dtype=bool)
    f1 = label_f1(found, right)
    assert f1["micro F1"] == pytest.approx(2 * 3 / (4 + 4) * 100)  # three right of four said, and of four there are
    assert f1["macro F1"] == pytest.approx((80 + 0 + 100) / 3, abs=0.05)
