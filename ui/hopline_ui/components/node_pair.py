"""Actions on two nodes: find the paths between them, merge them.

The first click sets the start node; the second, at another node, runs the action.
"""

from __future__ import annotations

import streamlit as st

from hopline.client import Hopline
from hopline.results import Node
from hopline_ui import search_scope
from hopline_ui.explored_graph import GraphCanvas
from hopline_ui.markup import escape_markdown, format_count
from hopline_ui.session import cache
from hopline_ui.session.state import get_state

MAX_PATHS = 3
NAME_LENGTH = 30  # characters of a name on a button


def show(hop: Hopline, canvas: GraphCanvas, node: Node) -> None:
    """Show the actions for this node and the start node."""
    start = get_state().path_start
    if start is None or start.id == node.id or start.id not in canvas.nodes:
        help_text = "Then select another node to find the paths between both, or to merge them"
        if st.button("Path from here", key="way from here", icon=":material/route:", help=help_text):
            get_state().path_start = node
            st.toast("Now select the other node.")
        return
    name = escape_markdown(start.name[:NAME_LENGTH])
    if st.button(f"Path from {name}", key="way to here", icon=":material/route:", type="primary"):
        _add_paths(hop, canvas, start, node)
    if start.kind == node.kind == "entity":
        help_text = f"Merge {name} into this entity, for all questions"
        if st.button(f"Merge with {name}", key="same as", icon=":material/join_inner:", help=help_text):
            hop.entities.merge(start.id, node.id)
            get_state().path_start = None
            cache.clear_answers(search_scope.get_collection())
            canvas.merge(start.id, node)
            st.toast("Merged. You can undo this under “Merge duplicates”.")
            st.rerun()


def _add_paths(hop: Hopline, canvas: GraphCanvas, start: Node, end: Node) -> None:
    paths = hop.graph.find_paths(start.id, end.id, limit=MAX_PATHS)
    get_state().path_start = None
    if not paths:
        st.toast("No path of at most 8 edges connects these nodes.", icon=":material/block:")
        return
    canvas.add_paths(paths)
    st.toast(f"{format_count(len(paths), 'path')} of {format_count(len(paths[0]), 'edge')}.")
    st.rerun()
