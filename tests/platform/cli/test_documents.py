import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hopline.documents.estimate import Estimate
from hopline.documents.outline import OutlineItem
from hopline.documents.progress import DocumentProgress, Failure, ProcessingWarning
from hopline.errors import EngineUnavailable
from hopline.ids import collection_id, document_id
from hopline.records import MissingFile
from hopline.testing import FakeHopline, make_document

Run = Callable[..., Any]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.pdf", "b.pdf"):
        (tmp_path / name).write_bytes(b"%PDF-")
    return tmp_path


def test_add_prints_counts_and_how_to_ask(run: Run, fake: FakeHopline, folder: Path) -> None:
    result = run("add", folder / "a.pdf", folder / "b.pdf", "-c", "loans")
    assert result.exit_code == 0
    assert [call.name for call in fake.state.calls] == ["documents.add", "close"]
    assert [(file.collection, file.name) for file in fake.state.added] == [("loans", "a.pdf"), ("loans", "b.pdf")]
    assert "Added 2 documents to collection loans: 12 passages and tables" in result.stdout
    assert 'hopline ask "…" -c loans' in result.stdout


def test_what_happened_to_the_worker_is_printed_on_stderr(run: Run, fake: FakeHopline, folder: Path) -> None:
    fake.state.worker_notice = "the worker was restarted with new settings: HOPLINE_MODEL is m (was not set)"
    for command in (("add", folder), ("add", folder, "--json"), ("retry",), ("extract",), ("upgrade",)):
        assert run(*command).stderr == f"hopline: {fake.state.worker_notice}\n", command
    fake.state.worker_notice = ""
    assert run("retry").stderr == ""


def test_control_characters_of_names_and_reasons_are_not_printed(run: Run, fake: FakeHopline) -> None:
    evil = "\x1b]0;title\x07\x9b2J\x1b[31mred\r"
    fake.state.documents["default"] = [
        make_document("default", f"{evil}.pdf", state="failed", reason=f"damaged {evil}")
    ]
    fake.state.estimate = lambda _: Estimate(1, unsupported=(evil,))
    fake.state.failures = (Failure(f"{evil}.pdf", evil),)
    for command in (("documents",), ("documents", "--json"), ("estimate", "."), ("add", ".")):
        result = run(*command)
        output = result.stdout + result.stderr
        assert "2J" in output
        assert {mark for mark in output if unicodedata.category(mark) == "Cc"} == {"\n"}, command


def test_titles_of_rows_can_be_ignored(run: Run, fake: FakeHopline, folder: Path) -> None:
    run("add", folder / "a.pdf", "--titles", "ignore")
    assert fake.state.calls_of("documents.add")[0]["titles"] == "ignore"
    wrong = run("add", folder / "a.pdf", "--titles", "none")
    assert (wrong.exit_code, wrong.stderr) == (2, "hopline: --titles must be one of keep, ignore, drop (got 'none')\n")


def test_add_without_waiting_says_that_documents_are_queued(run: Run, fake: FakeHopline, folder: Path) -> None:
    assert "Queued 1 documents in collection default" in run("add", folder / "a.pdf", "--no-wait").stdout


def test_failed_documents_are_listed_on_stderr_with_status_1(run: Run, fake: FakeHopline, folder: Path) -> None:
    fake.state.failures = (Failure("b.pdf", "it asks\nfor a password"),)
    result = run("add", folder)
    assert result.exit_code == 1
    assert result.stderr == "hopline: b.pdf: it asks for a password\n"


def test_a_warning_is_printed_but_does_not_change_the_status(
    run: Run, run_json: Run, fake: FakeHopline, folder: Path
) -> None:
    fake.state.warnings = (ProcessingWarning("a.pdf", "page 2 has\nno text"),)
    result = run("add", folder)
    assert result.exit_code == 0
    assert result.stderr == "hopline: warning: a.pdf: page 2 has no text\n"
    data = run_json("add", folder)
    assert data["warnings"] == [{"document": "a.pdf", "message": "page 2 has\nno text"}]
    assert data["failures"] == []


def test_documents_show_the_warnings_of_their_passages(run: Run, run_json: Run, fake: FakeHopline) -> None:
    [document, _] = fake.state.documents["default"]
    fake.state.document_progress[document.id] = DocumentProgress(
        8, 8, 40, 40, 40, warned=1, warning="extracted by rules"
    )
    assert "report.pdf\n  1 passage: extracted by rules" in "\n".join(
        line.partition("  ready")[0].rstrip() for line in run("documents").stdout.splitlines()
    )
    warnings = {listed["name"]: listed["warnings"] for listed in run_json("documents")["documents"]}
    assert warnings == {"report.pdf": ["1 passage: extracted by rules"], "[1].pdf": []}


