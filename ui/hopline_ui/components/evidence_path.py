"""The evidence path of one source: as a graph, as text, and the details of the selected node."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import streamlit as st

from hopline.client import Hopline
from hopline.results import Answer
from hopline.results.labels import label_evidence, label_uncertain_triples
from hopline_ui.components import node, node_details
from hopline_ui.components.answer import select_source
from hopline_ui.components.graph_view import show_graph
from hopline_ui.formatting import describe_path
from hopline_ui.markup import escape_markdown
from hopline_ui.path_graph import add_context, build_graph_drawing, build_path_drawing
from hopline_ui.sources import AnswerSource, list_siblings

MAX_EDGES = 60  # loaded around each evidence of the path for its context


def show(hop: Hopline, answer: Answer, source: AnswerSource) -> None:
    """Show the path of a source, and the evidence graph where the strategy returned one."""
    _show_header(answer, source)
    uncertain = label_uncertain_triples(answer.retrieval, [source.citation.path])
    known = uncertain if node_details.shows_uncertain_triples() else {}
    drawing = build_path_drawing(answer, source, known)
    if st.session_state.get("context"):
        evidence_ids = [id for id in drawing.path if id in drawing.evidence]
        drawing = add_context(drawing, [hop.graph.get_neighbourhood(id, limit=MAX_EDGES) for id in evidence_ids])
    interaction = show_graph(
        nodes=drawing.nodes,
        edges=drawing.edges,
        path=drawing.path,
        title=f"Evidence path, {source.label}",
        key="evidence path",
    )
    with st.container(horizontal=True, vertical_alignment="center", key="under path"):
        st.toggle("Show context", key="context", help="Show other entities that the passages of this path mention")
        if any(id in uncertain for id in drawing.path):
            node_details.show_uncertain_switch()
        if interaction.selected is None:
            st.caption("Click a node for details. Keyboard: focus the graph, then arrow keys and Enter.")
    selected = drawing.find_node(interaction.selected)
    if selected is not None:
        node.show(hop, answer, drawing, selected)
    with st.expander("Evidence path as text", icon=":material/format_list_numbered:"):
        _show_text(answer, source, known)
    if answer.retrieval.graph:
        _show_evidence_graph(hop, answer)


def _show_evidence_graph(hop: Hopline, answer: Answer) -> None:
    st.subheader("Evidence graph", anchor=False)
    st.caption("How evidence leads from the question to the answer")
    drawing = build_graph_drawing(answer)
    interaction = show_graph(
        nodes=drawing.nodes, edges=drawing.edges, path=drawing.path, title="Evidence graph", key="evidence graph"
    )
    selected = drawing.find_node(interaction.selected)
    if selected is not None:
        node.show(hop, answer, drawing, selected, key="graph node")


def _show_header(answer: Answer, source: AnswerSource) -> None:
    """Show the title, and a button for the path of each source of this kind, with its document and page on hover."""
    siblings = list_siblings(answer, source.key)
    with st.container(key="path head", horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.subheader("Evidence path", anchor=False, width="content")
        if len(siblings) > 1:
            with st.container(key="paths", horizontal=True, gap="xsmall", width="content"):
                for sibling in siblings:
                    st.button(
                        sibling.short_label,
                        key=f"path of {sibling.key}",
                        help=escape_markdown(sibling.title),
                        type="primary" if sibling.key == source.key else "secondary",
                        on_click=select_source,
                        args=(sibling.key,),
                    )


def _show_text(answer: Answer, source: AnswerSource, uncertain: Mapping[str, str]) -> None:
    path = source.citation.path
    known = label_evidence(answer.evidence) | dict(uncertain)
    if path is None:
        st.html("<p>Search found this evidence directly, without a path through the graph.</p>")
        return
    lines = "".join(f"<li dir='auto'>{escape(line)}</li>" for line in describe_path(path, known))
    st.html(f"<ol class='path'>{lines}</ol>")
