"""The page's pages, and the way from one to another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from hopline.client import Hopline
from hopline.types import Collection
from hopline_ui import client_connection
from hopline_ui.error_messages import calmly

HERE = Path(__file__).parent
Name = Literal["ask", "compare", "explore", "documents"]
ICONS: dict[Name, str] = {
    "ask": ":material/search:",
    "compare": ":material/balance:",
    "explore": ":material/hub:",
    "documents": ":material/description:",
}


def run(start: Name = "ask") -> None:
    """Frames the page and runs the one that the address names; ``start`` is at the root."""
    st.set_page_config(page_title="Hopline", page_icon=str(HERE / "icon.png"), layout="wide")
    st.html(HERE / "style.css")
    st.logo(str(HERE / "icon.png"), size="large")
    pages: dict[Name, StreamlitPage] = {name: _page(name, default=name == start) for name in ICONS}
    st.session_state["pages"] = pages
    current = st.navigation(list(pages.values()), position="top")
    with calmly("showing this page"):
        current.run()


def link(name: Name, label: str, *, icon: str | None = None) -> None:
    """A link to another page."""
    st.page_link(st.session_state["pages"][name], label=label, icon=icon or ICONS[name])


def _page(name: Name, *, default: bool) -> StreamlitPage:
    return st.Page(partial(_show, name), title=name.capitalize(), icon=ICONS[name], url_path=name, default=default)


def _show(name: Name) -> None:
    """A view; where no document is there yet, what Hopline does and how to begin."""
    from hopline_ui.pages import ask, compare, documents, explore, welcome

    shows: dict[Name, Callable[[Hopline, Sequence[Collection]], None]] = {
        "ask": ask.show,
        "compare": compare.show,
        "explore": explore.show,
        "documents": documents.show,
    }
    hop = client_connection.hopline()
    collections = hop.collections()
    if name != "documents" and not any(collection.documents for collection in collections):
        welcome.show(hop)
    else:
        shows[name](hop, collections)
