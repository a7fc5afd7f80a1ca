"""Explore: communities of entities; search nodes, show their connections, find paths between two nodes."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from html import escape

import streamlit as st

from hopline.client import Hopline
from hopline.entities.communities import CommunityGraph
from hopline.entities.ranking import RankedEntity
from hopline.entities.types import ENTITY_TYPES, describe_type
from hopline.errors import UnknownName
from hopline.graph_explorer import NodeMatch
from hopline.records import Collection
from hopline.results import Node, NodeKind
from hopline_ui import search_scope
from hopline_ui.components import (
    communities,
    entity_merge,
    node_details,
    node_pair,
    path_search,
    saved_views,
)
from hopline_ui.components.graph_view import show_graph
from hopline_ui.explored_graph import GraphCanvas
from hopline_ui.markup import escape_markdown, format_count
from hopline_ui.session import cache
from hopline_ui.session.cache import NodeSearch
from hopline_ui.session.state import get_state

OVERVIEW_NODES = 300
MAX_EDGES = 40  # loaded around an expanded node
MAX_COMMUNITIES = 24
MIN_COMMUNITIES = 3  # with fewer, the page opens with the graph of the most connected entities
COMMUNITY_NODES = 120  # entities of a community, with passages and triples that connect them
SEARCHED_KINDS: tuple[NodeKind, ...] = ("entity", "document", "table", "figure", "passage")
MAX_MATCHES = 6  # per kind
MAX_RANKED = 15  # entities in the list beside the graph
MAX_MEMBERS = 40  # entities of a community in the list beside the graph
HEIGHT = 620  # pixels


def show(hop: Hopline, collections: Sequence[Collection]) -> None:
    """Show the page."""
    with st.container(key="explore head", horizontal=True, vertical_alignment="bottom"):
        name = search_scope.select_collection(collections)
        text = st.text_input(
            "Find",
            key="find text",
            placeholder="Name, document, or words of a passage, table or figure",
            max_chars=300,
            autocomplete="off",
        )
    collection = next((collection for collection in collections if collection.name == name), None)
    if collection is not None:
        path_search.show_form(hop, collection)
        if text and text.strip():
            _show_matches(cache.find_nodes(hop, NodeSearch(text, collection, SEARCHED_KINDS, MAX_MATCHES)), name)
        if path_search.show(hop, collection):
            return
    canvas = _get_canvas(hop, name)
    if canvas is None:
        with st.spinner("Finding communities of entities …", show_time=True):
            graph = hop.graph.list_communities(name, limit=MAX_COMMUNITIES)
        if len(graph.communities) >= MIN_COMMUNITIES:
            _show_communities(hop, name, graph)
            return
        canvas = get_state().canvases[name] = _load_overview(hop, name)
        _select(None)
    if not canvas.nodes:
        st.info("No entities yet. They appear here as documents are processed.", icon=":material/hub:")
        return
    _show_graph(hop, name, canvas)


def _get_canvas(hop: Hopline, name: str) -> GraphCanvas | None:
    """Return the session's graph of a collection; a new one starts at the node in the address, or at a community."""
    canvases = get_state().canvases
    opened, get_state().open_community = get_state().open_community, ""
    node = st.query_params.get("node", "")
    if opened and (canvas := _load_community(hop, name, opened)):
        canvases[name] = canvas
        _select(None)
    elif (name not in canvases or not canvases[name].nodes) and (canvas := _load_neighbourhood(hop, node)):
        canvases[name] = canvas
        _select(node)
    return canvases[name] if name in canvases and canvases[name].nodes else None


def _load_community(hop: Hopline, name: str, id: str) -> GraphCanvas | None:
    """Return the entities of a community with what connects them; None where there is no such community any more."""
    communities.clear_selection()
    graph = hop.graph.list_communities(name, limit=MAX_COMMUNITIES)
    community = next((community for community in graph.communities if community.id == id), None)
    if community is None:
        st.toast("This community has changed. Select one again.", icon=":material/link_off:")
        return None
    canvas = GraphCanvas(community=community)
    canvas.add_neighbourhood(hop.graph.get_community(id, name, limit=COMMUNITY_NODES))
    return canvas


