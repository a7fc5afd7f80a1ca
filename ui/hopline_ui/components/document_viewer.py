"""A document in a dialog: its pages as images, and the file for download."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from hopline.documents.page_images import has_page_images
from hopline.errors import HoplineError
from hopline.records import Document
from hopline_ui import client_connection
from hopline_ui.components import document_card
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
    st.html(f'<div class="document">{document_card.render(document)}</div>')
    if has_page_images(path):
        _show_page(document, path)
    with path.open("rb") as file:
        st.download_button("Download", file, document.name, icon=":material/download:", on_click="ignore")


def _show_page(document: Document, path: Path) -> None:
    """Show a page; the values that the card has from it can be marked, and their pages opened."""
    key = f"page {document.id}"
    is_marked = _choose_stated_page(document, key)
    page = st.pagination(document.pages, key=key) if document.pages > 1 else 1
    boxes = [box for entry in document.bibliography for box in entry.boxes if box.page == int(page or 1)]
    try:
        image = render_page(path, int(page or 1), boxes if is_marked else (), whole=True)
    except HoplineError as error:
        st.caption(f"Page {page} cannot be shown: {escape_markdown(error)}.")
        return
    st.image(image, width="stretch", output_format="PNG", alt=f"page {page} of {document.name}")


def _choose_stated_page(document: Document, key: str) -> bool:
    """Show a link to each page that values of the card are from; return whether these are to be marked."""
    pages = sorted({entry.page for entry in document.bibliography if entry.page and entry.boxes})
    if not pages:
        return False
    with st.container(horizontal=True, vertical_alignment="center"):
        is_marked = st.toggle("Mark the values of the card", key=f"mark {document.id}")
        for page in pages if document.pages > 1 else ():
            st.button(
                f"Page {page}", key=f"{key} stated {page}", type="tertiary", on_click=_open_page, args=(key, page)
            )
    return is_marked


def _open_page(key: str, page: int) -> None:
    st.session_state[key] = page
