"""The answer: sentences with numbered citations, or an abstention with the nearest evidence."""

from __future__ import annotations

import time
from dataclasses import replace
from html import escape

import streamlit as st

from hopline.results import Answer, AnswerDraft, Sentence
from hopline.results.answers import list_separators
from hopline.results.labels import (
    describe_difference,
    describe_short_answer,
    describe_state,
    format_author,
    format_model_error,
    format_model_use,
    number_citations,
)
from hopline_ui.formatting import format_seconds
from hopline_ui.markup import escape_markdown, format_count
from hopline_ui.passage_html import render_sentence
from hopline_ui.session.confirmation import open_question
from hopline_ui.session.questions import SessionQuestion, TimedAnswer
from hopline_ui.session.state import get_state
from hopline_ui.sources import AnswerSource, count_supported, find_source, list_citations, list_evidence

NEAREST = 3  # evidence listed with an abstention
FOUND = '<span class="found" title="Supported by the source">✓</span>'


def get_current_source(answer: Answer) -> AnswerSource | None:
    """Return the selected source, or else the first: the first citation, the nearest sentence, the best evidence."""
    selected = get_state().source
    if not selected and answer.status == "not_found" and answer.nearest:
        nearest = _find_evidence_source(answer, answer.nearest[0])
        selected = nearest.key if nearest else ""
    return find_source(answer, selected)


def select_source(key: str) -> None:
    """Select a source, also in the page's address."""
    get_state().source = key
    st.query_params["source"] = key


def show(question: SessionQuestion, timed: TimedAnswer) -> None:
    """Show the sentences or the abstention, and how many quotes were found in the source."""
    answer = timed.answer
    if question.interpretation:
        _show_interpretation(question)
    if notice := format_model_error(answer):
        st.warning(escape_markdown(notice), icon=":material/warning:")
    if answer.abstained or not answer.sentences:
        _show_abstention(answer)
    else:
        _show_answer(answer)
    st.caption(_format_footer(timed))


def _show_interpretation(question: SessionQuestion) -> None:
    """Show what a follow-up question is understood as, and the button that asks it without the questions before."""
    with st.container(key="interpretation", horizontal=True, vertical_alignment="center"):
        text = escape_markdown(question.interpretation)
        st.caption(f":material/subdirectory_arrow_right: Interpreted as: {text}", width="content")
        st.button(
            "Ask as written",
            key="ask as written",
            type="tertiary",
            on_click=open_question,
            args=(replace(question, rewritten=question.question),),
        )


def _show_answer(answer: Answer) -> None:
    if answer.short and not _repeats_text(answer):
        st.html(f'<p class="short" dir="auto">{_render_short(answer)}{_render_hint(describe_short_answer(answer))}</p>')
    _show_claims(answer)
    if answer.notice:
        st.caption(escape_markdown(answer.notice))
    _show_nearest(answer, "Possible answers, not sure. Check them in the source:")


def _render_short(answer: Answer) -> str:
    """Return the short answer as HTML; those of several parts of a question on lines of their own."""
    parts = answer.short.split("; ")
    has_parts = not answer.by_model and len(parts) == len(answer.claims) + len(answer.nearest)
    return "<br>".join(map(escape, parts)) if has_parts else escape(answer.short)


def _repeats_text(answer: Answer) -> bool:
    """Whether the short answer is the whole text of a model, which is then shown once."""
    return answer.by_model and answer.short.strip(" .") == answer.text.strip(" .")


def _show_claims(answer: Answer) -> None:
    """Show the sentences as one text, each with its state and the buttons of its sources."""
    numbers = number_citations(answer)
    current = get_current_source(answer)
    with st.container(key="answer"):
        separators = list_separators(sentence.text for sentence in answer.claims)
        if not answer.by_model:  # quotes, each on a line of its own
            separators = ["\n" if separator == " " else separator for separator in separators]
        for index, (sentence, separator) in enumerate(zip(answer.claims, separators, strict=True)):
            st.html(_render_claim(sentence, separator, markdown=answer.by_model))
            for citation in sentence.citations:
                key = str(numbers[citation])
                source, help = AnswerSource(key, citation), describe_difference(citation)
                _show_source_button(source, f"cite {index} {key}", current, help=help)


def render_draft(draft: AnswerDraft) -> str:
    """Return the draft of an answer as HTML: its sentences with their states, then the text of the next one."""
    sentences = [*draft.sentences, *([Sentence(draft.text)] if draft.text else [])]
    separators = list_separators(sentence.text for sentence in sentences)
    parts = []
    for index, (sentence, separator) in enumerate(zip(sentences, separators, strict=True)):
        is_verified = index < len(draft.sentences)
        text = _render_claim(sentence, separator, markdown=True, with_state=is_verified)
        parts.append(f"{text}{FOUND if is_verified and sentence.supported else ''} ")
    return f'<div class="draft" dir="auto" aria-live="polite">{"".join(parts)}</div>'


