"""Batch processing by bisection: a failing batch is split in halves, down to the item that causes the failure."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from hopline.errors import ResourceError, is_outage

log = logging.getLogger(__name__)

A = TypeVar("A")

_MAX_REASON: Final = 300  # characters of a reason
RESOURCE_PAUSES: Final = (1.0, 4.0)  # seconds, in all for the items of one call


def process_with_bisection(
    items: Sequence[A], work: Callable[[Sequence[A]], object], skip: Callable[[A, str], None]
) -> None:
    """Apply ``work`` to all items; on failure to each half; call ``skip`` with the reason for an item that fails alone.

    An item that fails alone because of too little memory is repeated after a pause, as others may have used the memory.

    Raises:
        EngineError: the database cannot be reached, which no item causes.
        ModelUnavailable: the model's endpoint does not respond, which no item causes.
    """
    _process(items, work, skip, iter(RESOURCE_PAUSES))


def _process(
    items: Sequence[A], work: Callable[[Sequence[A]], object], skip: Callable[[A, str], None], pauses: Iterator[float]
) -> None:
    if not items:
        return
    try:
        work(items)
    except Exception as error:
        if is_outage(error):
            raise
        if len(items) > 1:
            middle = len(items) // 2
            _process(items[:middle], work, skip, pauses)
            _process(items[middle:], work, skip, pauses)
            return
        pause = next(pauses, None) if isinstance(error, ResourceError) else None
        if pause is not None:
            time.sleep(pause)
            _process(items, work, skip, pauses)
            return
        log.exception("an item is skipped")
        skip(items[0], describe_error(error))


def describe_error(error: Exception) -> str:
    """Return an error as one line for the user, at most 300 characters."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:_MAX_REASON]
