"""Numbers as a spreadsheet program displays them, by the number format of their cell (ECMA-376, part 1, 18.8.31).

Dates are written as ISO 8601, and colours, widths of blanks and conditions are left out. Fractions and other rare
formats are displayed as plain numbers.
"""

from __future__ import annotations

import datetime as dt
import re
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import lru_cache
from typing import Final

from openpyxl.styles.numbers import is_date_format

GENERAL: Final = "General"
_MAX_DIGITS: Final = 11  # of a number without a format; more are shown by none of the programs
_SECTION: Final = re.compile(r"""((?:[^;"\\]|"[^"]*"|\\.)*)(?:;|$)""")
_TOKEN: Final = re.compile(
    r"""(?P<literal>"[^"]*"|\\.|[$€£¥+\-()%:/ ])|\[\$(?P<currency>[^\]-]*)[^\]]*\]|\[[^\]]*\]|_.|\*."""
    r"""|(?P<number>[#0?][#0?,]*(?:\.[#0?]*)?|\.[#0?]+)(?P<scale>,*)|(?P<other>.)""",
    re.DOTALL,
)
_ACCOUNTING: Final = re.compile(r"\s+")


def display(value: object, number_format: str = GENERAL) -> str:
    """Return the text of a value: numbers by their format, dates as ISO 8601, truth values as TRUE and FALSE."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, dt.datetime | dt.date | dt.time | dt.timedelta):
        return _display_date(value)
    if isinstance(value, int | float):
        if is_date_format(number_format):
            return _display_plain(value)
        return _display_number(value, number_format)
    return str(value)


def _display_date(value: dt.datetime | dt.date | dt.time | dt.timedelta) -> str:
    """Return a date, a time, or both; the time of a date at midnight is left out, and so are seconds of 0."""
    if isinstance(value, dt.timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}" + (f":{seconds:02}" if seconds else "")
    if isinstance(value, dt.datetime):
        if value.time() == dt.time():
            return value.date().isoformat()
        return f"{value.date().isoformat()} {_display_date(value.time())}"
    if isinstance(value, dt.time):
        return value.strftime("%H:%M:%S" if value.second else "%H:%M")
    return value.isoformat()


def _display_number(value: float, number_format: str) -> str:
    sections = _split_sections(number_format)
    if number_format in {GENERAL, "@", ""} or any("General" in section for section in sections):
        return _display_plain(value)
    index = 0
    if value < 0 and len(sections) > 1:
        index, value = 1, -value
    elif value == 0 and len(sections) > 2:
        index = 2
    try:
        text = _apply_section(value, sections[index])
    except (InvalidOperation, OverflowError):  # more digits than are displayed
        text = None
    return _display_plain(value) if text is None else text


@lru_cache(maxsize=500)
def _split_sections(number_format: str) -> tuple[str, ...]:
    sections = [match[1] for match in _SECTION.finditer(number_format)]
    return tuple(sections[:-1] if len(sections) > 1 and not sections[-1] else sections)


def _apply_section(value: float, section: str) -> str | None:
    """Return a number by one section of a format; None if the section has a part that is not understood."""
    tokens = list(_TOKEN.finditer(section))
    numbers = [token for token in tokens if token["number"]]
    if len(numbers) > 1 or any(token["other"] and not token["other"].isspace() for token in tokens):
        return None
    literals = [token["literal"] for token in tokens if token["literal"]]
    scaled = value * 100 ** literals.count("%")
    result = ""
    for token in tokens:
        if token["number"]:
            result += _format_digits(scaled / 1000 ** len(token["scale"]), token["number"])
        elif token["literal"]:
            result += token["literal"].strip('"') if token["literal"][0] == '"' else token["literal"][-1]
        elif token["currency"]:
            result += token["currency"]
    sign = "-" if value < 0 and numbers else ""
    return sign + _ACCOUNTING.sub(" ", result).strip()


def _format_digits(value: float, pattern: str) -> str:
    """Return the digits of a number without its sign by a pattern of placeholders, such as "#,##0.00"."""
    whole, _, decimals = pattern.partition(".")
    digits, least = len(decimals), decimals.count("0")
    rounded = Decimal(repr(abs(value))).quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP)
    text = f"{rounded:{',' if ',' in whole else ''}f}"
    if digits > least:
        length = len(text) - (digits - least)
        text = text[:length] + text[length:].rstrip("0")
        text = text.rstrip(".")
    before, point, behind = text.partition(".")
    zeros = whole.count("0")
    if "," not in whole:
        before = before.zfill(zeros)
    if before == "0" and not zeros and behind:
        before = ""
    return f"{before}{point}{behind}"


def _display_plain(value: float) -> str:
    """Return a number without a format: at most 11 digits, without trailing zeros."""
    if isinstance(value, int) or (value.is_integer() and abs(value) < 1e15):
        return str(int(value))
    return f"{value:.{_MAX_DIGITS}g}"
