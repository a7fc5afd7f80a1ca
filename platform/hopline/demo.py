"""Demo (``python -m hopline.demo``, ``make demo``): add the sample documents and ask three questions.

Starts the database, processes six PDFs in the collection "samples", and prints each answer with its citations
and its evidence path.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from shutil import which

from rich.console import Console
from rich.table import Table

from hopline.client import Hopline
from hopline.documents.progress import Failure, ProcessingWarning
from hopline.errors import HoplineError
from hopline.neo4j_server.connection import import_driver
from hopline.rendering import TerminalConsole, download_bars, draw_answer

COLLECTION = "samples"
MAX_QUESTIONS = 3


@contextmanager
def open_sample_folder() -> Iterator[Path]:
    """Context manager that yields the folder of the sample PDFs and questions, also from a zipped package."""
    with as_file(files("hopline") / "samples") as folder:
        yield folder


def read_sample_questions(folder: Path) -> tuple[str, ...]:
    """Read the questions of the demo: a path over two documents, an answer from a table, one from a page."""
    rows = json.loads((folder / "questions.json").read_text(encoding="utf-8"))
    return tuple(row["question"] for row in rows[:MAX_QUESTIONS])


def run_demo(console: Console, *, home: Path | None = None) -> int:
    """Run the demo on ``console``; returns 0 if every sample was processed, else 1.

    Raises:
        HoplineError: the database is not available.
    """
    started = time.perf_counter()
    with download_bars(console) as progress:
        hop = Hopline.open(home, progress=progress)
    with hop, open_sample_folder() as folder:
        opened = time.perf_counter()
        console.rule("Adding the samples")
        samples = sorted(folder.glob("*.pdf"))
        batch = hop.documents.add(samples, collection=COLLECTION, uploaded=True).wait(progress=True)
        failures = batch.failures
        print_problems(console, failures, batch.warnings)
        processed = time.perf_counter()
        for question in read_sample_questions(folder):
            console.rule()
            draw_answer(hop.ask(question, collection=COLLECTION), console)
        answered = time.perf_counter()
    console.rule("Timings")
    timings = build_timings(startup=opened - started, processing=processed - opened, answering=answered - processed)
    console.print(timings)
    page, question = format_command("ui"), format_command(f'ask "…" -c {COLLECTION}')
    console.print(f"Ask more questions: [bold]{page}[/bold] opens the web page, [bold]{question}[/bold] answers here.")
    return 1 if failures else 0


def format_command(arguments: str) -> str:
    """Format a command of Hopline, with the folder of the environment if ``hopline`` is not on the search path."""
    installed = Path(sys.executable).with_name("hopline")
    command = "hopline" if which("hopline") or not installed.exists() else os.path.relpath(installed)
    return f"{command} {arguments}"


def print_problems(
    console: Console, failures: tuple[Failure, ...], warnings: tuple[ProcessingWarning, ...] = ()
) -> None:
    """Print one line for each failure and each warning."""
    for failure in failures:
        console.print(f"{failure.document}: {failure.reason}", style="red", markup=False)
    for warning in warnings:
        console.print(f"{warning.document}: {warning.message}", style="yellow", markup=False)


def build_timings(*, startup: float, processing: float, answering: float) -> Table:
    """Build the table of the seconds of each part of the demo, and their total."""
    table = Table(box=None, show_header=False)
    parts = {
        "Database startup": startup,
        "Document processing": processing,
        f"{MAX_QUESTIONS} questions": answering,
        "Total": startup + processing + answering,
    }
    for name, seconds in parts.items():
        table.add_row(name, f"{seconds:.1f} s")
    return table


def main() -> int:
    """Run the demo in the terminal; returns exit status 3 if the database is not available."""
    console = TerminalConsole()
    import_driver()
    try:
        return run_demo(console)
    except HoplineError as error:
        console.print(str(error), style="red", markup=False)
        return 3


if __name__ == "__main__":
    sys.exit(main())
