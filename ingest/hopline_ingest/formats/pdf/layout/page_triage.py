"""Triage of pages: plain prose needs neither the layout model nor table detection. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from hopline_ingest.formats.pdf.layout.captions import is_caption
from hopline_ingest.formats.pdf.page_content import Line
from hopline_ingest.formats.pdf.text.lines import group_rows

_ODD_ROWS = 0.04  # of a page's rows may be in pieces: an address, a running head with its page number
_TURNED = 0.02


def is_plain(pieces: Sequence[Line]) -> bool:
    """Whether a page is one column of running text: its rows are unbroken, and it has no caption."""
    if any(is_caption(line.text) for line in pieces):
        return False
    if sum(line.turn != 0 for line in pieces) > _TURNED * len(pieces):
        return False
    rows = group_rows(pieces)
    inner = rows[1:-1]  # the first and the last may be a running head and foot
    return sum(len(row) > 1 for row in inner) <= _ODD_ROWS * len(rows)
