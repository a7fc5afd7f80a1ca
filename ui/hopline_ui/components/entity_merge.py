"""Merge duplicate entities: suggested pairs of similar names, decisions, undo."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

import streamlit as st

from hopline.client import Hopline
from hopline.entities.resolution import MergeSuggestion
from hopline.errors import HoplineError
from hopline_ui import client_connection
from hopline_ui.error_messages import report_errors
from hopline_ui.explored_graph import GraphCanvas
from hopline_ui.markup import escape_markdown, format_count
from hopline_ui.session import cache
from hopline_ui.session.state import get_state

MAX_SUGGESTIONS = 12
MAX_DECISIONS = 50


@st.dialog("Merge duplicates", width="large", icon=":material/join_inner:", on_dismiss="rerun")
def show(name: str, canvas: GraphCanvas) -> None:
    """Show suggestions and decisions of a collection; merges are applied to the canvas as well."""
    with report_errors("comparing names"):
        hop = client_connection.get_client()
        st.caption("Merged entities count as one in every question and graph. You can undo a decision at any time.")
        suggestions, decisions = st.tabs(["Similar names", "Decisions"])
        with suggestions:
            _show_suggestions(hop, name, canvas)
        with decisions:
            _show_decisions(hop, name)


def _show_suggestions(hop: Hopline, name: str, canvas: GraphCanvas) -> None:
    with st.spinner("Comparing the names of this collection …"):
        suggestions = _load_suggestions(hop, name)
    if not suggestions:
        st.caption("No similar names found.")
    for suggestion in suggestions[:MAX_SUGGESTIONS]:
        _show_suggestion(hop, name, canvas, suggestion)


def _load_suggestions(hop: Hopline, name: str) -> list[MergeSuggestion]:
    """Return the undecided suggestions, computed once and again when all of them are decided."""
    by_collection = get_state().suggestions
    if name not in by_collection:
        by_collection[name] = hop.entities.similar_names(name, limit=4 * MAX_SUGGESTIONS)
    return by_collection[name]


def _show_suggestion(hop: Hopline, name: str, canvas: GraphCanvas, suggestion: MergeSuggestion) -> None:
    key = f"{suggestion.source.id} {suggestion.target.id}"
    row = {"horizontal": True, "vertical_alignment": "center"}
    with st.container(border=True, key=f"pair {key}", **row):  # type: ignore[arg-type]
        st.html(_render_pair(suggestion), width="stretch")
        st.button(
            "Merge",
            key=f"same {key}",
            icon=":material/check:",
            help=f"Merge into {escape_markdown(suggestion.target.name)}",
            on_click=_decide,
            args=(_merge, hop, name, canvas, suggestion),
        )
        st.button(
            "Keep separate",
            key=f"different {key}",
            icon=":material/close:",
            help="Do not suggest again",
            on_click=_decide,
            args=(_reject, hop, name, suggestion),
        )


def _render_pair(suggestion: MergeSuggestion) -> str:
    both = f"both in {format_count(suggestion.together, 'document')}" if suggestion.together else ""
    nodes = zip((suggestion.source, suggestion.target), suggestion.sizes, strict=True)
    names = (f"<b>{escape(node.name)}</b> ({size:,})" for node, size in nodes)
    reasons = escape(" · ".join(filter(None, [suggestion.reason, both])))
    return f'<p class="relation" dir="auto">{" → ".join(names)}</p><p class="where">{reasons}</p>'


def _merge(hop: Hopline, name: str, canvas: GraphCanvas, suggestion: MergeSuggestion) -> None:
    hop.entities.merge(suggestion.source.id, suggestion.target.id)
    canvas.merge(suggestion.source.id, suggestion.target)
    _drop(name, lambda other: suggestion.source.id in {other.source.id, other.target.id})


def _reject(hop: Hopline, name: str, suggestion: MergeSuggestion) -> None:
    hop.entities.reject(suggestion.source.id, suggestion.target.id)
    _drop(name, lambda other: other == suggestion)


def _drop(name: str, is_decided: Callable[[MergeSuggestion], bool]) -> None:
    by_collection = get_state().suggestions
    by_collection[name] = [item for item in by_collection.get(name, []) if not is_decided(item)]
    if not by_collection[name]:
        del by_collection[name]


def _show_decisions(hop: Hopline, name: str) -> None:
    decisions = hop.entities.decisions(name)
    if not decisions:
        st.caption("No decisions yet.")
    for decision in decisions[:MAX_DECISIONS]:
        row = {"horizontal": True, "vertical_alignment": "center"}
        with st.container(border=True, key=f"decided {decision.id}", **row):  # type: ignore[arg-type]
            verb = "merged into" if decision.merged else "kept separate from"
            text = f"<b>{escape(decision.source)}</b> {verb} <b>{escape(decision.target)}</b>"
            st.html(f'<p class="relation" dir="auto">{text}</p>', width="stretch")
            st.button(
                "Undo",
                key=f"undo {decision.id}",
                icon=":material/undo:",
                on_click=_decide,
                args=(_undo, hop, name, decision.id),
            )


def _undo(hop: Hopline, name: str, decision: str) -> None:
    hop.entities.undo(decision)
    get_state().suggestions.pop(name, None)
    get_state().canvases.pop(name, None)


def _decide(decide: Callable[..., None], hop: Hopline, name: str, *arguments: Any) -> None:
    """Apply a decision; an error is shown without closing the dialog."""
    try:
        decide(hop, name, *arguments)
        cache.clear_answers(name)
    except HoplineError as error:
        st.toast(escape_markdown(error), icon=":material/error:")
