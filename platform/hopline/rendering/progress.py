"""Progress bars in the terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from hopline.rendering.console import TerminalConsole
from hopline.rendering.symbols import adapt_to_console

if TYPE_CHECKING:
    from hopline.documents.progress import Progress

POLL = 0.25  # seconds between two updates
MIN_INTERVAL, MAX_INTERVAL = 5.0, 60.0  # seconds between two lines if the output is no terminal
MAX_DOCUMENTS = 3  # listed while they are parsed


class HasProgress(Protocol):
    """An object with a progress, such as a `Batch`."""

    def progress(self) -> Progress:
        """Return the current progress."""
        ...


def show_progress(
    source: HasProgress | Callable[[], Progress] | Iterable[Progress], console: Console | None = None
) -> None:
    """Show a progress until it is done, on stderr by default.

    ``source`` is a batch, a function that returns a `Progress`, or an iterable of `Progress`; it is polled
    every `POLL` seconds, and its exceptions are raised. On a terminal progress bars are drawn; otherwise
    a line is printed when something changed, at most every `MIN_INTERVAL` seconds and at least every `MAX_INTERVAL`.
    """
    console = console or TerminalConsole(stderr=True)
    steps = source if isinstance(source, Iterable) else _poll(source if callable(source) else source.progress)
    if console.is_terminal:
        _draw_bars(steps, console)
    else:
        _print_lines(steps, console)


def _poll(read_progress: Callable[[], Progress]) -> Iterator[Progress]:
    while not (progress := read_progress()).done:
        yield progress
    yield progress


def _draw_bars(steps: Iterable[Progress], console: Console) -> None:
    with Live(console=console, auto_refresh=False) as live:
        for progress in steps:
            live.update(render_progress(progress, console), refresh=True)
            if not progress.done:
                time.sleep(POLL)


def _print_lines(steps: Iterable[Progress], console: Console) -> None:
    printed, when = None, float("-inf")
    for progress in steps:
        waited = time.monotonic() - when
        if progress.done or waited >= MAX_INTERVAL or (waited >= MIN_INTERVAL and count_stages(progress) != printed):
            line = adapt_to_console(Text(format_progress(progress)), console)
            console.print(line, highlight=False, soft_wrap=True)
            printed, when = count_stages(progress), time.monotonic()
        if not progress.done:
            time.sleep(POLL)


def count_stages(progress: Progress) -> list[tuple[str, int, int]]:
    """Return (label, done, total) of each stage; failed documents count as done."""
    return [
        ("Documents", progress.documents_done + progress.documents_failed, progress.documents),
        ("Pages", progress.pages_done, progress.pages),
        ("Finding entities", progress.extracted, progress.passages),
        ("Indexing", progress.embedded, progress.passages),
        ("Linking passages", progress.related, progress.passages),
    ]


def render_progress(progress: Progress, console: Console) -> RenderableType:
    """Render the progress bars, the documents that are being parsed, and the remaining time."""
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right", style="bold")
    table.add_column()
    table.add_column(justify="right")
    for name, done, total in count_stages(progress):
        bar = ProgressBar(total or 1, done if total else 0, width=max(20, min(40, console.width - 44)))
        table.add_row(name, bar, f"{done:,} of {total:,}" if total else "")
    below = [*progress.reading[:MAX_DOCUMENTS], *filter(None, [format_pending(progress)])]
    lines = [Text(line, style="dim", no_wrap=True, overflow="ellipsis") for line in below]
    return Group(table, *(adapt_to_console(line, console) for line in lines), Text(format_time_left(progress)))


def format_progress(progress: Progress) -> str:
    """Format the progress as one line, for logs."""
    counts = [f"{label} {done:,}/{total:,}" for label, done, total in count_stages(progress) if total]
    parts = [*(counts or ["Nothing to do"]), format_pending(progress), format_time_left(progress)]
    return " · ".join(filter(None, parts))


def format_pending(progress: Progress) -> str:
    """Return the numbers of triples and entities that are still to be embedded, "" if there are none."""
    pending = {"triples": progress.triples_left, "entities": progress.entities_left}
    counts = " and ".join(f"{count:,} {name}" for name, count in pending.items() if count)
    return f"{counts} to embed" if counts else ""


def format_time_left(progress: Progress) -> str:
    """Format the elapsed time of a finished progress or the estimated remaining time, "" if unknown."""
    failed = f", {progress.documents_failed} failed" if progress.documents_failed else ""
    if progress.done:
        return f"done in {format_duration(progress.seconds)}{failed}"
    if progress.seconds_left is None:
        return failed.removeprefix(", ")
    return f"about {format_duration(progress.seconds_left)} left{failed}"


def format_duration(seconds: float) -> str:
    """Format seconds: 0.4 s, 12 s, 2 min 5 s, 1 h 10 min."""
    if seconds < 1:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


@contextmanager
def download_bars(console: Console) -> Iterator[Callable[[int, int, str], None]]:
    """Context manager that yields ``progress(bytes_done, bytes_total, label)``; a bar appears with its first call.

    If the output is no terminal, each label is printed as one line.
    """
    size = TextColumn("{task.fields[size]}")
    bars = Bars(TextColumn("{task.description}"), BarColumn(), size, TimeRemainingColumn(), console=console)
    tasks: dict[str, TaskID] = {}

    def progress(done: int, total: int, label: str) -> None:
        if label not in tasks:
            tasks[label] = bars.add_task(label, size="")
            if console.is_terminal:
                bars.start()
            else:
                console.print(label, highlight=False, soft_wrap=True)
        size = f"{done / 1e6:.0f} of {total / 1e6:.0f} MB" if total else ""
        bars.update(tasks[label], completed=done, total=total or None, size=size)

    try:
        yield progress
    finally:
        if bars.live.is_started:
            bars.stop()
