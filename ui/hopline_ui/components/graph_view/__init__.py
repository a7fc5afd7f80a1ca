"""The evidence graph: our Streamlit component around cytoscape.js.

Source in ``src/``, built by ``npm ci && npm run build`` into ``bundle/``. The bundle is served as
a file. Streamlit finds such files by itself only for a distribution that is named like its
package, so this package announces them when it is first drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

NAME = "hopline.evidence_graph"
HERE = Path(__file__).parent


class Touched(NamedTuple):
    """The ids of the node that is selected, and of the one that was opened (double click, E) in this very run."""

    selected: str | None
    opened: str | None


def bundle() -> Path:
    """The built script; its name ends in the hash of its sources."""
    [found] = (HERE / "bundle").glob("graph-*.js")
    return found


def evidence_graph(
    *,
    nodes: Sequence[Mapping[str, Any]],
    edges: Sequence[Mapping[str, Any]],
    key: str,
    path: Sequence[str] = (),
    layout: Literal["path", "force"] = "path",
    title: str = "Evidence path",
    height: int | None = None,
) -> Touched:
    """Draws a graph and says which node is selected, and which is to be opened now.

    ``nodes``: {id, kind, name, detail?, role?, pinned?}; ``edges``: {source, target, label?, role?}; role
    "context" stands above a path; a pinned node stays where it is. ``layout="path"`` puts ``path`` (ids) in a row.
    """
    _announce()
    state = st.session_state.get(key) or {}
    known = {node["id"] for node in nodes}
    selected = state.get("selected") if state.get("selected") in known else None
    data = {"nodes": list(nodes), "edges": list(edges), "path": list(path), "layout": layout, "title": title}
    result = _renderer()(
        key=key,
        data=data | {"selected": selected, "height": height},
        default={"selected": None},
        on_selected_change=_nothing,
        on_expand_change=_nothing,
    )
    return Touched(*(id if id in known else None for id in (result.selected, result.expand)))


def _nothing() -> None:
    """A component's state exists only where a callback is named."""


@cache
def _renderer() -> ComponentRenderer:
    return st.components.v2.component(NAME, js=bundle().name)


def _announce() -> None:
    """Tells the running Streamlit in which folder the component's files are."""
    from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
    from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest

    manager = get_bidi_component_manager()
    if manager.get_component_asset_root(NAME) is None:
        owner, name = NAME.split(".")
        manifest = ComponentManifest(owner, "1", [ComponentConfig(name, asset_dir="bundle")])
        manager.register_from_manifest(manifest, HERE)
