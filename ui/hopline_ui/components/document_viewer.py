"""One document opened: its pages as pictures, and the file itself."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from hopline.errors import HoplineError
from hopline.types import Document
from hopline_ui import client_connection
from hopline_ui.formatting import sizes
from hopline_ui.markup import plain
from hopline_ui.page_images import is_pdf, page_picture


@st.dialog("Document", width="large", icon=":material/description:")
def show(document: Document) -> None:
    """A dialog with one page at a time; a file without pages is offered to be taken along."""
    try:
        path = client_connection.hopline().file(document.id)
    except HoplineError as error:
        st.caption(plain(error))
        return
    st.markdown(f"**{plain(document.name)}**")
    st.caption(" · ".join(sizes(document)))
    if is_pdf(path):
        _page(document, path)
    with path.open("rb") as file:
        st.download_button("The file itself", file, document.name, icon=":material/download:", on_click="ignore")


def _page(document: Document, path: Path) -> None:
    page = st.pagination(document.pages, key=f"page {document.id}") if document.pages > 1 else 1
    try:
        picture = page_picture(path, int(page or 1), (), whole=True)
    except HoplineError as error:
        st.caption(f"The picture of page {page} is missing: {plain(error)}.")
        return
    st.image(picture, width="stretch", output_format="PNG", alt=f"page {page} of {document.name}")
