"""Strategies of other packages; a broken one does not affect the others."""

import json
import logging

import pytest
from typer.testing import CliRunner

from hopline.cli import application
from hopline.client import Hopline
from hopline.errors import UsageError
from hopline.retrieval import strategy_loader
from hopline.strategies import load_strategy

VALID = '"""Finds nothing."""\ndef rank(question, k, *, depth: int = 1):\n    yield\n'


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """Three installed packages: a valid one, one that fails when imported, and one without a `rank`."""
    sources = {
        "hopline_valid": VALID,
        "hopline_failing": "raise RuntimeError('the moon is wrong')\n",
        "hopline_empty": "",
    }
    for name, source in sources.items():
        (tmp_path / f"{name}.py").write_text(source)
        info = tmp_path / f"{name}-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        entries = f"{name.removeprefix('hopline_')} = {name}\n"
        if name == "hopline_failing":
            entries += f"bm25 = {name}\n"
        (info / "entry_points.txt").write_text(f"[hopline.strategies]\n{entries}")
    monkeypatch.syspath_prepend(str(tmp_path))
    strategy_loader._list_entry_points.cache_clear()
    yield
    strategy_loader._list_entry_points.cache_clear()


@pytest.mark.usefixtures("packages")
def test_a_broken_package_is_reported_and_the_others_are_loaded():
    loaded, broken = strategy_loader.load_strategies()
    assert {"hopline", "bm25", "valid"} <= set(loaded)
    assert set(broken) == {"failing", "empty"}
    assert "hopline_failing" in broken["failing"]
    assert "the moon is wrong" in broken["failing"]


@pytest.mark.usefixtures("packages")
def test_the_command_lists_working_strategies_and_reports_broken_ones():
    result = CliRunner().invoke(application(), ["strategies"])
    assert result.exit_code == 0
    assert "Finds nothing." in result.stdout
    assert "the moon is wrong" in result.stderr
    listed = json.loads(CliRunner().invoke(application(), ["strategies", "--json"]).stdout)
    assert "valid" in [item["name"] for item in listed["strategies"]]
    assert [item["name"] for item in listed["broken"]] == ["empty", "failing"]


@pytest.mark.usefixtures("packages")
def test_the_api_omits_a_broken_strategy_with_a_warning(caplog):
    hop = Hopline(None)  # type: ignore[arg-type]
    with caplog.at_level(logging.WARNING):
        listed = hop.strategies()
    assert listed["valid"] == "Finds nothing."
    assert "failing" not in listed
    assert "the moon is wrong" in caplog.text


@pytest.mark.usefixtures("packages")
def test_loading_a_broken_strategy_raises_its_error():
    with pytest.raises(UsageError, match="the moon is wrong") as raised:
        load_strategy("failing")
    assert isinstance(raised.value.__cause__, RuntimeError)
    with pytest.raises(UsageError, match="hopline_empty"):
        load_strategy("empty")


@pytest.mark.usefixtures("packages")
def test_a_package_cannot_replace_a_built_in_strategy():
    strategy_loader.check_strategy("hopline")
    assert load_strategy("bm25").rank.__module__ == "hopline.strategies.bm25"
    assert load_strategy("valid:depth=2").options == {"depth": 2}
