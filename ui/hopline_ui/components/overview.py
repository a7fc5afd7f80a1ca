"""The overview of a collection: its documents and topics, questions to start with, and the visitor's last questions."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from html import escape
from typing import TypeVar

import streamlit as st

from hopline.bibliography import select_entries
from hopline.client import Hopline
from hopline.entities.communities import Community
from hopline.records import Collection, Document
from hopline.results.labels import shorten
from hopline_ui import page_links
from hopline_ui.components import communities, conversation
from hopline_ui.document_address import DocumentAddress, open_document
from hopline_ui.error_messages import report_errors
from hopline_ui.formatting import format_sizes
from hopline_ui.markup import escape_markdown, format_count
from hopline_ui.overview_search import OverviewSearch, start_search
from hopline_ui.session.confirmation import open_question
from hopline_ui.session.questions import SessionQuestion
from hopline_ui.session.state import get_state

T = TypeVar("T")

MAX_DOCUMENTS = 6
MAX_TITLE = 110  # characters
MAX_AUTHORS = 3
POLL_SECONDS = 1.0


def show(hop: Hopline, collection: Collection, strategy: str, *, questions: Sequence[str] = (), ready: bool) -> None:
    """Show the overview of a collection that has documents.

    ``questions`` are those to start with; without any, they are searched for in the background, if all documents are
    ``ready``. A click on one asks it with ``strategy``.
    """
    documents = hop.documents.list(collection.name, limit=MAX_DOCUMENTS)
    search = _get_search(hop, collection, questions=not questions) if ready else None
    is_busy = search is not None and not search.done

    @st.fragment(run_every=POLL_SECONDS if is_busy else None)
    def follow() -> None:
        with report_errors("showing the overview"):
            left, right = st.columns([5, 7], gap="large")
            with left:
                _show_questions(collection.name, strategy, questions, search)
                conversation.show_last(hop, collection.name)
            with right:
                _show_documents(collection, documents)
                _show_communities(search)
            if is_busy and search is not None and search.done:
                st.rerun()  # ends the polling

    follow()


def _get_search(hop: Hopline, collection: Collection, *, questions: bool) -> OverviewSearch:
    """Return the session's search, a new one if the collection has changed."""
    searches = get_state().overviews
    if collection not in searches:
        searches.clear()
        searches[collection] = start_search(hop, collection.name, questions=questions)
    return searches[collection]


def _show_questions(collection: str, strategy: str, questions: Sequence[str], search: OverviewSearch | None) -> None:
    suggested = _get_result(search.questions) if search is not None else ()
    if not questions and suggested is None:
        st.caption(":material/hourglass_top: Finding questions …")
        return
    texts = questions or [question.text for question in suggested or ()]
    if not texts:
        return
    st.caption("Try asking")
    with st.container(key="suggestions"):
        for number, text in enumerate(texts):
            if st.button(escape_markdown(text), key=f"suggestion {number}", icon=":material/search:"):
                open_question(SessionQuestion(text, collection, strategy))
                st.rerun()


def _show_documents(collection: Collection, documents: Sequence[Document]) -> None:
    st.caption(format_count(collection.documents, "document"))
    with st.container(key="overview documents"):
        for document in documents:
            with st.container(border=True, key=f"card {document.id}", gap=None):
                st.html(_render_card(document))
                if document.state == "ready":
                    help_text = f"Show the pages of {document.name}"
                    key = f"open card {document.id}"
                    if st.button(
                        "Open",
                        key=key,
                        icon=":material/open_in_full:",
                        type="tertiary",
                        help=escape_markdown(help_text),
                    ):
                        open_document(DocumentAddress(document.id))
                        st.rerun()
    if collection.documents > len(documents):
        page_links.show_link("documents", f"All {format_count(collection.documents, 'document')}")


def _render_card(document: Document) -> str:
    """Return title, authors, date and sizes of a document as HTML."""
    authors = [entry.value for entry in select_entries(document.bibliography, "authors")]
    dates = [entry.value for entry in select_entries(document.bibliography, "date")][:1]
    more = ["and others"] if len(authors) > MAX_AUTHORS else []
    stated = ", ".join([*authors[:MAX_AUTHORS], *more])
    about = " · ".join(filter(None, [stated, *dates]))
    is_ready = document.state == "ready"
    sizes = " · ".join(size for size in format_sizes(document) if not size.split()[1].startswith("passage"))
    lines = [f'<p class="name" dir="auto" title="{escape(document.name)}">{escape(_choose_title(document))}</p>']
    lines += [f'<p dir="auto">{escape(about)}</p>'] if about else []
    lines.append(f'<p class="about">{escape(sizes if is_ready else document.state)}</p>')
    return f'<div class="document">{"".join(lines)}</div>'


def _choose_title(document: Document) -> str:
    return shorten(document.title or document.name, MAX_TITLE)


def _show_communities(search: OverviewSearch | None) -> None:
    listed: Sequence[Community] = (_get_result(search.communities) if search is not None else ()) or ()
    if not listed:
        return
    st.caption("Topics: names that the same passages mention")
    with st.container(key="overview communities", horizontal=True, gap="small"):
        for community in listed:
            help_text = f"Explore {communities.format_counts(community)}"
            if st.button(
                escape_markdown(community.name), key=f"topic {community.id}", icon=communities.ICON, help=help_text
            ):
                get_state().open_community = community.id
                st.switch_page(get_state().pages["explore"])


def _get_result(future: Future[T]) -> T | None:
    return future.result() if future.done() else None
