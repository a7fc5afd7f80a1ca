"""Images of pages, kept in the cache of the web page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from hopline.documents import page_images
from hopline.records import Box


@st.cache_data(max_entries=200, show_spinner=False)
def render_page(path: Path, page: int, boxes: Sequence[Box], *, whole: bool, context: Sequence[Box] = ()) -> bytes:
    """Return a PNG of a page with highlighted boxes: `hopline.documents.page_images.render_page`.

    Raises:
        DocumentError: the page cannot be rendered.
    """
    return page_images.render_page(path, page, boxes, whole=whole, context=context)


@st.cache_data(max_entries=200, show_spinner=False)
def render_figure(path: Path, box: Box, *, whole: bool) -> bytes:
    """Return a PNG of a figure, or of its whole page: `hopline.documents.page_images.render_figure`.

    Raises:
        DocumentError: the page cannot be rendered.
    """
    return page_images.render_figure(path, box, whole=whole)
