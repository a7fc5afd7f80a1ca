"""The command line end to end: separate processes with the real database, worker and samples."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import pytest

COLLECTION = "cli"
REVIEW, LENDING = "brackwater-operating-review-2024.pdf", "lantern-lending-report-2024.pdf"
BROKEN = "broken.pdf"

pytestmark = [pytest.mark.timeout(900), pytest.mark.xdist_group("commands")]


def hopline(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hopline", *map(str, arguments)]
    variables = os.environ | {"PYTHONIOENCODING": "utf-8", "COLUMNS": "100"} | environment
    return subprocess.run(command, env=variables, capture_output=True, text=True, encoding="utf-8", check=False)


def run_json(*arguments: object) -> dict[str, Any]:
    done = hopline(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)  # one object, and nothing else
    assert isinstance(data, dict)
    return data


@pytest.fixture(scope="module")
def addition(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[subprocess.CompletedProcess[str]]:
    """The result of adding two samples and an invalid PDF."""
    broken = tmp_path_factory.mktemp("broken") / BROKEN
    broken.write_bytes(b"%PDF-1.7\n%nothing follows")
    with as_file(files("hopline") / "samples") as folder:
        done = hopline("add", folder / REVIEW, folder / LENDING, broken, "-c", COLLECTION, "--json")
    yield done
    hopline("remove", "--all", "-c", COLLECTION)


def test_add_lists_the_failed_document_and_ends_with_1(addition: subprocess.CompletedProcess[str]) -> None:
    assert addition.returncode == 1, addition.stderr
    data = json.loads(addition.stdout)
    assert [failure["document"] for failure in data["failures"]] == [BROKEN]
    assert f"hopline: {BROKEN}: {data['failures'][0]['reason']}" in addition.stderr
    assert "Traceback" not in addition.stderr
    assert (data["progress"]["documents_done"], data["progress"]["documents_failed"]) == (2, 1)
    assert "Documents 3/3" in addition.stderr


def test_an_answer_cites_its_page_and_has_a_path_to_it(addition: subprocess.CompletedProcess[str]) -> None:
    question = "Who founded the company that operates the Brackwater Desalination Plant?"
    data = run_json("ask", question, "-c", COLLECTION)
    assert data["abstained"] is False
    evidence = {item["id"]: item for item in data["evidence"]}
    citations = [citation for sentence in data["answer"] for citation in sentence["citations"]]
    for citation in citations:
        assert evidence[citation["evidence"]]["text"][citation["start"] : citation["end"]] == citation["quote"]
    cited = next(citation for citation in citations if "Maud Kerrigan" in citation["quote"])
    source = evidence[cited["evidence"]]
    assert (source["document"], source["pages"]) == (LENDING, [1])
    path = next(path for path in data["paths"] if path["evidence"] == source["id"])
    passed = [path["seed"], *(step["to"] for step in path["steps"])]
    assert [step["from"]["id"] for step in path["steps"]] == [node["id"] for node in passed[:-1]]
    assert passed[-1]["id"] == source["id"]


def test_the_answer_is_printed_as_text(addition: subprocess.CompletedProcess[str]) -> None:
    done = hopline("ask", "Who founded Tidewell Utilities?", "-c", COLLECTION)
    assert done.returncode == 0, done.stderr
    assert "Maud Kerrigan" in done.stdout
    assert f"[1] {LENDING} · p. 1" in done.stdout


def test_retrieve_returns_evidence_and_prints_the_trace_to_stderr(
    addition: subprocess.CompletedProcess[str],
) -> None:
    done = hopline("retrieve", "Who founded Tidewell Utilities?", "-c", COLLECTION, "-s", "bm25", "--trace", "--json")
    data = json.loads(done.stdout)
    assert LENDING in [item["document"] for item in data["evidence"][:3]]  # other collections weigh in the index
    assert "answer" not in data
    assert done.stderr.startswith("search")


def test_a_node_is_shown_by_the_id_of_an_evidence(addition: subprocess.CompletedProcess[str]) -> None:
    data = run_json("retrieve", "Who founded Tidewell Utilities?", "-c", COLLECTION, "-s", "bm25")
    done = hopline("show", data["evidence"][0]["id"])
    assert done.returncode == 0, done.stderr
    assert "page 1 " in done.stdout
    assert "  ─MENTIONS→ ◉ Tidewell Utilities " in done.stdout


def test_status_and_documents_list_the_collection(addition: subprocess.CompletedProcess[str]) -> None:
    status = run_json("status")
    assert status["engine"]["running"] is True
    assert COLLECTION in [collection["name"] for collection in status["collections"]]
    states = {document["name"]: document["state"] for document in run_json("documents", "-c", COLLECTION)["documents"]}
    assert states == {REVIEW: "ready", LENDING: "ready", BROKEN: "failed"}


def test_adding_an_unchanged_document_has_no_effect(addition: subprocess.CompletedProcess[str]) -> None:
    before = run_json("documents", "-c", COLLECTION)
    with as_file(files("hopline") / "samples") as folder:
        done = hopline("add", folder / REVIEW, "-c", COLLECTION)
    assert done.returncode == 0, done.stderr
    assert run_json("documents", "-c", COLLECTION) == before


def test_a_removed_document_is_not_retrieved(addition: subprocess.CompletedProcess[str]) -> None:
    assert run_json("remove", LENDING, "-c", COLLECTION) == {"collection": COLLECTION, "removed": 1}
    data = run_json("retrieve", "Who founded Tidewell Utilities?", "-c", COLLECTION)
    assert {item["document"] for item in data["evidence"]} == {REVIEW}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ask", "Who?", "-c", "no such"], "no collection called 'no such'"),
        (["remove", "no.pdf", "-c", COLLECTION], "no document called 'no.pdf'"),
        (["show", "ffffffffffffffff"], "no node called 'ffffffffffffffff'"),
    ],
)
def test_a_usage_error_ends_with_2_and_one_line(
    addition: subprocess.CompletedProcess[str], arguments: list[str], message: str
) -> None:
    done = hopline(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"hopline: {message}")
    assert len(done.stderr.splitlines()) == 1


def test_an_unreachable_database_ends_with_3_and_one_line(home: Path) -> None:
    done = hopline("status", NEO4J_URI="bolt://127.0.0.1:9", NEO4J_PASSWORD="x")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("hopline: ")
    assert len(done.stderr.splitlines()) == 1


def test_a_command_does_not_import_pandas(addition: subprocess.CompletedProcess[str]) -> None:
    done = hopline("documents", "-c", COLLECTION, PYTHONPROFILEIMPORTTIME="1")
    assert REVIEW in done.stdout
    assert "neo4j._async.driver" in done.stderr
    assert "pandas.core" not in done.stderr
