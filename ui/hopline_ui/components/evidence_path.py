"""The evidence path of one source: drawn, as text, and the panel of the node that is selected."""

from __future__ import annotations

from html import escape

import streamlit as st

from hopline.client import Hopline
from hopline.rendering.labels import names
from hopline.types import Answer
from hopline_ui.components import node
from hopline_ui.components.answer import choose
from hopline_ui.components.graph_view import evidence_graph
from hopline_ui.formatting import path_lines
from hopline_ui.path_graph import add_context, draw_graph, draw_path
from hopline_ui.sources import Source, family

NEIGHBOURS = 60  # edges looked at around an evidence of the path, for the context


def show(hop: Hopline, answer: Answer, source: Source) -> None:
    """The drawing with everything around it."""
    _head(answer, source)
    drawing = draw_path(answer, source)
    if st.session_state.get("context"):
        around = [hop.explore(id, limit=NEIGHBOURS) for id in drawing.path if id in drawing.evidence]
        drawing = add_context(drawing, around)
    touched = evidence_graph(
        nodes=drawing.nodes,
        edges=drawing.edges,
        path=drawing.path,
        title=f"Evidence path, {source.label}",
        key="evidence path",
    )
    with st.container(horizontal=True, vertical_alignment="center", key="under path"):
        st.toggle("With context", key="context", help="The other entities that this path's passages mention")
        if touched.selected is None:
            st.caption("Click a node, or focus the drawing and use the arrow keys and Enter, to see what it holds.")
    picked = drawing.node(touched.selected)
    if picked is not None:
        node.show(hop, answer, drawing, picked)
    with st.expander("Evidence path as text", icon=":material/format_list_numbered:"):
        _as_text(answer, source)
    if answer.retrieval.graph:
        _graph(hop, answer)


def _graph(hop: Hopline, answer: Answer) -> None:
    """How the evidence leads to the answer, where the strategy found that out."""
    st.subheader("Evidence graph", anchor=False)
    st.caption("Which evidence follows which, from the question to what answers it")
    drawing = draw_graph(answer)
    touched = evidence_graph(
        nodes=drawing.nodes, edges=drawing.edges, path=drawing.path, title="Evidence graph", key="evidence graph"
    )
    picked = drawing.node(touched.selected)
    if picked is not None:
        node.show(hop, answer, drawing, picked, key="graph node")


def _head(answer: Answer, source: Source) -> None:
    """The title, and a switch between the paths of all sources of this kind."""
    labels = {one.key: one.short for one in family(answer, source.key)}
    with st.container(key="path head", horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.subheader("Evidence path", anchor=False, width="content")
        if len(labels) > 1:
            st.session_state["path of"] = source.key
            st.segmented_control(
                "Path of",
                list(labels),
                format_func=lambda key: labels.get(key, key),
                key="path of",
                required=True,
                label_visibility="collapsed",
                on_change=_switch,
            )


def _switch() -> None:
    choose(st.session_state["path of"])


def _as_text(answer: Answer, source: Source) -> None:
    path = source.citation.path
    known = names(answer.evidence)
    if path is None:
        st.html("<p>Search found this evidence directly; there is no way through the graph to tell.</p>")
        return
    lines = "".join(f"<li dir='auto'>{escape(line)}</li>" for line in path_lines(path, known))
    st.html(f"<ol class='path'>{lines}</ol>")
