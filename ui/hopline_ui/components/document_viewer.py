"""A document in a dialog: its contents, its pages as images, and the file for download."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from hopline.documents.outline import OutlineItem, iterate_items
from hopline.documents.page_images import has_page_images
from hopline.errors import HoplineError
from hopline.records import Document
from hopline.results.labels import MARKS, shorten
from hopline_ui import client_connection
from hopline_ui.components import correction, document_card
from hopline_ui.error_messages import report_errors
from hopline_ui.formatting import format_sizes
from hopline_ui.markup import escape_markdown
from hopline_ui.page_images import render_page
from hopline_ui.session.state import get_state

MAX_ITEMS = 300  # of the contents that are listed
TITLE_LENGTH = 120  # characters
_INDENT = "\u2003"  # em space


@st.dialog("Document", width="large", icon=":material/description:")
def show(document: Document) -> None:
    """Show the contents, one page of a PDF at a time, and the download; other formats have no pages to show."""
    try:
        path = client_connection.get_client().documents.file(document.id)
    except HoplineError as error:
        st.caption(escape_markdown(error))
        _show_corrections(document)
        return
    st.markdown(f"**{escape_markdown(document.name)}**")
    st.caption(" · ".join(format_sizes(document)))
    st.html(f'<div class="document">{document_card.render(document)}</div>')
    shows_pages = has_page_images(path)
    _show_contents(document, opens_pages=shows_pages and document.pages > 1)
    _show_corrections(document)
    if shows_pages:
        _show_page(document, path)
    with path.open("rb") as file:
        st.download_button("Download", file, document.name, icon=":material/download:", on_click="ignore")


def _show_corrections(document: Document) -> None:
    with report_errors("listing corrections"):
        correction.show_list(client_connection.get_client(), document)


def _show_contents(document: Document, *, opens_pages: bool) -> None:
    """Show the sections, tables and figures as a foldable list; each opens its page."""
    try:
        items = client_connection.get_client().documents.outline(document.id)
    except HoplineError as error:
        st.caption(escape_markdown(error))
        return
    listed = list(iterate_items(items))
    if not listed:
        return
    with st.expander(f"Contents · {len(listed):,}", icon=":material/toc:"), st.container(gap=None):
        for number, (depth, item) in enumerate(listed[:MAX_ITEMS]):
            st.button(
                f"{_INDENT * depth}{_format_title(item)} · p. {item.page}",
                key=f"contents {number} {document.id}",
                type="tertiary",
                disabled=not opens_pages,
                on_click=_set_page,
                args=(document, item.page),
            )
        if len(listed) > MAX_ITEMS:
            st.caption(f"and {len(listed) - MAX_ITEMS:,} more")


def _format_title(item: OutlineItem) -> str:
    mark = "" if item.kind == "section" else f"{MARKS[item.kind]} "
    return mark + escape_markdown(shorten(item.title, TITLE_LENGTH))


def open_page(document: Document, page: int) -> None:
    """Open a document at a page in the next run, which calls `show_opened`. Must be called by a callback."""
    get_state().opened_document = document
    _set_page(document, page)


def show_opened() -> None:
    """Show the document that the last click opened, if it did."""
    opened, get_state().opened_document = get_state().opened_document, None
    if opened is not None:
        show(opened)


def _set_page(document: Document, page: int) -> None:
    st.session_state[_get_page_key(document)] = page


def _get_page_key(document: Document) -> str:
    return f"page {document.id}"


def _show_page(document: Document, path: Path) -> None:
    """Show a page; the values that the card has from it can be marked, and their pages opened."""
    key = _get_page_key(document)
    is_marked = _choose_stated_page(document)
    page = st.pagination(document.pages, key=key) if document.pages > 1 else 1
    boxes = [box for entry in document.bibliography for box in entry.boxes if box.page == int(page or 1)]
    try:
        image = render_page(path, int(page or 1), boxes if is_marked else (), whole=True)
    except HoplineError as error:
        st.caption(f"Page {page} cannot be shown: {escape_markdown(error)}.")
        return
    st.image(image, width="stretch", output_format="PNG", alt=f"page {page} of {document.name}")


def _choose_stated_page(document: Document) -> bool:
    """Show a link to each page that values of the card are from; return whether these are to be marked."""
    pages = sorted({entry.page for entry in document.bibliography if entry.page and entry.boxes})
    if not pages:
        return False
    with st.container(horizontal=True, vertical_alignment="center"):
        is_marked = st.toggle("Mark the values of the card", key=f"mark {document.id}")
        for page in pages if document.pages > 1 else ():
            st.button(
                f"Page {page}",
                key=f"stated {page} {document.id}",
                type="tertiary",
                on_click=_set_page,
                args=(document, page),
            )
    return is_marked
