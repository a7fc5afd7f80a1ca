"""The scale of a table's numbers: thousands, millions, billions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from hopline.results import Evidence
from hopline.tables.values import find_scale, read_number

LINES_WITH_SCALE: Final = 6  # of a table
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_REMARK: Final = re.compile(r"\([^()]*\b(?:thousand|million|billion)s?\b[^()]*\)", re.IGNORECASE)


def find_table_scale(table: Evidence, evidence: Sequence[Evidence]) -> str:
    """Find the scale of a table's numbers ("million"); "" if it is not stated.

    It is stated in the caption or the first rows, or in brackets in those passages of ``evidence`` that are in the same
    section of the document.
    """
    first_lines = "\n".join(table.text.split("\n")[:LINES_WITH_SCALE])
    own = find_scale(f"{table.caption}\n{first_lines}")
    if own:
        return own
    passages = [item for item in evidence if item.kind == "passage" and item.document == table.document]
    remarks = [remark for item in passages if item.section == table.section for remark in _REMARK.findall(item.text)]
    scales = {scale for remark in remarks if (scale := find_scale(remark))}
    return scales.pop() if len(scales) == 1 else ""


def add_scale(text: str, short: str, scale: str) -> str:
    """Add the scale of a table to a text about its number ``short``, unless this is a percentage or a year."""
    is_amount = read_number(short) is not None and "%" not in short and not _YEAR.fullmatch(short)
    return f"{text} (in {scale}s)" if scale and is_amount else text
