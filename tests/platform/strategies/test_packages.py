"""Strategies from packages of others: one that is broken costs itself only."""

import json
import logging

import pytest
from typer.testing import CliRunner

from hopline.cli import application
from hopline.client.questions import Questions
from hopline.errors import UsageError
from hopline.retrieval import strategy_loader
from hopline.strategies import load_strategy

SOUND = '"""Finds nothing."""\ndef rank(question, k, *, depth: int = 1):\n    yield\n'


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """Three installed packages: a sound one, one that fails when imported, and one without a `rank`."""
    sources = {
        "hopline_sound": SOUND,
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
    strategy_loader._others.cache_clear()
    yield
    strategy_loader._others.cache_clear()


@pytest.mark.usefixtures("packages")
def test_a_broken_package_is_named_with_its_reason_and_the_list_goes_on():
    found, broken = strategy_loader.load_strategies()
    assert {"hopline", "bm25", "sound"} <= set(found)
    assert set(broken) == {"failing", "empty"}
    assert "hopline_failing" in broken["failing"]
    assert "the moon is wrong" in broken["failing"]


@pytest.mark.usefixtures("packages")
def test_the_command_lists_what_works_and_names_what_is_broken():
    said = CliRunner().invoke(application(), ["strategies"])
    assert said.exit_code == 0
    assert "Finds nothing." in said.stdout
    assert "the moon is wrong" in said.stderr
    told = json.loads(CliRunner().invoke(application(), ["strategies", "--json"]).stdout)
    assert "sound" in [one["name"] for one in told["strategies"]]
    assert [one["name"] for one in told["broken"]] == ["empty", "failing"]


@pytest.mark.usefixtures("packages")
def test_python_leaves_a_broken_one_out_with_a_warning(settings, caplog):
    hop = Questions(settings, None, None)
    with caplog.at_level(logging.WARNING):
        listed = hop.strategies()
    assert listed["sound"] == "Finds nothing."
    assert "failing" not in listed
    assert "the moon is wrong" in caplog.text


@pytest.mark.usefixtures("packages")
def test_asking_for_a_broken_one_gives_its_own_error():
    with pytest.raises(UsageError, match="the moon is wrong") as refused:
        load_strategy("failing")
    assert isinstance(refused.value.__cause__, RuntimeError)
    with pytest.raises(UsageError, match="hopline_empty"):
        load_strategy("empty")


@pytest.mark.usefixtures("packages")
def test_a_broken_package_cannot_take_the_place_of_a_strategy_of_ours():
    strategy_loader.check_strategy("hopline")
    assert load_strategy("bm25").rank.__module__ == "hopline.strategies.bm25"
    assert load_strategy("sound:depth=2").options == {"depth": 2}
