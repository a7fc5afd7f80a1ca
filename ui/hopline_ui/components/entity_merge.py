"""Names that may mean the same: accepted, refused, and either taken back."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

import streamlit as st

from hopline.client import Hopline, Suggestion
from hopline.errors import HoplineError
from hopline_ui import client_connection
from hopline_ui.error_messages import calmly
from hopline_ui.explored_graph import Sketch
from hopline_ui.markup import counted, plain
from hopline_ui.session import cache

OFFERED = 12
LISTED = 50
KEPT = "same names"  # in the session: suggestions by collection


@st.dialog("Names that mean the same", width="large", icon=":material/join_inner:", on_dismiss="rerun")
def show(name: str, sketch: Sketch) -> None:
    """Suggestions of a collection to decide about, and what was decided; the picture follows."""
    with calmly("comparing names"):
        hop = client_connection.hopline()
        st.caption(
            "Accepted, both are one name for every question and picture from then on. "
            "Nothing is lost: a decision can be undone at any time."
        )
        suggested, decided = st.tabs(["Suggestions", "Decided"])
        with suggested:
            _suggestions(hop, name, sketch)
        with decided:
            _decisions(hop, name)


def _suggestions(hop: Hopline, name: str, sketch: Sketch) -> None:
    with st.spinner("Comparing the names of this collection …"):
        found = _open(hop, name)
    if not found:
        st.caption("No two names look as if they meant the same.")
    for one in found[:OFFERED]:
        _offer(hop, name, sketch, one)


def _open(hop: Hopline, name: str) -> list[Suggestion]:
    """Suggestions that are not decided yet, looked up once a session and again when all are decided."""
    suggested: dict[str, list[Suggestion]] = st.session_state.setdefault(KEPT, {})
    if name not in suggested:
        suggested[name] = hop.same_names(name, limit=4 * OFFERED)
    return suggested[name]


def _offer(hop: Hopline, name: str, sketch: Sketch, one: Suggestion) -> None:
    key = f"{one.source.id} {one.target.id}"
    row = {"horizontal": True, "vertical_alignment": "center"}
    with st.container(border=True, key=f"pair {key}", **row):  # type: ignore[arg-type]
        st.html(_pair(one), width="stretch")
        st.button(
            "Same",
            key=f"same {key}",
            icon=":material/check:",
            help=f"Both: {plain(one.target.name)}",
            on_click=_decide,
            args=(_accept, hop, name, sketch, one),
        )
        st.button(
            "Different",
            key=f"different {key}",
            icon=":material/close:",
            help="Not suggested again",
            on_click=_decide,
            args=(_refuse, hop, name, one),
        )


def _pair(one: Suggestion) -> str:
    why = [one.reason, f"both in {counted(one.together, 'document')}" if one.together else ""]
    names = (
        f"<b>{escape(node.name)}</b> ({size:,})" for node, size in zip((one.source, one.target), one.sizes, strict=True)
    )
    told = escape(" · ".join(filter(None, why)))
    return f'<p class="tie" dir="auto">{" → ".join(names)}</p><p class="where">{told}</p>'


def _accept(hop: Hopline, name: str, sketch: Sketch, one: Suggestion) -> None:
    hop.merge(one.source.id, one.target.id)
    sketch.join(one.source.id, one.target)
    _drop(name, lambda other: one.source.id in {other.source.id, other.target.id})


def _refuse(hop: Hopline, name: str, one: Suggestion) -> None:
    hop.refuse(one.source.id, one.target.id)
    _drop(name, lambda other: other == one)


def _drop(name: str, decided: Callable[[Suggestion], bool]) -> None:
    suggested = st.session_state[KEPT]
    suggested[name] = [one for one in suggested.get(name, []) if not decided(one)]
    if not suggested[name]:
        del suggested[name]


def _decisions(hop: Hopline, name: str) -> None:
    found = hop.decisions(name)
    if not found:
        st.caption("Nothing is decided yet.")
    for one in found[:LISTED]:
        row = {"horizontal": True, "vertical_alignment": "center"}
        with st.container(border=True, key=f"decided {one.id}", **row):  # type: ignore[arg-type]
            words = "is now" if one.merged else "is not"
            text = f"<b>{escape(one.source)}</b> {words} <b>{escape(one.target)}</b>"
            st.html(f'<p class="tie" dir="auto">{text}</p>', width="stretch")
            st.button(
                "Undo",
                key=f"undo {one.id}",
                icon=":material/undo:",
                on_click=_decide,
                args=(_undo, hop, name, one.id),
            )


def _undo(hop: Hopline, name: str, decision: str) -> None:
    hop.undo(decision)
    for kind in (KEPT, "sketches"):
        st.session_state[kind].pop(name, None)


def _decide(decide: Callable[..., None], hop: Hopline, name: str, *given: Any) -> None:
    """Keeps a decision; what goes wrong is said without leaving the dialog."""
    try:
        decide(hop, name, *given)
        cache.forget_answers(name)
    except HoplineError as error:
        st.toast(plain(error), icon=":material/error:")
