"""The graph component alone, with the number of nodes in the address: ``?nodes=2000``."""

import random

import streamlit as st

from hopline_ui.components.graph_view import show_graph

KINDS = ["passage"] * 8 + ["entity"] * 8 + ["triple"] * 5 + ["table", "page", "page"]
HOSTILE = '<img src=x onerror="window.hacked=1"> & "quotes" تقرير 🦊'

count = int(st.query_params.get("nodes", "12"))
dice = random.Random(7)
nodes = [{"id": f"n{i}", "kind": dice.choice(KINDS), "name": f"Node number {i}"} for i in range(count)]
nodes[0] |= {"kind": "entity", "name": HOSTILE, "detail": HOSTILE}
groups = max(1, count // 150)
edges = []
for i in range(1, count):
    mates = range(i % groups, i, groups)
    edges += [
        {"source": f"n{i}", "target": f"n{dice.choice(mates) if len(mates) else 0}", "label": "knows"} for _ in range(2)
    ]
    edges += [{"source": f"n{i}", "target": f"n{dice.randrange(i)}", "label": "meets"}]
touched = show_graph(nodes=nodes, edges=edges, path=["n0", "n1"], layout="force", title="A crowd", key="crowd")
st.text(f"selected: {touched.selected}")
st.text(f"expanded: {(st.session_state.get('crowd') or {}).get('expand')}")
