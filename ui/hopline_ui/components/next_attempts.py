"""What may help if a question was not answered: all documents, another strategy, another collection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import streamlit as st

from hopline.client import Hopline
from hopline.records import Collection
from hopline.retrieval.strategy_labels import label_strategy
from hopline_ui.markup import escape_markdown
from hopline_ui.session.confirmation import open_question
from hopline_ui.session.questions import SessionQuestion

STRATEGIES = ("hopline", "hybrid", "bm25")  # the first usable one that was not asked is offered
MAX_COLLECTIONS = 3


def show(hop: Hopline, collections: Sequence[Collection], question: SessionQuestion) -> None:
    """Show a button for each attempt; nothing if there is none."""
    attempts = list(_list_attempts(hop, collections, question))
    if not attempts:
        return
    st.caption("Try other words, or ask again:")
    with st.container(key="attempts", horizontal=True, gap="small"):
        for number, (label, icon, attempt) in enumerate(attempts):
            key = f"attempt {number}"
            st.button(escape_markdown(label), key=key, icon=icon, on_click=open_question, args=(attempt,))


def _list_attempts(
    hop: Hopline, collections: Sequence[Collection], question: SessionQuestion
) -> Iterator[tuple[str, str, SessionQuestion]]:
    """Yield label, icon and question of each attempt."""
    if question.documents or question.filter:
        yield "In all documents", ":material/select_all:", replace(question, documents=(), filter="")
    current = question.strategy.partition(":")[0]
    usable = hop.strategies(usable=True)
    strategy = next((name for name in STRATEGIES if name in usable and name != current), "")
    if strategy:
        yield label_strategy(strategy), ":material/tune:", replace(question, strategy=strategy)
    others = [item.name for item in collections if item.documents and item.name != question.collection]
    for name in others[:MAX_COLLECTIONS]:
        elsewhere = replace(question, collection=name, documents=(), filter="")
        yield f"In “{name}”", ":material/folder_open:", elsewhere