def test_add_says_which_documents_were_replaced(run: Run, run_json: Run, fake: FakeHopline, folder: Path) -> None:
    fake.state.documents["default"] = [make_document("default", "a.pdf")]
    assert run("add", folder).stdout.splitlines()[-1] == "Replaced a.pdf: the file has changed"
    files = run_json("add", folder / "a.pdf", "-c", "other")["files"]
    assert [(file["name"], file["path"], file["change"]) for file in files] == [("a.pdf", str(folder / "a.pdf"), "new")]


def test_add_says_which_files_no_longer_exist_and_how_to_remove_their_documents(
    run: Run, run_json: Run, fake: FakeHopline, folder: Path
) -> None:
    fake.state.missing = (MissingFile("d1", "old\x1b.pdf", f"{folder}/old.pdf"),)
    lines = run("add", folder, "-c", "my loans").stdout.splitlines()
    assert lines[-3:] == [
        "Files that no longer exist, but whose documents are in collection my loans:",
        "  old .pdf",
        f"Remove these documents with: hopline add {folder} -c 'my loans' --remove-missing",
    ]
    assert [file["id"] for file in run_json("add", folder)["missing"]] == ["d1"]
    lines = run("add", folder, "--remove-missing").stdout.splitlines()
    assert lines[-2:] == ["Removed from collection default:", "  old .pdf"]
    assert [call["remove_missing"] for call in fake.state.calls_of("documents.add")] == [False, False, True]


def test_add_says_which_files_of_a_folder_were_skipped(
    run: Run, run_json: Run, fake: FakeHopline, folder: Path
) -> None:
    for name in ("song.mp3", "README", ".hidden.mp3"):
        (folder / name).write_bytes(b"x")
    lines = run("add", folder).stdout.splitlines()
    assert lines[-2:] == [
        f"Skipped {folder / 'README'}: unsupported file type (no file extension)",
        f"Skipped {folder / 'song.mp3'}: unsupported file type (.mp3)",
    ]
    assert [file["path"] for file in run_json("add", folder)["skipped"]] == [
        str(folder / "README"),
        str(folder / "song.mp3"),
    ]


def test_adding_as_json_prints_one_object_also_when_some_fail(
    run: Run, run_json: Run, fake: FakeHopline, folder: Path
) -> None:
    fake.state.failures = (Failure("b.pdf", "no"),)
    data = run_json("add", folder / "a.pdf", folder / "b.pdf")
    assert data["documents"] == [document_id(collection_id("default"), name) for name in ("a.pdf", "b.pdf")]
    assert data["failures"] == [{"document": "b.pdf", "reason": "no"}]
    assert (data["collection"], data["progress"]["documents_failed"]) == ("default", 1)


def test_interrupting_add_says_that_processing_continues(run: Run, fake: FakeHopline, folder: Path) -> None:
    fake.state.interrupt = True
    result = run("add", folder)
    assert result.exit_code == 130
    assert "processing continues" in result.stderr
    assert fake.state.calls[-1].name == "close"


def test_a_missing_path_is_a_usage_error_and_opens_nothing(run: Run, fake: FakeHopline) -> None:
    result = run("add", "/no/such.pdf")
    assert result.exit_code == 2
    assert "/no/such.pdf" in result.stderr
    assert fake.state.calls == []


def test_without_a_database_the_status_is_3_and_the_reason_is_one_line(
    run: Run, fake: FakeHopline, folder: Path
) -> None:
    fake.state.error = EngineUnavailable("Neo4j cannot be fetched:\nno network. Set NEO4J_URI.")
    result = run("add", folder, "--json")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr == "hopline: Neo4j cannot be fetched: no network. Set NEO4J_URI.\n"


def test_documents_are_listed_with_the_reason_of_those_that_failed(run: Run, run_json: Run, fake: FakeHopline) -> None:
    text = run("documents").stdout
    assert "report.pdf" in text
    assert "[1].pdf" in text
    assert "  it asks for a password" in text
    data = run_json("documents", "-c", "x")
    assert [document["state"] for document in data["documents"]] == ["failed", "ready"]


def test_an_unknown_collection_is_an_error(run: Run, fake: FakeHopline) -> None:
    result = run("documents", "-c", "loan")
    assert result.exit_code == 2
    assert "no collection called 'loan'; there are: default, x" in result.stderr


