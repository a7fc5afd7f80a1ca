"""The path between two nodes: two search fields, the path as a drawing, and its steps in words with their sources."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from hopline.client import Hopline
from hopline.errors import UnknownName
from hopline.records import Collection
from hopline.results import Citation, Evidence, Node, NodeKind, PathStep
from hopline.results.labels import describe_location, label_node, shorten
from hopline_ui.components import node_details
from hopline_ui.components import source as source_view
from hopline_ui.components.graph_view import show_graph
from hopline_ui.explored_graph import GraphCanvas
from hopline_ui.formatting import describe_step
from hopline_ui.markup import escape_markdown, format_count, highlight_html
from hopline_ui.session import cache
from hopline_ui.session.cache import NodeSearch
from hopline_ui.session.state import get_state

ENDS = {"from": "Path from", "to": "Path to"}  # parameters of the address, and labels of their fields
KINDS: tuple[NodeKind, ...] = ("entity", "document")
MAX_MATCHES = 5
MAX_PATHS = 3
EXCERPT_LENGTH = 300
HEIGHT = 420  # pixels


def show_form(hop: Hopline, collection: Collection) -> None:
    """Show the two search fields; "Find path" puts the best match of each into the address."""
    with (
        st.form("path search", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", key="path row"),
    ):
        texts = {
            end: st.text_input(label, key=f"path {end}", placeholder="Name or document", max_chars=300,
                               autocomplete="off") or ""
            for end, label in ENDS.items()
        }  # fmt: skip
        pressed = st.form_submit_button("Find path", key="find path", icon=":material/route:")
    if pressed:
        _search_ends(hop, collection, texts)


def show(hop: Hopline, collection: Collection) -> bool:
    """Show the path between the two nodes of the address; returns False where it has none."""
    ids = [st.query_params.get(end, "") for end in ENDS]
    if not all(ids):
        return False
    try:
        start, end = (hop.graph.get_node(id).node for id in ids)
        paths = hop.graph.find_paths(start.id, end.id, limit=MAX_PATHS)
    except UnknownName:
        st.toast("A node in this address is no longer in the graph.", icon=":material/link_off:")
        close()
        return False
    names = [escape_markdown(label_node(node, {})) for node in (start, end)]
    st.subheader(f"Path from {names[0]} to {names[1]}", anchor=False)
    _show_other_matches(hop, collection, (start, end))
    if not paths:
        st.info("No path of at most 8 edges connects these nodes.", icon=":material/block:")
        st.button("Close path", key="close path", icon=":material/close:", on_click=close)
        return True
    _show_paths(hop, collection.name, paths)
    return True


def _search_ends(hop: Hopline, collection: Collection, texts: Mapping[str, str]) -> None:
    """Put the best matches into the address, or say what matches nothing."""
    matching = {end: _find_nodes(hop, collection, text) for end, text in texts.items()}
    missing = [end for end, nodes in matching.items() if not nodes]
    if missing:
        named = " and ".join(f"“{escape_markdown(texts[end])}”" for end in missing if texts[end].strip())
        st.info(f"Nothing is called {named}." if named else "Enter two names.", icon=":material/edit:")
        return
    get_state().path_start = None
    st.query_params.pop("node", None)
    for end, nodes in matching.items():
        st.query_params[end] = nodes[0].id


def _find_nodes(hop: Hopline, collection: Collection, text: str) -> list[Node]:
    if not text.strip():
        return []
    return [match.node for match in cache.find_nodes(hop, NodeSearch(text.strip(), collection, KINDS, MAX_MATCHES))]


def _show_other_matches(hop: Hopline, collection: Collection, chosen: Sequence[Node]) -> None:
    """Show a button for each further match of the two texts, which replaces the one that was chosen."""
    for end, node in zip(ENDS, chosen, strict=True):
        text = st.session_state.get(f"path {end}") or ""
        matches = _find_nodes(hop, collection, text)
        if node not in matches or len(matches) < 2:
            continue
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"other {end}"):
            st.caption(f"Other matches for “{escape_markdown(text)}”:", width="content")
            for other in matches[:MAX_MATCHES]:
                if other != node:
                    st.button(escape_markdown(other.name), key=f"{end} {other.id}", icon=node_details.ICONS[other.kind],
                              type="tertiary", on_click=_replace_end, args=(end, other.id))  # fmt: skip


def _show_paths(hop: Hopline, name: str, paths: Sequence[tuple[PathStep, ...]]) -> None:
    """Show one of the paths as a drawing, with its steps beside it."""
    numbers = range(len(paths))
    number = 0
    if len(paths) > 1:
        chosen = st.segmented_control(
            "Paths of equal length",
            numbers,
            default=0,
            required=True,
            key="path number",
            format_func=lambda number: f"Path {number + 1}",
        )
        number = min(chosen or 0, len(paths) - 1)  # there were more before
    canvas = GraphCanvas()
    canvas.add_paths([paths[number]])
    left, right = st.columns([7, 5], gap="large")
    with left:
        nodes, edges = canvas.to_elements()
        show_graph(nodes=nodes, edges=edges, path=canvas.path, title="Path", height=HEIGHT, key="path drawing")
        with st.container(horizontal=True, vertical_alignment="center", key="under path search"):
            st.caption(format_count(len(paths[number]), "step"))
            help_text = "Show the path within the graph, to add further connections"
            st.button("Open in the graph", key="open path", icon=":material/hub:", help=help_text, on_click=_open,
                      args=(name, canvas))  # fmt: skip
            st.button("Close path", key="close path", icon=":material/close:", on_click=close)
    with right:
        _show_steps(hop, paths[number])


def _show_steps(hop: Hopline, steps: Sequence[PathStep]) -> None:
    """Show each step as a sentence; below it the text that it is read from, with the names of the step marked."""
    nodes = {node.id: node for step in steps for node in (step.source, step.target)}
    evidence = {id: item for id, node in nodes.items() if (item := _read_evidence(hop, node))}
    known = {id: describe_location(item) for id, item in evidence.items() if nodes[id].kind != "triple"}
    shown: set[str] = set()
    for number, step in enumerate(steps, 1):
        st.html(f'<p class="relation" dir="auto"><b>{number}.</b> {escape(describe_step(step, known))}</p>')
        sources = [evidence[node.id] for node in (step.source, step.target) if node.id in evidence]
        for item in sources:
            if item.id not in shown:
                shown.add(item.id)
                _show_source(hop, item, list(nodes.values()), f"step {number} {item.id}")


def _read_evidence(hop: Hopline, node: Node) -> Evidence | None:
    """Return the text of a passage, table or figure, or the one that a triple is from; None for other nodes."""
    if node.kind not in {"passage", "table", "figure", "triple"}:
        return None
    return next(iter(hop.graph.get_node(node.id).evidence), None)


def _show_source(hop: Hopline, evidence: Evidence, nodes: Sequence[Node], key: str) -> None:
    text = shorten(evidence.text, EXCERPT_LENGTH)
    names = [node.name for node in nodes if node.kind == "entity" and node.name]
    quote = f'<blockquote class="passage" dir="auto">{highlight_html(text, _find_names(text, names))}</blockquote>'
    st.html(f'<p class="where" dir="auto">{escape(describe_location(evidence))}</p>{quote}')
    if evidence.boxes:
        page = st.expander("Page", icon=node_details.ICONS["page"], on_change="rerun", key=f"page of {key}")
        if page.open:
            with page:
                source_view.show_pages(hop, Citation(evidence, evidence.text, 0, len(evidence.text)))


def _replace_end(end: str, id: str) -> None:
    st.query_params[end] = id


def _open(name: str, canvas: GraphCanvas) -> None:
    get_state().canvases[name] = canvas
    close()


def _find_names(text: str, names: Sequence[str]) -> list[tuple[int, int]]:
    """Return the spans of names in a text, the longest name at each place, in any case."""
    pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)] if pattern else []


def close() -> None:
    """Close the path: the address has no ends any more."""
    for end in ENDS:
        st.query_params.pop(end, None)
