"""``python -m hopline.demo``: reads the sample documents, asks three questions, draws the answers.

The work of `make demo`, on real parts: the engine starts, the worker reads six PDFs into the
collection "samples", and each answer is shown with its citations and its evidence path.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path

from rich.console import Console
from rich.table import Table

from hopline.client import Failure, Hopline
from hopline.errors import HoplineError
from hopline.rendering.terminal import draw_answer, fetching

COLLECTION = "samples"
ASKED = 3


@contextmanager
def sample_folder() -> Iterator[Path]:
    """The folder of the sample PDFs and their questions, also out of a zipped package."""
    with as_file(files("hopline") / "samples") as folder:
        yield folder


def questions(folder: Path) -> tuple[str, ...]:
    """What the demo asks: a path over two documents, a table answer, a page answer."""
    rows = json.loads((folder / "questions.json").read_text(encoding="utf-8"))
    return tuple(row["question"] for row in rows[:ASKED])


def run(console: Console, *, home: Path | None = None) -> int:
    """The whole demo on ``console``; 0 when every sample was read, else 1.

    Raises:
        HoplineError: no engine could be started or used.
    """
    started = time.perf_counter()
    with fetching(console) as progress:
        hop = Hopline.open(home, progress=progress)
    with hop, sample_folder() as folder:
        opened = time.perf_counter()
        console.rule("Reading the samples")
        failures = hop.add(sorted(folder.glob("*.pdf")), collection=COLLECTION).wait(progress=True).failures
        report_failures(console, failures)
        read = time.perf_counter()
        for question in questions(folder):
            console.rule()
            draw_answer(hop.ask(question, collection=COLLECTION), console)
        asked = time.perf_counter()
    console.rule("What it took")
    console.print(durations(engine=opened - started, reading=read - opened, asking=asked - read))
    console.print(f"Ask more on the page: [bold]make ui[/bold], or [bold]hopline ui[/bold] (collection {COLLECTION}).")
    return 1 if failures else 0


def report_failures(console: Console, failures: tuple[Failure, ...]) -> None:
    """One line for each document that could not be read."""
    for failure in failures:
        console.print(f"{failure.document}: {failure.reason}", style="red", markup=False)


def durations(*, engine: float, reading: float, asking: float) -> Table:
    """Seconds of each part of the demo, and their sum."""
    table = Table(box=None, show_header=False)
    parts = {
        "engine started": engine,
        "documents read": reading,
        f"{ASKED} questions asked": asking,
        "together": engine + reading + asking,
    }
    for name, seconds in parts.items():
        table.add_row(name, f"{seconds:.1f} s")
    return table


def main() -> int:
    """The demo in this terminal; 3 when there is no engine."""
    console = Console()
    try:
        return run(console)
    except HoplineError as error:
        console.print(str(error), style="red", markup=False)
        return 3


if __name__ == "__main__":
    sys.exit(main())
