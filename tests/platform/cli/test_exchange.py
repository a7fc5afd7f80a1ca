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


def test_a_backup_and_its_restoration_name_the_collections(
    run: Run, run_json: Run, fake: FakeHopline, tmp_path: Path, monkeypatch: Any
) -> None:
    assert [line.split(":")[0] for line in run("backup", tmp_path / "b.zip").stdout.splitlines()] == [
        "Saved collection default", "Saved collection x",
    ]  # fmt: skip
    assert list(run_json("backup", tmp_path / "b.zip")["collections"]) == ["default", "x"]
    homes: list[Any] = []
    monkeypatch.setattr("hopline.client.Hopline.open", lambda home, **_: homes.append(home) or fake)
    assert run("restore", tmp_path / "b.zip", "--home", tmp_path / "new").stdout.startswith("Restored collection b:")
    assert homes == [tmp_path / "new"]
    assert run_json("restore", tmp_path / "c.zip", "--force")["collections"][0]["name"] == "c"
    assert fake.state.calls_of("restore")[-1] == {"file": tmp_path / "c.zip", "force": True}
