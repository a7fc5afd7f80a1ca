"""How many texts of several lists fit into limited room."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest


def fit_in_turns(lists: Sequence[Sequence[str]], room: int, *, limit: int | None = None) -> list[int]:
    """Return how many texts of each list fit into ``room`` characters, from its beginning; at most ``limit`` in all.

    The lists take turns, so that a long list does not take the room of those behind it. The first text that does not
    fit ends its list.
    """
    counts = [0] * len(lists)
    is_full = [False] * len(lists)
    for turn in zip_longest(*lists):
        for number, text in enumerate(turn):
            if text is None or is_full[number]:
                continue
            if len(text) > room or sum(counts) == limit:
                is_full[number] = True
                continue
            room -= len(text)
            counts[number] += 1
    return counts