def _render_claim(sentence: Sentence, separator: str, *, markdown: bool, with_state: bool = True) -> str:
    breaks = "<br>" * separator.count("\n")
    return f"{breaks}{render_sentence(sentence, markdown=markdown)}{_render_state(sentence) if with_state else ''}"


def _render_hint(text: str) -> str:
    return f" <span class='hint'>{escape(text)}</span>" if text else ""


def _render_state(sentence: Sentence) -> str:
    state = describe_state(sentence)
    kind = "state" if sentence.supported else "unsupported"
    return f' <span class="{kind}">{escape(state)}</span>' if state else ""


def _show_abstention(answer: Answer) -> None:
    if answer.possible:
        with st.container(key="abstained"):
            st.html(f"<strong>Possible answer</strong>{_render_hint('not sure: check it in the source')}")
            _show_claims(answer)
            if answer.missing or answer.notice:
                _show_reason(answer)
    else:
        with st.container(key="abstained"):
            st.html("<strong>Not found in the documents.</strong>")
            _show_reason(answer)
    if answer.nearest:
        _show_nearest(answer, "Other passages near the question:" if answer.possible else "Closest passages:")
        return
    nearest = list_evidence(answer)[:NEAREST]
    if not nearest:
        st.caption("No similar passages either.")
        return
    st.caption("Closest passages:")
    current = get_current_source(answer)
    with st.container(key="nearest", gap="xsmall"):
        for source in nearest:
            with st.container(horizontal=True, gap="small", vertical_alignment="center"):
                _show_source_button(source, f"near {source.key}", current)
                st.html(f'<span dir="auto">{escape(source.title)}</span>', width="stretch")


def _show_reason(answer: Answer) -> None:
    if answer.notice:
        st.html(f"<p>{escape(answer.notice)}</p>")
    elif answer.missing:
        words = ", ".join(f"<b>{escape(word)}</b>" for word in answer.missing)
        st.html(f"<p dir='auto'>Terms without a match: {words}.</p>")
    else:
        st.html("<p>No passage answers this question.</p>")


def _show_nearest(answer: Answer, caption: str) -> None:
    """Show the nearest sentences, each with a button that opens its page."""
    others = [sentence for sentence in answer.nearest if sentence not in answer.claims]
    if not others:
        return
    st.caption(caption)
    with st.container(key="nearest", gap="xsmall"):
        for sentence in others:
            _show_sentence_with_source(answer, sentence)


def _show_sentence_with_source(answer: Answer, sentence: Sentence) -> None:
    source = _find_evidence_source(answer, sentence)
    with st.container(horizontal=True, gap="small", vertical_alignment="top", wrap=False):
        if source:
            _show_source_button(source, f"near {source.key}", get_current_source(answer))
        st.html(render_sentence(sentence), width="stretch")


def _find_evidence_source(answer: Answer, sentence: Sentence) -> AnswerSource | None:
    """Return the source that is the whole evidence of a sentence."""
    id = sentence.citations[0].evidence.id if sentence.citations else ""
    return next((source for source in list_evidence(answer) if source.citation.evidence.id == id), None)


def _show_source_button(source: AnswerSource, key: str, current: AnswerSource | None, *, help: str = "") -> None:
    st.button(
        source.key.removeprefix("e") + ("≈" if help else ""),
        key=key,
        help=escape_markdown(help) if help else None,
        type="primary" if current and current.key == source.key else "secondary",
        on_click=select_source,
        args=(source.key,),
    )


def _format_footer(timed: TimedAnswer) -> str:
    answer = timed.answer
    parts = []
    if answer.sentences or (answer.possible and answer.by_model):
        parts.append(f":material/verified: {_format_support(answer)}")
    parts += [escape_markdown(format_author(answer))] if format_author(answer) else []
    use = format_model_use(answer.retrieval)
    parts += [use] if use else []
    parts += [escape_markdown(answer.retrieval.strategy.partition(":")[0]), format_seconds(timed.seconds)]
    parts += [time.strftime("answered on %Y-%m-%d at %H:%M", time.localtime(timed.at))] if timed.at else []
    return " · ".join(parts)


def _format_support(answer: Answer) -> str:
    """As "All 3 quotes found in the source", or "2 of 3 statements supported by quotes in the source"."""
    supported, total = count_supported(answer), len(answer.claims)
    if supported == total and any(describe_state(sentence) for sentence in answer.claims):
        return "Supported by the sources, see the notes"
    if supported < total:
        return f"{supported} of {format_count(total, 'statement')} supported by quotes in the source"
    quotes = len(list_citations(answer))
    return f"All {quotes} quotes found in the source" if quotes > 1 else "The quote was found in the source"