def _load_neighbourhood(hop: Hopline, id: str) -> GraphCanvas | None:
    """Return a node with its connections; None where there is no such node."""
    if not id:
        return None
    canvas = GraphCanvas()
    try:
        _expand(hop, canvas, id)
    except UnknownName:
        st.toast("The node in this address is no longer in the graph.", icon=":material/link_off:")
        st.query_params.pop("node", None)
        return None
    return canvas


def _load_overview(hop: Hopline, name: str) -> GraphCanvas:
    canvas, overview = GraphCanvas(), hop.graph.get_overview(name, limit=OVERVIEW_NODES)
    canvas.add_neighbourhood(overview)
    canvas.total = overview.total
    return canvas


def _show_matches(matches: Sequence[NodeMatch], name: str) -> None:
    """Show the search results, by kind; a click adds the node to the graph and selects it."""
    if not matches:
        st.caption("No matches. Try fewer letters, or another collection.")
        return
    with st.container(key="finds", horizontal=True, gap="small"):
        for match in matches:
            about = describe_type(match.about) if match.node.kind == "entity" else match.about
            detail = f"{about} · " if about else ""
            kind = match.node.kind.capitalize()
            st.button(
                escape_markdown(match.node.name),
                key=f"find {match.node.id}",
                icon=node_details.ICONS[match.node.kind],
                help=f"{kind} · {escape_markdown(detail)}{format_count(match.size, 'edge')}",
                on_click=_add_match,
                args=(name, match.node),
            )


def _add_match(name: str, node: Node) -> None:
    """Add a node to the graph of a collection, a new one while its communities are shown, and select it."""
    path_search.close()
    get_state().canvases.setdefault(name, GraphCanvas()).add_node(node)
    get_state().open_node = node.id
    _select(node.id)


def _hide(canvas: GraphCanvas, id: str) -> None:
    canvas.hide(id)
    _select(None)


def _reset(name: str) -> None:
    get_state().canvases.pop(name, None)
    communities.clear_selection()
    _select(None)


def _open_overview(hop: Hopline, name: str) -> None:
    get_state().canvases[name] = _load_overview(hop, name)
    _select(None)


def _open_community(id: str) -> None:
    get_state().open_community = id


def _select(id: str | None) -> None:
    """Select a node, also in the address. Must be called before the graph is shown."""
    st.session_state["sketch drawing"] = {"selected": id}
    if id is None:
        st.query_params.pop("node", None)


def _show_graph(hop: Hopline, name: str, canvas: GraphCanvas) -> None:
    pending, get_state().open_node = get_state().open_node, ""
    if pending in canvas.nodes:
        _expand(hop, canvas, pending)
    left, right = st.columns([8, 4], gap="large")
    with left:
        nodes, edges = canvas.to_elements()
        interaction = show_graph(
            nodes=nodes,
            edges=edges,
            path=canvas.path,
            layout="force",
            title=f"Graph of {name}",
            height=HEIGHT,
            key="sketch drawing",
        )
        _show_toolbar(hop, name, canvas)
    if interaction.expanded in canvas.nodes:
        _expand(hop, canvas, interaction.expanded)
        st.rerun()
    with right:
        if interaction.selected:
            _show_details(hop, canvas, interaction.selected)
        else:
            st.caption(
                "Click a node for details; double-click it or press E for its connections. Keyboard: arrow keys, Enter."
            )
            _show_entities(hop, name, canvas)


