"""The commands of metadata and filters."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hopline.testing import FakeHopline, make_document

Run = Callable[..., Any]


@pytest.fixture
def reports(fake: FakeHopline) -> FakeHopline:
    """A client with two documents that have metadata."""
    fake.state.documents["default"] = [
        make_document("default", "a.pdf", metadata={"tag": ("risk", "loans"), "year": 2024, "draft": False}),
        make_document("default", "b.pdf", metadata={"tag": "risk", "year": 2020}),
    ]
    return fake


def test_add_passes_the_metadata_on(run: Run, fake: FakeHopline, tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-")
    options = ("--metadata", "year=2024", "--metadata", "tag=risk", "--metadata", "tag=loans", "--metadata", "no='7'")
    assert run("add", tmp_path / "a.pdf", *options).exit_code == 0
    [call] = fake.state.calls_of("documents.add")
    assert call["metadata"] == {"year": 2024, "tag": ("risk", "loans"), "no": "7"}


def test_metadata_that_are_not_valid_are_refused_before_anything_is_added(run: Run, fake: FakeHopline) -> None:
    for assignment, message in (("year", "KEY=VALUE"), ("a b=1", "a key has 1 to 64 letters")):
        result = run("add", ".", "--metadata", assignment)
        assert (result.exit_code, message in result.stderr) == (2, True)
    assert fake.state.calls == []


def test_documents_of_a_filter_are_listed_with_their_metadata(run: Run, run_json: Run, reports: FakeHopline) -> None:
    shown = run("documents", "--filter", "year > 2021", "--metadata").stdout
    assert [line.strip() for line in shown.splitlines() if ": " in line] == [
        "tag: risk, loans", "year: 2024", "draft: false",
    ]  # fmt: skip
    assert "b.pdf" not in shown
    assert "year" not in run("documents").stdout
    [document] = run_json("documents", "--filter", "year > 2021")["documents"]
    assert document["metadata"] == {"tag": ["risk", "loans"], "year": 2024, "draft": False}


def test_facets_are_shown_with_counts_and_ranges(run: Run, run_json: Run, reports: FakeHopline) -> None:
    lines = [line.split() for line in run("documents", "--facets").stdout.splitlines()]
    assert ["tag", "text", "2", "risk", "(2),", "loans", "(1)"] in lines
    assert ["year", "number", "2", "2020", "to", "2024"] in lines
    facets = run_json("documents", "--facets", "--filter", "draft exists")["facets"]
    assert [(facet["key"], facet["documents"]) for facet in facets] == [("draft", 1), ("tag", 1), ("year", 1)]
    assert "No metadata" in run("documents", "--facets", "-c", "x").stdout


def test_metadata_of_a_document_are_set_and_removed(run: Run, run_json: Run, reports: FakeHopline) -> None:
    data = run_json("metadata", "b.pdf", "year=2021", "tag=x", "tag=y", "--remove", "draft")
    assert data["document"]["metadata"] == {"year": 2021, "tag": ["x", "y"]}
    assert "year: 2021" in run("metadata", "b.pdf", "--remove", "tag").stdout
    assert "needs KEY=VALUE" in run("metadata", "b.pdf").stderr


def test_questions_take_a_filter(run: Run, reports: FakeHopline) -> None:
    for command in ("ask", "retrieve"):
        assert run(command, "Who lends?", "--filter", "year = 2024").exit_code == 0
        assert reports.state.calls_of(command)[0]["filter"] == "year = 2024"
    assert run("retrieve", "Who?", "-s", "dense", "-s", "bm25", "--filter", "year = 2024").exit_code == 0
    assert reports.state.calls_of("compare")[0]["filter"] == "year = 2024"


def test_a_filter_that_cannot_be_read_is_reported_before_the_database_is_started(run: Run, fake: FakeHopline) -> None:
    result = run("ask", "Who?", "--filter", "year =")
    assert (result.exit_code, fake.state.calls) == (2, [])
    assert "the filter cannot be read at character 7: expected a value" in result.stderr


def test_an_evaluation_takes_a_filter(run: Run, fake: FakeHopline, tmp_path: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text('{"question": "Who lends?", "answer": "Halcyon"}\n')
    result = run("evaluate", questions, "-s", "dense", "--filter", "year = 2024", "--json", tmp_path / "table.json")
    assert result.exit_code == 0
    assert {call["filter"] for call in fake.state.calls_of("ask")} == {"year = 2024"}
    assert '"filter": "year = 2024"' in (tmp_path / "table.json").read_text()


def test_why_nothing_was_searched_is_printed(run: Run, fake: FakeHopline) -> None:
    answer = fake.state.answer

    def answer_nothing(request: Any) -> Any:
        retrieval = replace(answer(request).retrieval, evidence=(), paths=(), not_searched="no document matches")
        return replace(answer(request), sentences=(), retrieval=retrieval, abstained=True)

    fake.state.answer = answer_nothing
    assert "Nothing was searched: no document matches." in run("retrieve", "Who?").stdout
