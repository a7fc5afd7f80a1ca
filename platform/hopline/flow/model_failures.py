"""Detection of a language model that fails while a flow goes on without it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from typing import TypeVar

from hopline.errors import BudgetSpent, ModelUnavailable
from hopline.flow.requests import Ask, Flow, Reply, Request

T = TypeVar("T")


def detect_model_failure(flow: Flow[T]) -> Flow[tuple[T, str]]:
    """Run a flow and return its result with the first failure of the language model, "" if there was none.

    A failure is a prompt that the model did not answer, as it was unavailable, all attempts failed, or a budget was
    spent, and a search that is refused as the time is spent; a reply that cannot be used is none. The text is "after N
    replies: " and the reason. Errors that the flow does not catch are raised unchanged.
    """
    replies, failure = 0, ""
    advance: Callable[[], Request] = partial(next, flow)
    with closing(flow):
        while True:
            try:
                request = advance()
            except StopIteration as stop:
                return stop.value, failure
            reason = ""
            try:
                answer = yield request
            except (BudgetSpent, ModelUnavailable) as error:
                reason = str(error) if isinstance(request, Ask) or isinstance(error, BudgetSpent) else ""
                advance = partial(flow.throw, error)
            except Exception as error:  # noqa: BLE001 - the flow decides what it does about it
                advance = partial(flow.throw, error)
            else:
                if isinstance(request, Ask):
                    reason = _find_failure(answer)
                    replies += sum(_is_answered(reply) for reply in answer)
                advance = partial(flow.send, answer)
            if reason and not failure:
                failure = f"after {replies} {'reply' if replies == 1 else 'replies'}: {reason}"


def _find_failure(replies: Sequence[Reply]) -> str:
    return next((reply.error for reply in replies if not _is_answered(reply)), "")


def _is_answered(reply: Reply) -> bool:
    """Whether the model answered, usably or not."""
    return reply.ok or reply.cached or reply.calls > 0
