"""The scope of a question: the selected collection, strategy, documents and filter.

Selections are stored in the state of the session, because Streamlit forgets the value of a widget when the user leaves
its page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

import streamlit as st

from hopline.client import Hopline
from hopline.errors import UnknownName, UsageError
from hopline.records import Collection
from hopline.retrieval.strategy_labels import label_strategy
from hopline_ui.markup import escape_markdown, format_count
from hopline_ui.session import cache
from hopline_ui.session.cache import NodeSearch
from hopline_ui.session.questions import SessionQuestion
from hopline_ui.session.state import get_state

DEFAULT = "default"
MAX_LISTED = 300  # documents; listing more would slow every interaction down by about a second
MAX_MATCHES = 50  # documents listed for a search by name


def get_collection() -> str:
    """Return the name of the selected collection."""
    return get_state().collection or DEFAULT


def set_collection(name: str) -> None:
    """Select a collection; if it differs from the current one, the question, documents and filter are cleared."""
    state = get_state()
    if name != state.collection:
        state.documents, state.filter, state.question = (), "", None
        st.query_params.clear()
    state.collection = name


def set_scope(question: SessionQuestion) -> None:
    """Select collection, strategy, documents and filter of a question, and put its text into the input."""
    state = get_state()
    state.collection, state.strategy, state.documents = question.collection, question.strategy, question.documents
    state.filter = question.filter
    st.session_state["question text"] = question.question


def get_strategy(hop: Hopline) -> str:
    """Return the selected strategy with its options, or the default of the settings."""
    return get_state().strategy or hop.settings.strategy


def build_question(hop: Hopline, text: str) -> SessionQuestion:
    """Return a question within the current scope."""
    state = get_state()
    return SessionQuestion(text, get_collection(), get_strategy(hop), state.documents, filter=state.filter)


def select_collection(collections: Sequence[Collection], *, new: bool = False, key: str = "collection box") -> str:
    """Show the select box of collections; ``new`` allows typing the name of a new one. Returns the selection."""
    counts = {collection.name: collection.documents for collection in collections}
    state = get_state()
    state.collection = state.collection or st.query_params.get("collection", "")
    if not state.collection:
        nonempty = [name for name, documents in counts.items() if documents]
        state.collection = DEFAULT if counts.get(DEFAULT) or not nonempty else nonempty[0]
    if not new and counts and get_collection() not in counts:  # renamed or deleted since it was selected
        message = f"The collection “{escape_markdown(get_collection())}” no longer exists."
        st.toast(message, icon=":material/link_off:")
        state.collection = next(iter(counts))
    names = list(dict.fromkeys([*counts, get_collection()] if new or get_collection() in counts else counts))
    st.session_state[key] = get_collection() if get_collection() in names else names[0]
    st.selectbox(
        "Collection",
        names,
        key=key,
        accept_new_options=new,
        format_func=lambda name: f"{name} ({counts[name]:,})" if name in counts else name,
        help="Select a collection, or type a name to create one" if new else None,
        on_change=_on_collection_change,
        args=(key,),
    )
    return get_collection()


def _on_collection_change(key: str) -> None:
    set_collection((st.session_state[key] or "").strip() or DEFAULT)


def select_strategy(hop: Hopline) -> str:
    """Show the select box of usable strategies, the default first, with name and summary of the selected one.

    Returns the selection.
    """
    summaries = hop.strategies(usable=True)
    default = hop.settings.strategy
    selected = get_strategy(hop)
    others = [name for name in summaries if name != default.partition(":")[0]]
    st.session_state["strategy box"] = selected
    st.selectbox(
        "Strategy",
        list(dict.fromkeys([default, *others, selected])),
        key="strategy box",
        format_func=lambda spec: label_strategy(spec.partition(":")[0] if spec == default else spec),
        on_change=_store_strategy,
    )
    summary = summaries.get(selected.partition(":")[0], "")
    st.caption(escape_markdown(f"{selected} — {summary}" if summary else selected))
    return selected


def format_advanced(hop: Hopline) -> str:
    """Return the label of the advanced options, with those that are set: "Advanced · bm25 · filter"."""
    strategy = get_strategy(hop)
    shown = [strategy.partition(":")[0]] if strategy != hop.settings.strategy else []
    return " · ".join(["Advanced", *shown, *(["filter"] if get_state().filter else [])])


def select_documents(hop: Hopline, collections: Sequence[Collection], name: str) -> tuple[str, ...]:
    """Show the select box of documents; returns ids, empty for all. Large collections are searched by name instead."""
    collection = next((collection for collection in collections if collection.name == name), None)
    if collection is not None and collection.documents > MAX_LISTED:
        return _search_documents(hop, collection)
    documents = hop.documents.list(name) if collection is not None and collection.documents else ()
    names = {document.id: document.name for document in documents if document.state == "ready"}
    return _show_documents_box([id for id in get_state().documents if id in names], names)


def _search_documents(hop: Hopline, collection: Collection) -> tuple[str, ...]:
    names = get_state().document_names
    for id in get_state().documents:
        if id not in names:
            with suppress(UnknownName):  # the address names a document that was deleted
                names[id] = hop.graph.get_node(id).node.name
    selected = tuple(id for id in get_state().documents if id in names)
    label = format_count(len(selected), "document") if selected else f"All {collection.documents:,} documents"
    with st.popover(label, key="find documents", width="stretch"):
        text = st.text_input("Search documents", key="documents text", placeholder="Part of the name", max_chars=300)
        matches = cache.find_nodes(hop, NodeSearch(text, collection, ("document",), MAX_MATCHES)) if text else []
        names |= {match.node.id: match.node.name for match in matches}
        return _show_documents_box(selected, {id: names[id] for id in [*selected, *(m.node.id for m in matches)]})


def _show_documents_box(selected: Sequence[str], names: Mapping[str, str]) -> tuple[str, ...]:
    st.session_state["documents box"] = list(selected)
    st.multiselect(
        "Documents",
        list(names),
        key="documents box",
        format_func=lambda id: names.get(id, id),
        placeholder="All documents",
        on_change=_store_documents,
    )
    return tuple(st.session_state["documents box"])


def input_filter() -> str:
    """Show the input of a condition on the metadata of documents, and return it; "" for none."""
    st.session_state["filter box"] = get_state().filter
    st.text_input(
        "Filter",
        key="filter box",
        placeholder="year >= 2020 and tag = risk",
        help="A condition on the metadata of the documents, their name (document), title, pages or type",
        max_chars=10_000,
        on_change=_store_filter,
    )
    return get_state().filter


def check_filter(hop: Hopline, name: str, filter: str) -> bool:
    """Show the number of documents of a collection that match a filter, or its error; return whether it can be used."""
    if not filter:
        return True
    try:
        count = hop.documents.count(name, filter=filter).total
    except UsageError as error:
        st.error(escape_markdown(f"{str(error)[:1].upper()}{str(error)[1:]}"), icon=":material/filter_alt_off:")
        return False
    st.caption(f"{format_count(count, 'document')} match{'es' if count == 1 else ''} the filter.")
    return True


def _store_filter() -> None:
    get_state().filter = (st.session_state["filter box"] or "").strip()


def _store_strategy() -> None:
    get_state().strategy = st.session_state["strategy box"]


def _store_documents() -> None:
    get_state().documents = tuple(st.session_state["documents box"])
