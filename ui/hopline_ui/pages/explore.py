"""Explore: find a node, open its surroundings step by step, follow the ways between two."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import streamlit as st

from hopline.client import Found, Hopline
from hopline.errors import UnknownName
from hopline.types import Collection, Kind, Node
from hopline_ui import search_scope
from hopline_ui.components import entity_merge, node_details, node_pair
from hopline_ui.components.graph_view import evidence_graph
from hopline_ui.explored_graph import Sketch
from hopline_ui.markup import counted, plain

FIRST = 300  # nodes of the first picture
OPENED = 40  # edges around a node that is opened
SEARCHED: tuple[Kind, ...] = ("entity", "document", "table", "passage")
OFFERED = 6  # finds of each kind
NAMED = 12  # names to begin with
HEIGHT = 620


def show(hop: Hopline, collections: Sequence[Collection]) -> None:
    """The whole page."""
    with st.container(key="explore head", horizontal=True, vertical_alignment="bottom"):
        name = search_scope.choose_collection(collections)
        text = st.text_input(
            "Find",
            key="find text",
            placeholder="A name, a document, words of a passage or table",
            max_chars=300,
            autocomplete="off",
        )
    sketch = _sketch(hop, name)
    if text and text.strip():
        _offer(hop.find(text, collection=name, kinds=SEARCHED, limit=OFFERED), sketch)
    if not sketch.nodes:
        st.info("There is nothing to draw yet. Names appear here as soon as documents are read.", icon=":material/hub:")
        return
    _drawing(hop, name, sketch)


def _sketch(hop: Hopline, name: str) -> Sketch:
    """What this session has drawn of a collection; an address with a node begins there, else an overview."""
    kept: dict[str, Sketch] = st.session_state.setdefault("sketches", {})
    asked = st.query_params.get("node", "")
    if name not in kept or not kept[name].nodes:
        kept[name] = _around(hop, asked) or _overview(hop, name)
        _select(asked if asked in kept[name].nodes else None)
    return kept[name]


def _around(hop: Hopline, id: str) -> Sketch | None:
    """A node with what stands around it; None where there is no such node, or no longer."""
    if not id:
        return None
    sketch = Sketch()
    try:
        sketch.grow(hop.explore(id, limit=OPENED))
    except UnknownName:
        st.toast("The node of this address is no longer in the graph.", icon=":material/link_off:")
        return None
    return sketch


def _overview(hop: Hopline, name: str) -> Sketch:
    sketch, seen = Sketch(), hop.overview(name, limit=FIRST)
    sketch.grow(seen)
    sketch.total = seen.total
    return sketch


def _offer(found: Sequence[Found], sketch: Sketch) -> None:
    """What the search found, kind by kind; a click draws it and selects it."""
    if not found:
        st.caption("Nothing of that name or with these words. Try fewer letters, or another collection.")
        return
    with st.container(key="finds", horizontal=True, gap="small"):
        for one in found:
            about = node_details.SORTS.get(one.about, one.about)
            words = f"{about} · " if about else ""
            st.button(
                plain(one.node.name),
                key=f"find {one.node.id}",
                icon=node_details.ICONS[one.node.kind],
                help=f"{one.node.kind.capitalize()} · {plain(words)}{counted(one.size, 'edge')}",
                on_click=_reach,
                args=(sketch, one.node),
            )


def _reach(sketch: Sketch, node: Node) -> None:
    sketch.show(node)
    st.session_state["open node"] = node.id
    _select(node.id)


def _hide(sketch: Sketch, id: str) -> None:
    sketch.hide(id)
    _select(None)


def _again(name: str) -> None:
    st.session_state["sketches"].pop(name, None)
    _select(None)


def _select(id: str | None) -> None:
    """Selects a node, in the address as well; to be called before it is drawn."""
    st.session_state["sketch drawing"] = {"selected": id}
    if id is None:
        st.query_params.pop("node", None)


def _drawing(hop: Hopline, name: str, sketch: Sketch) -> None:
    waiting = st.session_state.pop("open node", None)
    if waiting in sketch.nodes:
        sketch.grow(hop.explore(waiting, limit=OPENED))
    left, right = st.columns([8, 4], gap="large")
    with left:
        nodes, edges = sketch.drawn()
        touched = evidence_graph(
            nodes=nodes,
            edges=edges,
            path=sketch.way,
            layout="force",
            title=f"Graph of {name}",
            height=HEIGHT,
            key="sketch drawing",
        )
        _under(name, sketch)
    if touched.opened in sketch.nodes:
        sketch.grow(hop.explore(touched.opened, limit=OPENED))
        st.rerun()
    with right:
        if touched.selected:
            _panel(hop, name, sketch, touched.selected)
        else:
            _beginnings(sketch)


def _beginnings(sketch: Sketch) -> None:
    """Where nothing is selected: how to look around, and the names that most of the picture shares."""
    st.caption(
        "Click a node to see what it holds; double-click it, or press E, to open what stands around it. "
        "Arrow keys and Enter do the same."
    )
    shared = sketch.shared(NAMED)
    if shared:
        st.markdown("**Names shared most**")
        with st.container(key="shared names", gap="xxsmall"):
            for node, edges in shared:
                words = f"{plain(node.name)} · {edges}"
                icon = node_details.ICONS[node.kind]
                st.button(words, key=f"shared {node.id}", icon=icon, type="tertiary", on_click=_select, args=(node.id,))


def _under(name: str, sketch: Sketch) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="under sketch"):
        st.caption(sketch.told())
        words = "Begin again with the names shared most"
        st.button("Overview", key="overview", icon=":material/hub:", help=words, on_click=_again, args=(name,))
        words = "Names that may mean the same, to merge or to tell apart"
        if st.button("Same names", key="same names button", icon=":material/join_inner:", help=words):
            st.session_state.pop(entity_merge.KEPT, None)  # compared anew each time that it is opened
            entity_merge.show(name, sketch)
        with st.popover("Export", icon=":material/download:"):
            for what, rows in (("nodes", _node_rows(sketch)), ("edges", _edge_rows(sketch))):
                st.download_button(
                    f"{what.capitalize()} as CSV", _csv(rows), f"{what}.csv", "text/csv", key=f"csv {what}"
                )
    with st.expander("As code", icon=":material/code:"):
        st.code(_code(name), language="python")


def _panel(hop: Hopline, name: str, sketch: Sketch, id: str) -> None:
    """The selected node and what can be done with it."""
    if st.query_params.get("node") != id:
        st.query_params["node"] = id
    try:
        shown = hop.detail(id)
    except UnknownName:
        st.caption("This is no longer in the graph: its document was removed, or its name was merged into another.")
        return
    with st.container(border=True, key="node"):
        node_details.head(shown)
        with st.container(horizontal=True, gap="small", key="node actions"):
            if st.button("Open", key="open", icon=":material/add_circle:", help="Draw what stands around it"):
                new = sketch.grow(hop.explore(id, limit=OPENED))
                st.toast(f"{counted(new, 'new node')}." if new else "All that stands around it is drawn already.")
                st.rerun()
            st.button(
                "Let go" if id in sketch.pinned else "Pin",
                key="pin",
                icon=":material/keep:",
                help="Keeps it at its place",
                on_click=sketch.pin,
                args=(id,),
            )
            st.button(
                "Hide",
                key="hide",
                icon=":material/visibility_off:",
                help="With what it alone joins",
                on_click=_hide,
                args=(sketch, id),
            )
            node_pair.show(hop, sketch, sketch.nodes[id])
        node_details.body(hop, shown, name)


def _node_rows(sketch: Sketch) -> list[tuple[str, ...]]:
    return [("id", "kind", "name"), *((node.id, node.kind, node.name) for node in sketch.nodes.values())]


def _edge_rows(sketch: Sketch) -> list[tuple[str, ...]]:
    return [("source", "edge", "target"), *sketch.edges]


def _csv(rows: Sequence[Sequence[str]]) -> bytes:
    """With a mark at its head that tells spreadsheets the encoding; a formula stays text."""
    file = io.StringIO()
    csv.writer(file).writerows(
        [f"'{cell}" if cell.startswith(("=", "+", "-", "@")) else cell for cell in row] for row in rows
    )
    return file.getvalue().encode("utf-8-sig")


def _code(name: str) -> str:
    lines = ["from hopline import Hopline", "", "with Hopline.open() as hop:"]
    text, id = st.session_state.get("find text") or "", st.query_params.get("node", "")
    lines.append(f"    picture = hop.overview({name!r}, limit={FIRST})")
    lines += [f"    found = hop.find({text!r}, collection={name!r})"] if text else []
    lines += [f"    node = hop.detail({id!r})", f"    around = hop.explore({id!r}, limit={OPENED})"] if id else []
    return "\n".join(lines)
