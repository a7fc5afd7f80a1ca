"""Behind an answer: all evidence, that of the strategy with scores, every step, the line of Python."""

from __future__ import annotations

from html import escape

import streamlit as st

from hopline.rendering.labels import excerpt, numbered, place
from hopline.types import Evidence
from hopline_ui.components import trace
from hopline_ui.components.answer import choose
from hopline_ui.markup import counted
from hopline_ui.passage_html import summary
from hopline_ui.session.questions import Answered, Asked

EXCERPT = 360


def show(asked: Asked, answered: Answered) -> None:
    """Three folded parts under the answer."""
    retrieval = answered.answer.retrieval
    marks: dict[str, list[int]] = {}
    for citation, number in numbered(answered.answer).items():
        marks.setdefault(citation.evidence.id, []).append(number)
    words = f"Evidence · {counted(len(retrieval.evidence), 'passage')}"
    with st.expander(words, icon=":material/format_quote:", expanded=answered.answer.abstained):
        if not retrieval.evidence:
            st.caption("Nothing was found.")
        best = max((evidence.score for evidence in retrieval.evidence), default=0.0)
        for rank, evidence in enumerate(retrieval.evidence, 1):
            _row(rank, evidence, _score(evidence, best), marks.get(evidence.id, []))
        additional = answered.answer.additional_evidence
        if additional:
            st.caption("Looked up for the answer; the strategy did not return it:")
        for rank, evidence in enumerate(additional, len(retrieval.evidence) + 1):
            _row(rank, evidence, "", marks.get(evidence.id, []))
    with st.expander(f"Trace · {counted(len(retrieval.trace.steps), 'step')}", icon=":material/timeline:"):
        trace.show(retrieval.trace)
    with st.expander("As code", icon=":material/code:"):
        st.code(asked.code(), language="python")


def _score(evidence: Evidence, best: float) -> str:
    """The score as a bar and a number, as HTML."""
    share = max(0.0, min(evidence.score / best, 1.0)) if best > 0 else 0.0
    bar = f'<span class="bar"><span style="width:{100 * share:.0f}%"></span></span>'
    return f'<p class="score">{bar} {evidence.score:.3f}</p>'


def _row(rank: int, evidence: Evidence, score: str, cited: list[int]) -> None:
    badges = "".join(f'<span class="mark">{number}</span>' for number in cited)
    with st.container(key=f"evidence {rank}", horizontal=True, gap="small", wrap=False):
        st.html(
            f'<div class="evidence"><p class="where" dir="auto"><b>{rank}</b> {escape(place(evidence))} {badges}</p>'
            f"{score}"
            f'<p class="text" dir="auto">{escape(excerpt(summary(evidence), EXCERPT))}</p></div>',
            width="stretch",
        )
        key = f"show evidence {rank}"
        st.button("Show", key=key, help="Show its page and its path", on_click=choose, args=(f"e{rank}",))
