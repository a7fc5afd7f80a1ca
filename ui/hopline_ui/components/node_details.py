"""The details of a node of the graph: aliases, statements, dates, texts, pages, and the answers that cite it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from html import escape

import streamlit as st

from hopline.client import Hopline
from hopline.entities.types import describe_type
from hopline.errors import UnknownName
from hopline.graph_explorer import NodeDetails
from hopline.records import MIN_CONFIDENCE
from hopline.results import Citation, Evidence, NodeKind
from hopline.results.labels import describe_location
from hopline_ui.components import correction, entity_correction, entity_details
from hopline_ui.components import source as source_view
from hopline_ui.document_address import DocumentAddress, make_address, open_document
from hopline_ui.formatting import format_sizes
from hopline_ui.markup import escape_markdown, format_count
from hopline_ui.passage_html import render_passage
from hopline_ui.session import cache
from hopline_ui.sources import list_citations

ICONS: dict[NodeKind, str] = {
    "collection": ":material/folder:",
    "document": ":material/description:",
    "page": ":material/article:",
    "passage": ":material/notes:",
    "table": ":material/table:",
    "figure": ":material/image:",
    "entity": ":material/label:",
    "triple": ":material/conversion_path:",
    "reference": ":material/menu_book:",
}
MAX_TEXTS = 4


def show_header(details: NodeDetails) -> None:
    """Show kind, entity type, name and aliases."""
    node = details.node
    name = f"p. {node.name}" if node.kind == "page" and node.name.isdigit() else node.name
    kind = " · ".join(filter(None, [node.kind, describe_type(details.entity_kind)]))
    st.html(f'<p class="kind">{escape(kind)}</p><p class="name" dir="auto">{escape(name)}</p>')
    if details.aliases:
        st.caption(f"Also known as: {escape_markdown(', '.join(details.aliases))}")


def show_body(hop: Hopline, details: NodeDetails) -> None:
    """Show triples, texts with the entity highlighted, pages, and the questions whose answers cite the node."""
    details, hidden = _hide_uncertain_triples(details)
    if hidden:
        st.caption(f"{format_count(hidden, 'uncertain statement')} hidden.")
    if details.node.kind == "entity":
        _show_entity(hop, details)
        return
    if details.node.kind == "document":
        _show_document(hop, details)
        _show_open_button("Open document", DocumentAddress(details.node.id), details.node.id)
    elif details.node.kind == "page" and details.document and details.node.name.isdigit():
        address = DocumentAddress(details.document, int(details.node.name))
        _show_open_button("Open in document", address, details.node.id)
    _show_triples(details)
    _show_texts(hop, details)
    _show_citing_questions(details)


def show_uncertain_switch() -> None:
    """Show the switch for triples whose confidence is low."""
    help_text = "Also show statements that were probably read wrongly from their sentence"
    st.toggle("Uncertain statements", key="uncertain", help=help_text)


def shows_uncertain_triples() -> bool:
    """Return whether the switch is on."""
    return bool(st.session_state.get("uncertain"))


def _hide_uncertain_triples(details: NodeDetails) -> tuple[NodeDetails, int]:
    """Return the details without the triples that the switch hides, and their number."""
    if shows_uncertain_triples():
        return details, 0
    certain = tuple(triple for triple in details.triples if triple.confidence >= MIN_CONFIDENCE)
    return replace(details, triples=certain), len(details.triples) - len(certain)


def _show_entity(hop: Hopline, details: NodeDetails) -> None:
    """Show the correction of an entity, and its statements, timeline, texts and documents, those there are in tabs."""
    entity_correction.show(hop, details)
    parts: dict[str, tuple[int, Callable[[], None]]] = {
        "Statements": (len(details.triples), lambda: entity_details.show_statements(details)),
        "Timeline": (len(details.timeline), lambda: entity_details.show_timeline(details)),
        "Passages": (len(details.evidence), lambda: _show_texts(hop, details)),
        "Documents": (len(details.documents), lambda: entity_details.show_documents(details.documents)),
    }
    filled = {name: show for name, (count, show) in parts.items() if count}
    for tab, show in zip(st.tabs(list(filled)) if filled else (), filled.values(), strict=True):
        with tab:
            show()


def _show_document(hop: Hopline, details: NodeDetails) -> None:
    with suppress(UnknownName):  # it was deleted meanwhile
        document = hop.documents.get(details.node.id)
        st.caption(" · ".join(format_sizes(document)))
        if document.title and document.title != document.name:
            st.html(f'<p dir="auto">{escape(document.title)}</p>')


def _show_triples(details: NodeDetails) -> None:
    """List the statements, each with the button for a wrong one."""
    for triple in details.triples:
        with st.container(key=f"statement {triple.id}", gap=None):
            st.html(
                f'<p class="relation" dir="auto"><b>{escape(triple.subject)}</b> {escape(triple.predicate)} '
                f"<b>{escape(triple.object)}</b></p>"
            )
            correction.show_rejection_button([triple], key=triple.id)


def _show_texts(hop: Hopline, details: NodeDetails) -> None:
    for number, evidence in enumerate(details.evidence[:MAX_TEXTS]):
        spans = details.spans.get(evidence.id, ())
        span = spans[0] if spans else None
        st.html(
            f'<p class="where" dir="auto">{escape(describe_location(evidence))}</p>{render_passage(evidence, span)}'
        )
        _show_page(hop, evidence, span, f"{number} {evidence.id}")
        _show_open_button("Open in document", make_address(evidence, span), f"{number} {evidence.id}")
        correction.show(hop, evidence, key=f"{number} {evidence.id}")
    more = len(details.evidence) - MAX_TEXTS
    if more > 0:
        st.caption(f"and {format_count(more, 'more passage')}")


def _show_open_button(label: str, address: DocumentAddress, key: str) -> None:
    """Show the button that opens a page in the view of its document."""
    st.button(
        label,
        key=f"open document {key}",
        icon=":material/open_in_full:",
        type="tertiary",
        on_click=open_document,
        args=(address,),
    )


def _show_page(hop: Hopline, evidence: Evidence, span: tuple[int, int] | None, key: str) -> None:
    """Show an expander whose page image is rendered when it is opened."""
    if not evidence.boxes:
        return
    page = st.expander("Page", icon=ICONS["page"], on_change="rerun", key=f"page of node {key}")
    if page.open:
        start, end = span or (0, len(evidence.text))
        with page:
            source_view.show_pages(hop, Citation(evidence, evidence.text[start:end], start, end))


def _show_citing_questions(details: NodeDetails) -> None:
    """List the questions of this session whose answers cite this passage or table."""
    shown = {item.id for item in details.evidence} if details.node.kind in {"passage", "table", "figure"} else set()
    questions = [
        question
        for question, timed in cache.get_answers().items()
        if any(source.citation.evidence.id in shown for source in list_citations(timed.answer))
    ]
    if questions:
        lines = "".join(f'<li dir="auto">{escape(question.question)}</li>' for question in questions)
        st.html(f"<p>Cited in answers to</p><ul>{lines}</ul>")
