"""Two nodes: the ways from one to the other, and saying that both are the same.

The first click keeps the one, the second, at the other, does it.
"""

from __future__ import annotations

import streamlit as st

from hopline.client import Hopline
from hopline.types import Node
from hopline_ui import search_scope
from hopline_ui.explored_graph import Sketch
from hopline_ui.markup import counted, plain
from hopline_ui.session import cache

WAYS = 3  # between two nodes
SHORT = 30  # characters of a name on a button
FIRST = "way from"


def show(hop: Hopline, sketch: Sketch, node: Node) -> None:
    """What can be done with this node and the one that was kept."""
    begin: Node | None = st.session_state.get(FIRST)
    if begin is None or begin.id == node.id or begin.id not in sketch.nodes:
        words = "Then select another node: to see the ways to it, or to say that both are the same"
        if st.button("From here", key="way from here", icon=":material/route:", help=words):
            st.session_state[FIRST] = node
            st.toast("Now select the other node.")
        return
    name = plain(begin.name[:SHORT])
    if st.button(f"Way from {name}", key="way to here", icon=":material/route:", type="primary"):
        _ways(hop, sketch, begin, node)
    if begin.kind == node.kind == "entity":
        words = f"{name} is another name of this, for every question from now on"
        if st.button(f"Same as {name}", key="same as", icon=":material/join_inner:", help=words):
            hop.merge(begin.id, node.id)
            st.session_state[FIRST] = None
            cache.forget_answers(search_scope.collection())
            sketch.join(begin.id, node)
            st.toast("Merged. It can be undone under “Same names”.")
            st.rerun()


def _ways(hop: Hopline, sketch: Sketch, begin: Node, node: Node) -> None:
    ways = hop.between(begin.id, node.id, limit=WAYS)
    st.session_state[FIRST] = None
    if not ways:
        st.toast("No way of at most 8 steps leads from one to the other.", icon=":material/block:")
        return
    sketch.follow(ways)
    st.toast(f"{counted(len(ways), 'way')} of {counted(len(ways[0]), 'step')}.")
    st.rerun()
