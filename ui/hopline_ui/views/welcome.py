"""The first visit: one sentence, sample documents to try, and questions to begin with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import as_file, files

import streamlit as st

from hopline.sdk import Hopline
from hopline.types import Collection
from hopline_ui import navigation, scope
from hopline_ui.plain import plain

SAMPLES = "samples"  # the collection that the sample documents go to
OFFERED = 3
UPLOAD = ":material/upload_file:"


def show(hop: Hopline) -> None:
    """What Hopline does and two ways to begin, where there are no documents yet."""
    st.title("Ask your documents, and see the way to the page", anchor=False)
    st.markdown(
        "Hopline reads your documents into a graph and answers questions over it: "
        "every statement is tied to a quote on a page, and the path that led there is drawn."
    )
    with st.container(horizontal=True):
        if st.button("Try the sample documents", type="primary", icon=":material/auto_stories:"):
            add_samples(hop)
            st.rerun()
        navigation.link("documents", "Add your own documents", icon=UPLOAD)


def suggest(hop: Hopline, collections: Sequence[Collection]) -> None:
    """Under an empty question: questions about the samples where these are chosen, else a hint."""
    chosen = scope.collection()
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
    scope.set_collection(SAMPLES)


def _put(hop: Hopline, question: str) -> None:
    """Asks it: the address carries the question into the next run."""
    st.query_params.from_dict(scope.asked(hop, question).parameters())
