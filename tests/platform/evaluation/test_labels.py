"""Texts with labels, and F1 over labels."""

import gzip
import json

import numpy as np
import pytest

from hopline.errors import UsageError
from hopline.evaluation.labels import LabelledText, label_f1, read_labelled_texts, to_label_matrix


def test_jsonl_and_csv_files_are_read_plain_or_gzipped(tmp_path):
    lines = tmp_path / "a.jsonl"
    lines.write_text(json.dumps({"text": "A tern dives.", "labels": ["animal", "bird"]}) + "\n\n")
    assert read_labelled_texts(lines) == [LabelledText("A tern dives.", ("animal", "bird"))]
    table = tmp_path / "b.csv.gz"
    table.write_bytes(gzip.compress(b'l1,l2,text\n1,10,"A dive, once."\nAgent,Bird,Two\n'))
    assert read_labelled_texts(table) == [
        LabelledText("A dive, once.", ("l1 1", "l2 10")),
        LabelledText("Two", ("Agent", "Bird")),
    ]
    assert len(read_labelled_texts(table, limit=1)) == 1
    bare = tmp_path / "c.csv"
    bare.write_text('1,10,"A dive, once."\n2,3,Two\n')
    assert read_labelled_texts(bare) == [
        LabelledText("A dive, once.", ("l1 1", "l2 10")),
        LabelledText("Two", ("l1 2", "l2 3")),
    ]


@pytest.mark.parametrize(
    ("name", "content", "message"),
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
def test_an_invalid_row_is_named_by_file_and_line(tmp_path, name, content, message):
    (tmp_path / name).write_text(content)
    with pytest.raises(UsageError, match=message):
        read_labelled_texts(tmp_path / name)


def test_micro_f1_is_over_all_decisions_and_macro_f1_over_occurring_labels():
    rows = [LabelledText("", ("a", "b")), LabelledText("", ("a",)), LabelledText("", ("c",))]
    gold = to_label_matrix(rows, ["a", "b", "c", "never"])
    predicted = np.array([[1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 1, 0]], dtype=bool)
    f1 = label_f1(predicted, gold)
    assert f1["micro F1"] == pytest.approx(2 * 3 / (4 + 4) * 100)  # three correct of four predicted and of four gold
    assert f1["macro F1"] == pytest.approx((80 + 0 + 100) / 3, abs=0.05)