def test_failed_documents_are_retried(run: Run, run_json: Run, fake: FakeHopline) -> None:
    assert run("retry", "[1].pdf").stdout.startswith("Queued 1 again in collection default")
    assert run_json("retry", "-c", "x", "--max-calls", "7") == {"collection": "x", "again": 1}
    assert [call["max_calls"] for call in fake.state.calls_of("documents.retry")] == [None, 7]


def test_a_collection_is_extracted_again_by_model_or_rules(run: Run, run_json: Run, fake: FakeHopline) -> None:
    assert run("extract", "--model", "--max-calls", "9").stdout.startswith("Queued 40 passages of collection default")
    assert run_json("extract", "-c", "x", "--rules") == {"collection": "x", "passages": 40}
    assert fake.state.calls_of("documents.extract_again") == [
        {"collection": "default", "model": True, "max_calls": 9},
        {"collection": "x", "model": False, "max_calls": None},
    ]


def test_one_document_or_a_whole_collection_is_removed(run: Run, run_json: Run, fake: FakeHopline) -> None:
    assert run("remove", "report.pdf").stdout == "Removed 1 document from collection default\n"
    assert run_json("remove", "--all", "-c", "x") == {"collection": "x", "removed": 2}


@pytest.mark.parametrize("arguments", [["remove"], ["remove", "report.pdf", "--all"]])
def test_removing_nothing_or_both_is_a_usage_error(run: Run, fake: FakeHopline, arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert "either the name of one document, or --all" in result.stderr
    assert fake.state.calls == []


def test_removing_an_unknown_document_lists_the_known_ones(run: Run, fake: FakeHopline) -> None:
    result = run("remove", "other.pdf")
    assert result.exit_code == 2
    assert "no document called 'other.pdf'; there are: " in result.stderr


def test_an_estimate_shows_time_and_unsupported_files(run: Run, run_json: Run, fake: FakeHopline, folder: Path) -> None:
    text = run("estimate", folder).stdout
    assert "1,200" in text
    assert "about 1 min 35 s" in text
    assert "not supported: photo.raw" in text
    assert run_json("estimate", folder)["pages"] == 30


def test_the_status_shows_database_worker_and_collections(
    run: Run, run_json: Run, fake: FakeHopline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://running.example:7687")
    text = run("status").stdout
    for part in (
        "Neo4j 5.26.28, private, uptime 12 min, 640 MB",
        "running",
        "minilm",
        "none (answers are extractive)",
        "3 total, 1 queued, 0 failed",
        "1,200 passages, 5 tables, 77 entities",
    ):
        assert part in text
    header, *_, collection = text.strip().splitlines()[-2:]
    assert header.split() == ["Collection", "Documents", "Passages", "Tables"]
    assert collection.split() == ["default", "3", "1,200", "5"]
    data = run_json("status")
    assert data["engine"]["version"] == "5.26.28"
    assert data["collections"][0]["name"] == "default"


def test_the_status_of_a_new_installation_starts_nothing(
    run: Run, fake: FakeHopline, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOPLINE_HOME", str(tmp_path / "never"))
    assert "stopped (starts on demand)" in run("status").stdout
    assert fake.state.calls == []


def test_the_status_of_a_stopped_database_does_not_start_it_and_counts_nothing(
    run: Run, run_json: Run, fake: FakeHopline
) -> None:
    text = run("status").stdout
    assert "stopped (starts on demand)" in text
    assert "0 total" not in text, "it is not known"
    assert run_json("status")["engine"]["running"] is False
    assert fake.state.calls == []


def test_the_outline_of_a_document_is_printed_with_its_pages(run: Run, run_json: Run, fake: FakeHopline) -> None:
    document = make_document("default", "plan.pdf")
    fake.state.documents["default"] = [document]
    assert "No sections" in run("outline", "plan.pdf").stdout
    figure = OutlineItem("figure", "Figure 1: Ports", 3, "1", "f")
    fake.state.outlines[document.id] = (OutlineItem("section", "2 Output", 2, items=(figure,)),)
    lines = [line.split() for line in run("outline", "plan.pdf").stdout.splitlines()]
    assert ["2", "Output", "2"] in lines
    assert any(line[-3:] == ["1:", "Ports", "3"] for line in lines)
    [section] = run_json("outline", document.id)["outline"]
    assert [item["evidence"] for item in section["items"]] == ["f"]
    assert "plan.pdf" in run("outline", "plans.pdf").stderr
