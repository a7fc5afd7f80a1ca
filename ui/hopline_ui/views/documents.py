"""Documents: choose a collection, drop files, see them being read, and what is in there."""

from __future__ import annotations

import time
from collections.abc import Sequence
from html import escape

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from hopline.files import READABLE
from hopline.flow.world import Price
from hopline.sdk import Estimate, Hopline, Progress
from hopline.types import Document
from hopline_ui import navigation, opening, scope
from hopline_ui.dropped import add_files, estimate
from hopline_ui.plain import counted, plain
from hopline_ui.telling import Pace, counts, expected, fraction
from hopline_ui.trouble import calmly
from hopline_ui.views import document as document_view

TYPES = sorted({name.rpartition(".")[2] for name in READABLE})
POLL_SECONDS = 1.0
OPEN = 3  # documents named while they are read
OPENED = "opened document"
ROWS = 25  # documents a page of the list


def show() -> None:
    """The whole page."""
    hop = opening.hopline()
    collections = hop.collections()
    with st.container(horizontal=True, vertical_alignment="bottom", key="collection row"):
        name = scope.choose_collection(collections, new=True)
        if any(one.name == name for one in collections):
            _collection_menu(hop, name)
    _drop(hop, name)
    opened: Document | None = st.session_state.pop(OPENED, None)
    if opened is not None:
        document_view.show(opened)
    if name not in {one.name for one in hop.collections()}:
        st.info(f"“{plain(name)}” is empty. Drop your documents above to begin.", icon=":material/upload_file:")
        return
    _collection(name)


def reading(hop: Hopline, name: str) -> Progress:
    """How far the reading of a collection is, drawn while it goes on."""
    progress = hop.progress(name)
    paces: dict[str, Pace] = st.session_state.setdefault("paces", {})
    if progress.done:
        paces.pop(name, None)
        return progress
    share, now = fraction(progress), time.monotonic()
    left = paces.setdefault(name, Pace(now, share)).left(now, share)
    st.progress(share, text=f"**Reading** · {counts(progress, progress.seconds_left or left)}")
    for line in progress.reading[:OPEN]:
        st.caption(plain(line))
    return progress


def _drop(hop: Hopline, name: str) -> None:
    """Files to add; the box empties itself when they are on their way."""
    round_ = st.session_state.setdefault("drop round", 0)
    files = st.file_uploader(
        "Drop documents here",
        type=TYPES,
        accept_multiple_files=True,
        key=f"drop {round_}",
        help="PDF, DOCX, PPTX, HTML, EPUB, Markdown and text; .jsonl and .jsonl.gz of passages",
    )
    if not files:
        return
    _expect(hop, files)
    words = f"Read {counted(len(files), 'document')} into “{plain(name)}”"
    if st.button(words, key="read", type="primary", icon=":material/play_arrow:"):
        with calmly("adding the documents"):
            add_files(hop, files, name)
            st.session_state["drop round"] = round_ + 1
            scope.set_collection(name)
            st.toast(f"{counted(len(files), 'document')} on the way. You may close this tab: the reading goes on.")
            st.rerun()


def _expect(hop: Hopline, files: Sequence[UploadedFile]) -> None:
    """What reading would take, and which files cannot be read; made once for the same files."""
    key = tuple(sorted(file.file_id for file in files))
    known: dict[tuple[str, ...], Estimate] = st.session_state.setdefault("estimates", {})
    if key not in known:
        with calmly("estimating the reading"), st.spinner("Looking at what you dropped …"):
            known.clear()
            known[key] = estimate(hop, files)
    if key not in known:
        return
    found, settings = known[key], hop.settings
    st.caption(f":material/schedule: {plain(expected(found, Price(settings.price_in, settings.price_out)))}")
    for line in found.unsupported:
        st.caption(f":material/warning: {plain(line)}")


