"""The wheel has every file of the packages, and they can be imported from it."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("platform/hopline", "cypher/hopline_cypher", "ingest/hopline_ingest", "ui/hopline_ui")
IMPORT_ALL = """
import importlib, pkgutil, sys
for name in ("hopline", "hopline_cypher", "hopline_ingest", "hopline_ui"):
    package = importlib.import_module(name)
    assert package.__file__.startswith(sys.argv[1]), package.__file__
    for module in pkgutil.walk_packages(package.__path__, f"{name}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
from hopline.learned.reader import load_reader
from hopline.learned.registry import BUNDLED
assert str(BUNDLED).startswith(sys.argv[1]), BUNDLED
print(load_reader(BUNDLED / "reader")(question="Who built it?", passages=[["", "Ada Quist built it."]]).shape)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-P", "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stderr
    [path] = folder.glob("*.whl")
    return path


def test_the_wheel_has_every_file_of_the_packages(wheel: Path) -> None:
    command = ["git", "ls-files", *SOURCES]
    files = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout.split("\n")
    expected = {file.split("/", 1)[1] for file in files if file}
    packed = set(zipfile.ZipFile(wheel).namelist())
    assert expected <= packed
    assert "hopline/py.typed" in packed
    assert not [name for name in packed if name.startswith(("tests/", "benchmarks/", "docs/"))]


def test_every_module_can_be_imported_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "installed"
    zipfile.ZipFile(wheel).extractall(target)
    command = [sys.executable, "-P", "-c", IMPORT_ALL, str(target)]
    environment = {**os.environ, "PYTHONPATH": str(target)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.endswith("(1, 6)\n")
