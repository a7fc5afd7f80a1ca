"""The frame of the app, and the page that it shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from hopline.client import Hopline
from hopline.records import Collection
from hopline_ui import client_connection
from hopline_ui.error_messages import report_errors, show_waiting
from hopline_ui.page_links import ICONS, set_pages, switch_page
from hopline_ui.session.state import PageName

FOLDER = Path(__file__).parent


def run(start: PageName = "ask") -> None:
    """Draw the frame and run the page of the current address; ``start`` is the page at the root."""
    st.set_page_config(page_title="Hopline", page_icon=str(FOLDER / "icon.png"), layout="wide")
    st.html(FOLDER / "style.css")
    st.logo(str(FOLDER / "icon.png"), size="large")
    pages: dict[PageName, StreamlitPage] = {name: _build_page(name, default=name == start) for name in ICONS}
    set_pages(pages)
    current = st.navigation(list(pages.values()), position="top")
    switch_page()
    with report_errors("showing this page"):
        current.run()


def _build_page(name: PageName, *, default: bool) -> StreamlitPage:
    return st.Page(partial(_show_page, name), title=name.capitalize(), icon=ICONS[name], url_path=name, default=default)


def _show_page(name: PageName) -> None:
    """Show a page, or the welcome page while no collection has a document."""
    from hopline_ui.views import ask, compare, documents, explore, settings, welcome

    if name == "settings":
        settings.show()
        return
    pages: dict[PageName, Callable[[Hopline, Sequence[Collection]], None]] = {
        "ask": ask.show,
        "compare": compare.show,
        "explore": explore.show,
        "documents": documents.show,
    }
    hop = client_connection.get_client()
    with show_waiting():
        collections = hop.collections()
    if name != "documents" and not any(collection.documents for collection in collections):
        welcome.show(hop)
    else:
        pages[name](hop, collections)
