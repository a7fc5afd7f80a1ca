"""The limit on the calls of a language model that extraction may still make for a collection."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

from hopline.errors import UsageError

if TYPE_CHECKING:
    from hopline.store.graph import Write


def check_max_calls(max_calls: int | None) -> None:
    """Check a number of calls that is given by the user; None stands for no change of the limit.

    Raises:
        UsageError: it is neither None nor a non-negative integer.
    """
    if max_calls is not None and (isinstance(max_calls, bool) or not isinstance(max_calls, int) or max_calls < 0):
        raise UsageError(f"max_calls must be a non-negative integer, or None for no change (got {max_calls!r})")


def build_limit_writes(statement: str, collection: str, max_calls: int | None) -> list[Write]:
    """Build the write that raises the limit of a collection, none if ``max_calls`` is None.

    Repeating the write raises the limit once.
    """
    if max_calls is None:
        return []
    return [(statement, {"collection": collection, "calls": max_calls, "request": uuid4().hex})]
