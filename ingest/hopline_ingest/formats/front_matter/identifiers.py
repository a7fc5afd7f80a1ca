"""Identifiers of a document on its first pages: DOI, arXiv, ISBN, ISSN, docket and report numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hopline.records import BibliographicEntry, BibliographicKey
from hopline_ingest.formats.front_matter.front_line import FrontLine

MAX_DOI_PAGE: Final = 2  # others follow in references
_MAX_LABELLED: Final = 3  # page of a docket or report number
_MAX_LINE: Final = 90  # characters of a line with a number that is no sentence
DOI: Final = re.compile(r"\b10\.\d{4,9}/[^\s\"<>{}|\\^`\[\]]+")
_ARXIV: Final = re.compile(r"\barXiv:\s?(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?", re.IGNORECASE)
_ISBN: Final = re.compile(
    r"\b(?:e-?)?ISBN(?:[-‐– ]?1[03])?(?:\s*\([^)]{1,20}\))?[:\s]*((?:97[89][-‐– ]?)?\d[\d‐–\- ]{7,14}[\dXx])\b"
)
_ISSN: Final = re.compile(r"\b(?:e-?|p-?)?ISSN(?:\s*\([^)]{1,20}\))?[:\s]*(\d{4}[-‐–]\d{3}[\dXx])\b", re.IGNORECASE)
_DOI_LABEL: Final = re.compile(r"https?://|(?:dx\.)?doi\.org|\bdoi\b", re.IGNORECASE)
_NUMBER: Final = r"(?P<number>(?=[\w.:/‐–-]*\d)[A-Za-z0-9][\w.:/()‐–-]*[\w)])"
_NO: Final = r"\s*(?:nos?\.?|numbers?|nr\.?|№|#)\s*:?\s*"
_DOCKET: Final = re.compile(rf"\b(?:docket|case|civil action|cause|petition){_NO}{_NUMBER}", re.IGNORECASE)
_REPORT: Final = re.compile(
    rf"\b(?:(?:technical|research|working|discussion|staff)\s+)?(?:report|paper|memorandum|publication|document)"
    rf"{_NO}{_NUMBER}",
    re.IGNORECASE,
)


def find_identifiers(lines: Sequence[FrontLine]) -> Iterator[BibliographicEntry]:
    """Yield the identifiers that the first pages state of the document itself."""
    yield from _find_doi(lines)
    yield from _find_first(lines, "arxiv", _ARXIV, max_page=1)
    yield from _find_checked(lines)
    yield from _find_first(lines, "docket", _DOCKET, max_page=_MAX_LABELLED, group="number")
    yield from _find_first(lines, "report_number", _REPORT, max_page=_MAX_LABELLED, group="number")


def parse_doi(text: str) -> str:
    """Return the DOI that a text contains, without what follows it; "" if there is none."""
    match = DOI.search(text)
    return _trim_doi(match[0]) if match else ""


def _trim_doi(text: str) -> str:
    text = text.rstrip(".,;:'”’")
    while text.endswith(")") and text.count("(") < text.count(")"):
        text = text[:-1].rstrip(".,;:")
    return text


def _find_doi(lines: Sequence[FrontLine]) -> Iterator[BibliographicEntry]:
    """Yield the DOI of the first pages; of several, only one that a line has without other words."""
    matches = [
        (line, match.start(), _trim_doi(match[0]))
        for line in lines
        if line.page <= MAX_DOI_PAGE
        for match in DOI.finditer(line.text)
    ]
    if len({doi.lower() for _, _, doi in matches}) > 1:
        matches = [item for item in matches if item[0].page == 1 and _is_alone(item[0].text, item[2])]
    if len({doi.lower() for _, _, doi in matches}) == 1:
        line, start, doi = matches[0]
        yield line.make_entry("doi", doi, start, start + len(doi))


def _is_alone(text: str, doi: str) -> bool:
    """Return whether a line has no words besides a DOI."""
    return re.search(r"[^\W\d_]{2,}", _DOI_LABEL.sub("", text.replace(doi, ""))) is None


def _find_first(
    lines: Sequence[FrontLine], key: BibliographicKey, pattern: re.Pattern[str], *, max_page: int, group: str | int = 1
) -> Iterator[BibliographicEntry]:
    """Yield the first match at the beginning of a line or in a short one; running text refers to other documents."""
    for line in lines:
        match = pattern.search(line.text) if line.page <= max_page else None
        if match and (match.start() == 0 or (len(line.text) <= _MAX_LINE and not _is_sentence(line.text))):
            yield line.make_entry(key, match[group], *match.span(group))
            return


def _is_sentence(text: str) -> bool:
    words: list[str] = re.findall(r"[^\W\d_]+", text)
    return sum(word[0].islower() for word in words) > len(words) / 2


def _find_checked(lines: Sequence[FrontLine]) -> Iterator[BibliographicEntry]:
    """Yield the ISBN and ISSN whose check digit is right, each once."""
    patterns: tuple[tuple[BibliographicKey, re.Pattern[str]], ...] = (("isbn", _ISBN), ("issn", _ISSN))
    for key, pattern in patterns:
        known: set[str] = set()
        for line in lines:
            for match in pattern.finditer(line.text):
                digits = re.sub(r"[^\dXx]", "", match[1]).upper()
                if digits not in known and (_is_isbn(digits) if key == "isbn" else _is_issn(digits)):
                    known.add(digits)
                    value = f"{digits[:4]}-{digits[4:]}" if key == "issn" else digits
                    yield line.make_entry(key, value, *match.span(1))


def _is_isbn(digits: str) -> bool:
    if len(digits) == 13 and digits.isdecimal():
        return sum(int(digit) * (3 if index % 2 else 1) for index, digit in enumerate(digits)) % 10 == 0
    return len(digits) == 10 and _has_check_digit(digits)


def _is_issn(digits: str) -> bool:
    return len(digits) == 8 and _has_check_digit(digits)


def _has_check_digit(digits: str) -> bool:
    """Return whether the weighted sum of the digits, of which the last may be X for ten, is divisible by 11."""
    if not digits[:-1].isdecimal():
        return False
    values = [10 if digit == "X" else int(digit) for digit in digits]
    total = sum(value * weight for value, weight in zip(values, range(len(values), 0, -1), strict=True))
    return total % 11 == 0
