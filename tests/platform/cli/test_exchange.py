from collections.abc import Callable
from pathlib import Path
from typing import Any

from hopline.testing import FakeHopline

Run = Callable[..., Any]


def test_an_export_says_what_it_wrote(run: Run, run_json: Run, fake: FakeHopline, tmp_path: Path) -> None:
    result = run("export", tmp_path / "out", "-c", "x", "--as", "graphml", "--no-vectors")
    assert result.stdout.startswith(f"Exported collection x to {tmp_path / 'out'}: 2 documents, 40 passages")
    [call] = fake.state.calls_of("export")
    assert call == {
        "collection": "x", "folder": tmp_path / "out", "form": "graphml", "vectors": False, "originals": True,
        "unfinished": False,
    }  # fmt: skip
    assert run_json("export", tmp_path / "out")["counts"] == {"documents": 2, "passages": 40}


def test_an_import_names_the_collection(run: Run, run_json: Run, fake: FakeHopline, tmp_path: Path) -> None:
    assert run("import", tmp_path / "loans").stdout.startswith("Imported collection loans: 0 documents")
    assert run_json("import", tmp_path / "loans", "-c", "y")["name"] == "y"
    result = run("import", tmp_path / "loans", "-c", "x")
    assert result.exit_code == 2
    assert "already" in result.stderr
