"""Server-sent events of a question: the steps of the search, drafts of the answer, and the result."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final

from fastapi.sse import format_sse_event

from hopline.api.problems import FAULT, describe_problem
from hopline.errors import Cancelled, HoplineError, ServiceError
from hopline.results import AnswerDraft, TraceStep
from hopline.results.serialization import trace_step_to_dict

log = logging.getLogger(__name__)

Report = Callable[[str, Any], None]  # the name of an event and its data
_END: Final = object()


async def stream_events(work: Callable[[Report], Any]) -> AsyncIterator[bytes]:
    """Yield the encoded events that ``work`` reports from its thread, then "result" with what it returns, or "error".

    If the reader leaves, the next report of ``work`` raises `Cancelled`, which ends it.
    """
    loop, left = asyncio.get_running_loop(), False
    events: asyncio.Queue[Any] = asyncio.Queue()

    def report(event: str, data: Any) -> None:
        if left:
            raise Cancelled("the client has closed the connection")
        encoded = format_sse_event(event=event, data_str=json.dumps(data, ensure_ascii=False))
        loop.call_soon_threadsafe(events.put_nowait, encoded)

    def run() -> None:
        try:
            with suppress(Cancelled):
                report("result", work(report))
        except HoplineError as error:
            _report_error(report, describe_problem(error))
        except Exception:
            log.exception("a question failed")
            _report_error(report, describe_problem(ServiceError(FAULT)))
        finally:
            loop.call_soon_threadsafe(events.put_nowait, _END)

    thread = asyncio.ensure_future(asyncio.to_thread(run))
    try:
        while (event := await events.get()) is not _END:
            yield event
    finally:
        left = True
        await asyncio.shield(thread)


def report_step(report: Report, step: TraceStep) -> None:
    """Report a step of the search, without what only replay needs."""
    report("step", trace_step_to_dict(step))


def report_draft(report: Report, draft: AnswerDraft) -> None:
    """Report what a language model has written so far: its sentences, verified, and the text of the next one."""
    sentences = [{"text": sentence.text, "state": sentence.state} for sentence in draft.sentences]
    report("draft", {"sentences": sentences, "text": draft.text})


def create_callbacks(report: Report) -> dict[str, Callable[[Any], None]]:
    """Return the callbacks of `Hopline.ask` that report its events."""
    return {"on_step": partial(report_step, report), "on_draft": partial(report_draft, report)}


def _report_error(report: Report, problem: dict[str, Any]) -> None:
    with suppress(Cancelled):
        report("error", problem)
