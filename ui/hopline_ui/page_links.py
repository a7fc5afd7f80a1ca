"""The names and icons of the pages, and links to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from hopline_ui.session.state import PageName, get_state

ICONS: Final[dict[PageName, str]] = {
    "ask": ":material/search:",
    "compare": ":material/balance:",
    "explore": ":material/hub:",
    "documents": ":material/description:",
    "settings": ":material/settings:",
}


def set_pages(pages: Mapping[PageName, StreamlitPage]) -> None:
    """Set the pages of this run that `show_link` can link to."""
    get_state().pages = pages


def open_page(name: PageName, parameters: Mapping[str, str]) -> None:
    """Open another page in the next run, with these query parameters. Must be called by a callback."""
    get_state().next_page = (name, dict(parameters))


def is_page_waiting() -> bool:
    """Return whether the next run opens another page: a fragment must then rerun the whole page."""
    return get_state().next_page is not None


def switch_page() -> None:
    """Switch to the page that the last click opened, if it did."""
    opened, get_state().next_page = get_state().next_page, None
    if opened is not None:
        name, parameters = opened
        st.switch_page(get_state().pages[name], query_params=parameters)


def show_link(name: PageName, label: str, *, icon: str | None = None) -> None:
    """Show a link to another page."""
    st.page_link(get_state().pages[name], label=label, icon=icon or ICONS[name])
