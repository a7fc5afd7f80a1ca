"""Details of an answer: all evidence with scores, the trace of the retrieval, and the Python code."""

from __future__ import annotations

from html import escape

import streamlit as st

from hopline.results import Evidence
from hopline.results.labels import describe_location, number_citations, shorten
from hopline_ui.components import trace
from hopline_ui.components.answer import select_source
from hopline_ui.markup import format_count
from hopline_ui.passage_html import summarize
from hopline_ui.session.questions import SessionQuestion, TimedAnswer

EXCERPT_LENGTH = 360


def show(question: SessionQuestion, timed: TimedAnswer) -> None:
    """Show three expanders: evidence, trace, code."""
    retrieval = timed.answer.retrieval
    numbers: dict[str, list[int]] = {}
    for citation, number in number_citations(timed.answer).items():
        numbers.setdefault(citation.evidence.id, []).append(number)
    label = f"Evidence · {format_count(len(retrieval.evidence), 'passage')}"
    with st.expander(label, icon=":material/format_quote:", expanded=timed.answer.abstained):
        if not retrieval.evidence:
            st.caption("No evidence found.")
        best = max((evidence.score for evidence in retrieval.evidence), default=0.0)
        for rank, evidence in enumerate(retrieval.evidence, 1):
            _show_row(rank, evidence, _render_score(evidence, best), numbers.get(evidence.id, []))
        additional = timed.answer.additional_evidence
        if additional:
            st.caption("Additional evidence for the answer, not retrieved by the strategy:")
        for rank, evidence in enumerate(additional, len(retrieval.evidence) + 1):
            _show_row(rank, evidence, "", numbers.get(evidence.id, []))
    with st.expander(f"Trace · {format_count(len(retrieval.trace.steps), 'step')}", icon=":material/timeline:"):
        trace.show(retrieval.trace)
    with st.expander("Python code", icon=":material/code:"):
        st.code(question.to_code(), language="python")


def _render_score(evidence: Evidence, best: float) -> str:
    """Return the score as a bar, relative to the best, and a number, in HTML."""
    fraction = max(0.0, min(evidence.score / best, 1.0)) if best > 0 else 0.0
    bar = f'<span class="bar"><span style="width:{100 * fraction:.0f}%"></span></span>'
    return f'<p class="score">{bar} {evidence.score:.3f}</p>'


def _show_row(rank: int, evidence: Evidence, score: str, cited: list[int]) -> None:
    badges = "".join(f'<span class="mark">{number}</span>' for number in cited)
    location = escape(describe_location(evidence))
    with st.container(key=f"evidence {rank}", horizontal=True, gap="small", wrap=False):
        st.html(
            f'<div class="evidence"><p class="where" dir="auto"><b>{rank}</b> {location} {badges}</p>'
            f"{score}"
            f'<p class="text" dir="auto">{escape(shorten(summarize(evidence), EXCERPT_LENGTH))}</p></div>',
            width="stretch",
        )
        key = f"show evidence {rank}"
        st.button("Show", key=key, help="Show page and evidence path", on_click=select_source, args=(f"e{rank}",))
