"""What fails on a batch is done by halves, down to the one item that cannot be done."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from hopline.errors import EngineError, ModelUnavailable, StatementError

log = logging.getLogger(__name__)

A = TypeVar("A")

_MOST: Final = 300  # characters of a reason


def process_by_halves(items: Sequence[A], work: Callable[[Sequence[A]], None], skip: Callable[[A, str], None]) -> None:
    """Do ``work`` on all items; where it fails, on each half, and ``skip`` an item that fails alone, with the reason.

    Raises:
        EngineError: the database is out of reach: no item's fault.
        ModelUnavailable: nor is an endpoint's that does not answer.
    """
    if not items:
        return
    try:
        work(items)
    except Exception as error:
        if _is_nobodys_fault(error):
            raise
        if len(items) > 1:
            middle = len(items) // 2
            process_by_halves(items[:middle], work, skip)
            process_by_halves(items[middle:], work, skip)
            return
        log.exception("an item is skipped")
        skip(items[0], describe(error))


def describe(error: Exception) -> str:
    """An error in one line, for the user."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:_MOST]


def _is_nobodys_fault(error: Exception) -> bool:
    """Whether no item can be blamed: the engine is away, or the embedder's endpoint."""
    return isinstance(error, ModelUnavailable) or (
        isinstance(error, EngineError) and not isinstance(error, StatementError)
    )
