"""How far a training is: what the commands show while it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Told:
    """``done`` of ``total`` steps of one phase ("forward", "backward"), and the mean loss of the last epoch so far."""

    phase: str
    done: int
    total: int
    loss: float = 0.0


Listener = Callable[[Told], None]


def unheard(_: Told) -> None:
    """Nobody listens."""
