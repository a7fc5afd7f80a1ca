"""What a language model must be able to do, and how a try that failed is tried again."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Protocol

from hopline.flow.services import Prompt

LONGEST_WAIT = 120.0  # seconds; an endpoint that asks for more is given up
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
LOST_FOR = 30.0  # seconds after all retries found nobody, in which one try is enough


@dataclass(frozen=True, slots=True)
class Said:
    """What came of one try.

    ``again``: it failed in a way that may pass; ``after`` is how many seconds the endpoint asks
    to wait. ``unreachable``: no prompt can do better now, wherever the fault is. ``status``: the HTTP status
    of a failure, 0 where there is none. ``calls``: how many tries the model answered, and which are billed.
    """

    text: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    error: str = ""
    again: bool = False
    after: float | None = None
    unreachable: bool = False
    status: int = 0
    calls: int = 0


class Voice(Protocol):
    """One language model, one prompt at a time. Safe to call from several threads."""

    @property
    def name(self) -> str:
        """The model's name; replies are remembered under it."""
        ...

    def say(self, prompt: Prompt) -> Said:
        """The reply after all retries; never raises for what the model or its endpoint does."""
        ...

    def close(self) -> None:
        """Let go of connections."""
        ...


@dataclass(slots=True)
class Pace:
    """When the next try may start; shared by all threads that talk to one endpoint."""

    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    _not_before: float = 0.0
    _lost_until: float = 0.0
    _lock: Lock = field(default_factory=Lock)

    def wait(self) -> None:
        """Wait while the endpoint asked for quiet."""
        seconds = self._not_before - self.clock()
        if seconds > 0:
            self.sleep(seconds)

    def hold(self, seconds: float) -> None:
        """Let no thread start a try for some seconds."""
        with self._lock:
            self._not_before = max(self._not_before, self.clock() + seconds)

    @property
    def lost(self) -> bool:
        """Whether all retries of an earlier prompt found nobody, a moment ago."""
        return self.clock() < self._lost_until

    def note(self, said: Said) -> None:
        """Remember whether anybody was there."""
        self._lost_until = self.clock() + LOST_FOR if said.unreachable else 0.0


def persist(attempt: Callable[[], Said], *, retries: int, pace: Pace, extra_calls: int | None = None) -> Said:
    """What the last try said: the first that is not to be made again, or the one after ``retries``.

    Its calls and tokens are those of all tries; those that are billed are at most 1 + ``extra_calls``.
    While the endpoint is lost there is one try only, so that a batch of prompts does not wait
    through all retries of each.
    """
    last = 0 if pace.lost else retries
    calls, tokens_in, tokens_out = 0, 0, 0
    for number in range(last + 1):
        pace.wait()
        said = attempt()
        calls, tokens_in, tokens_out = calls + said.calls, tokens_in + said.tokens_in, tokens_out + said.tokens_out
        spent = extra_calls is not None and calls > extra_calls
        if not said.again or number == last or spent:
            break
        if said.after is None:
            pace.sleep(pause(number))
        elif said.after <= LONGEST_WAIT:
            pace.hold(said.after)
        else:
            break
    pace.note(said)
    return replace(said, calls=calls, tokens_in=tokens_in, tokens_out=tokens_out)


def pause(number: int) -> float:
    """Seconds before the next try: doubling from `FIRST_PAUSE`, with jitter so that threads part."""
    longest = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(number, 16))
    return random.SystemRandom().uniform(longest / 2, longest)