def _show_communities(hop: Hopline, name: str, graph: CommunityGraph) -> None:
    """Show the communities as a drawing and as a list, and the most mentioned entities."""
    left, right = st.columns([8, 4], gap="large")
    with left:
        selected = communities.show_drawing(graph, title=f"Communities of {name}", height=HEIGHT)
        with st.container(horizontal=True, vertical_alignment="center", key="under sketch"):
            _show_community_toolbar(hop, name, graph)
        _show_code(name)
    if selected:
        _open_community(selected)
        st.rerun()
    with right:
        st.caption("Entities that the same passages mention form a community. Click one to open it.")
        listed, ranked = st.tabs(["Communities", "Most mentioned"])
        with listed:
            communities.show_list(graph.communities, _open_community, height=HEIGHT)
        with ranked:
            _show_ranked_entities(hop, name)


def _show_community_toolbar(hop: Hopline, name: str, graph: CommunityGraph) -> None:
    shown = f"{len(graph.communities):,}"
    total = f" of {graph.total:,}" if graph.total > len(graph.communities) else ""
    st.caption(f"Showing {shown}{total} communities")
    help_text = "Show the most connected entities with their passages instead"
    st.button(
        "Entities", key="all entities", icon=":material/hub:", help=help_text, on_click=_open_overview, args=(hop, name)
    )
    saved_views.show(hop, name, None)
    _show_merge_button(name, GraphCanvas())


def _show_entities(hop: Hopline, name: str, canvas: GraphCanvas) -> None:
    """Show the entities of the community that was opened, else the most mentioned ones of the collection."""
    if canvas.community is None:
        _show_ranked_entities(hop, name)
        return
    st.html(f'<p class="kind">community</p><p class="name" dir="auto">{escape(canvas.community.name)}</p>')
    st.caption(communities.format_counts(canvas.community))
    _show_entity_buttons(canvas.community.entities[:MAX_MEMBERS], name)
    more = len(canvas.community.entities) - MAX_MEMBERS
    if more > 0:
        st.caption(f"and {more:,} more")


def _show_ranked_entities(hop: Hopline, name: str) -> None:
    """Show the entities that most passages of the collection mention, of all types or of one."""
    types = sorted(set(ENTITY_TYPES.values()))
    chosen = st.selectbox("Most mentioned", ["all types", *types], key="entity type", format_func=str.capitalize)
    entities = hop.graph.list_entities(name, types=[chosen] if chosen in types else [], limit=MAX_RANKED)
    if not entities:
        st.caption("No entities of this type.")
    _show_entity_buttons(entities, name)


def _show_entity_buttons(entities: Sequence[RankedEntity], name: str) -> None:
    """Show a button for each entity with its number of passages; it adds the entity to the graph and selects it."""
    with st.container(key="shared names", gap="xxsmall"):
        for entity in entities:
            size = f"{format_count(entity.passages, 'passage')}, {format_count(entity.documents, 'document')}"
            label = f"{escape_markdown(entity.node.name)} · {entity.passages:,}"
            st.button(
                label,
                key=f"shared {entity.node.id}",
                icon=node_details.ICONS["entity"],
                help=" · ".join(filter(None, [entity.type.capitalize(), size])),
                type="tertiary",
                on_click=_add_match,
                args=(name, entity.node),
            )


def _show_toolbar(hop: Hopline, name: str, canvas: GraphCanvas) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="under sketch"):
        st.caption(canvas.format_size())
        help_text = "Back to the communities, or to the most connected entities of a small collection"
        st.button("Overview", key="overview", icon=communities.ICON, help=help_text, on_click=_reset, args=(name,))
        _show_merge_button(name, canvas)
        node_details.show_uncertain_switch()
        saved_views.show(hop, name, canvas)
        with st.popover("Export", icon=":material/download:"):
            for kind, rows in (("nodes", _list_node_rows(canvas)), ("edges", _list_edge_rows(canvas))):
                st.download_button(
                    f"{kind.capitalize()} as CSV", _to_csv(rows), f"{kind}.csv", "text/csv", key=f"csv {kind}"
                )
    _show_code(name, canvas)


def _show_merge_button(name: str, canvas: GraphCanvas) -> None:
    help_text = "Review similar names: merge them or keep them separate"
    if st.button("Merge duplicates", key="same names button", icon=":material/join_inner:", help=help_text):
        get_state().suggestions.clear()  # computed again whenever the dialog is opened
        entity_merge.show(name, canvas)


