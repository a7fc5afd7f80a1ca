"""A page of a document with its marks: its picture where there is one, its text, and the entities that it mentions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

import streamlit as st

from hopline.client import Hopline
from hopline.documents.pages import MAX_EVIDENCE, DocumentPage
from hopline.errors import HoplineError, UnknownName
from hopline.records import Document
from hopline.results import Evidence
from hopline_ui import page_links
from hopline_ui.components import conversation, correction
from hopline_ui.document_address import DocumentAddress
from hopline_ui.markup import escape_markdown, format_count
from hopline_ui.page_images import render_document_page
from hopline_ui.page_marks import (
    Mark,
    get_entity_colour,
    mark_citations,
    mark_entities,
    mark_opened,
    select_boxes,
)
from hopline_ui.passage_html import render_marked_passage
from hopline_ui.session import cache
from hopline_ui.session.state import get_state
from hopline_ui.sources import list_document_citations

MAX_ENTITIES = 60  # listed of a page
MAX_CITED_PAGES = 12


def show(hop: Hopline, document: Document, address: DocumentAddress) -> None:
    """Show the page of an address, with the buttons that open other pages and the switches of the marks."""
    try:
        page = hop.documents.read_page(
            document.id,
            min(address.page, max(1, document.pages)),
            start=address.start,
            around=address.evidence,
        )
    except UnknownName:
        st.info("This page is not in the graph: the document is being processed again.", icon=":material/sync:")
        return
    _show_navigation(hop, document, page)
    marks = [*mark_opened(page, address), *_choose_marks(document, page)]
    if page.has_image:
        _show_image(hop, document, page, marks)
        _show_entities(document, page)
        _show_text_of_image(hop, document, page, marks)
        return
    _show_entities(document, page)
    _show_texts(hop, document, page, marks)


def go_to(address: DocumentAddress) -> None:
    """Open another page or place of the document. Must be called by a callback."""
    get_state().other_pages = ("", ())
    st.query_params.from_dict(address.to_parameters())


def _show_navigation(hop: Hopline, document: Document, page: DocumentPage) -> None:
    if document.pages <= 1:
        return
    with st.container(key="page navigation", horizontal=True, vertical_alignment="center", gap="small"):
        _show_step("Previous", "chevron_left", document, page.number - 1)
        st.session_state["page number"] = str(page.number)
        st.text_input(
            "Page",
            key="page number",
            label_visibility="collapsed",
            max_chars=30,
            width=90,
            autocomplete="off",
            help="Enter the number of a page, or the number printed on it, such as iv",
            on_change=_go_to_entered,
            args=(hop, document),
        )
        printed = f" · printed {escape_markdown(page.label)}" if page.label not in ("", str(page.number)) else ""
        st.caption(f"of {document.pages:,}{printed}", width="content")
        _show_step("Next", "chevron_right", document, page.number + 1)
        _show_other_pages(document)


def _show_step(label: str, icon: str, document: Document, page: int) -> None:
    st.button(
        label,
        key=f"{label.lower()} page",
        icon=f":material/{icon}:",
        icon_position="right" if label == "Next" else "left",
        disabled=not 1 <= page <= document.pages,
        on_click=go_to,
        args=(DocumentAddress(document.id, page),),
    )


def _go_to_entered(hop: Hopline, document: Document) -> None:
    text = (st.session_state["page number"] or "").strip()
    pages = hop.documents.find_pages(document.id, text) if text else ()
    if not pages:
        st.toast(f"There is no page “{escape_markdown(text)}”.", icon=":material/search_off:")
        return
    go_to(DocumentAddress(document.id, pages[0]))
    get_state().other_pages = (text, pages[1:])


def _show_other_pages(document: Document) -> None:
    """Show a button for each other page on which the entered number is printed."""
    text, pages = get_state().other_pages
    for page in pages[:3]:
        st.button(
            f"Page printed {escape_markdown(text)}",
            key=f"printed page {page}",
            type="tertiary",
            on_click=go_to,
            args=(DocumentAddress(document.id, page),),
        )


def _choose_marks(document: Document, page: DocumentPage) -> list[Mark]:
    """Show the switches; return the marks of those that are on."""
    answers = conversation.list_previous_answers(cache.get_answers(), document.collection)
    citations = list_document_citations(answers, document.id)
    stated = [entry for entry in document.bibliography if entry.page and entry.boxes]
    marks: list[Mark] = []
    with st.container(key="page switches", horizontal=True, vertical_alignment="center"):
        cites = st.toggle(
            "Mark citations",
            key="mark citations",
            disabled=not citations,
            help="Mark what the answers of this conversation cite"
            if citations
            else "No answer of this conversation cites this document",
        )
        entities = st.toggle("Mark entities", key="mark entities", help="Mark names in the colours of their types")
        values = bool(stated) and st.toggle("Mark the values of the card", key=f"mark {document.id}")
    if entities:
        marks += mark_entities(page)
        _show_legend(page)
    if cites and citations:
        marks += mark_citations(citations)
        _show_pages("Cited on", document, [box.page for _, citation in citations for box in citation.boxes[:1]])
    if values:
        marks += [Mark("", 0, 0, entry.boxes) for entry in stated]
        _show_pages("Values from", document, [entry.page for entry in stated])
    return marks


def _show_pages(label: str, document: Document, pages: Sequence[int]) -> None:
    """Show a link to each page."""
    if document.pages <= 1 or not pages:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"pages {label}"):
        st.caption(label, width="content")
        for page in sorted(set(pages))[:MAX_CITED_PAGES]:
            st.button(
                f"Page {page}",
                key=f"{label} {page} {document.id}",
                type="tertiary",
                on_click=go_to,
                args=(DocumentAddress(document.id, page),),
            )


def _show_legend(page: DocumentPage) -> None:
    counts = Counter(type for type, _ in {(mention.type, mention.entity) for mention in page.mentions})
    if not counts:
        st.caption("No entities are mentioned on this page.")
        return
    items = "".join(
        f'<li><span class="swatch" style="background-color: {get_entity_colour(type)}"></span>'
        f"{escape(type or 'other')} {count}</li>"
        for type, count in sorted(counts.items(), key=lambda item: (not item[0], item[0]))
    )
    st.html(f'<ul class="legend" aria-label="Types of entities">{items}</ul>')


def _show_image(hop: Hopline, document: Document, page: DocumentPage, marks: Sequence[Mark]) -> None:
    boxes, colours = select_boxes(marks, page.number)
    try:
        image = render_document_page(hop, document.id, document.sha256, page.number, tuple(boxes), tuple(colours))
    except HoplineError as error:
        st.caption(f"Page {page.number} cannot be shown: {escape_markdown(error)}.")
        return
    with st.container(key=f"picture page {page.number}"):
        alt = f"page {page.number} of {document.name}" + ("; marked" if boxes else "")
        st.image(image, width="stretch", output_format="PNG", alt=alt)


def _show_entities(document: Document, page: DocumentPage) -> None:
    """Show the entities of the page in an expander; a click opens one in Explore."""
    entities = {mention.entity: mention for mention in page.mentions}
    if not entities:
        return
    label = f"Entities on this page · {len(entities):,}"
    expander = st.expander(label, icon=":material/label:", on_change="rerun", key="page entities")
    if not expander.open:
        return
    with expander, st.container(horizontal=True, gap="small", key="entities of page"):
        for mention in list(entities.values())[:MAX_ENTITIES]:
            st.button(
                escape_markdown(mention.name),
                key=f"entity {mention.entity}",
                type="tertiary",
                icon=":material/hub:",
                help=escape_markdown(" · ".join(filter(None, [mention.type, "show in the graph"]))),
                on_click=_open_in_graph,
                args=(document, mention.entity),
            )


def _show_text_of_image(hop: Hopline, document: Document, page: DocumentPage, marks: Sequence[Mark]) -> None:
    label = f"Text of this page · {format_count(page.total, 'passage')}"
    expander = st.expander(label, icon=":material/notes:", on_change="rerun", key="page text")
    if expander.open:
        with expander:
            _show_texts(hop, document, page, marks)


def _show_texts(hop: Hopline, document: Document, page: DocumentPage, marks: Sequence[Mark]) -> None:
    """Show the passages, tables and figures with their marks, each with its place in the graph and its correction."""
    if not page.evidence:
        st.caption("No text was read from this page.")
    section: tuple[str, ...] = ()
    for evidence in page.evidence:
        if evidence.section and evidence.section != section:
            st.html(f'<p class="section" dir="auto">{escape(" › ".join(evidence.section))}</p>')
        section = evidence.section
        _show_text(hop, document, evidence, [mark for mark in marks if mark.evidence == evidence.id])
    _show_parts(document, page)


def _show_text(hop: Hopline, document: Document, evidence: Evidence, marks: Sequence[Mark]) -> None:
    st.html(render_marked_passage(evidence, marks))
    row = {"horizontal": True, "vertical_alignment": "center", "gap": "small"}
    with st.container(key=f"passage {evidence.id}", **row):  # type: ignore[arg-type]
        st.button(
            "Show in graph",
            key=f"graph {evidence.id}",
            icon=":material/hub:",
            type="tertiary",
            help="Show the entities and statements of this text in Explore",
            on_click=_open_in_graph,
            args=(document, evidence.id),
        )
        correction.show(hop, evidence, key=f"page {evidence.id}")


def _show_parts(document: Document, page: DocumentPage) -> None:
    """Show which part of a long page is shown, and buttons for the parts before and after it."""
    if page.total <= len(page.evidence):
        return
    last = page.start + len(page.evidence)
    with st.container(key="page parts", horizontal=True, vertical_alignment="center", gap="small"):
        for label, start, exists in (
            ("Earlier text", max(0, page.start - MAX_EVIDENCE), page.start > 0),
            ("Later text", last, last < page.total),
        ):
            st.button(
                label,
                key=label.lower(),
                disabled=not exists,
                on_click=go_to,
                args=(DocumentAddress(document.id, page.number, start=start),),
            )
        st.caption(f"Passages {page.start + 1:,}–{last:,} of {page.total:,}", width="content")


def _open_in_graph(document: Document, node: str) -> None:
    """Open Explore on a node, with its connections."""
    get_state().canvases.pop(document.collection, None)
    page_links.open_page("explore", {"node": node})
