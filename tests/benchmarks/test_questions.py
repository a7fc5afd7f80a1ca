"""The question sets on real documents say what they claim, and the check notices when they do not."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def check() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_questions", ROOT / "benchmarks" / "check_questions.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def answerable(**changes: object) -> dict[str, object]:
    row = {
        "id": "x-a01", "question": "Who founded Halden Mills?", "answerable": True, "answer": "Ada Brook",
        "answer_aliases": [], "documents": ["mills.pdf"], "kind": "who", "source": "prose", "places": 1, "note": "",
        "evidence": [{"document": "mills.pdf", "page": 2, "quote": "Halden Mills was founded by Ada Brook"}],
    }  # fmt: skip
    return row | changes


def near_miss(**changes: object) -> dict[str, object]:
    row = {
        "id": "x-n01", "question": "Who sold Halden Mills?", "answerable": False, "answer": "", "answer_aliases": [],
        "documents": ["mills.pdf"], "evidence": [], "kind": "who", "source": "prose", "places": 1,
        "note": "only its founder is named", "absence": "attribute", "absent": [["mills", "sold"]],
    }  # fmt: skip
    return row | changes


def pages(name: str) -> list[str]:
    return [
        "A mill stands on the river.",
        "Halden Mills was foun\ufffe\r\nded by\r\nAda Brook. Its stones were resold.",
    ]


def page_problems(check: ModuleType, row: dict[str, object]) -> list[str]:
    return list(check.page_problems(row, pages))


def test_the_sets_have_the_right_shape_counts_and_nothing_in_common(check: ModuleType) -> None:
    sets = {name: check.read(ROOT / "benchmarks" / "questions" / name) for name in check.SETS}
    assert check.problems(sets) == []


@pytest.mark.shared
def test_every_quote_stands_on_its_page_and_every_absent_fact_is_absent(check: ModuleType) -> None:
    missing = [str(folder) for folder in check.FOLDERS if not folder.is_dir()]
    if missing:
        pytest.skip(f"the real PDFs are not there: {missing}")
    sets = {name: check.read(ROOT / "benchmarks" / "questions" / name) for name in check.SETS}
    assert check.problems(sets, check.pages_of(check.FOLDERS)) == []


def test_a_quote_is_found_across_broken_words_and_lines(check: ModuleType) -> None:
    assert page_problems(check, answerable()) == []


def test_a_quote_on_another_page_is_a_problem(check: ModuleType) -> None:
    evidence = [{"document": "mills.pdf", "page": 1, "quote": "Halden Mills was founded by Ada Brook"}]
    assert page_problems(check, answerable(evidence=evidence)) == [
        "not on page 1 of mills.pdf: 'Halden Mills was founded by Ada Brook'"
    ]


def test_an_answer_that_no_quote_holds_is_a_problem(check: ModuleType) -> None:
    assert list(check.shape_problems(answerable(answer="Ida Brook"))) == [
        "no form of the answer 'Ida Brook' stands in its quotes"
    ]


def test_an_absent_term_counts_only_where_a_word_begins_with_it(check: ModuleType) -> None:
    assert page_problems(check, near_miss()) == []  # "resold" does not begin with "sold"
    assert page_problems(check, near_miss(absent=[["mills", "founded"]])) == [
        "['mills', 'founded'] stand together on page 2 of mills.pdf"
    ]


def test_a_near_miss_without_a_reason_is_a_problem(check: ModuleType) -> None:
    assert list(check.shape_problems(near_miss(note=""))) == ["a near miss says what is absent"]


def test_a_question_in_both_sets_is_a_problem(check: ModuleType) -> None:
    sets = {"documents-dev.jsonl": [answerable()], "documents-test.jsonl": [answerable(id="y-a01")]}
    found = check.problems(sets)
    assert "the same question twice: ['Who founded Halden Mills?']" in found
    assert any(text.startswith("quotes in every set") for text in found)
