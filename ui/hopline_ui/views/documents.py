"""Documents: select a collection, upload files, follow their processing, manage them."""

from __future__ import annotations

import time
from collections.abc import Sequence

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from hopline.client import Hopline
from hopline.documents.estimate import Estimate
from hopline.documents.progress import Progress
from hopline.documents.source_files import SUPPORTED_SUFFIXES
from hopline.flow.services import Price
from hopline.records import Collection
from hopline_ui import client_connection, page_links, search_scope
from hopline_ui.components import document_list, document_viewer
from hopline_ui.document_address import DocumentAddress
from hopline_ui.error_messages import report_errors, show_waiting
from hopline_ui.formatting import (
    ProgressRate,
    SteadyProgress,
    compute_progress,
    format_additions,
    format_estimate,
    format_progress,
)
from hopline_ui.markup import escape_markdown, format_count
from hopline_ui.session import cache
from hopline_ui.session.conversations import ConversationStore
from hopline_ui.session.saved_views import SavedViews
from hopline_ui.session.state import get_state
from hopline_ui.uploads import add_files, estimate_files

TYPES = sorted({name.rpartition(".")[2] for name in SUPPORTED_SUFFIXES})
POLL_SECONDS = 1.0
UPLOAD_MODES = ["Files", "Folder"]


def show(hop: Hopline, collections: Sequence[Collection]) -> None:
    """Show the page: the document in the address, or else all documents of a collection."""
    address = DocumentAddress.from_parameters(st.query_params)
    if address is not None:
        document_viewer.show(hop, address)
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key="collection row"):
        name = search_scope.select_collection(collections, new=True)
        if any(collection.name == name for collection in collections):
            _show_menu(hop, name)
    _show_upload(hop, name)
    if name not in {collection.name for collection in hop.collections()}:
        message = f"“{escape_markdown(name)}” has no documents yet. Upload documents above."
        st.info(message, icon=":material/upload_file:")
        return
    _show_collection(name)


def show_progress(hop: Hopline, name: str) -> Progress:
    """Show the progress bar of a collection while its documents are processed; returns the progress."""
    with show_waiting():
        progress = hop.documents.progress(name)
    rates = get_state().rates
    if progress.done:
        rates.pop(name, None)
        return progress
    fraction, now, steady = compute_progress(progress), time.monotonic(), rates.get(name)
    if steady is None or progress.documents > steady.documents:
        steady = rates[name] = SteadyProgress(progress.documents, fraction, ProgressRate(now, fraction))
    seconds_left = steady.update(now, fraction)
    st.progress(steady.shown, text=f"**Processing** · {format_progress(progress, seconds_left)}")
    if progress.worker:
        text = f"{progress.worker[0].upper()}{progress.worker[1:].rstrip('.')}."
        st.caption(f":material/sync_problem: {escape_markdown(text)}")
    return progress


def _show_upload(hop: Hopline, name: str) -> None:
    """Show the uploader for files or a folder; it is emptied after the files were added."""
    counter = get_state().upload_round
    mode = st.segmented_control("Upload", UPLOAD_MODES, default=UPLOAD_MODES[0], required=True, key="drop kind")
    is_folder = mode == UPLOAD_MODES[1]
    files = st.file_uploader(
        f"Drag and drop {'a folder' if is_folder else 'documents'} here",
        type=TYPES,
        accept_multiple_files="directory" if is_folder else True,
        key=f"drop {counter}{' folder' if is_folder else ''}",
        help="PDF, Office and OpenDocument files, HTML, EPUB, e-mail, Markdown, CSV and text; .jsonl with passages",
    )
    if not files:
        return
    estimate = _show_estimate(hop, files, name)
    max_calls = _input_max_calls(estimate) if estimate else None
    passwords = _input_passwords(estimate) if estimate else {}
    label = f"Add {format_count(len(files), 'document')} to “{escape_markdown(name)}”"
    unknown_cost = estimate is None and hop.settings.extract_with_model
    if st.button(label, key="read", type="primary", icon=":material/play_arrow:", disabled=unknown_cost):
        with report_errors("adding the documents"):
            batch = add_files(hop, files, name, max_calls=max_calls, passwords=passwords)
            get_state().upload_round = counter + 1
            search_scope.set_collection(name)
            st.toast(f"{format_additions(batch.files)}. You can close this tab; processing continues.")
            document_list.show_worker_notice(hop)
            st.rerun()


