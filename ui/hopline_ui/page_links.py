"""The names and icons of the pages, and links to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import streamlit as st
from streamlit.navigation.page import StreamlitPage

PageName = Literal["ask", "compare", "explore", "documents"]
ICONS: Final[dict[PageName, str]] = {
    "ask": ":material/search:",
    "compare": ":material/balance:",
    "explore": ":material/hub:",
    "documents": ":material/description:",
}
_PAGES: Final = "pages"


def set_pages(pages: Mapping[PageName, StreamlitPage]) -> None:
    """Set the pages of this run that `show_link` can link to."""
    st.session_state[_PAGES] = pages


def show_link(name: PageName, label: str, *, icon: str | None = None) -> None:
    """Show a link to another page."""
    st.page_link(st.session_state[_PAGES][name], label=label, icon=icon or ICONS[name])
