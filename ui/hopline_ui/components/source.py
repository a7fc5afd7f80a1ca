"""A source: the page with the quote highlighted, or the quote within its text."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import streamlit as st

from hopline.client import Hopline
from hopline.documents.page_images import has_page_images
from hopline.errors import DocumentError, HoplineError, UsageError
from hopline.records import Box
from hopline.results import Answer, Citation
from hopline.results.labels import name_kind, shorten
from hopline_ui.components.answer import select_source
from hopline_ui.document_address import make_address, open_document
from hopline_ui.markup import escape_markdown
from hopline_ui.page_images import render_figure, render_page
from hopline_ui.passage_html import render_passage
from hopline_ui.sources import AnswerSource, list_siblings

MAX_PAGES = 2  # shown of one quote


def show(hop: Hopline, answer: Answer, source: AnswerSource) -> None:
    """Show title, previous and next buttons, page and text of a source."""
    _show_header(answer, source)
    citation = source.citation
    has_pages = show_pages(hop, citation)
    _show_open_button(citation, source.key)
    if not has_pages:
        show_passage(citation)
        return
    _show_whole_page(hop, citation, source.key)
    with st.expander("Passage as text", icon=":material/notes:"):
        show_passage(citation)


def _show_open_button(citation: Citation, key: str) -> None:
    whole = citation.start == 0 and citation.end >= len(citation.evidence.text)
    st.button(
        "Open in document",
        key=f"open source {key}",
        icon=":material/open_in_full:",
        type="tertiary",
        help="Show this place in the whole document",
        on_click=open_document,
        args=(make_address(citation.evidence, None if whole else (citation.start, citation.end)),),
    )


def show_passage(citation: Citation) -> None:
    """Show the evidence's text with the quote highlighted, unless the quote is the whole text."""
    whole = citation.start == 0 and citation.end >= len(citation.evidence.text)
    span = None if whole else (citation.start, citation.end)
    st.html(render_passage(citation.evidence, span, citation.answer))


def _show_header(answer: Answer, source: AnswerSource) -> None:
    keys = [sibling.key for sibling in list_siblings(answer, source.key)]
    at = keys.index(source.key) if source.key in keys else 0
    with st.container(key="source head", horizontal=True, vertical_alignment="center", gap="small"):
        st.subheader(f"{escape_markdown(source.label)} — {escape_markdown(source.title)}", anchor=False)
        for name, icon, step in (("Previous", "chevron_left", -1), ("Next", "chevron_right", 1)):
            exists = 0 <= at + step < len(keys)
            st.button(
                f"{name} source",
                key=f"{name} source",
                icon=f":material/{icon}:",
                type="tertiary",
                disabled=not exists,
                on_click=select_source,
                args=(keys[at + step] if exists else source.key,),
            )


def show_pages(hop: Hopline, citation: Citation, *, whole: bool = False) -> bool:
    """Show the pages of a quote, ``whole`` or cropped to the quote; returns False where there is no PDF page."""
    boxes = citation.boxes
    path = _find_file(hop, citation.evidence.document_id)
    if not boxes or path is None or not has_page_images(path):
        return False
    for number in sorted({box.page for box in boxes})[:MAX_PAGES]:
        _show_page(path, number, citation, whole=whole)
    return True


def render_pages(hop: Hopline, citation: Citation) -> list[bytes]:
    """Return the cropped pages of a quote as PNGs; pages that cannot be rendered are left out."""
    path = _find_file(hop, citation.evidence.document_id)
    if not citation.boxes or path is None or not has_page_images(path):
        return []
    images = []
    for number in sorted({box.page for box in citation.boxes})[:MAX_PAGES]:
        with suppress(HoplineError):
            images.append(_render(path, number, citation, whole=False))
    return images


def _get_context(citation: Citation) -> tuple[Box, ...]:
    """What a crop shows: a cell or row with its whole table."""
    return citation.evidence.boxes if citation.evidence.kind == "table" else citation.boxes


def _show_whole_page(hop: Hopline, citation: Citation, key: str) -> None:
    expander = st.expander("Whole page", icon=":material/article:", on_change="rerun", key=f"whole page {key}")
    if expander.open:
        with expander:
            show_pages(hop, citation, whole=True)


def _find_file(hop: Hopline, document: str) -> Path | None:
    try:
        return hop.documents.file(document)
    except (DocumentError, UsageError):
        return None  # documents from .jsonl rows have no file


def _render(path: Path, page: int, citation: Citation, *, whole: bool) -> bytes:
    """Render a page of a quote, ``whole`` or cropped to it; of a figure, the figure in its own colours."""
    if citation.evidence.kind == "figure":
        return render_figure(path, citation.boxes[0], whole=whole)
    return render_page(path, page, citation.boxes, whole=whole, context=_get_context(citation))


def _show_page(path: Path, page: int, citation: Citation, *, whole: bool) -> None:
    name = f"page {page} of {citation.document}"
    try:
        image = _render(path, page, citation, whole=whole)
    except HoplineError as error:
        st.caption(f"Cannot show {escape_markdown(name)}: {escape_markdown(error)}.")
        return
    with st.container(key=f"picture {'whole' if whole else 'crop'} {page}"):
        is_figure = citation.evidence.kind == "figure" and not whole
        shown = f"{name_kind(citation.evidence)} on {name}" if is_figure else f"{name}; highlighted"
        st.image(
            image,
            width="content" if is_figure else "stretch",  # a small figure is not enlarged
            output_format="PNG",
            alt=f"{shown}: {shorten(citation.quote, 300)}",
        )
