"""One node of the graph in full: what it is, its text and page, what it states and who cites it."""

from __future__ import annotations

from html import escape

import streamlit as st

from hopline.client import Detail, Hopline
from hopline.rendering.labels import place
from hopline.types import Citation, Evidence, Kind
from hopline_ui.components import source as source_view
from hopline_ui.formatting import sizes
from hopline_ui.markup import counted, plain
from hopline_ui.passage_html import passage_html
from hopline_ui.session import cache
from hopline_ui.sources import cited

ICONS: dict[Kind, str] = {
    "collection": ":material/folder:",
    "document": ":material/description:",
    "page": ":material/article:",
    "passage": ":material/notes:",
    "table": ":material/table:",
    "entity": ":material/label:",
    "triple": ":material/conversion_path:",
}
TEXTS = 4  # texts that are open at once
SORTS = {
    "PERSON": "person",
    "ORG": "organisation",
    "GPE": "place",
    "LOC": "place",
    "FAC": "building",
    "NORP": "group",
    "WORK_OF_ART": "work",
    "EVENT": "event",
    "PRODUCT": "product",
    "LAW": "law",
    "LANGUAGE": "language",
    "NOUN": "term",
    "DATE": "date",
    "TIME": "time",
    "MONEY": "amount",
    "QUANTITY": "amount",
    "PERCENT": "amount",
    "CARDINAL": "number",
    "ORDINAL": "number",
}


def head(detail: Detail) -> None:
    """Kind, name, and what else it is called."""
    node = detail.node
    name = f"p. {node.name}" if node.kind == "page" and node.name.isdigit() else node.name
    kind = " · ".join(filter(None, [node.kind, SORTS.get(detail.sort, detail.sort.lower())]))
    st.html(f'<p class="kind">{escape(kind)}</p><p class="name" dir="auto">{escape(name)}</p>')
    if detail.aliases:
        st.caption(f"Also: {plain(', '.join(detail.aliases))}")


def body(hop: Hopline, detail: Detail, collection: str) -> None:
    """Triples, texts with the name marked, pages, and the answers that cite it."""
    if detail.node.kind == "document":
        _document(hop, detail, collection)
    _triples(detail)
    _texts(hop, detail)
    _cited(detail)


def _document(hop: Hopline, detail: Detail, collection: str) -> None:
    there = next((one for one in hop.documents(collection) if one.id == detail.node.id), None)
    if there is not None:
        st.caption(" · ".join(sizes(there)))
        if there.title and there.title != there.name:
            st.html(f'<p dir="auto">{escape(there.title)}</p>')


def _triples(detail: Detail) -> None:
    if not detail.triples:
        return
    rows = "".join(
        f'<li dir="auto"><b>{escape(one.subject)}</b> {escape(one.predicate)} <b>{escape(one.object)}</b></li>'
        for one in detail.triples
    )
    st.html(f'<ul class="triples">{rows}</ul>')


def _texts(hop: Hopline, detail: Detail) -> None:
    for number, evidence in enumerate(detail.evidence[:TEXTS]):
        spans = detail.spans.get(evidence.id, ())
        span = spans[0] if spans else None
        st.html(f'<p class="where" dir="auto">{escape(place(evidence))}</p>{passage_html(evidence, span)}')
        _page(hop, evidence, span, f"{number} {evidence.id}")
    more = len(detail.evidence) - TEXTS
    if more > 0:
        st.caption(f"and {counted(more, 'more text')}")


def _page(hop: Hopline, evidence: Evidence, span: tuple[int, int] | None, key: str) -> None:
    """The page's picture, drawn only when it is asked for."""
    if not evidence.boxes:
        return
    page = st.expander("Page", icon=ICONS["page"], on_change="rerun", key=f"page of node {key}")
    if page.open:
        start, end = span or (0, len(evidence.text))
        with page:
            source_view.pages(hop, Citation(evidence, evidence.text[start:end], start, end))


def _cited(detail: Detail) -> None:
    """The questions of this session whose answers cite what is shown."""
    shown = {one.id for one in detail.evidence} if detail.node.kind in {"passage", "table"} else set()
    asking = [
        asked
        for asked, answered in cache.answers().items()
        if any(source.citation.evidence.id in shown for source in cited(answered.answer))
    ]
    if asking:
        lines = "".join(f'<li dir="auto">{escape(asked.question)}</li>' for asked in asking)
        st.html(f"<p>Cited in the answer to</p><ul>{lines}</ul>")
