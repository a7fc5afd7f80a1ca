"""Limits of the service: size of a request, requests a minute, questions at the same time."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from hopline.api.problems import Refused

_CLIENTS: Final = 10_000  # of which the requests are counted; the ones that were idle longest are dropped first


@dataclass(frozen=True, slots=True)
class ServiceLimits:
    """Limits of the service.

    ``upload_mb`` is the size of one upload, ``body_kb`` that of every other request; ``rate`` is the number of requests
    a minute of one key (or one address, where there are no keys), 0: no limit. ``parallel`` questions are answered at
    the same time, and ``waiting`` further ones wait for their turn.
    """

    upload_mb: int = 1024
    body_kb: int = 1024
    rate: int = 0
    parallel: int = 4
    waiting: int = 128


class RequestRateLimiter:
    """Counts the requests of each client: as many at once as in a minute, then evenly (token bucket)."""

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def check(self, client: str) -> None:
        """Count one request.

        Raises:
            Refused: (429) the client has made too many; says when it may make the next one.
        """
        if not self._rate:
            return
        now = time.monotonic()
        left, at = self._clients.pop(client, (float(self._rate), now))
        left = min(float(self._rate), left + (now - at) * self._rate / 60)
        self._clients[client] = (max(left - 1, 0) if left >= 1 else left, now)
        if len(self._clients) > _CLIENTS:
            self._clients.popitem(last=False)
        if left < 1:
            seconds = int((1 - left) * 60 / self._rate) + 1
            message = f"more than {self._rate} requests a minute; try again in {seconds} s"
            raise Refused(429, message, {"Retry-After": str(seconds)})


class QuestionQueue:
    """Lets a number of questions run at the same time, and others wait for them in order of arrival."""

    def __init__(self, parallel: int, waiting: int) -> None:
        self._running = asyncio.Semaphore(parallel)
        self._parallel = parallel
        self._waiting = waiting
        self.entered = 0

    def check(self) -> None:
        """Check that a further question may wait.

        Raises:
            Refused: (503) too many questions wait already.
        """
        if self.entered >= self._parallel + self._waiting:
            message = f"{self.entered} questions are being answered or wait already; try again later"
            raise Refused(503, message, {"Retry-After": "5"})

    @asynccontextmanager
    async def enter(self) -> AsyncIterator[None]:
        """Wait for a turn, which ends with the block.

        Raises:
            Refused: (503) too many questions wait already.
        """
        self.check()
        self.entered += 1
        try:
            async with self._running:
                yield
        finally:
            self.entered -= 1
