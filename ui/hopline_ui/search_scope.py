"""Where a question looks and how: the collection, strategy and documents that are chosen.

What is chosen stands in the session under names of our own: Streamlit forgets a box's value when
its page is left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

import streamlit as st

from hopline.client import Hopline
from hopline.errors import UnknownName
from hopline.types import Collection
from hopline_ui.markup import counted, plain
from hopline_ui.session.questions import Asked

DEFAULT = "default"
MANY = 300  # documents; beyond it a box with all of them would cost every click a second
OFFERED = 50  # documents whose name holds what is typed


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
    if not new and counts and collection() not in counts:  # renamed or removed since it was chosen
        st.toast(f"There is no collection called “{plain(collection())}” any more.", icon=":material/link_off:")
        st.session_state["collection"] = next(iter(counts))
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


def choose_documents(hop: Hopline, collections: Sequence[Collection], name: str) -> tuple[str, ...]:
    """The documents to search in, by id; none chosen means all. Many are not listed but looked for by name."""
    size = next((one.documents for one in collections if one.name == name), 0)
    if size > MANY:
        return _find_documents(hop, name, size)
    there = {one.id: one.name for one in hop.documents(name) if one.state == "ready"} if size else {}
    return _documents_box([id for id in _chosen() if id in there], there)


def _find_documents(hop: Hopline, name: str, size: int) -> tuple[str, ...]:
    names: dict[str, str] = st.session_state.setdefault("document names", {})
    for id in _chosen():
        if id not in names:
            with suppress(UnknownName):  # a document that an address names and that was removed
                names[id] = hop.detail(id).node.name
    chosen = tuple(id for id in _chosen() if id in names)
    label = counted(len(chosen), "document") if chosen else f"All {size:,} documents"
    with st.popover(label, key="find documents", width="stretch"):
        text = st.text_input("Find documents", key="documents text", placeholder="Part of a name", max_chars=300)
        found = hop.find(text, collection=name, kinds=["document"], limit=OFFERED) if text else []
        names |= {one.node.id: one.node.name for one in found}
        return _documents_box(chosen, {id: names[id] for id in [*chosen, *(one.node.id for one in found)]})


def _documents_box(chosen: Sequence[str], names: Mapping[str, str]) -> tuple[str, ...]:
    st.session_state["documents box"] = list(chosen)
    st.multiselect(
        "Search in",
        list(names),
        key="documents box",
        format_func=lambda id: names.get(id, id),
        placeholder="All documents",
        on_change=_keep,
        args=("documents", "documents box"),
    )
    return tuple(st.session_state["documents box"])


def _chosen() -> tuple[str, ...]:
    return tuple(st.session_state.get("documents", ()))


def _keep(name: str, box: str) -> None:
    st.session_state[name] = st.session_state[box]
