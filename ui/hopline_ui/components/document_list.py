"""The documents of a collection: state, progress, warnings; open, retry, delete."""

from __future__ import annotations

import time
from collections.abc import Sequence
from html import escape

import streamlit as st

from hopline.bibliography import convert_to_metadata
from hopline.client import Hopline
from hopline.documents.progress import DocumentProgress
from hopline.documents.reprocessing import may_succeed
from hopline.metadata.values import format_value
from hopline.records import Document, DocumentCounts
from hopline.results.labels import shorten
from hopline_ui import page_links
from hopline_ui.components import document_card
from hopline_ui.document_address import DocumentAddress, open_document
from hopline_ui.formatting import ProgressRate, format_document_progress, format_sizes
from hopline_ui.markup import escape_markdown, format_count
from hopline_ui.session.state import get_state

ROWS = 25  # documents per page of the list
METADATA_LENGTH = 300  # characters of the metadata of a document
STATES = {  # label, colour, icon
    "waiting": ("waiting", "gray", ":material/hourglass_top:"),
    "reading": ("processing", "blue", ":material/hourglass_top:"),
    "ready": ("ready", "green", ":material/check_circle:"),
    "failed": ("failed", "red", ":material/error:"),
}


def show(hop: Hopline, name: str) -> None:
    """Show the documents of a collection, `ROWS` at a time."""
    counts = hop.documents.count(name)
    _show_header(hop, name, counts)
    text = _input_filter(counts)
    matches = hop.documents.count(name, text=text).total if text else counts.total
    pages = max(1, -(-matches // ROWS))
    page = min(st.session_state.get("documents page", 1), pages)
    rows = hop.documents.list(name, text=text, start=(page - 1) * ROWS, limit=ROWS)
    progress = _read_progress(hop, rows)
    for document in rows:
        _show_row(hop, document, progress.get(document.id, DocumentProgress()))
    if not matches:
        st.caption("No matching documents.")
    if pages > 1:
        st.pagination(pages, key="documents page")


def _show_header(hop: Hopline, name: str, counts: DocumentCounts) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(format_count(counts.total, "document"), anchor=False)
        if counts.ready:
            page_links.show_link("ask", "Ask these documents")
        failed = _list_retriable(hop, name, counts)
        number = counts.failed if failed is None else len(failed)
        label = f"Retry {format_count(number, 'failed document')}"
        if number and st.button(label, icon=":material/refresh:", key="retry"):
            for document in [None] if failed is None or number == counts.failed else failed:
                hop.documents.retry(document, collection=name, passages=False)
            show_worker_notice(hop)
            st.rerun()


def _list_retriable(hop: Hopline, name: str, counts: DocumentCounts) -> list[str] | None:
    """List the ids of failed documents that another attempt may help; None for all of a collection of several pages."""
    if counts.total > ROWS:
        return None
    documents = hop.documents.list(name) if counts.failed else ()
    return [document.id for document in documents if document.state == "failed" and may_succeed(document.reason)]


def show_worker_notice(hop: Hopline) -> None:
    """Show what adding or retrying did to a worker with other settings, if anything."""
    if notice := hop.documents.worker_notice:
        st.toast(escape_markdown(f"{notice[0].upper()}{notice[1:]}."), duration="long")


def _input_filter(counts: DocumentCounts) -> str:
    """Show the input of a part of names, titles or authors, where there are several pages; return it, "" for all."""
    if counts.total <= ROWS:
        return ""
    return st.text_input("Filter documents", key="find document", placeholder="Part of the name, title or authors")


def _read_progress(hop: Hopline, documents: Sequence[Document]) -> dict[str, DocumentProgress]:
    """Return the progress by document id. Finished documents are cached in the session and not queried again."""
    done = get_state().finished
    pending = [document.id for document in documents if document not in done and document.state != "failed"]
    progress = hop.documents.states(pending)
    for document in documents:
        if document.state == "ready" and document.id in progress and progress[document.id].fraction_done >= 1.0:
            done[document] = progress[document.id]
            get_state().document_rates.pop(document.id, None)
    return {document.id: done[document] for document in documents if document in done} | progress


def _show_row(hop: Hopline, document: Document, progress: DocumentProgress) -> None:
    processing = progress.pages_done and progress.fraction_done < 1.0 and document.state != "failed"
    state = "reading" if processing else document.state
    label, colour, icon = STATES[state]
    row = {"horizontal": True, "vertical_alignment": "center", "wrap": False}
    with st.container(border=True, key=f"document {document.id}", **row):  # type: ignore[arg-type]
        st.html(_render_description(document, progress, state), width="stretch")
        st.badge(label, color=colour, icon=icon)  # type: ignore[arg-type]
        if document.state == "ready":
            st.button(
                "Open",
                key=f"open {document.id}",
                icon=":material/open_in_full:",
                type="tertiary",
                help="Show the pages, contents and entities",
                on_click=open_document,
                args=(DocumentAddress(document.id),),
            )
        _show_retry(hop, document, progress)
        with st.popover("Delete", icon=":material/delete:", type="tertiary", key=f"ask remove {document.id}"):
            st.markdown(f"Delete “{escape_markdown(document.name)}” and everything extracted from it?")
            if st.button("Delete", key=f"remove {document.id}", type="primary"):
                hop.documents.remove(document.id, collection=document.collection)
                st.rerun()


def _show_retry(hop: Hopline, document: Document, progress: DocumentProgress) -> None:
    """Show the retry button of a document that failed for no fault of its file, or that has passages with a warning."""
    failed = document.state == "failed" and document.sha256 and may_succeed(document.reason)
    if not failed and not progress.warned:
        return
    uses_model = any(item.extraction_model for item in hop.collections() if item.name == document.collection)
    calls = progress.warned if uses_model else None
    help_text = "Process again" + (f": about {format_count(calls, 'model call')}" if calls else "")
    key = f"retry {document.id}"
    if st.button("Retry", key=key, icon=":material/refresh:", type="tertiary", help=help_text):
        hop.documents.retry(document.id, collection=document.collection, max_calls=calls or None)
        get_state().finished.pop(document, None)
        show_worker_notice(hop)
        st.rerun()


def _render_description(document: Document, progress: DocumentProgress, state: str) -> str:
    parts = []
    if document.state == "ready":
        parts += format_sizes(document)
        parts += [format_count(progress.entities, "entity", "entities")] if progress.entities else []
    stem = document.name.rpartition(".")[0]
    title = document.title if document.title not in {document.name, stem} else ""
    lines = [f'<p class="name" dir="auto" title="{escape(document.path)}">{escape(document.name)}</p>']
    if title or parts:
        lines.append(f'<p class="about" dir="auto">{escape(" · ".join(filter(None, [*parts, title])))}</p>')
    lines.append(document_card.render(document))
    stated = convert_to_metadata(document.bibliography)
    other = {key: value for key, value in document.metadata.items() if stated.get(key) != value}
    if other:
        text = " · ".join(f"{key}: {format_value(value)}" for key, value in other.items())
        lines.append(f'<p class="about" dir="auto">{escape(shorten(text, METADATA_LENGTH))}</p>')
    if state == "reading":
        lines.append(_render_progress(document, progress))
    if document.reason:
        lines.append(f'<p class="reason" dir="auto">{escape(document.reason)}</p>')
    warnings = [*document.warnings]
    if progress.warned:
        warnings.append(f"{format_count(progress.warned, 'passage')}: {progress.warning}")
    lines += [f'<p class="warning" dir="auto">{escape(warning)}</p>' for warning in warnings]
    if document.left_out:
        summary = "<summary>Text that was left out, with the reason</summary>"
        texts = "".join(f'<p dir="auto">{escape(text)}</p>' for text in document.left_out)
        lines.append(f'<details class="about">{summary}{texts}</details>')
    return f'<div class="document">{"".join(lines)}</div>'


def _render_progress(document: Document, progress: DocumentProgress) -> str:
    """Return a bar and "Page 12 of 80 · about 40 s left" as HTML."""
    now, rates = time.monotonic(), get_state().document_rates
    rate = rates.setdefault(document.id, ProgressRate(now, progress.fraction_done))
    text = format_document_progress(progress, rate.estimate_seconds_left(now, progress.fraction_done))
    bar = f'<span class="bar"><span style="width:{progress.fraction_done:.0%}"></span></span>'
    return f'<p class="progress">{bar} {escape(text)}</p>'
