"""Where a question looks and how: the collection, strategy and documents that are chosen.

What is chosen stands in the session under names of our own: Streamlit forgets a box's value when
its page is left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from hopline.sdk import Hopline
from hopline.types import Collection, Document
from hopline_ui.asking import Asked

DEFAULT = "default"


def collection() -> str:
    """The chosen collection's name."""
    return str(st.session_state.get("collection", DEFAULT))


def set_collection(name: str) -> None:
    """Chooses a collection; what was asked of another one is put away."""
    if name != st.session_state.get("collection"):
        st.session_state["documents"] = ()
        st.session_state.pop("asked", None)
        st.query_params.clear()
    st.session_state["collection"] = name


def remember(asked: Asked) -> None:
    """Chooses what a question was asked of."""
    st.session_state["collection"] = asked.collection
    st.session_state["strategy"] = asked.strategy
    st.session_state["documents"] = asked.documents
    st.session_state["question text"] = asked.question


def strategy(hop: Hopline) -> str:
    """The chosen strategy with its options, or the settings' own."""
    return str(st.session_state.get("strategy") or hop.settings.strategy)


def asked(hop: Hopline, question: str) -> Asked:
    """A question with what is chosen now."""
    return Asked(question, collection(), strategy(hop), tuple(st.session_state.get("documents", ())))


def choose_collection(collections: Sequence[Collection], *, new: bool = False, key: str = "collection box") -> str:
    """A box with all collections; with ``new``, typing another name makes one. ``key`` tells boxes apart."""
    counts = {one.name: one.documents for one in collections}
    if "collection" not in st.session_state and st.query_params.get("collection"):
        st.session_state["collection"] = st.query_params["collection"]
    if "collection" not in st.session_state:
        full = [name for name, documents in counts.items() if documents]
        st.session_state["collection"] = DEFAULT if counts.get(DEFAULT) or not full else full[0]
    names = list(dict.fromkeys([*counts, collection()] if new or collection() in counts else counts))
    st.session_state[key] = collection() if collection() in names else names[0]
    st.selectbox(
        "Collection",
        names,
        key=key,
        accept_new_options=new,
        format_func=lambda name: f"{name} ({counts[name]:,})" if name in counts else name,
        help="Choose one, or type a new name to make one" if new else None,
        on_change=_collection_changed,
        args=(key,),
    )
    return collection()


def _collection_changed(key: str) -> None:
    set_collection((st.session_state[key] or "").strip() or DEFAULT)


def choose_strategy(hop: Hopline) -> str:
    """A box with every strategy that can answer here, the default first, and a line about each."""
    lines = hop.strategies(usable=True)
    default = hop.settings.strategy
    now = strategy(hop)
    others = [name for name in lines if name != default.partition(":")[0]]
    st.session_state["strategy box"] = now
    st.selectbox(
        "Strategy",
        list(dict.fromkeys([default, *others, now])),
        key="strategy box",
        format_func=lambda spec: _strategy_label(spec, default, lines),
        on_change=_keep,
        args=("strategy", "strategy box"),
    )
    return now


def _strategy_label(spec: str, default: str, lines: Mapping[str, str]) -> str:
    name = spec.partition(":")[0]
    line = lines.get(name, "")
    shown = name if spec == default else spec
    return f"{shown} — {line}" if line else shown


def choose_documents(hop: Hopline, name: str) -> tuple[str, ...]:
    """The documents to search in, by id; none chosen means all."""
    there = {document.id: document for document in _ready(hop, name)}
    st.session_state["documents box"] = [id for id in st.session_state.get("documents", ()) if id in there]
    st.multiselect(
        "Search in",
        list(there),
        key="documents box",
        format_func=lambda id: there[id].name if id in there else id,
        placeholder="All documents",
        on_change=_keep,
        args=("documents", "documents box"),
    )
    return tuple(st.session_state["documents box"])


def _ready(hop: Hopline, name: str) -> list[Document]:
    if name not in {one.name for one in hop.collections()}:
        return []
    return [document for document in hop.documents(name) if document.state == "ready"]


def _keep(name: str, box: str) -> None:
    st.session_state[name] = st.session_state[box]
