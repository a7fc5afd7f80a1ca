"""Widening of answer spans to whole words, numbers, codes and ranges: a reader may cut them between word pieces."""

from __future__ import annotations

import re
from typing import Final

_JOINED: Final = r"[\w$€£¥#%‰°]"
# characters between blanks, with punctuation only inside: "B-7719-3", "-12.5", "1.250,50", "AT&T", "o'clock"
_WORD: Final = re.compile(rf"(?:(?<![\w.,])[-−+])?{_JOINED}+(?:[-−–./,:'’&@+]+{_JOINED}+)*")
_GROUPED: Final = re.compile(r"(?<![\w.,])[-−]?\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?![\w])(?:[.,]\d+)?")
_CURRENCY: Final = re.compile(r"(?:[A-Z]{3}|[A-Z]{0,2}[$€£¥])[ \u00a0]?[-−]?(?=\d)")
_SCALE: Final = re.compile(
    r"[ \u00a0-]?(?:percentage points?|per ?cent(?:age)?|thousand|million|billion|trillion|mn|bn|%)(?!\w)",
    re.IGNORECASE,
)
_NUMBER: Final = r"[-−]?(?:[A-Z]{3} |[$€£¥])?\d[\d.,]*(?: \d{3})*(?: ?%| percent| million| billion)?"
_RANGE: Final = re.compile(rf"between {_NUMBER} and {_NUMBER}(?<![.,])", re.IGNORECASE)
_ABBREVIATION: Final = re.compile(r"(?<![\w.])(?:[A-Z][a-z]{0,3}|(?:[A-Za-z]\.)*[A-Za-z])\.$")  # "Inc.", "U.S.", "p.m."
_CURRENCY_CODE: Final = re.compile("AUD|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HKD|HUF|INR|JPY|KRW|MXN|NOK|NZD|PLN|SEK|USD")


def widen_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span with whole words, numbers with blanks between thousands, currency, scale, and "between … and …".

    Blanks and punctuation at its ends are left out, but for the period of an abbreviation.
    """
    while start < end and not re.match(rf"{_JOINED}|[-−+(\"“'‘]", text[start]):
        start += 1
    while start < end and not re.match(rf"{_JOINED}|[)\"”'’.!?]", text[end - 1]):
        end -= 1
    if start >= end:
        return start, end
    for pattern in (_WORD, _GROUPED, _RANGE):
        start, end = _cover(pattern, text, start, end)
    for match in _CURRENCY.finditer(text, max(0, start - 5), start + 1):
        if match.end() == start and _is_currency(match[0]):
            start = match.start()
    if text[end - 1] == "." and end - start > 1 and not _ABBREVIATION.search(text[start:end]):
        end -= 1
    if text[end - 1].isdigit() and (scale := _SCALE.match(text, end)):
        end = scale.end()
    return start, end


def _cover(pattern: re.Pattern[str], text: str, start: int, end: int) -> tuple[int, int]:
    """Extend a span over the matches of a pattern that it overlaps."""
    for match in pattern.finditer(text, max(0, start - 80), min(len(text), end + 80)):
        if match.start() < end and start < match.end():
            start, end = min(start, match.start()), max(end, match.end())
    return start, end


def _is_currency(text: str) -> bool:
    code = text.strip(" \u00a0-−")
    return not code.isalpha() or bool(_CURRENCY_CODE.fullmatch(code))
