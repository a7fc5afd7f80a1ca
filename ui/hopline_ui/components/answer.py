"""The answer: sentences with numbered citations, or what was not found."""

from __future__ import annotations

from html import escape

import streamlit as st

from hopline.rendering.labels import author, model_notice, numbered
from hopline.types import Answer, Sentence
from hopline_ui.formatting import took
from hopline_ui.markup import counted, plain
from hopline_ui.session.questions import Answered, Asked
from hopline_ui.sources import Source, backed, chosen, found

NEAREST = 3  # evidence offered where nothing was found


def current(answer: Answer) -> Source | None:
    """The source that is shown: the one clicked last, else the first."""
    return chosen(answer, st.session_state.get("source", ""))


def choose(key: str) -> None:
    """Shows another source; the address keeps it."""
    st.session_state["source"] = key
    st.query_params["source"] = key


def show(asked: Asked, answered: Answered) -> None:
    """The sentences, or the abstention, and how well they are backed."""
    answer = answered.answer
    if asked.meant:
        st.caption(f":material/subdirectory_arrow_right: Understood as: {plain(asked.meant)}")
    if answer.model_error:
        st.warning(plain(model_notice(answer)), icon=":material/warning:")
    if answer.abstained or not answer.sentences:
        _abstained(answer)
    else:
        _sentences(answer)
    st.caption(_footer(answered))


def _sentences(answer: Answer) -> None:
    numbers = numbered(answer)
    now = current(answer)
    if answer.short:
        st.html(f'<p class="short" dir="auto">{escape(answer.short)}</p>')
    with st.container(key="answer"):
        for place, sentence in enumerate(answer.sentences):
            st.html(f'<span class="said" dir="auto">{escape(sentence.text)}</span>{_doubt(sentence)}')
            for citation in sentence.citations:
                key = str(numbers[citation])
                _button(Source(key, citation), f"cite {place} {key}", now)


def _doubt(sentence: Sentence) -> str:
    if sentence.backed and sentence.citations:
        return ""
    return ' <span class="doubt" title="No cited passage backs this statement">not backed</span>'


def _abstained(answer: Answer) -> None:
    with st.container(key="abstained"):
        st.html("<strong>Not found in these documents.</strong>")
        if answer.missing:
            words = ", ".join(f"<b>{escape(word)}</b>" for word in answer.missing)
            st.html(f"<p dir='auto'>No passage brings the question together with {words}.</p>")
        else:
            st.html("<p>No passage answers this question.</p>")
    nearest = found(answer)[:NEAREST]
    if not nearest:
        st.caption("Nothing came near either. Other words, another collection or another strategy may help.")
        return
    st.caption("The nearest evidence, which does not answer it:")
    now = current(answer)
    with st.container(key="nearest", gap="xsmall"):
        for source in nearest:
            with st.container(horizontal=True, gap="small", vertical_alignment="center"):
                _button(source, f"near {source.key}", now)
                st.html(f'<span dir="auto">{escape(source.title)}</span>', width="stretch")


def _button(source: Source, key: str, now: Source | None) -> None:
    st.button(
        source.key.removeprefix("e"),
        key=key,
        type="primary" if now and now.key == source.key else "secondary",
        on_click=choose,
        args=(source.key,),
    )


def _footer(answered: Answered) -> str:
    answer = answered.answer
    parts = []
    if not answer.abstained and answer.sentences:
        whole = counted(len(answer.sentences), "statement")
        is_are = "is" if len(answer.sentences) == 1 else "are"
        parts.append(f":material/verified: {backed(answer)} of {whole} {is_are} backed by a cited passage")
    parts += [plain(author(answer))] if author(answer) else []
    parts += [plain(answer.retrieval.strategy.partition(":")[0]), took(answered.seconds)]
    return " · ".join(parts)
