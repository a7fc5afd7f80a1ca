"""The interface of a language model provider, and the completion that it returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from hopline.flow.services import Prompt


@dataclass(frozen=True, slots=True)
class Completion:
    """The result of one attempt, or of all attempts, at completing a prompt.

    ``retryable``: the failure may be temporary; ``retry_after`` is the wait in seconds that the endpoint asks for.
    ``unreachable``: no prompt can succeed at present, whatever the cause. ``status``: the HTTP status of a failure,
    0 if there is none. ``calls``: the number of attempts that the model answered, which are billed. ``timed_out``: the
    model did not answer in time. ``truncated``: the reply reached the maximum length, as ``error`` says; it is usable
    if the beginning of ``text`` is.
    """

    text: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    error: str = ""
    retryable: bool = False
    retry_after: float | None = None
    unreachable: bool = False
    status: int = 0
    calls: int = 0
    timed_out: bool = False
    truncated: bool = False


class Provider(Protocol):
    """One language model that completes one prompt at a time. Safe to call from several threads."""

    @property
    def name(self) -> str:
        """The model's name; it is part of the key of cached replies."""
        ...

    @property
    def endpoint(self) -> str:
        """The address at which the model is served; it is part of the key of cached replies, and never shown."""
        ...

    def complete(self, prompt: Prompt) -> Completion:
        """Complete a prompt, with retries; errors of the model or its endpoint are returned, never raised."""
        ...

    def close(self) -> None:
        """Close the connections."""
        ...
