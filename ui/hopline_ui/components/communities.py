"""The communities of a collection: a drawing with a node for each community, and a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from hopline.entities.communities import Community, CommunityGraph
from hopline_ui.components.graph_view import show_graph
from hopline_ui.markup import escape_markdown, format_count

KEY = "communities drawing"
ICON = ":material/workspaces:"
MIN_SIZE, MAX_SIZE = 22, 64  # pixels: diameter of the smallest and the largest node
MAX_WIDTH = 6  # pixels: width of the strongest link


def show_drawing(graph: CommunityGraph, *, title: str, height: int) -> str | None:
    """Show the communities as nodes; the area is that of their entities. Returns the id of the selected one."""
    nodes, edges = build_elements(graph)
    return show_graph(nodes=nodes, edges=edges, layout="force", title=title, height=height, key=KEY).selected


def clear_selection() -> None:
    """Select no community. Must be called before the drawing is shown."""
    st.session_state[KEY] = {"selected": None}


def build_elements(graph: CommunityGraph) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return nodes and edges as the graph component takes them."""
    largest = max((len(community.entities) for community in graph.communities), default=1)
    strongest = max((link.passages for link in graph.links), default=1)
    nodes = [
        {
            "id": community.id,
            "kind": "community",
            "name": community.name,
            "detail": format_counts(community),
            "size": round(MIN_SIZE + (MAX_SIZE - MIN_SIZE) * (len(community.entities) / largest) ** 0.5),
        }
        for community in graph.communities
    ]
    edges = [
        {
            "source": link.source,
            "target": link.target,
            "label": f"shares {format_count(link.passages, 'passage')} with",
            "width": round(1 + (MAX_WIDTH - 1) * link.passages / strongest, 1),
        }
        for link in graph.links
    ]
    return nodes, edges


def show_list(communities: Sequence[Community], select: Callable[[str], None], *, height: int) -> None:
    """List the communities with their numbers; a click calls ``select`` with the id of one."""
    with st.container(height=height, border=False, key="communities", gap="small"):
        for community in communities:
            with st.container(gap=None):
                st.button(
                    escape_markdown(community.name),
                    key=f"community {community.id}",
                    icon=ICON,
                    type="tertiary",
                    on_click=select,
                    args=(community.id,),
                )
                st.caption(format_counts(community))


def format_counts(community: Community) -> str:
    """As "16 entities · 17 passages · 5 documents"."""
    entities = format_count(len(community.entities), "entity", "entities")
    passages, documents = format_count(community.passages, "passage"), format_count(community.documents, "document")
    return f"{entities} · {passages} · {documents}"