def _show_code(name: str, canvas: GraphCanvas | None = None) -> None:
    with st.expander("Python code", icon=":material/code:"):
        st.code(_build_code(name, canvas), language="python")


def _show_details(hop: Hopline, canvas: GraphCanvas, id: str) -> None:
    """Show the selected node and its actions."""
    if st.query_params.get("node") != id:
        st.query_params["node"] = id
    try:
        details = hop.graph.get_node(id)
    except UnknownName:
        st.caption("This node is no longer in the graph: its document was deleted, or it was merged into another.")
        return
    with st.container(border=True, key="node"):
        node_details.show_header(details)
        with st.container(horizontal=True, gap="small", key="node actions"):
            _show_actions(hop, canvas, id)
        node_details.show_body(hop, details)


def _show_actions(hop: Hopline, canvas: GraphCanvas, id: str) -> None:
    help_text = "Add the node's connections to the graph"
    if st.button("Show connections", key="open", icon=":material/add_circle:", help=help_text):
        new = _expand(hop, canvas, id)
        st.toast(f"{format_count(new, 'new node')}." if new else "All connections are already shown.")
        st.rerun()
    st.button(
        "Unpin" if id in canvas.pinned else "Pin",
        key="pin",
        icon=":material/keep:",
        help="Keep the node at its position",
        on_click=canvas.toggle_pin,
        args=(id,),
    )
    st.button(
        "Hide",
        key="hide",
        icon=":material/visibility_off:",
        help="Hide the node and the nodes connected only to it",
        on_click=_hide,
        args=(canvas, id),
    )
    node_pair.show(hop, canvas, canvas.nodes[id])


def _expand(hop: Hopline, canvas: GraphCanvas, id: str) -> int:
    """Add the connections of a node; returns the number of new nodes."""
    uncertain = node_details.shows_uncertain_triples()
    return canvas.add_neighbourhood(hop.graph.get_neighbourhood(id, limit=MAX_EDGES, uncertain=uncertain))


def _list_node_rows(canvas: GraphCanvas) -> list[tuple[str, ...]]:
    return [("id", "kind", "name"), *((node.id, node.kind, node.name) for node in canvas.nodes.values())]


def _list_edge_rows(canvas: GraphCanvas) -> list[tuple[str, ...]]:
    return [("source", "edge", "target"), *canvas.edges]


def _to_csv(rows: Sequence[Sequence[str]]) -> bytes:
    """Return CSV in UTF-8 with a byte order mark for spreadsheets; cells that look like formulas are quoted."""
    file = io.StringIO()
    csv.writer(file).writerows(
        [f"'{cell}" if cell.startswith(("=", "+", "-", "@")) else cell for cell in row] for row in rows
    )
    return file.getvalue().encode("utf-8-sig")


def _build_code(name: str, canvas: GraphCanvas | None) -> str:
    """Return the calls that read what is shown: the communities if ``canvas`` is None, else a graph."""
    lines = ["from hopline import Hopline", "", "with Hopline.open() as hop:"]
    text, id = st.session_state.get("find text") or "", st.query_params.get("node", "")
    if canvas is None:
        lines.append(f"    graph = hop.graph.list_communities({name!r}, limit={MAX_COMMUNITIES})")
    elif canvas.community:
        lines.append(f"    community = hop.graph.get_community({canvas.community.id!r}, {name!r})")
    else:
        lines.append(f"    overview = hop.graph.get_overview({name!r}, limit={OVERVIEW_NODES})")
    if text:
        lines.append(f"    matches = hop.graph.find({text!r}, collection={name!r})")
    if id:
        lines.append(f"    node = hop.graph.get_node({id!r})")
        lines.append(f"    neighbourhood = hop.graph.get_neighbourhood({id!r}, limit={MAX_EDGES})")
    return "\n".join(lines)
