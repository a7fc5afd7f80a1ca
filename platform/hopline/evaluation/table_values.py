"""Comparison of answers over tables as the evaluation of WikiTableQuestions counts them (Pasupat and Liang 2015)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

TOLERANCE: Final = 1e-6
ROUNDING: Final = 0.005  # relative
_UNITS: Final = re.compile(r"[,$€£%\s]")
_QUOTES: Final = str.maketrans("‘’´`“”‐‑‒–—−", "''''\"\"------")
_REFERENCES: Final = re.compile(r"((?<!^)\[[^\]]*\]|\[\d+\]|[•♦†‡*#+])*$")
_REMARK: Final = re.compile(r"(?<!^)(\s*\([^)]*\))*$")


def match_values(golds: Sequence[str], values: Sequence[str]) -> bool:
    """Whether there are as many values as gold answers, and each gold answer is equal to one of them."""
    return len(golds) == len(values) and all(any(is_equal(gold, value) for value in values) for gold in golds)


def is_equal(gold: str, value: str) -> bool:
    """Whether two values are the same number, or else the same text without accents, quotes and remarks at the end."""
    number, wanted = parse_plain_number(value), parse_plain_number(gold)
    if number is not None and wanted is not None:
        return abs(number - wanted) < TOLERANCE
    return _normalize(gold) == _normalize(value)


def match_computed(gold: str, value: str) -> bool:
    """Whether a computed value is the gold number, but for the rounding to the digits that people are shown.

    A share may be given as a fraction or in per cent.
    """
    number, wanted = parse_plain_number(value), parse_plain_number(gold)
    if number is None or wanted is None:
        return False
    numbers = (number, number / 100) if "%" in value else (number,)
    return any(abs(item - wanted) <= max(TOLERANCE, ROUNDING * abs(wanted)) for item in numbers)


def parse_plain_number(text: str) -> float | None:
    """Parse a number without its separators and units; in brackets it is negative; None for other texts."""
    plain = re.sub(r"^\((.*)\)$", r"-\1", _UNITS.sub("", text).replace("−", "-"))
    try:
        return float(plain)
    except ValueError:
        return None


def _normalize(text: str) -> str:
    text = unicodedata.normalize("NFKD", text.translate(_QUOTES))
    text = "".join(c for c in text if unicodedata.category(c) != "Mn")
    before = ""
    while text != before:
        before = text
        text = _REMARK.sub("", _REFERENCES.sub("", text.strip()).strip()).strip()
        text = re.sub(r'^"([^"]*)"$', r"\1", text)
    return " ".join(text.rstrip(".").lower().split())
