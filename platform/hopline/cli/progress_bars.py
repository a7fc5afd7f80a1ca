"""Progress bars of a training."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hopline.cli.command import get_error_console

if TYPE_CHECKING:
    from hopline.training.progress import ProgressCallback, TrainingProgress


@contextmanager
def progress_bars() -> Iterator[ProgressCallback]:
    """Context manager that yields a progress callback; it draws a progress bar on stderr for each phase."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=get_error_console()) as bars:
        tasks: dict[str, Any] = {}

        def update(progress: TrainingProgress) -> None:
            if progress.phase not in tasks:
                tasks[progress.phase] = bars.add_task(progress.phase, total=progress.total)
            loss = f", loss {progress.loss:.3f}" if progress.loss else ""
            bars.update(tasks[progress.phase], completed=progress.done, description=f"{progress.phase}{loss}")

        yield update
