"""Amounts of tables with their unit and scale."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from hopline.results import Evidence
from hopline.text.measures import find_unit
from hopline.text.values import find_scale, is_year, parse_number

LINES_WITH_SCALE: Final = 6  # of a table
LONGEST_UNIT: Final = 12  # characters of a unit that is written behind a number
_REMARK: Final = re.compile(r"\([^()]*\b(?:thousand|million|billion)s?\b[^()]*\)", re.IGNORECASE)
_SYMBOLS: Final = "$€£¥"


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
    """Add the scale of a table to a text about its number ``short``, unless it is a year or the text has a "%"."""
    number = parse_number(short)
    is_amount = number is not None and "%" not in text and not number.scale and not is_year(short)
    return f"{text} (in {scale}s)" if scale and is_amount else text


def write_amount(text: str, unit: str, scale: str) -> str:
    """Return the number of a cell with the unit and the scale of its column: "$571 million"; other texts as they are.

    A percentage has no scale, nor has a number whose cell states its unit.
    """
    number = parse_number(text)
    if number is None or is_year(text) or re.search(r"[^\W\d]|%", text):
        return text
    if unit == "%":
        return f"{text}%"
    symbol = unit[:1] if unit[:1] in _SYMBOLS else ""  # "€m" states the scale as well
    if symbol and symbol not in text:
        text = re.sub(r"\d", lambda match: symbol + match[0], text, count=1)
    suffix = unit if not symbol and find_unit(unit) and len(unit) <= LONGEST_UNIT else ""
    return " ".join(filter(None, (text, scale, suffix)))
