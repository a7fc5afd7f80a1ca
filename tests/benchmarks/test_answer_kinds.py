"""Answers are compared with the gold answer by their headline."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
KINDS = FOLDER / "questions" / "kinds"


@pytest.fixture(scope="module")
def kinds() -> ModuleType:
    sys.path.insert(0, str(FOLDER))
    try:
        spec = importlib.util.spec_from_file_location("answer_kinds", FOLDER / "answer_kinds.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["answer_kinds"] = module
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(FOLDER))
    return module


def make_row(answer: str, *aliases: str, all_of: tuple[tuple[str, ...], ...] = ()) -> dict[str, Any]:
    return {"answer": answer, "answer_aliases": list(aliases), "all_of": [list(item) for item in all_of]}


@pytest.mark.parametrize(
    ("row", "headline", "right"),
    [
        (make_row("no"), "No: the lift has steps", True),
        (make_row("no"), "nothing", False),
        (make_row("yes"), "no", False),
        (make_row("12", "twelve"), "twelve people", True),
        (make_row("12"), "112", False),
        (make_row("no value", "-"), "–", True),
        (make_row("no value", "-"), "no value in the table", True),
        (make_row("no value", "-"), "4-stroke", False),
        (make_row("", all_of=(("Hagen",), ("Osen", "Ossen"))), "Hagen, Ossen", True),
        (make_row("", all_of=(("Hagen",), ("Osen",))), "Hagen", False),
    ],
)
def test_the_headline_is_compared(kinds: ModuleType, row: dict[str, Any], headline: str, right: bool) -> None:
    assert kinds.is_right(row, headline, ()) is right


@pytest.mark.parametrize(
    "name",
    ["kinds-dev.jsonl", "kinds-dev-2.jsonl", "paraphrase-dev-2.jsonl", "kinds-test.jsonl", "paraphrase-test.jsonl"],
)
def test_questions_name_documents_that_are_included(name: str) -> None:
    rows = [json.loads(line) for line in (KINDS / name).read_text("utf-8").splitlines()]
    documents = {path.name for folder in ("dev", "dev-2", "test") for path in (KINDS / folder).iterdir()}
    own = {document for row in rows for document in row["documents"] if not document.endswith(".pdf")}
    assert own
    assert own <= documents
    assert max(Counter(row["id"] for row in rows).values()) == 1
    assert all(row["answer"] or row["all_of"] or not row["answerable"] for row in rows)
