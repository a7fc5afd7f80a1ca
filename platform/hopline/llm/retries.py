"""Retries with backoff, and rate limiting, of calls to a language model."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Lock

from hopline.llm.provider import Completion

MAX_WAIT = 120.0  # seconds; where an endpoint asks for a longer wait, the prompt fails
MIN_BACKOFF, MAX_BACKOFF = 0.5, 30.0  # seconds
OUTAGE_SECONDS = 30.0  # after all retries found the endpoint unreachable, prompts get one attempt each for so long


@dataclass(slots=True)
class RateLimiter:
    """Delays attempts as an endpoint asks for; shared by all threads that use the endpoint."""

    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    _blocked_until: float = 0.0
    _down_until: float = 0.0
    _lock: Lock = field(default_factory=Lock)

    def wait(self) -> None:
        """Sleep until attempts are allowed again."""
        seconds = self._blocked_until - self.clock()
        if seconds > 0:
            self.sleep(seconds)

    def block(self, seconds: float) -> None:
        """Let no thread start an attempt for some seconds."""
        with self._lock:
            self._blocked_until = max(self._blocked_until, self.clock() + seconds)

    @property
    def down(self) -> bool:
        """Whether all retries of an earlier prompt failed less than `OUTAGE_SECONDS` ago to reach the endpoint."""
        return self.clock() < self._down_until

    def record(self, completion: Completion) -> None:
        """Record whether the endpoint could be reached."""
        self._down_until = self.clock() + OUTAGE_SECONDS if completion.unreachable else 0.0


def with_retries(
    attempt: Callable[[], Completion], *, retries: int, limiter: RateLimiter, extra_calls: int | None = None
) -> Completion:
    """Call ``attempt`` until it succeeds, fails permanently, or ``retries`` are used up; return the last completion.

    Its calls and tokens are the sums over all attempts; at most 1 + ``extra_calls`` attempts are billed.
    While the endpoint is down there is one attempt only, so that a batch of prompts does not wait
    through all retries of each.
    """
    last = 0 if limiter.down else retries
    calls, tokens_in, tokens_out = 0, 0, 0
    for number in range(last + 1):
        limiter.wait()
        completion = attempt()
        calls += completion.calls
        tokens_in, tokens_out = tokens_in + completion.tokens_in, tokens_out + completion.tokens_out
        spent = extra_calls is not None and calls > extra_calls
        if not completion.retryable or number == last or spent:
            break
        if completion.retry_after is None:
            limiter.sleep(backoff_seconds(number))
        elif completion.retry_after <= MAX_WAIT:
            limiter.block(completion.retry_after)
        else:
            break
    limiter.record(completion)
    return replace(completion, calls=calls, tokens_in=tokens_in, tokens_out=tokens_out)


def backoff_seconds(attempt: int) -> float:
    """Seconds to wait after attempt number ``attempt``, from 0: doubling from `MIN_BACKOFF`, with jitter."""
    longest = min(MAX_BACKOFF, MIN_BACKOFF * 2.0 ** min(attempt, 16))
    return random.SystemRandom().uniform(longest / 2, longest)
