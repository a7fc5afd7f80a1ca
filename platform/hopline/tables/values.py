"""Values of cells: numbers with their scale, dates, and the formatting of computed numbers."""

from __future__ import annotations

import re
from typing import Final

_STRICT: Final = re.compile(r"\(?\s*[$€£¥]?\s*\(?\s*[-−–]?\s*[$€£¥]?\s*(\d[\d,]*(?:\.\d+)?|\.\d+)\s*\)?\s*%?\s*\)?")
_LEADING: Final = re.compile(
    r"[^\w\d(−–-]{0,3}(?P<sign>[(−–-]?)\s*[$€£¥]?\s*(?P<number>\d[\d,]*(?:\.\d+)?|\.\d+)"
    r"(?P<clock>(?::\d\d)+(?:\.\d+)?)?\s*(?P<scale>thousand|million|billion)?",
    re.IGNORECASE,
)
_SCALES: Final = {"thousand": 1e3, "million": 1e6, "billion": 1e9}
_STATED_SCALE: Final = re.compile(
    r"\b(?:in|of|\$)\s*(?:[a-z€£$]+\s+)?(thousand|million|billion)s?\b|[$€£](m|k)\b|[$€£][’'](000)", re.IGNORECASE
)
DAYS_OF_YEAR: Final = 372.0  # 12 months of 31 days: enough to order dates
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = re.compile(rf"\b({'|'.join(_MONTHS)})[a-z]*\b", re.IGNORECASE)
_ISO: Final = re.compile(r"\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b")
_YEAR: Final = re.compile(r"\b(1\d{3}|20\d\d)\b")
_NUMBER_SOUGHT: Final = re.compile(
    r"\bhow (?:many|much)\b|^(?:what|which)(?: (?:is|was) the)?(?: \w+)? number of\b", re.IGNORECASE
)
_CLOCK: Final = re.compile(r"\d:\d\d")
_SIZE_SOUGHT: Final = re.compile(r"\bhow (?:long|old|far|high|tall|wide|deep|large|big)\b", re.IGNORECASE)
_AGE_SOUGHT: Final = re.compile(r"\bhow old\b", re.IGNORECASE)
_DAY: Final = re.compile(r"\b([0-3]?\d)(?:st|nd|rd|th)?\b")


def read_number(text: str) -> float | None:
    """Return the number of a text, negative in brackets or behind a minus; None if the text is more than a number."""
    text = text.strip()
    match = _STRICT.fullmatch(text)
    if match is None:
        return None
    number = float(match[1].replace(",", ""))
    return -number if text.replace("$", "").strip().startswith(("(", "-", "−", "–")) else number


def read_leading_number(text: str) -> float | None:
    """Return the number at the beginning of a text, "3rd" and "12 km" included; a time "1:30" in its smallest unit."""
    match = _LEADING.match(text.strip())
    if match is None:
        return None
    number = float(match["number"].replace(",", ""))
    for part in (match["clock"] or "").split(":")[1:]:
        number = 60 * number + float(part)
    number *= _SCALES.get((match["scale"] or "").lower(), 1.0)
    return -number if match["sign"] and (match["sign"] != "(" or text.strip().endswith(")")) else number


def read_date(text: str) -> float | None:
    """Return a number that orders dates: its days in years of `DAYS_OF_YEAR`; None without a month."""
    if iso := _ISO.search(text):
        return DAYS_OF_YEAR * int(iso[1]) + 31 * int(iso[2]) + int(iso[3])
    month = _MONTH.search(text)
    if month is None:
        return None
    year = _YEAR.search(text)
    rest = text.replace(year[0], " ") if year else text
    day = _DAY.search(rest)
    return (
        DAYS_OF_YEAR * (int(year[1]) if year else 0)
        + 31 * _MONTHS.index(month[1].lower())
        + (int(day[1]) if day else 0)
    )


def find_scale(text: str) -> str:
    """Return the scale that a heading states, "million" of "in millions" and of "$m"; "" if there is none."""
    match = _STATED_SCALE.search(text)
    if match is None:
        return ""
    return match[1].lower() if match[1] else "million" if match[2] in {"m", "M"} else "thousand"


def asks_for_number(question: str) -> bool:
    """Whether a question asks how many or how much."""
    return bool(_NUMBER_SOUGHT.search(question))


def fits_question(question: str, text: str) -> bool:
    """Whether a text is a number if the question asks for one, and has a digit if it asks for a duration or a size.

    Dates and times are no numbers, and a year is no age.
    """
    if asks_for_number(question):
        return read_leading_number(text) is not None and read_date(text) is None and not _CLOCK.search(text)
    if _AGE_SOUGHT.search(question) and _YEAR.fullmatch(text.strip()):
        return False
    return not _SIZE_SOUGHT.search(question) or any(char.isdigit() for char in text)


def format_number(number: float) -> str:
    """Format a number with separators and at most two digits behind the point, and a true minus."""
    text = f"{number:,.2f}".rstrip("0").rstrip(".")
    return text.replace("-", "−") if text != "-0" else "0"
