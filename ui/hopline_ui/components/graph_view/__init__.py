"""The graph component: a Streamlit component around cytoscape.js.

Its sources in ``src/`` are built by ``npm ci && npm run build`` into ``bundle/``. Streamlit discovers the files of a
component only for a distribution that is named like its package, so this package registers them itself when a graph
is first shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

NAME = "hopline.evidence_graph"
FOLDER = Path(__file__).parent


class GraphInteraction(NamedTuple):
    """The id of the selected node, and of the node that was expanded (double click, E) in this very run."""

    selected: str | None
    expanded: str | None


def find_bundle() -> Path:
    """Return the built script, whose name ends in the hash of its sources."""
    [path] = (FOLDER / "bundle").glob("graph-*.js")
    return path


def show_graph(
    *,
    nodes: Sequence[Mapping[str, Any]],
    edges: Sequence[Mapping[str, Any]],
    key: str,
    path: Sequence[str] = (),
    layout: Literal["path", "force"] = "path",
    title: str = "Evidence path",
    height: int | None = None,
) -> GraphInteraction:
    """Show a graph and return the selected and the expanded node.

    ``nodes``: {id, kind, name, detail?, role?, pinned?, size?}; ``edges``: {source, target, label?, role?, width?}.
    Nodes with the role "context" are drawn above a path; a pinned node keeps its position; ``size`` is its diameter.
    ``layout="path"`` draws ``path`` (ids) as a row. ``height`` is in pixels, as are ``size`` and ``width`` at zoom 1.
    """
    _register_files()
    state = st.session_state.get(key) or {}
    known = {node["id"] for node in nodes}
    selected = state.get("selected") if state.get("selected") in known else None
    data = {"nodes": list(nodes), "edges": list(edges), "path": list(path), "layout": layout, "title": title}
    result = _get_renderer()(
        key=key,
        data=data | {"selected": selected, "height": height},
        default={"selected": None},
        on_selected_change=_ignore,
        on_expand_change=_ignore,
    )
    return GraphInteraction(*(id if id in known else None for id in (result.selected, result.expand)))


def _ignore() -> None:
    """Do nothing: a component has a state only where a callback is given."""


@cache
def _get_renderer() -> ComponentRenderer:
    return st.components.v2.component(NAME, js=find_bundle().name)


def _register_files() -> None:
    """Register the folder of the component's files with the running Streamlit."""
    from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
    from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest

    manager = get_bidi_component_manager()
    if manager.get_component_asset_root(NAME) is None:
        owner, name = NAME.split(".")
        manifest = ComponentManifest(owner, "1", [ComponentConfig(name, asset_dir="bundle")])
        manager.register_from_manifest(manifest, FOLDER)
