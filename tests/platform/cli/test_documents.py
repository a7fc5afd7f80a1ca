from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hopline.client import Failure
from hopline.errors import EngineUnavailable

Run = Callable[..., Any]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.pdf", "b.pdf"):
        (tmp_path / name).write_bytes(b"%PDF-")
    return tmp_path


def test_adding_reads_and_says_how_to_ask(run: Run, canned: Any, folder: Path) -> None:
    result = run("add", folder / "a.pdf", folder / "b.pdf", "-c", "loans")
    assert result.exit_code == 0
    assert canned.calls == [("add", ["a.pdf", "b.pdf"], "loans"), ("close",)]
    assert "2 documents in collection loans, 12 passages and tables" in result.stdout
    assert 'hopline ask "…" -c loans' in result.stdout


def test_titles_of_rows_may_be_left_out(run: Run, canned: Any, folder: Path) -> None:
    run("add", folder / "a.pdf", "--titles", "ignore")
    assert canned.calls[0] == ("add", ["a.pdf"], "default", "ignore")
    wrong = run("add", folder / "a.pdf", "--titles", "none")
    assert (wrong.exit_code, wrong.stderr) == (2, "hopline: --titles must be one of keep, ignore, drop (got 'none')\n")


def test_adding_without_waiting_says_that_they_wait(run: Run, canned: Any, folder: Path) -> None:
    assert "1 documents wait in collection default" in run("add", folder / "a.pdf", "--no-wait").stdout


def test_documents_that_fail_are_named_on_stderr_with_status_1(run: Run, canned: Any, folder: Path) -> None:
    canned.failures = (Failure("b.pdf", "it asks\nfor a password"),)
    result = run("add", folder)
    assert result.exit_code == 1
    assert result.stderr == "hopline: b.pdf: it asks for a password\n"


def test_adding_as_json_prints_one_object_also_when_some_fail(
    run: Run, printed: Run, canned: Any, folder: Path
) -> None:
    canned.failures = (Failure("b.pdf", "no"),)
    found = printed("add", folder / "a.pdf", folder / "b.pdf")
    assert found["documents"] == ["a", "b"]
    assert found["failures"] == [{"document": "b.pdf", "reason": "no"}]
    assert (found["collection"], found["progress"]["documents_failed"]) == ("default", 1)


def test_leaving_while_it_reads_says_that_reading_goes_on(run: Run, canned: Any, folder: Path) -> None:
    canned.interrupt = True
    result = run("add", folder)
    assert result.exit_code == 130
    assert "reading goes on" in result.stderr
    assert canned.calls[-1] == ("close",)


def test_a_path_that_is_not_there_is_wrong_use_and_opens_nothing(run: Run, canned: Any) -> None:
    result = run("add", "/no/such.pdf")
    assert result.exit_code == 2
    assert "/no/such.pdf" in result.stderr
    assert canned.calls == []


def test_without_an_engine_the_status_is_3_and_the_reason_one_line(run: Run, canned: Any, folder: Path) -> None:
    canned.error = EngineUnavailable("Neo4j cannot be fetched:\nno network. Set NEO4J_URI.")
    result = run("add", folder, "--json")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr == "hopline: Neo4j cannot be fetched: no network. Set NEO4J_URI.\n"


def test_documents_are_listed_with_the_reason_of_those_that_failed(run: Run, printed: Run, canned: Any) -> None:
    text = run("documents").stdout
    assert "report.pdf" in text
    assert "[1].pdf" in text
    assert "  it asks for a password" in text
    found = printed("documents", "-c", "x")
    assert [document["state"] for document in found["documents"]] == ["ready", "failed"]


def test_an_unknown_collection_is_told_from_an_empty_one(run: Run, canned: Any) -> None:
    result = run("documents", "-c", "loan")
    assert result.exit_code == 2
    assert "no collection called 'loan'; there are: default, x" in result.stderr


def test_what_failed_is_read_again(run: Run, printed: Run, canned: Any) -> None:
    assert run("retry", "bad.pdf").stdout.startswith("1 to be read again in collection default")
    assert printed("retry", "-c", "x", "--max-calls", "7") == {"collection": "x", "again": 12}


def test_a_collection_is_read_again_by_model_or_rules(run: Run, printed: Run, canned: Any) -> None:
    assert run("reread", "--model", "--max-calls", "9").stdout.startswith("40 passages of collection default")
    assert ("reread", "default", True, 9) in canned.calls
    assert printed("reread", "-c", "x", "--rules") == {"collection": "x", "passages": 40}
    assert ("reread", "x", False, None) in canned.calls


def test_one_document_or_a_whole_collection_is_removed(run: Run, printed: Run, canned: Any) -> None:
    assert run("remove", "report.pdf").stdout == "removed 1 document from collection default\n"
    assert printed("remove", "--all", "-c", "x") == {"collection": "x", "removed": 2}


@pytest.mark.parametrize("arguments", [["remove"], ["remove", "report.pdf", "--all"]])
def test_removing_nothing_or_both_is_wrong_use(run: Run, canned: Any, arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert "one document, or --all" in result.stderr
    assert canned.calls == []


def test_removing_an_unknown_document_lists_those_that_are_there(run: Run, canned: Any) -> None:
    result = run("remove", "other.pdf")
    assert result.exit_code == 2
    assert "no document called 'other.pdf'; there are: report.pdf" in result.stderr


def test_an_estimate_tells_time_and_what_cannot_be_read(run: Run, printed: Run, canned: Any, folder: Path) -> None:
    text = run("estimate", folder).stdout
    assert "1,200" in text
    assert "about 1 min 35 s" in text
    assert "cannot be read: photo.raw" in text
    assert printed("estimate", folder)["pages"] == 30


def test_the_status_tells_engine_worker_and_collections(run: Run, printed: Run, canned: Any) -> None:
    text = run("status").stdout
    for part in (
        "Neo4j 5.26.28, private, up for 12 min, 640 MB",
        "reading",
        "minilm",
        "none (answers are picked",
        "3 in all, 1 waiting, 0 failed",
        "1,200 passages, 77 entities",
    ):
        assert part in text
    found = printed("status")
    assert found["engine"]["version"] == "5.26.28"
    assert found["collections"][0]["name"] == "default"


def test_the_status_of_what_was_never_used_starts_nothing(
    run: Run, canned: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOPLINE_HOME", str(tmp_path / "never"))
    assert "not running (it starts when it is needed)" in run("status").stdout
    assert canned.calls == []
