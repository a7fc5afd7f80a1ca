"""The welcome page for a database without documents: introduction, sample documents, example questions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import as_file, files

import streamlit as st

from hopline.client import Hopline
from hopline.records import Collection
from hopline_ui import page_links, search_scope
from hopline_ui.components import overview
from hopline_ui.components.graph_view import show_graph

SAMPLES = "samples"  # collection of the sample documents
MAX_SUGGESTIONS = 3
PATH = ("question", "review", "company", "report")
NODES = (
    {"id": "question", "kind": "question", "name": "Question"},
    {"id": "review", "kind": "passage", "name": "Tidewell operates the plant"},
    {"id": "company", "kind": "entity", "name": "Tidewell Utilities"},
    {"id": "report", "kind": "passage", "name": "Founded by Maud Kerrigan"},
    {"id": "review page", "kind": "page", "name": "p. 1"},
    {"id": "report page", "kind": "page", "name": "p. 1"},
    {"id": "review file", "kind": "document", "name": "brackwater-operating-review-2024.pdf"},
    {"id": "report file", "kind": "document", "name": "lantern-lending-report-2024.pdf"},
)
EDGES = (
    {"source": "question", "target": "review", "label": "found by search"},
    {"source": "review", "target": "company", "label": "mentions"},
    {"source": "company", "target": "report", "label": "mentioned in"},
    {"source": "review", "target": "review page", "label": "is on"},
    {"source": "report", "target": "report page", "label": "is on"},
    {"source": "review page", "target": "review file", "label": "is in"},
    {"source": "report page", "target": "report file", "label": "is in"},
)
UPLOAD_ICON = ":material/upload_file:"


def show(hop: Hopline) -> None:
    """Show the introduction and two ways to start: sample documents or own documents."""
    st.title("Ask your documents and trace every answer to its page", anchor=False)
    st.markdown(
        "Hopline builds a knowledge graph from your documents and answers questions over it. "
        "Every statement cites a quote on a page, with the evidence path that leads to it."
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Try the sample documents", type="primary", icon=":material/auto_stories:"):
            add_samples(hop)
            st.rerun()
        page_links.show_link("documents", "Add your own documents", icon=UPLOAD_ICON)
    st.space("small")
    st.caption("Example of an evidence path: who founded the company that operates the plant?")
    show_graph(nodes=NODES, edges=EDGES, path=PATH, title="Example of an evidence path", key="example path")


def show_collection(hop: Hopline, collections: Sequence[Collection], *, ready: bool) -> None:
    """Show the overview of the selected collection, with the questions of the samples for them; if empty, a hint.

    ``ready`` means that all its documents are processed.
    """
    selected = search_scope.get_collection()
    collection = next((item for item in collections if item.name == selected), None)
    if collection is None or not collection.documents:
        st.info("This collection has no documents yet. Add some on the Documents page.", icon=UPLOAD_ICON)
        return
    questions = load_questions()[:MAX_SUGGESTIONS] if selected == SAMPLES else ()
    overview.show(hop, collection, search_scope.get_strategy(hop), questions=questions, ready=ready)


@cache
def load_questions() -> list[str]:
    """Return the questions that come with the sample documents."""
    text = (files("hopline") / "samples" / "questions.json").read_text("utf-8")
    return [row["question"] for row in json.loads(text)]


def add_samples(hop: Hopline) -> None:
    """Add the sample PDFs and select their collection."""
    with as_file(files("hopline") / "samples") as folder:
        hop.documents.add(sorted(folder.glob("*.pdf")), collection=SAMPLES)
    search_scope.set_collection(SAMPLES)
