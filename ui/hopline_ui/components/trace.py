"""The trace of a retrieval: a timeline of its requests, and the request and response of a selected step."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Any

import streamlit as st

from hopline.flow.encoding import decode
from hopline.flow.requests import Hits, Reply
from hopline.flow.trace_file import trace_to_dict
from hopline.flow.trace_recording import list_calls
from hopline.results import Trace, TraceStep
from hopline_ui.formatting import format_seconds
from hopline_ui.markup import format_count

MAX_STEPS = 200  # in the timeline
MAX_ROWS = 20  # of a response
CELL_LENGTH = 300  # characters


def show(trace: Trace) -> None:
    """Show the timeline, the totals and the selected step."""
    steps = trace.steps
    if not steps:
        st.caption("This strategy made no requests.")
        return
    st.html(render_timeline(steps[:MAX_STEPS]))
    total = f"{format_count(len(steps), 'request')} in {format_seconds(trace.ms / 1000)}"
    calls = f" · {format_count(trace.calls, 'model call')}, {trace.tokens:,} tokens" if trace.calls else ""
    with st.container(horizontal=True, vertical_alignment="bottom", key="under trace"):
        st.caption(total + calls)
        number = st.selectbox(
            "Step",
            range(len(steps)),
            index=None,
            key="trace step",
            format_func=lambda index: f"{index + 1}  {steps[index].request} {steps[index].name}",
            placeholder="Select a step to see its request and response",
        )
        st.download_button(
            "Export",
            lambda: json.dumps(trace_to_dict(trace), ensure_ascii=False),
            "trace.json",
            "application/json",
            key="export trace",
            icon=":material/download:",
            help="For hopline.flow.load_trace and replay",
        )
    if number is not None and number < len(steps):
        _show_step(steps[number])


def render_timeline(steps: Sequence[TraceStep]) -> str:
    """Return an HTML table with one row per step; bars show when each ran, one after another."""
    total = sum(step.ms for step in steps) or 1.0
    start, rows = 0.0, []
    for number, step in enumerate(steps, 1):
        left, width = 100 * start / total, 100 * step.ms / total
        start += step.ms
        tokens = f" · {step.tokens:,} tokens" if step.tokens else ""
        failed = " failed" if "error" in step.detail else ""
        rows.append(
            f'<tr class="{escape(step.request)}{failed}"><td>{number}</td><td>{escape(step.request)}</td>'
            f'<td class="what">{escape(step.name)}</td>'
            f'<td class="time"><span style="margin-left:{left:.2f}%;width:max({width:.2f}%, 2px)"></span></td>'
            f"<td>{step.ms:.1f} ms</td><td>{format_count(step.rows, 'row')}{tokens}</td></tr>"
        )
    header = "<tr><th>#</th><th>Request</th><th>Name</th><th>Timeline</th><th>Duration</th><th>Results</th></tr>"
    return f'<div class="trace"><table>{header}{"".join(rows)}</table></div>'


def _show_step(step: TraceStep) -> None:
    if "error" in step.detail:
        st.error(step.detail["error"]["says"], icon=":material/error:")
    request, response = step.detail.get("asked"), step.detail.get("answer")
    if request is None:
        st.caption("The request was not recorded.")
        return
    if step.request == "ask":
        for system, prompt, reply in list_calls(step) if "error" not in step.detail else ():
            _show_prompt(system, prompt, reply)
        return
    st.caption("Request")
    st.json(_shorten_request(request), expanded=1)
    rows = build_rows(decode(response))
    if rows:
        st.caption(f"Response · {format_count(step.rows, 'row')}")
        st.dataframe(rows, hide_index=True)


def _show_prompt(system: str, prompt: str, reply: Reply) -> None:
    for role, text in (("System prompt", system), ("Prompt", prompt), ("Reply", reply.text or reply.error)):
        if text:
            st.html(f'<p class="kind">{role}</p><pre class="prompt" dir="auto">{escape(text)}</pre>')
    cached = " · cached" if reply.cached else ""
    st.caption(f"{reply.tokens_in:,} input tokens, {reply.tokens_out:,} output tokens{cached}")


def build_rows(response: Any) -> list[dict[str, Any]]:
    """Return the first rows of a response with shortened cells; of a vector only its length."""
    if isinstance(response, Hits):
        pairs = list(zip(response.ids, response.scores, strict=True))[:MAX_ROWS]
        return [{"rank": rank, "id": id, "score": round(score, 4)} for rank, (id, score) in enumerate(pairs, 1)]
    if isinstance(response, dict):
        columns = {name: [_shorten_cell(value) for value in values[:MAX_ROWS]] for name, values in response.items()}
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return []


def _shorten_cell(value: Any) -> Any:
    if isinstance(value, list) and len(value) > 8 and isinstance(value[0], float):
        return f"{len(value)} numbers"
    return value if isinstance(value, int | float) else str(value if value is not None else "")[:CELL_LENGTH]


def _shorten_request(value: Any) -> Any:
    match value:
        case {"$array": _, "shape": shape}:
            return f"vector of shape {' × '.join(map(str, shape))}"
        case dict():
            return {key: _shorten_request(item) for key, item in value.items()}
        case list() if len(value) > MAX_ROWS and all(isinstance(item, float) for item in value):
            return f"{len(value)} numbers"
        case list():
            return [_shorten_request(item) for item in value[:MAX_ROWS]] + (
                [f"and {len(value) - MAX_ROWS} more"] if len(value) > MAX_ROWS else []
            )
        case _:
            return value
