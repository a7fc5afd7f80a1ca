"""The first visit: one sentence, sample documents to try, and questions to begin with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import as_file, files

import streamlit as st

from hopline.client import Hopline
from hopline.types import Collection
from hopline_ui import navigation, search_scope
from hopline_ui.components.graph_view import evidence_graph
from hopline_ui.markup import plain

SAMPLES = "samples"  # the collection that the sample documents go to
OFFERED = 3
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
UPLOAD = ":material/upload_file:"


def show(hop: Hopline) -> None:
    """What Hopline does and two ways to begin, where there are no documents yet."""
    st.title("Ask your documents, and see the way to the page", anchor=False)
    st.markdown(
        "Hopline reads your documents into a graph and answers questions over it: "
        "every statement is tied to a quote on a page, and the path that led there is drawn."
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Try the sample documents", type="primary", icon=":material/auto_stories:"):
            add_samples(hop)
            st.rerun()
        navigation.link("documents", "Add your own documents", icon=UPLOAD)
    st.space("small")
    st.caption(
        "An answer comes with the way that led to it. From the samples: who founded the company that runs the plant?"
    )
    evidence_graph(nodes=NODES, edges=EDGES, path=PATH, title="An example of an evidence path", key="example path")


def suggest(hop: Hopline, collections: Sequence[Collection]) -> None:
    """Under an empty question: questions about the samples where these are chosen, else a hint."""
    chosen = search_scope.collection()
    if chosen != SAMPLES:
        known = next((one for one in collections if one.name == chosen), None)
        if known is None or not known.documents:
            st.info("This collection has no documents yet. Add some on the Documents page.", icon=UPLOAD)
        return
    st.caption("Questions to begin with")
    with st.container(key="suggestions"):
        for number, question in enumerate(questions()[:OFFERED]):
            key = f"suggestion {number}"
            st.button(plain(question), key=key, icon=":material/search:", on_click=_put, args=(hop, question))


@cache
def questions() -> list[str]:
    """The questions that come with the sample documents."""
    text = (files("hopline") / "samples" / "questions.json").read_text("utf-8")
    return [row["question"] for row in json.loads(text)]


def add_samples(hop: Hopline) -> None:
    """Adds the sample PDFs and makes their collection the chosen one."""
    with as_file(files("hopline") / "samples") as folder:
        hop.add(sorted(folder.glob("*.pdf")), collection=SAMPLES)
    search_scope.set_collection(SAMPLES)


def _put(hop: Hopline, question: str) -> None:
    """Asks it: the address carries the question into the next run."""
    st.query_params.from_dict(search_scope.asked(hop, question).parameters())
