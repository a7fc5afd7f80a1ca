"""Converting a published question set on the command line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

ITEM = {
    "_id": "h1", "question": "Where was Vale taught?", "answer": "Bergen",
    "context": [["Skarv Bridge", ["Ingrid Vale drew it."]], ["Ingrid Vale", ["She studied in Bergen."]]],
    "supporting_facts": [["Ingrid Vale", 0]],
}  # fmt: skip


@pytest.mark.parametrize("options", [(), ("--split",)])
def test_rows_are_marked_to_be_split_on_request(run, tmp_path: Path, options: tuple[str, ...]) -> None:
    (tmp_path / "set.json").write_text(json.dumps([ITEM]))
    result = run("prepare", tmp_path / "set.json", tmp_path / "out", "--as", "hotpotqa", *options)
    assert "2 passages; add them with" in result.stdout
    rows = gzip.decompress((tmp_path / "out" / "corpus.jsonl.gz").read_bytes()).splitlines()
    assert {json.loads(row).get("split") for row in rows} == ({True} if options else {None})
