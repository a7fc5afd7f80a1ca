"""The results table is written into the README without any other change."""

from __future__ import annotations

import importlib.util
import json
import shutil
from inspect import signature
from pathlib import Path
from types import ModuleType

import pytest

from hopline.strategies import graph_hop, kgp, mdr, ras

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "results").mkdir()
    for file in (ROOT / "benchmarks" / "results").glob("*.json"):
        shutil.copy(file, tmp_path / "results")
    shutil.copy(ROOT / "benchmarks" / "README.md", tmp_path)
    return tmp_path


def load_module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("table", ROOT / "benchmarks" / "results_table.py")
    assert spec is not None
    assert spec.loader is not None
    table = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(table)
    return table


def write_table(folder: Path) -> str:
    load_module().write_table(folder)
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


def test_a_row_that_leaves_out_a_part_of_its_method_says_so(folder: Path) -> None:
    left_out = load_module().LEFT_OUT
    table = write_table(folder).split("<!-- table -->")[1].split("<!-- end of table -->")[0]
    [row] = [line for line in table.splitlines() if line.startswith("| `kgp` |")]

    assert row.endswith(f"| {left_out['kgp']} |")
    assert signature(kgp.rank).parameters["guide"].default == "text"
    assert "guide `text`" in left_out["kgp"]
    assert signature(mdr.rank).parameters["trained"].default is False
    assert "training" in left_out["mdr"]
    assert signature(graph_hop.rank).parameters["follows"].default == "likeness"
    assert "training" in left_out["graph_hop"]
    assert signature(ras.rank).parameters["planner"].default == "rules"
    assert "planner by rules" in left_out["ras"]


def test_what_is_left_out_is_said_of_rows_that_exist(folder: Path) -> None:
    times = json.loads((folder / "results" / "times.json").read_text())

    assert set(load_module().LEFT_OUT) <= set(times)
