"""The demo does the main job on real parts: engine, worker, OCR, strategies, answers."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from hopline import demo
from hopline.config import Settings


def test_the_demo_asks_for_a_path_over_two_documents_a_table_and_a_page() -> None:
    with demo.sample_folder() as folder:
        rows = json.loads((folder / "questions.json").read_text(encoding="utf-8"))
        asked = demo.questions(folder)
    kinds = {row["question"]: row["kind"] for row in rows}
    assert [kinds[question] for question in asked] == ["bridge", "table", "page"]


def test_what_it_took_names_every_part_and_their_sum() -> None:
    console = Console(file=io.StringIO(), width=80)
    with console.capture() as captured:
        console.print(demo.durations(engine=4.0, reading=20.25, asking=0.5))
    lines = [line.split() for line in captured.get().splitlines()]
    assert [line[-2:] for line in lines] == [["4.0", "s"], ["20.2", "s"], ["0.5", "s"], ["24.8", "s"]]
    assert lines[-1][0] == "together"


@pytest.fixture(scope="module")
def drawn(settings: Settings) -> str:
    console = Console(file=io.StringIO(), width=120, force_terminal=False)
    with console.capture() as captured:
        assert demo.run(console, home=settings.home) == 0
    return captured.get()


@pytest.mark.parametrize("answer", ["Maud Kerrigan", "918,400", "12.5 tonnes"])
def test_the_demo_gives_the_right_answer_to_each_of_its_questions(drawn: str, answer: str) -> None:
    assert answer in drawn


def test_the_demo_says_where_it_read_and_how_to_open_the_page(drawn: str) -> None:
    assert "lantern-lending-report-2024.pdf" in drawn
    assert "kestrel-quay-inspection-2023.pdf" in drawn
    assert "hopline ui" in drawn
