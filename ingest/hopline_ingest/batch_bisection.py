"""Batch processing by bisection: a failing batch is split in halves, down to the item that causes the failure."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from hopline.errors import EngineError, ModelUnavailable, StatementError

log = logging.getLogger(__name__)

A = TypeVar("A")

_MAX_REASON: Final = 300  # characters of a reason


def process_with_bisection(
    items: Sequence[A], work: Callable[[Sequence[A]], None], skip: Callable[[A, str], None]
) -> None:
    """Apply ``work`` to all items; on failure to each half; call ``skip`` with the reason for an item that fails alone.

    Raises:
        EngineError: the database cannot be reached, which no item causes.
        ModelUnavailable: the model's endpoint does not respond, which no item causes.
    """
    if not items:
        return
    try:
        work(items)
    except Exception as error:
        if is_outage(error):
            raise
        if len(items) > 1:
            middle = len(items) // 2
            process_with_bisection(items[:middle], work, skip)
            process_with_bisection(items[middle:], work, skip)
            return
        log.exception("an item is skipped")
        skip(items[0], describe_error(error))


def describe_error(error: Exception) -> str:
    """Return an error as one line for the user, at most 300 characters."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:_MAX_REASON]


def is_outage(error: Exception) -> bool:
    """Whether the database or the embedder's endpoint is unavailable, so that no item is at fault."""
    return isinstance(error, ModelUnavailable) or (
        isinstance(error, EngineError) and not isinstance(error, StatementError)
    )
