"""Escape text of documents and users for Markdown and HTML, and format counts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")  # every ASCII character that Markdown may interpret
_WORD_JOINER = "\u2060"
_SHORTCODE = re.compile(r":(?=[\w+-])")  # Streamlit interprets ":material/…:" and ":smile:" even when escaped


def escape_markdown(text: object) -> str:
    """Return Markdown that shows exactly this text: no markup, link, formula, icon or emoji code."""
    without_shortcodes = _SHORTCODE.sub(":" + _WORD_JOINER, str(text))
    return _PUNCTUATION.sub(r"\\\1", without_shortcodes).replace("\n", " ")


def highlight_html(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return a text as HTML with ``spans`` (half-open, sorted, disjoint) in ``<mark>``."""
    parts, at = [], 0
    for start, end in spans:
        parts += [escape(text[at:start]), "<mark>", escape(text[start:end]), "</mark>"]
        at = end
    return "".join([*parts, escape(text[at:])])


def mark_html(text: str, marks: Iterable[tuple[int, int, str, str]]) -> str:
    """Return a text as HTML with marks: start, end, colour ("" for highlighted text) and the title shown on hover.

    Of marks that overlap, highlighted text and then the longest is shown.
    """
    shown: list[tuple[int, int, str, str]] = []
    for mark in sorted(marks, key=lambda mark: (bool(mark[2]), mark[0] - mark[1], mark[0])):
        start, end = max(0, mark[0]), min(len(text), mark[1])
        if start < end and not any(start < other[1] and other[0] < end for other in shown):
            shown.append((start, end, *mark[2:]))
    parts, at = [], 0
    for start, end, colour, title in sorted(shown):
        parts += [escape(text[at:start]), f"<mark{_format_attributes(colour, title)}>", escape(text[start:end])]
        parts.append("</mark>")
        at = end
    return "".join([*parts, escape(text[at:])])


def _format_attributes(colour: str, title: str) -> str:
    style = f' class="entity" style="border-color: {colour}; background-color: {colour}33"' if colour else ""
    return style + (f' title="{escape(title)}"' if title else "")


def format_count(number: int, singular: str, plural: str = "") -> str:
    """As "1 page", "2 pages", "1,234 pages"."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
