"""Retries with backoff, and rate limiting, of calls to a language model."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Lock

from hopline.llm.provider import Completion

MAX_WAIT = 120.0  # seconds; where an endpoint asks for a longer wait, the prompt fails
MIN_BACKOFF, MAX_BACKOFF = 0.5, 30.0  # seconds
OUTAGE_SECONDS = 30.0  # for so long, an unreachable endpoint gets one attempt per prompt, a silent one none


@dataclass(slots=True)
class RateLimiter:
    """Delays attempts as an endpoint asks for; shared by all threads that use the endpoint."""

    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    _blocked_until: float = 0.0
    _down_until: float = 0.0
    _silent_until: float = 0.0
    _silence: str = ""
    _answered_at: float = -math.inf
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

    @property
    def silence(self) -> str:
        """The error of a time-out of the last `OUTAGE_SECONDS` during which no prompt was answered, or ""."""
        return self._silence if self.clock() < self._silent_until else ""

    def record_attempt(self, completion: Completion, started: float) -> None:
        """Record whether the endpoint answered an attempt that began at ``started``."""
        with self._lock:
            if completion.calls or completion.status or not completion.error:
                self._answered_at, self._silent_until = self.clock(), 0.0
            elif completion.timed_out and self._answered_at < started:
                self._silence, self._silent_until = completion.error, self.clock() + OUTAGE_SECONDS

    def record(self, completion: Completion) -> None:
        """Record whether the endpoint could be reached."""
        self._down_until = self.clock() + OUTAGE_SECONDS if completion.unreachable else 0.0


def with_retries(
    attempt: Callable[[], Completion],
    *,
    retries: int,
    limiter: RateLimiter,
    extra_calls: int | None = None,
    before_retry: Callable[[], object] = lambda: None,
) -> Completion:
    """Call ``attempt`` until it succeeds, fails permanently, or ``retries`` are used up; return the last completion.

    Its calls and tokens are the sums over all attempts; at most 1 + ``extra_calls`` attempts are billed.
    While the endpoint is down there is one attempt only, so that a batch of prompts does not wait
    through all retries of each. While it is silent there is none: a strategy that asks several times waits for one
    time-out only. ``before_retry`` is called before every attempt but the first.
    """
    if limiter.silence:
        return Completion(error=limiter.silence, timed_out=True)
    last = 0 if limiter.down else retries
    calls, tokens_in, tokens_out = 0, 0, 0
    for number in range(last + 1):
        limiter.wait()
        if number > 0:
            before_retry()
        started = limiter.clock()
        completion = attempt()
        limiter.record_attempt(completion, started)
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
