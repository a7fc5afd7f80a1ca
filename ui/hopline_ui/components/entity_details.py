"""What the graph says about an entity: statements by predicate, a timeline, and the documents that mention it.

Each statement has its source, a button that opens the page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from hopline.entities.timeline import DatedStatement
from hopline.graph_explorer import TRIPLE_LIMIT, MentioningDocument, NodeDetails
from hopline.records import Triple
from hopline.results import Evidence
from hopline.results.labels import describe_location
from hopline_ui.components import correction
from hopline_ui.document_address import DocumentAddress, make_address, open_document
from hopline_ui.markup import escape_markdown, format_count, highlight_html

MAX_PREDICATES = 8  # shown at once, the others in an expander
MAX_SOURCES = 3  # of one statement


def show_statements(details: NodeDetails) -> None:
    """Show the triples grouped by predicate, those with most statements first."""
    groups = group_triples(details.triples)
    sources = {item.id: item for item in details.sources}
    for predicate, statements in groups[:MAX_PREDICATES]:
        _show_group(predicate, statements, sources)
    if more := groups[MAX_PREDICATES:]:
        with st.expander(format_count(len(more), "more predicate")):
            for predicate, statements in more:
                _show_group(predicate, statements, sources)
    if len(details.triples) >= TRIPLE_LIMIT:
        st.caption(f"The first {TRIPLE_LIMIT} statements are shown.")


def group_triples(triples: Sequence[Triple]) -> list[tuple[str, list[list[Triple]]]]:
    """Return the predicates, each with its statements: triples with the same subject and object are one statement."""
    groups: defaultdict[str, dict[tuple[str, str], list[Triple]]] = defaultdict(dict)
    for triple in triples:
        key = (triple.subject.casefold(), triple.object.casefold())
        groups[triple.predicate].setdefault(key, []).append(triple)
    ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0].casefold()))
    return [(predicate, list(statements.values())) for predicate, statements in ordered]


def _show_group(predicate: str, statements: Sequence[Sequence[Triple]], sources: Mapping[str, Evidence]) -> None:
    with st.container(gap=None, key=f"predicate {statements[0][0].id}"):
        st.html(f'<p class="kind" dir="auto">{escape(predicate)}</p>')
        for triples in statements:
            first = triples[0]
            text = f"<b>{escape(first.subject)}</b> {escape(first.predicate)} <b>{escape(first.object)}</b>"
            st.html(f'<p class="relation" dir="auto">{text}</p>')
            for source in list(dict.fromkeys(triple.evidence for triple in triples))[:MAX_SOURCES]:
                _show_source(sources.get(source), f"{first.id} {source}")
            correction.show_rejection_button(triples, key=first.id)


def show_timeline(details: NodeDetails) -> None:
    """Show the dated statements, oldest first, each with its date marked."""
    sources = {item.id: item for item in details.sources}
    for number, statement in enumerate(details.timeline):
        with st.container(gap=None, key=f"dated {number} {details.node.id}"):
            st.html(
                f'<p class="kind">{escape(statement.date)}</p><p class="relation" dir="auto">{_mark(statement)}</p>'
            )
            _show_source(sources.get(statement.evidence), f"dated {number} {statement.evidence}")


def _mark(statement: DatedStatement) -> str:
    return highlight_html(statement.text, [statement.span])


def show_documents(documents: Sequence[MentioningDocument]) -> None:
    """List the documents that mention the entity, with the number of their passages; a click opens one."""
    for document in documents:
        with st.container(gap=None):
            st.button(
                escape_markdown(document.name),
                key=f"mentioned in {document.id}",
                icon=":material/description:",
                type="tertiary",
                on_click=open_document,
                args=(DocumentAddress(document.id),),
            )
            st.caption(format_count(document.passages, "passage"))
    if len(documents) >= TRIPLE_LIMIT:
        st.caption(f"The first {TRIPLE_LIMIT} documents are shown.")


def _show_source(evidence: Evidence | None, key: str) -> None:
    """Show the document and the page of a statement as a button that opens the page."""
    if evidence is None:
        return
    st.button(
        escape_markdown(describe_location(evidence)),
        key=f"source of {key}",
        icon=":material/article:",
        type="tertiary",
        help="Open this page",
        on_click=open_document,
        args=(make_address(evidence),),
    )
