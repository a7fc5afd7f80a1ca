"""Progress in the terminal: what the graph counts, and nothing that it does not."""

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

from hopline.rendering.terminal.symbols import fitted

if TYPE_CHECKING:
    from hopline.documents.progress import Progress

POLL = 0.25  # seconds between two looks at the graph
SPOKEN, QUIET = 5.0, 60.0  # seconds between two lines where there is no terminal to redraw
SHOWN = 3  # documents named while they are read


class Watched(Protocol):
    """What has a progress: a batch."""

    def progress(self) -> Progress: ...


def follow(source: Watched | Callable[[], Progress] | Iterable[Progress], console: Console | None = None) -> None:
    """Draw a progress until it is done, on stderr unless told otherwise.

    ``source`` is a batch, a function that gives a `Progress`, or one `Progress` after another,
    asked for every `POLL` seconds; what it raises ends the drawing. Bars on a terminal,
    otherwise a line when something moved, at most every `SPOKEN` seconds and at least every `QUIET`.
    """
    console = console or Console(stderr=True)
    steps = source if isinstance(source, Iterable) else _steps(source if callable(source) else source.progress)
    if console.is_terminal:
        _draw(steps, console)
    else:
        _tell(steps, console)


def _steps(read: Callable[[], Progress]) -> Iterator[Progress]:
    while not (progress := read()).done:
        yield progress
    yield progress


def _draw(steps: Iterable[Progress], console: Console) -> None:
    with Live(console=console, auto_refresh=False) as live:
        for progress in steps:
            live.update(view(progress, console), refresh=True)
            if not progress.done:
                time.sleep(POLL)


def _tell(steps: Iterable[Progress], console: Console) -> None:
    said, when = None, float("-inf")
    for progress in steps:
        waited = time.monotonic() - when
        if progress.done or waited >= QUIET or (waited >= SPOKEN and stages(progress) != said):
            console.print(sentence(progress), highlight=False, soft_wrap=True)
            said, when = stages(progress), time.monotonic()
        if not progress.done:
            time.sleep(POLL)


def stages(progress: Progress) -> list[tuple[str, int, int]]:
    """(name, done, total) of each bar; a document that failed is done with."""
    return [
        ("documents", progress.documents_done + progress.documents_failed, progress.documents),
        ("pages", progress.pages_done, progress.pages),
        ("extracted", progress.extracted, progress.passages),
        ("embedded", progress.embedded, progress.passages),
        ("related", progress.related, progress.passages),
    ]


def view(progress: Progress, console: Console) -> RenderableType:
    """The bars, what is being read, and the time that is left."""
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right", style="bold")
    table.add_column()
    table.add_column(justify="right")
    for name, done, total in stages(progress):
        bar = ProgressBar(total or 1, done if total else 0, width=max(20, min(40, console.width - 36)))
        table.add_row(name, bar, f"{done:,} of {total:,}" if total else "")
    below = [*progress.reading[:SHOWN], *filter(None, [rest(progress)])]
    lines = [Text(line, style="dim", no_wrap=True, overflow="ellipsis") for line in below]
    return Group(table, *(fitted(line, console) for line in lines), Text(time_left(progress)))


def sentence(progress: Progress) -> str:
    """The whole progress in one line, for logs."""
    counts = [f"{name} {done:,}/{total:,}" for name, done, total in stages(progress) if total]
    return "; ".join([", ".join(counts) or "nothing to do", *filter(None, [rest(progress), time_left(progress)])])


def rest(progress: Progress) -> str:
    """What is embedded beside the passages and still waits; empty when nothing does."""
    left = {"triples": progress.triples_left, "entities": progress.entities_left}
    words = " and ".join(f"{count:,} {name}" for name, count in left.items() if count)
    return f"{words} to embed" if words else ""


def time_left(progress: Progress) -> str:
    """How long it took, or will take as far as that can be told; empty where it cannot."""
    failed = f", {progress.documents_failed} failed" if progress.documents_failed else ""
    if progress.done:
        return f"done in {duration(progress.seconds)}{failed}"
    if progress.seconds_left is None:
        return failed.removeprefix(", ")
    return f"about {duration(progress.seconds_left)} left{failed}"


def duration(seconds: float) -> str:
    """Seconds in words: 0.4 s, 12 s, 2 min 5 s, 1 h 10 min."""
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
def fetching(console: Console) -> Iterator[Callable[[int, int, str], None]]:
    """A ``progress(bytes done, bytes in all, label)`` whose bar appears with its first call.

    Without a terminal each label is one line.
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
