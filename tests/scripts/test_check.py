"""`make check`: what it finds in lock files and environment, and that its last line names what failed."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check.py"


@pytest.fixture(scope="module")
def check() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check", SCRIPT)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text(
        '[project]\ndependencies = ["numpy>=2.0"]\noptional-dependencies = {graph = ["peft>=0.13"]}\n'
        '[dependency-groups]\ndev = ["ruff>=0.9"]\n'
    )
    (tmp_path / "lock.txt").write_text(
        "numpy==2.1.0 \\\n    --hash=sha256:00\npeft==0.14.0 ; python_version > '3'\nRuff==0.9.1\n"
    )
    (tmp_path / "runtime.txt").write_text("numpy==2.1.0\n")
    return tmp_path


def check_lock(check: ModuleType, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(check, "run_command", lambda command: [])
    return check.check_lock(folder / "lock.txt", folder / "runtime.txt", folder / "pyproject.toml")


def test_lock_files_that_agree_with_the_project_pass(check, project, monkeypatch):
    assert check_lock(check, project, monkeypatch) == []


def test_a_requirement_that_the_lock_lacks_or_has_too_old_is_named(check, project, monkeypatch):
    (project / "lock.txt").write_text("numpy==1.26.0\nruff==0.9.1\n")
    (project / "runtime.txt").write_text("")
    assert check_lock(check, project, monkeypatch) == [
        "pyproject.toml requires numpy>=2.0, lock.txt has 1.26.0",
        "pyproject.toml requires peft>=0.13, lock.txt has none",
    ]


def test_a_runtime_lock_with_another_version_is_named(check, project, monkeypatch):
    (project / "runtime.txt").write_text("numpy==2.2.0\n")
    assert check_lock(check, project, monkeypatch) == ["runtime.txt has numpy 2.2.0, lock.txt has 2.1.0"]


def test_a_package_that_the_lock_lacks_is_named(check, tmp_path):
    locked = check.LOCK.read_text(encoding="utf-8")
    (tmp_path / "lock.txt").write_text(re.sub(r"(?m)^numpy==", "something-else==", locked))
    [problem] = check.check_environment(tmp_path / "lock.txt")
    assert problem.startswith("numpy ")
    assert problem.endswith("is installed, lock.txt has none")


def test_the_output_of_a_failed_command_is_shown(check):
    assert check.run_command([sys.executable, "-c", "print('fine')"]) == []
    assert check.run_command([sys.executable, "-c", "print('broken'); raise SystemExit(3)"]) == ["broken"]
    assert check.run_command([sys.executable, "-c", "raise SystemExit(3)"]) == ["exit status 3"]


def test_every_step_runs_and_the_last_line_names_those_that_failed(check, monkeypatch, capsys):
    steps = {"style": lambda: ["E501"], "types": list, "layers": lambda: ["a cycle"]}
    monkeypatch.setattr(check, "STEPS", steps)
    assert check.main([]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" (")[0] for line in lines if "(" in line] == [
        "FAILED  style",
        "ok      types",
        "FAILED  layers",
    ]
    assert lines[-1] == "check failed: style, layers"
    assert check.main(["types"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "check passed"


def test_an_unknown_step_is_refused(check, capsys):
    assert check.main(["tests"]) == 2
    assert "no step called tests; available: lock, environment" in capsys.readouterr().err
