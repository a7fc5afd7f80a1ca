"""The demo end to end: database, worker, OCR, strategies and answers."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from rich.console import Console

from hopline import demo
from hopline.config import Settings

pytestmark = pytest.mark.xdist_group("commands")


def test_the_demo_asks_a_bridge_a_table_and_a_page_question() -> None:
    with demo.open_sample_folder() as folder:
        rows = json.loads((folder / "questions.json").read_text(encoding="utf-8"))
        questions = demo.read_sample_questions(folder)
    kinds = {row["question"]: row["kind"] for row in rows}
    assert [kinds[question] for question in questions] == ["bridge", "table", "page"]


def test_the_timings_list_every_part_and_the_total() -> None:
    console = Console(file=io.StringIO(), width=80)
    with console.capture() as captured:
        console.print(demo.build_timings(startup=4.0, processing=20.25, answering=0.5))
    lines = [line.split() for line in captured.get().splitlines()]
    assert [line[-2:] for line in lines] == [["4.0", "s"], ["20.2", "s"], ["0.5", "s"], ["24.8", "s"]]
    assert lines[-1][0] == "Total"


@pytest.fixture(scope="module")
def output(settings: Settings) -> str:
    console = Console(file=io.StringIO(), width=120, force_terminal=False)
    with console.capture() as captured:
        assert demo.run_demo(console, home=settings.home) == 0
    return captured.get()


@pytest.mark.parametrize("answer", ["Maud Kerrigan", "918,400", "12.5 tonnes"])
def test_the_demo_answers_each_of_its_questions_correctly(output: str, answer: str) -> None:
    assert answer in output


def test_the_demo_names_its_sources_and_how_to_open_the_web_page(output: str) -> None:
    assert "lantern-lending-report-2024.pdf" in output
    assert "kestrel-quay-inspection-2023.pdf" in output
    assert "hopline ui" in output.replace("\n", " ")


def test_a_command_is_named_with_its_folder_if_it_is_not_on_the_search_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "hopline").touch(mode=0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    monkeypatch.setenv("PATH", "")
    assert demo.format_command("ui") == "bin/hopline ui"
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert demo.format_command("ui") == "hopline ui"
