"""The question sets on real documents are consistent, and the check reports inconsistencies."""

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
    return list(check.find_page_problems(row, pages))


def test_the_sets_have_valid_rows_and_counts_and_do_not_overlap(check: ModuleType) -> None:
    sets = {name: check.read_rows(ROOT / "benchmarks" / "questions" / name) for name in check.SETS}
    assert check.find_problems(sets) == []


@pytest.mark.shared
def test_every_quote_is_on_its_page_and_every_absent_fact_is_absent(check: ModuleType) -> None:
    missing = [str(folder) for folder in check.FOLDERS if not folder.is_dir()]
    if missing:
        pytest.skip(f"the real PDFs are not available: {missing}")
    sets = {name: check.read_rows(ROOT / "benchmarks" / "questions" / name) for name in check.SETS}
    assert check.find_problems(sets, check.open_pages(check.FOLDERS)) == []


def test_a_quote_is_found_across_hyphenation_and_line_breaks(check: ModuleType) -> None:
    assert page_problems(check, answerable()) == []


def test_a_quote_on_another_page_is_a_problem(check: ModuleType) -> None:
    evidence = [{"document": "mills.pdf", "page": 1, "quote": "Halden Mills was founded by Ada Brook"}]
    assert page_problems(check, answerable(evidence=evidence)) == [
        "not on page 1 of mills.pdf: 'Halden Mills was founded by Ada Brook'"
    ]


def test_the_quotes_of_a_document_that_is_not_available_are_not_checked(check: ModuleType, tmp_path: Path) -> None:
    assert list(check.find_page_problems(answerable(), check.open_pages([tmp_path]))) == []


def test_an_answer_that_no_quote_contains_is_a_problem(check: ModuleType) -> None:
    assert list(check.find_format_problems(answerable(answer="Ida Brook"))) == [
        "no form of the answer 'Ida Brook' is in its quotes"
    ]


def test_an_absent_term_matches_only_at_the_start_of_a_word(check: ModuleType) -> None:
    assert page_problems(check, near_miss()) == []  # "resold" does not start with "sold"
    assert page_problems(check, near_miss(absent=[["mills", "founded"]])) == [
        "['mills', 'founded'] occur together on page 2 of mills.pdf"
    ]


def test_a_near_miss_without_a_reason_is_a_problem(check: ModuleType) -> None:
    assert list(check.find_format_problems(near_miss(note=""))) == [
        "a near miss needs the kind of absence, a note and the absent terms"
    ]


def test_a_question_in_both_sets_is_a_problem(check: ModuleType) -> None:
    sets = {"documents-dev.jsonl": [answerable()], "documents-test.jsonl": [answerable(id="y-a01")]}
    problems = check.find_problems(sets)
    assert "the same question twice: ['Who founded Halden Mills?']" in problems
    assert any(text.startswith("quotes in every set") for text in problems)
