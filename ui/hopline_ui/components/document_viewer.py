"""A document in a dialog: its pages as images, and the file for download."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from hopline.documents.page_images import has_page_images
from hopline.errors import HoplineError
from hopline.records import Document
from hopline_ui import client_connection
from hopline_ui.formatting import format_sizes
from hopline_ui.markup import escape_markdown
from hopline_ui.page_images import render_page


@st.dialog("Document", width="large", icon=":material/description:")
def show(document: Document) -> None:
    """Show one page of a PDF at a time; other formats are offered for download only."""
    try:
        path = client_connection.get_client().documents.file(document.id)
    except HoplineError as error:
        st.caption(escape_markdown(error))
        return
    st.markdown(f"**{escape_markdown(document.name)}**")
    st.caption(" · ".join(format_sizes(document)))
    if has_page_images(path):
        _show_page(document, path)
    with path.open("rb") as file:
        st.download_button("Download", file, document.name, icon=":material/download:", on_click="ignore")


def _show_page(document: Document, path: Path) -> None:
    page = st.pagination(document.pages, key=f"page {document.id}") if document.pages > 1 else 1
    try:
        image = render_page(path, int(page or 1), (), whole=True)
    except HoplineError as error:
        st.caption(f"Page {page} cannot be shown: {escape_markdown(error)}.")
        return
    st.image(image, width="stretch", output_format="PNG", alt=f"page {page} of {document.name}")
