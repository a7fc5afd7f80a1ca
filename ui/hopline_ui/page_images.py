"""Images of pages, kept in the cache of the web page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from hopline.client import Hopline
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
def render_document_page(
    _hop: Hopline,
    document: str,
    sha256: str,  # noqa: ARG001 - part of the cache's key
    page: int,
    boxes: Sequence[Box],
    colours: Sequence[str],
) -> bytes:
    """Return a PNG of a whole page with boxes in colours: `Hopline.documents.render_page`.

    ``sha256`` is the hash of the document's file, with which the image changes.

    Raises:
        HoplineError: the page cannot be rendered.
    """
    return _hop.documents.render_page(document, page, boxes, colours=colours)


@st.cache_data(max_entries=200, show_spinner=False)
def render_figure(path: Path, box: Box, *, whole: bool) -> bytes:
    """Return a PNG of a figure, or of its whole page: `hopline.documents.page_images.render_figure`.

    Raises:
        DocumentError: the page cannot be rendered.
    """
    return page_images.render_figure(path, box, whole=whole)
