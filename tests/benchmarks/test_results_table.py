"""The results table is written into the README without any other change."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "results").mkdir()
    for file in (ROOT / "benchmarks" / "results").glob("*.json"):
        shutil.copy(file, tmp_path / "results")
    shutil.copy(ROOT / "benchmarks" / "README.md", tmp_path)
    return tmp_path


def write_table(folder: Path) -> str:
    spec = importlib.util.spec_from_file_location("table", ROOT / "benchmarks" / "results_table.py")
    assert spec is not None
    assert spec.loader is not None
    table = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(table)
    table.write_table(folder)
    return (folder / "README.md").read_text(encoding="utf-8")


def test_the_readme_contains_the_committed_results(folder: Path) -> None:
    before = (folder / "README.md").read_text(encoding="utf-8")

    assert write_table(folder) == before


def test_a_new_score_changes_only_its_row_of_the_table(folder: Path) -> None:
    file = folder / "results" / "strategies-musique.json"
    known = json.loads(file.read_text())
    before = (folder / "README.md").read_text(encoding="utf-8")
    known["strategies"]["dense"]["scores"]["R@5"]["mean"] = 0.123
    file.write_text(json.dumps(known))

    after = write_table(folder)

    changed = set(before.splitlines()) ^ set(after.splitlines())
    assert len(changed) == 2
    assert all(line.startswith("| `dense` |") for line in changed)
    assert any("12.3 /" in line for line in changed)