def _show_estimate(hop: Hopline, files: Sequence[UploadedFile], collection: str) -> Estimate | None:
    """Show the estimated work and the unsupported files; computed once for the same files."""
    key = (collection, *sorted(file.file_id for file in files))
    estimates = get_state().estimates
    if key not in estimates:
        with report_errors("estimating the work"), st.spinner("Checking the files …"):
            estimates.clear()
            estimates[key] = estimate_files(hop, files, collection)
    if key not in estimates:
        return None
    estimate, settings = estimates[key], hop.settings
    text = format_estimate(estimate, Price(settings.price_in, settings.price_out))
    st.caption(f":material/schedule: {escape_markdown(text)}")
    for line in estimate.unsupported:
        st.caption(f":material/warning: {escape_markdown(line)}")
    return estimate


def _input_passwords(estimate: Estimate) -> dict[str, str]:
    """Show the inputs of the passwords of protected PDFs; returns those that were entered, by name."""
    entered = {}
    for name in dict.fromkeys(estimate.protected):
        text = escape_markdown(f"{name}: the PDF is protected by a password, and fails without it")
        st.caption(f":material/lock: {text}")
        entered[name] = st.text_input(
            f"Password of {escape_markdown(name)}",
            key=f"password {name}",
            type="password",
            autocomplete="off",
            max_chars=300,
            width=320,
            help="The document is stored without the password; the password is not stored",
        )
    return {name: password for name, password in entered.items() if password}


def _input_max_calls(estimate: Estimate) -> int | None:
    """Show the input of the maximum number of model calls, where a model extracts."""
    if not estimate.calls:
        return None
    help_text = "Passages beyond the limit are extracted by rules, marked with a warning, and can be retried"
    max_calls: int | None = st.number_input(
        "Maximum model calls",
        min_value=0,
        value=None,
        step=1,
        placeholder="No limit",
        key="max calls",
        help=help_text,
        width=220,
    )
    return max_calls


def _show_collection(name: str) -> None:
    """Show progress and list, refreshed automatically while documents are processed."""
    busy = not client_connection.get_client().documents.progress(name).done

    @st.fragment(run_every=POLL_SECONDS if busy else None)
    def follow() -> None:
        with report_errors("updating the progress"):
            hop = client_connection.get_client()
            progress = show_progress(hop, name)
            document_list.show(hop, name)
            if (busy and progress.done) or page_links.is_page_waiting():
                st.rerun()  # the whole page, not only this fragment

    follow()


def _show_menu(hop: Hopline, name: str) -> None:
    with st.popover("Manage", icon=":material/more_horiz:"):
        with st.form("rename", border=False):
            text = st.text_input("New name", value=name, key=f"new name {name}", max_chars=200, autocomplete="off")
            if st.form_submit_button("Rename collection", key="rename collection", icon=":material/edit:"):
                new_name = text.strip()
                with report_errors("renaming the collection"):
                    hop.rename_collection(name, new_name)
                    for stored in (ConversationStore(hop.settings.home), SavedViews(hop.settings.home)):
                        stored.rename_collection(name, new_name)
                    cache.clear_collection(name)
                    search_scope.set_collection(new_name)
                    st.rerun()
        st.divider()
        st.markdown(
            f"Delete the collection “{escape_markdown(name)}” and everything extracted from its documents. "
            "Your original files are not affected."
        )
        if st.button("Delete collection", key="remove collection", icon=":material/delete:"):
            hop.documents.remove(collection=name)
            for stored in (ConversationStore(hop.settings.home), SavedViews(hop.settings.home)):
                stored.delete_collection(name)
            cache.clear_collection(name)
            get_state().collection = ""
            st.rerun()
