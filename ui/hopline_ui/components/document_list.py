"""The documents of a collection: how far each one is, what was bad and why, opening, trying again, removing."""

from __future__ import annotations

import time
from collections.abc import Sequence
from html import escape

import streamlit as st

from hopline.client import Hopline, Reading
from hopline.types import Document
from hopline_ui import navigation
from hopline_ui.formatting import Pace, reading_words, sizes
from hopline_ui.markup import counted, plain

OPENED = "opened document"
ROWS = 25  # documents a page of the list
STATES = {
    "waiting": ("gray", ":material/hourglass_top:"),
    "reading": ("blue", ":material/hourglass_top:"),
    "ready": ("green", ":material/check_circle:"),
    "failed": ("red", ":material/error:"),
}


def show(hop: Hopline, name: str) -> None:
    """The list, a page at a time."""
    documents = hop.documents(name)
    _head(hop, name, documents)
    shown = _filtered(documents)
    pages = max(1, -(-len(shown) // ROWS))
    page = min(st.session_state.get("documents page", 1), pages)
    rows = shown[(page - 1) * ROWS : page * ROWS]
    far = _far(hop, rows)
    for document in rows:
        _row(hop, document, far.get(document.id, Reading()))
    if not shown:
        st.caption("No document matches.")
    if pages > 1:
        st.pagination(pages, key="documents page")


def _head(hop: Hopline, name: str, documents: Sequence[Document]) -> None:
    failed = sum(document.state == "failed" for document in documents)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(counted(len(documents), "document"), anchor=False)
        if any(document.state == "ready" for document in documents):
            navigation.link("ask", "Ask these documents")
        if failed and st.button(
            f"Try {counted(failed, 'failed document')} again", icon=":material/refresh:", key="retry"
        ):
            hop.retry(collection=name, passages=False)
            st.rerun()


def _filtered(documents: Sequence[Document]) -> list[Document]:
    if len(documents) <= ROWS:
        return list(documents)
    words = st.text_input("Find a document", key="find document", placeholder="Part of its name").casefold()
    return [document for document in documents if words in document.name.casefold()]


def _far(hop: Hopline, documents: Sequence[Document]) -> dict[str, Reading]:
    """How far each one is; those that were seen to be done are not asked for again."""
    done: dict[Document, Reading] = st.session_state.setdefault("read documents", {})
    found = hop.reading([one.id for one in documents if one not in done and one.state != "failed"])
    for one in documents:
        if one.state == "ready" and one.id in found and found[one.id].share >= 1.0:
            done[one] = found[one.id]
            st.session_state.get("document paces", {}).pop(one.id, None)
    return {one.id: done[one] for one in documents if one in done} | found


def _row(hop: Hopline, document: Document, far: Reading) -> None:
    state = "reading" if far.pages_done and far.share < 1.0 and document.state != "failed" else document.state
    colour, icon = STATES[state]
    row = {"horizontal": True, "vertical_alignment": "center", "wrap": False}
    with st.container(border=True, key=f"document {document.id}", **row):  # type: ignore[arg-type]
        st.html(_description(document, far, state), width="stretch")
        st.badge(state, color=colour, icon=icon)  # type: ignore[arg-type]
        if document.state == "ready" and document.sha256:
            st.button(
                "Open",
                key=f"open {document.id}",
                icon=":material/open_in_full:",
                type="tertiary",
                help="Its pages",
                on_click=_keep_open,
                args=(document,),
            )
        _try_again(hop, document, far)
        with st.popover("Remove", icon=":material/delete:", type="tertiary", key=f"ask remove {document.id}"):
            st.markdown(f"Remove “{plain(document.name)}” and all that was read from it?")
            if st.button("Remove it", key=f"remove {document.id}", type="primary"):
                hop.remove(document.id, collection=document.collection)
                st.rerun()


def _try_again(hop: Hopline, document: Document, far: Reading) -> None:
    """For a document that failed and can be read once more, and for passages that were read with a warning."""
    failed = document.state == "failed" and document.sha256
    if not failed and not far.warned:
        return
    by_model = any(one.extraction_model for one in hop.collections() if one.name == document.collection)
    calls = far.warned if by_model else None
    words = "Read it once more" + (f": about {counted(calls, 'model call')}" if calls else "")
    if st.button("Try again", key=f"retry {document.id}", icon=":material/refresh:", type="tertiary", help=words):
        hop.retry(document.id, collection=document.collection, max_calls=calls or None)
        st.session_state["read documents"].pop(document, None)
        st.rerun()


def _keep_open(document: Document) -> None:
    st.session_state[OPENED] = document


def _description(document: Document, far: Reading, state: str) -> str:
    parts = []
    if document.state == "ready":
        parts += sizes(document)
        parts += [counted(far.entities, "entity", "entities")] if far.entities else []
    stem = document.name.rpartition(".")[0]
    title = document.title if document.title not in {document.name, stem} else ""
    lines = [f'<p class="name" dir="auto">{escape(document.name)}</p>']
    if title or parts:
        lines.append(f'<p class="about" dir="auto">{escape(" · ".join(filter(None, [*parts, title])))}</p>')
    if state == "reading":
        lines.append(_bar(document, far))
    if document.reason:
        lines.append(f'<p class="reason" dir="auto">{escape(document.reason)}</p>')
    warnings = [*document.warnings, *([f"{counted(far.warned, 'passage')}: {far.warning}"] if far.warned else [])]
    lines += [f'<p class="warning" dir="auto">{escape(warning)}</p>' for warning in warnings]
    return f'<div class="document">{"".join(lines)}</div>'


def _bar(document: Document, far: Reading) -> str:
    """As a bar and "page 12 of 80 · about 40 s left"."""
    now, paces = time.monotonic(), st.session_state.setdefault("document paces", {})
    left = paces.setdefault(document.id, Pace(now, far.share)).left(now, far.share)
    words = reading_words(far, left)
    return f'<p class="far"><span class="bar"><span style="width:{far.share:.0%}"></span></span> {escape(words)}</p>'
