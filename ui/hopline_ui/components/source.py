"""One source: the page with the quote highlighted, or the quote within its text."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import streamlit as st

from hopline.client import Hopline
from hopline.errors import DocumentError, HoplineError, UsageError
from hopline.rendering.labels import excerpt
from hopline.types import Answer, Box, Citation
from hopline_ui.components.answer import choose
from hopline_ui.markup import plain
from hopline_ui.page_images import is_pdf, page_picture
from hopline_ui.passage_html import passage_html
from hopline_ui.sources import Source, family

PAGES = 2  # pages of one quote that are shown


def show(hop: Hopline, answer: Answer, source: Source) -> None:
    """The source's title, its neighbours, its page and its text."""
    _head(answer, source)
    citation = source.citation
    if not pages(hop, citation):
        passage(citation)
        return
    _whole_page(hop, citation, source.key)
    with st.expander("Passage as text", icon=":material/notes:"):
        passage(citation)


def passage(citation: Citation) -> None:
    """The evidence's text with the quote marked; a citation of the whole is not marked."""
    whole = citation.start == 0 and citation.end >= len(citation.evidence.text)
    st.html(passage_html(citation.evidence, None if whole else (citation.start, citation.end)))


def _head(answer: Answer, source: Source) -> None:
    kin = family(answer, source.key)
    keys = [one.key for one in kin]
    at = keys.index(source.key) if source.key in keys else 0
    with st.container(key="source head", horizontal=True, vertical_alignment="center", gap="small"):
        st.subheader(f"{plain(source.label)} — {plain(source.title)}", anchor=False)
        for name, icon, step in (("Previous", "chevron_left", -1), ("Next", "chevron_right", 1)):
            there = 0 <= at + step < len(keys)
            st.button(
                f"{name} source",
                key=f"{name} source",
                icon=f":material/{icon}:",
                type="tertiary",
                disabled=not there,
                on_click=choose,
                args=(keys[at + step] if there else source.key,),
            )


def pages(hop: Hopline, citation: Citation, *, whole: bool = False) -> bool:
    """Draws the pages of a quote, cropped around it or ``whole``; False where the document has none to draw."""
    boxes = citation.boxes
    path = _file(hop, citation.evidence.document_id)
    if not boxes or path is None or not is_pdf(path):
        return False
    for number in sorted({box.page for box in boxes})[:PAGES]:
        _picture(path, number, boxes, citation, whole=whole)
    return True


def pictures(hop: Hopline, citation: Citation) -> list[bytes]:
    """The same as PNGs; those that cannot be drawn are left out."""
    path = _file(hop, citation.evidence.document_id)
    if not citation.boxes or path is None or not is_pdf(path):
        return []
    drawn = []
    for number in sorted({box.page for box in citation.boxes})[:PAGES]:
        with suppress(HoplineError):
            drawn.append(page_picture(path, number, citation.boxes, whole=False))
    return drawn


def _whole_page(hop: Hopline, citation: Citation, key: str) -> None:
    whole = st.expander("Whole page", icon=":material/article:", on_change="rerun", key=f"whole page {key}")
    if whole.open:
        with whole:
            pages(hop, citation, whole=True)


def _file(hop: Hopline, document: str) -> Path | None:
    try:
        return hop.file(document)
    except (DocumentError, UsageError):
        return None  # rows of a .jsonl have no file


def _picture(path: Path, page: int, boxes: tuple[Box, ...], citation: Citation, *, whole: bool) -> None:
    name = f"page {page} of {citation.document}"
    try:
        picture = page_picture(path, page, boxes, whole=whole)
    except HoplineError as error:
        st.caption(f"The picture of {plain(name)} is missing: {plain(error)}.")
        return
    with st.container(key=f"picture {'whole' if whole else 'crop'} {page}"):
        st.image(
            picture, width="stretch", output_format="PNG", alt=f"{name}; highlighted: {excerpt(citation.quote, 300)}"
        )
