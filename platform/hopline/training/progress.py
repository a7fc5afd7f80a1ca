"""Progress of a training run, for progress bars."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TrainingProgress:
    """``done`` of ``total`` steps of a phase ("forward", "backward"), and the mean loss of the current epoch so far."""

    phase: str
    done: int
    total: int
    loss: float = 0.0


ProgressCallback = Callable[[TrainingProgress], None]


def ignore_progress(_: TrainingProgress) -> None:
    """Do nothing: the callback where none is given."""
