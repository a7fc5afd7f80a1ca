"""Documents: choose a collection, drop files, see them being read, and what is in there."""

from __future__ import annotations

import time
from collections.abc import Sequence

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from hopline.client import Estimate, Hopline, Progress
from hopline.documents.file_store import READABLE
from hopline.flow.services import Price
from hopline.types import Collection, Document
from hopline_ui import client_connection, search_scope
from hopline_ui.components import document_list
from hopline_ui.components import document_viewer as document_view
from hopline_ui.error_messages import calmly
from hopline_ui.formatting import Pace, counts, expected, fraction
from hopline_ui.markup import counted, plain
from hopline_ui.session import cache
from hopline_ui.uploads import add_files, estimate

TYPES = sorted({name.rpartition(".")[2] for name in READABLE})
POLL_SECONDS = 1.0
KINDS = ["Files", "A folder"]


def show(hop: Hopline, collections: Sequence[Collection]) -> None:
    """The whole page."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="collection row"):
        name = search_scope.choose_collection(collections, new=True)
        if any(one.name == name for one in collections):
            _collection_menu(hop, name)
    _drop(hop, name)
    opened: Document | None = st.session_state.pop(document_list.OPENED, None)
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
    return progress


def _drop(hop: Hopline, name: str) -> None:
    """Files or a folder to add; the box empties itself when they are on their way."""
    round_ = st.session_state.setdefault("drop round", 0)
    kind = st.segmented_control("What to add", KINDS, default=KINDS[0], required=True, key="drop kind")
    files = st.file_uploader(
        f"Drop {'a folder' if kind == KINDS[1] else 'documents'} here",
        type=TYPES,
        accept_multiple_files="directory" if kind == KINDS[1] else True,
        key=f"drop {round_}{' folder' if kind == KINDS[1] else ''}",
        help="PDF, DOCX, PPTX, HTML, EPUB, Markdown and text; .jsonl and .jsonl.gz of passages",
    )
    if not files:
        return
    found = _expect(hop, files, name)
    max_calls = _cap(found) if found else None
    words = f"Read {counted(len(files), 'document')} into “{plain(name)}”"
    blind = found is None and hop.settings.extract_with_model  # what it would cost is not known
    if st.button(words, key="read", type="primary", icon=":material/play_arrow:", disabled=blind):
        with calmly("adding the documents"):
            add_files(hop, files, name, max_calls=max_calls)
            st.session_state["drop round"] = round_ + 1
            search_scope.set_collection(name)
            st.toast(f"{counted(len(files), 'document')} on the way. You may close this tab: the reading goes on.")
            st.rerun()


def _expect(hop: Hopline, files: Sequence[UploadedFile], collection: str) -> Estimate | None:
    """What reading would take, and which files cannot be read; made once for the same files."""
    key = (collection, *sorted(file.file_id for file in files))
    known: dict[tuple[str, ...], Estimate] = st.session_state.setdefault("estimates", {})
    if key not in known:
        with calmly("estimating the reading"), st.spinner("Looking at what you dropped …"):
            known.clear()
            known[key] = estimate(hop, files, collection)
    if key not in known:
        return None
    found, settings = known[key], hop.settings
    st.caption(f":material/schedule: {plain(expected(found, Price(settings.price_in, settings.price_out)))}")
    for line in found.unsupported:
        st.caption(f":material/warning: {plain(line)}")
    return found


def _cap(found: Estimate) -> int | None:
    """How often a model may be called, where one reads."""
    if not found.calls:
        return None
    words = "What is beyond it is read by rules, marked, and can be tried again"
    cap: int | None = st.number_input(
        "Model calls at most",
        min_value=0,
        value=None,
        step=1,
        placeholder="No cap",
        key="max calls",
        help=words,
        width=220,
    )
    return cap


def _collection(name: str) -> None:
    """Progress and list, drawn again by themselves while there is something to read."""
    busy = not client_connection.hopline().progress(name).done

    @st.fragment(run_every=POLL_SECONDS if busy else None)
    def follow() -> None:
        with calmly("following the reading"):
            hop = client_connection.hopline()
            progress = reading(hop, name)
            document_list.show(hop, name)
            if (busy and progress.done) or document_list.OPENED in st.session_state:
                st.rerun()  # of the whole page, not of this list alone

    follow()


def _collection_menu(hop: Hopline, name: str) -> None:
    with st.popover("Manage", icon=":material/more_horiz:"):
        with st.form("rename", border=False):
            to = st.text_input("New name", value=name, key=f"new name {name}", max_chars=200, autocomplete="off")
            if st.form_submit_button("Rename the collection", key="rename collection", icon=":material/edit:"):
                with calmly("renaming the collection"):
                    hop.rename(name, to.strip())
                    cache.forget(name)
                    search_scope.set_collection(to.strip())
                    st.rerun()
        st.divider()
        st.markdown(f"Remove the collection “{plain(name)}” with all that was read from it. Your own files stay.")
        if st.button("Remove the collection", key="remove collection", icon=":material/delete:"):
            hop.remove(collection=name)
            cache.forget(name)
            st.session_state.pop("collection", None)
            st.rerun()
