"""The panel of a node of the path: what it is, its text or page, and where it leads."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import streamlit as st

from hopline.client import Hopline
from hopline.rendering.labels import place
from hopline.types import Answer, Evidence
from hopline_ui.components.answer import choose
from hopline_ui.passage_html import passage_html
from hopline_ui.path_graph import QUESTION, Drawing
from hopline_ui.sources import cited, found


def show(hop: Hopline, answer: Answer, drawing: Drawing, node: Mapping[str, Any], *, key: str = "node") -> None:
    """One panel for each kind of node; ``key`` tells the panels of two drawings apart."""
    with st.container(border=True, key=key):
        st.html(f'<p class="kind">{escape(node["kind"])}</p><p class="name" dir="auto">{escape(node["name"])}</p>')
        if node["id"] == QUESTION:
            st.html(f'<p dir="auto">{escape(answer.question)}</p>')
        elif node["id"] in drawing.evidence:
            _evidence(answer, drawing.evidence[node["id"]], key)
        elif node["kind"] == "page":
            _backing(answer, drawing, node["id"], key)
        elif node["kind"] == "document":
            _document(hop, answer, node)
        else:
            _between(drawing, node["id"])


def _evidence(answer: Answer, evidence: Evidence, panel: str) -> None:
    ranked = evidence.id not in {one.id for one in answer.additional_evidence}
    st.caption(f"Score {evidence.score:.3f}" if ranked else "Looked up for the answer")
    st.html(f'<p class="where" dir="auto">{escape(place(evidence))}</p>')
    st.html(passage_html(evidence))
    key = _key(answer, evidence.id)
    if key:
        st.button("Show as source", key=f"{panel} source", icon=":material/article:", on_click=choose, args=(key,))


def _key(answer: Answer, evidence: str) -> str | None:
    sources = [*cited(answer), *found(answer)]
    return next((source.key for source in sources if source.citation.evidence.id == evidence), None)


def _document(hop: Hopline, answer: Answer, node: Mapping[str, Any]) -> None:
    there = hop.documents(answer.retrieval.collection)
    document = next((one for one in there if one.id == node["id"]), None)
    if document:
        st.caption(f"{document.pages:,} pages · {document.passages:,} passages · {document.tables:,} tables")
    if node["detail"]:
        st.html(f'<p dir="auto">{escape(node["detail"])}</p>')


def _backing(answer: Answer, drawing: Drawing, page: str, panel: str) -> None:
    on_it = [edge["source"] for edge in drawing.edges if edge["target"] == page]
    for evidence in (drawing.evidence[id] for id in on_it if id in drawing.evidence):
        st.caption("Evidence on this page")
        st.html(passage_html(evidence))
        key = _key(answer, evidence.id)
        if key:
            st.button("Show this page", key=f"{panel} page of {evidence.id}", on_click=choose, args=(key,))


def _between(drawing: Drawing, id: str) -> None:
    """An entity or triple: what it ties together on this path."""
    drawn = {node["id"]: node for node in drawing.nodes}
    lines = [
        f"{drawn[edge['source']]['name']} — {edge['label']} → {drawn[edge['target']]['name']}"
        for edge in drawing.edges
        if id in (edge["source"], edge["target"])
    ]
    st.html("".join(f'<p class="tie" dir="auto">{escape(line)}</p>' for line in lines))
