"""Text that comes from documents and users, made safe to show: as Markdown labels and as HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

_MARKS = re.compile(r"([!-/:-@\[-`{-~])")  # every ASCII sign that Markdown may read
_WORD_JOINER = "\u2060"
_CODE = re.compile(r":(?=[\w+-])")  # ":material/…:" and ":smile:" are read even where they are escaped


def plain(text: object) -> str:
    """A text as Markdown that shows exactly this text: no markup, link, formula, icon or emoji code."""
    apart = _CODE.sub(":" + _WORD_JOINER, str(text))
    return _MARKS.sub(r"\\\1", apart).replace("\n", " ")


def quoted(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """A text as HTML with ``spans`` (half-open, in order, apart) marked."""
    parts, at = [], 0
    for start, end in spans:
        parts += [escape(text[at:start]), "<mark>", escape(text[start:end]), "</mark>"]
        at = end
    return "".join([*parts, escape(text[at:])])


def counted(number: int, one: str, many: str = "") -> str:
    """As "1 page", "2 pages", "1,234 pages"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
