"""The details of a node of an evidence path: text, page or document, and its edges on the path."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from html import escape
from typing import Any

import streamlit as st

from hopline.client import Hopline
from hopline.errors import UnknownName
from hopline.results import Answer, Evidence
from hopline.results.labels import describe_location
from hopline_ui.components import correction
from hopline_ui.components.answer import select_source
from hopline_ui.passage_html import render_passage
from hopline_ui.path_graph import QUESTION, GraphDrawing
from hopline_ui.sources import list_citations, list_evidence


def show(hop: Hopline, answer: Answer, drawing: GraphDrawing, node: Mapping[str, Any], *, key: str = "node") -> None:
    """Show the panel of a node, by its kind; ``key`` distinguishes the panels of two graphs."""
    with st.container(border=True, key=key):
        st.html(f'<p class="kind">{escape(node["kind"])}</p><p class="name" dir="auto">{escape(node["name"])}</p>')
        if node["id"] == QUESTION:
            st.html(f'<p dir="auto">{escape(answer.question)}</p>')
        elif node["id"] in drawing.evidence:
            _show_evidence(answer, drawing.evidence[node["id"]], key)
        elif node["kind"] == "page":
            _show_page(answer, drawing, node["id"], key)
        elif node["kind"] == "document":
            _show_document(hop, node)
        else:
            _show_edges(drawing, node["id"])
            if node["kind"] == "triple":
                _show_rejection_button(hop, node["id"], key)


def _show_evidence(answer: Answer, evidence: Evidence, panel: str) -> None:
    retrieved = evidence.id not in {item.id for item in answer.additional_evidence}
    st.caption(f"Score {evidence.score:.3f}" if retrieved else "Additional evidence for the answer")
    st.html(f'<p class="where" dir="auto">{escape(describe_location(evidence))}</p>')
    st.html(render_passage(evidence))
    key = _find_source_key(answer, evidence.id)
    if key:
        st.button(
            "Show as source", key=f"{panel} source", icon=":material/article:", on_click=select_source, args=(key,)
        )


def _find_source_key(answer: Answer, evidence: str) -> str | None:
    sources = [*list_citations(answer), *list_evidence(answer)]
    return next((source.key for source in sources if source.citation.evidence.id == evidence), None)


def _show_document(hop: Hopline, node: Mapping[str, Any]) -> None:
    with suppress(UnknownName):  # it was deleted after the answer
        document = hop.documents.get(node["id"])
        st.caption(f"{document.pages:,} pages · {document.passages:,} passages · {document.tables:,} tables")
    if node["detail"]:
        st.html(f'<p dir="auto">{escape(node["detail"])}</p>')


def _show_page(answer: Answer, drawing: GraphDrawing, page: str, panel: str) -> None:
    on_page = [edge["source"] for edge in drawing.edges if edge["target"] == page]
    for evidence in (drawing.evidence[id] for id in on_page if id in drawing.evidence):
        st.caption("Evidence on this page")
        st.html(render_passage(evidence))
        key = _find_source_key(answer, evidence.id)
        if key:
            st.button("Show page", key=f"{panel} page of {evidence.id}", on_click=select_source, args=(key,))


def _show_rejection_button(hop: Hopline, id: str, panel: str) -> None:
    with suppress(UnknownName):  # it was left out, or its document deleted, after the answer
        correction.show_rejection_button(hop.graph.get_node(id).triples, key=f"{panel} {id}")


def _show_edges(drawing: GraphDrawing, id: str) -> None:
    """Show the edges of an entity or triple on this path."""
    nodes = {node["id"]: node for node in drawing.nodes}
    lines = [
        f"{nodes[edge['source']]['name']} — {edge['label']} → {nodes[edge['target']]['name']}"
        for edge in drawing.edges
        if id in (edge["source"], edge["target"])
    ]
    st.html("".join(f'<p class="relation" dir="auto">{escape(line)}</p>' for line in lines))
