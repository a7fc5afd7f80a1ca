"""Escape text of documents and users for Markdown and HTML, and format counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
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


def format_count(number: int, singular: str, plural: str = "") -> str:
    """As "1 page", "2 pages", "1,234 pages"."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
