"""The trace of a retrieval: each request on a line of time, and what it asked and was answered."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Any

import streamlit as st

from hopline.flow.encoding import decode
from hopline.flow.requests import Hits, Reply
from hopline.flow.trace_file import trace_dict
from hopline.types import Trace, TraceStep
from hopline_ui.formatting import took
from hopline_ui.markup import counted

LINES = 200  # steps drawn
ROWS = 20  # rows of an answer that are shown
CELL = 300  # characters of one of their cells


def show(trace: Trace) -> None:
    """Lines of time, the step that is looked into, and the sum of it all."""
    steps = trace.steps
    if not steps:
        st.caption("This strategy made no request.")
        return
    st.html(lines_of_time(steps[:LINES]))
    total = f"{counted(len(steps), 'request')} in {took(trace.ms / 1000)}"
    calls = f" · {counted(trace.calls, 'model call')}, {trace.tokens:,} tokens" if trace.calls else ""
    with st.container(horizontal=True, vertical_alignment="bottom", key="under trace"):
        st.caption(total + calls)
        number = st.selectbox(
            "Look into a step",
            range(len(steps)),
            index=None,
            key="trace step",
            format_func=lambda place: f"{place + 1}  {steps[place].request} {steps[place].name}",
            placeholder="A step: what it asked, and what came back",
        )
        st.download_button(
            "Export",
            lambda: json.dumps(trace_dict(trace), ensure_ascii=False),
            "trace.json",
            "application/json",
            key="export trace",
            icon=":material/download:",
            help="What hopline.flow.load_trace and replay read",
        )
    if number is not None and number < len(steps):
        _step(steps[number])


def lines_of_time(steps: Sequence[TraceStep]) -> str:
    """A row a step, its bar from when it began to when it ended; requests follow one another."""
    whole = sum(step.ms for step in steps) or 1.0
    begun, rows = 0.0, []
    for number, step in enumerate(steps, 1):
        left, width = 100 * begun / whole, 100 * step.ms / whole
        begun += step.ms
        tokens = f" · {step.tokens:,} tokens" if step.tokens else ""
        failed = " failed" if "error" in step.detail else ""
        rows.append(
            f'<tr class="{escape(step.request)}{failed}"><td>{number}</td><td>{escape(step.request)}</td>'
            f'<td class="what">{escape(step.name)}</td>'
            f'<td class="time"><span style="margin-left:{left:.2f}%;width:max({width:.2f}%, 2px)"></span></td>'
            f"<td>{step.ms:.1f} ms</td><td>{counted(step.rows, 'row')}{tokens}</td></tr>"
        )
    head = "<tr><th>#</th><th>Request</th><th>Name</th><th>When</th><th>Time</th><th>Came</th></tr>"
    return f'<div class="trace"><table>{head}{"".join(rows)}</table></div>'


def _step(step: TraceStep) -> None:
    if "error" in step.detail:
        st.error(step.detail["error"]["says"], icon=":material/error:")
    asked, answer = step.detail.get("asked"), step.detail.get("answer")
    if asked is None:
        st.caption("What it asked was not recorded.")
        return
    if step.request == "ask":
        for prompt, reply in zip(asked["ask"], decode(answer) or [], strict=False):
            _said(asked.get("system", ""), prompt, reply)
        return
    st.caption("Asked")
    st.json(_shortened(asked), expanded=1)
    rows = answered_rows(decode(answer))
    if rows:
        st.caption(f"Came back, {counted(step.rows, 'row')}")
        st.dataframe(rows, hide_index=True)


def _said(system: str, prompt: str, reply: Reply) -> None:
    for who, text in (("Told first", system), ("Prompt", prompt), ("Reply", reply.text or reply.error)):
        if text:
            st.html(f'<p class="kind">{who}</p><pre class="said-to-model" dir="auto">{escape(text)}</pre>')
    cached = " · from the cache" if reply.cached else ""
    st.caption(f"{reply.tokens_in:,} tokens in, {reply.tokens_out:,} out{cached}")


def answered_rows(answer: Any) -> list[dict[str, Any]]:
    """The first rows of an answer, each cell short; vectors by their length only."""
    if isinstance(answer, Hits):
        pairs = list(zip(answer.ids, answer.scores, strict=True))[:ROWS]
        return [{"rank": rank, "id": id, "score": round(score, 4)} for rank, (id, score) in enumerate(pairs, 1)]
    if isinstance(answer, dict):
        columns = {name: [_cell(value) for value in values[:ROWS]] for name, values in answer.items()}
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return []


def _cell(value: Any) -> Any:
    if isinstance(value, list) and len(value) > 8 and isinstance(value[0], float):
        return f"{len(value)} numbers"
    return value if isinstance(value, int | float) else str(value if value is not None else "")[:CELL]


def _shortened(asked: Any) -> Any:
    match asked:
        case {"$array": _, "shape": shape}:
            return f"a vector of {' × '.join(map(str, shape))}"
        case dict():
            return {key: _shortened(value) for key, value in asked.items()}
        case list() if len(asked) > ROWS and all(isinstance(one, float) for one in asked):
            return f"{len(asked)} numbers"
        case list():
            return [_shortened(one) for one in asked[:ROWS]] + (
                [f"and {len(asked) - ROWS} more"] if len(asked) > ROWS else []
            )
        case _:
            return asked
