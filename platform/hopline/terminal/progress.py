"""Progress in the terminal: what the graph counts, and nothing that it does not."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from hopline.sdk import Progress
from hopline.terminal.glyphs import fitted

POLL = 0.25  # seconds between two looks at the graph
SPOKEN = 5.0  # seconds between two lines where there is no terminal to redraw
SHOWN = 3  # documents named while they are read


class Watched(Protocol):
    """What has a progress: a batch."""

    def progress(self) -> Progress: ...


def follow(source: Watched | Callable[[], Progress], console: Console) -> Progress:
    """Draw a progress until it is done, and give the last one.

    ``source`` is a batch, or a function that gives a `Progress`; what it raises ends the drawing.
    Bars on a terminal, otherwise a line every `SPOKEN` seconds.
    """
    read = source if callable(source) else source.progress
    return _drawn(read, console) if console.is_terminal else _told(read, console)


def _drawn(read: Callable[[], Progress], console: Console) -> Progress:
    progress = read()
    with Live(view(progress, console), console=console, auto_refresh=False) as live:
        while not progress.done:
            time.sleep(POLL)
            progress = read()
            live.update(view(progress, console), refresh=True)
    return progress


def _told(read: Callable[[], Progress], console: Console) -> Progress:
    progress, last = read(), float("-inf")
    while not progress.done:
        if time.monotonic() - last >= SPOKEN:
            console.print(sentence(progress), highlight=False, soft_wrap=True)
            last = time.monotonic()
        time.sleep(POLL)
        progress = read()
    console.print(sentence(progress), highlight=False, soft_wrap=True)
    return progress


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
    lines = [Text(line, style="dim", no_wrap=True, overflow="ellipsis") for line in progress.reading[:SHOWN]]
    return Group(table, *(fitted(line, console) for line in lines), Text(time_left(progress)))


def sentence(progress: Progress) -> str:
    """The whole progress in one line, for logs."""
    counts = [f"{name} {done:,}/{total:,}" for name, done, total in stages(progress) if total]
    return "; ".join([", ".join(counts) or "nothing to do", *filter(None, [time_left(progress)])])


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
    """A ``progress(bytes done, bytes in all, label)`` whose bar appears with its first call."""
    size = TextColumn("{task.fields[size]}")
    bars = Bars(TextColumn("{task.description}"), BarColumn(), size, TimeRemainingColumn(), console=console)
    tasks: dict[str, TaskID] = {}

    def progress(done: int, total: int, label: str) -> None:
        if not tasks:
            bars.start()
        if label not in tasks:
            tasks[label] = bars.add_task(label, size="")
        size = f"{done / 1e6:.0f} of {total / 1e6:.0f} MB" if total else ""
        bars.update(tasks[label], completed=done, total=total or None, size=size)

    try:
        yield progress
    finally:
        bars.stop()