def _collection(name: str) -> None:
    """Progress and list, drawn again by themselves while there is something to read."""
    busy = not opening.hopline().progress(name).done

    @st.fragment(run_every=POLL_SECONDS if busy else None)
    def follow() -> None:
        with calmly("following the reading"):
            hop = opening.hopline()
            progress = reading(hop, name)
            _list(hop, name)
            if (busy and progress.done) or OPENED in st.session_state:
                st.rerun()  # of the whole page, not of this list alone

    follow()


def _collection_menu(hop: Hopline, name: str) -> None:
    with st.popover("Manage", icon=":material/more_horiz:"):
        st.markdown(f"Remove the collection “{plain(name)}” with all that was read from it. Your own files stay.")
        if st.button("Remove the collection", key="remove collection", icon=":material/delete:"):
            hop.remove(collection=name)
            st.session_state.pop("collection", None)
            st.rerun()


def _list(hop: Hopline, name: str) -> None:
    documents = hop.documents(name)
    failed = sum(document.state == "failed" for document in documents)
    _head(hop, name, documents, failed)
    shown = _filtered(documents)
    pages = max(1, -(-len(shown) // ROWS))
    page = min(st.session_state.get("documents page", 1), pages)
    for document in shown[(page - 1) * ROWS : page * ROWS]:
        _row(hop, document)
    if not shown:
        st.caption("No document matches.")
    if pages > 1:
        st.pagination(pages, key="documents page")


def _head(hop: Hopline, name: str, documents: Sequence[Document], failed: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(counted(len(documents), "document"), anchor=False)
        if any(document.state == "ready" for document in documents):
            navigation.link("ask", "Ask these documents")
        if failed and st.button(
            f"Try {counted(failed, 'failed document')} again", icon=":material/refresh:", key="retry"
        ):
            hop.retry(name)
            st.rerun()


def _keep_open(document: Document) -> None:
    st.session_state[OPENED] = document


def _filtered(documents: Sequence[Document]) -> list[Document]:
    if len(documents) <= ROWS:
        return list(documents)
    words = st.text_input("Find a document", key="find document", placeholder="Part of its name").casefold()
    return [document for document in documents if words in document.name.casefold()]


STATES = {
    "waiting": ("waiting", "gray", ":material/hourglass_top:"),
    "ready": ("ready", "green", ":material/check_circle:"),
    "failed": ("failed", "red", ":material/error:"),
}


def _row(hop: Hopline, document: Document) -> None:
    words, colour, icon = STATES[document.state]
    row = {"horizontal": True, "vertical_alignment": "center", "wrap": False}
    with st.container(border=True, key=f"document {document.id}", **row):  # type: ignore[arg-type]
        st.html(_description(document), width="stretch")
        st.badge(words, color=colour, icon=icon)  # type: ignore[arg-type]
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
        with st.popover("Remove", icon=":material/delete:", type="tertiary", key=f"ask remove {document.id}"):
            st.markdown(f"Remove “{plain(document.name)}” and all that was read from it?")
            if st.button("Remove it", key=f"remove {document.id}", type="primary"):
                hop.remove(document.id, collection=document.collection)
                st.rerun()


def _description(document: Document) -> str:
    parts = []
    if document.state == "ready":
        sizes = ((document.pages, "page"), (document.passages, "passage"), (document.tables, "table"))
        parts.append(" · ".join(counted(number, one) for number, one in sizes if number))
    stem = document.name.rpartition(".")[0]
    title = document.title if document.title not in {document.name, stem} else ""
    lines = [f'<p class="name" dir="auto">{escape(document.name)}</p>']
    if title or parts:
        lines.append(f'<p class="about" dir="auto">{escape(" · ".join(filter(None, [*parts, title])))}</p>')
    if document.reason:
        lines.append(f'<p class="reason" dir="auto">{escape(document.reason)}</p>')
    lines += [f'<p class="warning" dir="auto">{escape(warning)}</p>' for warning in document.warnings]
    return f'<div class="document">{"".join(lines)}</div>'
