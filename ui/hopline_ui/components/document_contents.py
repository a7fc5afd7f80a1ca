"""Search within a document, and its contents: sections, tables and figures; each opens its place."""

from __future__ import annotations

import streamlit as st

from hopline.client import Hopline
from hopline.documents.outline import OutlineItem, iterate_items
from hopline.documents.pages import TextMatch
from hopline.records import Document
from hopline.results.labels import MARKS, shorten
from hopline_ui.components.document_page import go_to
from hopline_ui.document_address import DocumentAddress
from hopline_ui.error_messages import report_errors
from hopline_ui.markup import escape_markdown, format_count
from hopline_ui.session.state import get_state

MAX_MATCHES = 100
MAX_ITEMS = 300  # of the contents that are listed
HEIGHT = 320  # pixels of a list
TITLE_LENGTH = 120  # characters
_INDENT = "\u2003"  # em space


def show(hop: Hopline, document: Document) -> None:
    """Show the input of the search with its matches, and the contents."""
    with report_errors("searching the document"):
        _show_search(hop, document)
    with report_errors("reading the contents"):
        _show_contents(hop, document)


def _show_search(hop: Hopline, document: Document) -> None:
    text = (
        st.text_input(
            "Search in this document",
            key=f"search {document.id}",
            placeholder="Word or phrase",
            icon=":material/search:",
            max_chars=300,
            autocomplete="off",
        )
        or ""
    ).strip()
    if not text:
        return
    matches = _find(hop, document, text)
    if not matches:
        st.caption("Not found in this document.")
        return
    limit = "The first " if len(matches) == MAX_MATCHES else ""
    st.caption(f"{limit}{format_count(len(matches), 'match', 'matches')}. Case and accents are ignored.")
    with st.container(height=HEIGHT if len(matches) > 4 else "content", key="matches", gap="xsmall"):
        for number, match in enumerate(matches):
            _show_match(document, match, number)


def _find(hop: Hopline, document: Document, text: str) -> tuple[TextMatch, ...]:
    """Return the matches of a text; each click runs the page again, but only a new text is searched."""
    searches = get_state().text_matches
    key = (document.id, text)
    if key not in searches:
        matches = hop.documents.find_text(document.id, text, limit=MAX_MATCHES)
        searches.clear()
        searches[key] = matches
    return searches[key]


def _show_match(document: Document, match: TextMatch, number: int) -> None:
    printed = f" (printed {escape_markdown(match.label)})" if match.label else ""
    before, after = (escape_markdown(text) for text in (match.before, match.after))
    words = escape_markdown(" ".join(match.text.split()))
    st.button(
        f"p. {match.page}{printed} · {before}**{words}**{after}",
        key=f"match {number}",
        type="tertiary",
        on_click=go_to,
        args=(DocumentAddress(document.id, match.page, match.evidence, (match.start, match.end)),),
    )


def _show_contents(hop: Hopline, document: Document) -> None:
    """Show the sections, tables and figures as a foldable list, which is read when it is opened."""
    expander = st.expander("Contents", icon=":material/toc:", on_change="rerun", key=f"outline {document.id}")
    if not expander.open:
        return
    listed = list(iterate_items(_read_outline(hop, document)))
    with expander:
        if not listed:
            st.caption("This document has no headings, tables or figures.")
            return
        with st.container(height=HEIGHT if len(listed) > 9 else "content", border=False, key="contents", gap=None):
            for number, (depth, item) in enumerate(listed[:MAX_ITEMS]):
                st.button(
                    f"{_INDENT * depth}{_format_title(item)} · p. {item.page}",
                    key=f"contents {number} {document.id}",
                    type="tertiary",
                    on_click=go_to,
                    args=(DocumentAddress(document.id, item.page, item.evidence),),
                )
            if len(listed) > MAX_ITEMS:
                st.caption(f"and {len(listed) - MAX_ITEMS:,} more")


def _read_outline(hop: Hopline, document: Document) -> tuple[OutlineItem, ...]:
    outlines = get_state().outlines
    if document not in outlines:
        outline = hop.documents.outline(document.id)
        outlines.clear()
        outlines[document] = outline
    return outlines[document]


def _format_title(item: OutlineItem) -> str:
    mark = "" if item.kind == "section" else f"{MARKS[item.kind]} "
    return mark + escape_markdown(shorten(item.title, TITLE_LENGTH))
