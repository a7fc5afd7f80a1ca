"""Estimate of the remaining time of processing, from the work that is left and the pace so far."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Final

_MIN_WORK_SECONDS: Final = 8.0  # of work, before the remaining time is estimated
# Cost of a unit of each stage, relative to a page; only used to estimate the remaining time.
_WEIGHTS: Final = {
    "pages": 1.0,
    "unread": 0.15,
    "unembedded": 0.12,
    "unrelated": 0.01,
    "triples": 0.02,
    "entities": 0.01,
}
_PASSAGES_PER_PAGE: Final = 4.0


class RemainingTimeEstimator:
    """Estimates the remaining seconds from the work that was done so far."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._startup = 0.0  # seconds before the first work: the worker starts and loads its models
        self._has_started = False
        self._total_work = 0.0
        self._total_seconds: float | None = None

    @property
    def seconds(self) -> float:
        """Seconds since the estimator was created."""
        return time.monotonic() - self._started

    def estimate_left(self, work_left: float) -> float | None:
        """Estimate the remaining seconds at the pace so far, smoothed; None until there is enough work to tell."""
        self._total_work = max(self._total_work, work_left)
        done = self._total_work - work_left
        if work_left <= 0:
            return 0.0
        self._has_started = self._has_started or done > 0
        if not self._has_started:
            self._startup = self.seconds
        worked = self.seconds - self._startup
        if done < 0.1 * self._total_work or worked < _MIN_WORK_SECONDS:
            return None
        total = worked * self._total_work / done
        self._total_seconds = total if self._total_seconds is None else 0.8 * self._total_seconds + 0.2 * total
        return max(self._total_seconds - worked, 1.0)


def compute_work(waiting: Mapping[str, float]) -> float:
    """Return the work that is left, in pages, from the numbers of pages and nodes that wait for each stage.

    Other keys of ``waiting`` are ignored. The passages of pages that are not parsed yet are expected, not counted.
    """
    expected = waiting["pages"] * _PASSAGES_PER_PAGE
    expected_work = expected * (_WEIGHTS["unread"] + _WEIGHTS["unembedded"])
    return expected_work + sum(weight * waiting[name] for name, weight in _WEIGHTS.items())
