"""The view of a document: what it states about itself, its contents, search, and its pages one by one."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from hopline.client import Hopline
from hopline.errors import HoplineError, UnknownName
from hopline.records import Document
from hopline_ui import search_scope
from hopline_ui.components import correction, document_card, document_contents, document_page
from hopline_ui.document_address import DocumentAddress
from hopline_ui.error_messages import report_errors
from hopline_ui.formatting import format_sizes
from hopline_ui.markup import escape_markdown
from hopline_ui.session.state import get_state


def show(hop: Hopline, address: DocumentAddress) -> None:
    """Show the page of a document that an address names."""
    try:
        document = hop.documents.get(address.document)
    except UnknownName:
        _show_back_button()
        st.info("This document is no longer there: it was deleted.", icon=":material/link_off:")
        return
    if get_state().collection != document.collection:
        search_scope.set_collection(document.collection)
        st.query_params.from_dict(address.to_parameters())
    _show_head(hop, document)
    if document.state != "ready" and not document.pages:
        reason = document.reason or "This document is still being processed."
        st.info(escape_markdown(reason), icon=":material/hourglass_top:")
        return
    left, right = st.columns([4, 8], gap="large")
    with left:
        document_contents.show(hop, document)
        with report_errors("listing corrections"):
            correction.show_list(hop, document)
    with right, report_errors("showing the page"):
        document_page.show(hop, document, address)


def _show_head(hop: Hopline, document: Document) -> None:
    with st.container(key="document head", horizontal=True, vertical_alignment="center", gap="small"):
        _show_back_button()
        st.subheader(escape_markdown(document.name), anchor=False)
        _show_download(hop, document)
    st.caption(" · ".join(format_sizes(document)))
    card = document_card.render(document)
    if card:
        st.html(f'<div class="document">{card}</div>')


def _show_back_button() -> None:
    st.button("All documents", key="all documents", icon=":material/arrow_back:", on_click=st.query_params.clear)


def _show_download(hop: Hopline, document: Document) -> None:
    if not document.sha256:
        return  # it is formed by rows of a .jsonl file
    with suppress(HoplineError):
        st.download_button(
            "Download",
            lambda: hop.documents.file(document.id).read_bytes(),
            document.name,
            key="download document",
            icon=":material/download:",
            on_click="ignore",
        )
