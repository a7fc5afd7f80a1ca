"""The printed numbers of pages ("iv", "A-3"), from the labels of the file or from headers and footers. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from hopline.text.values import parse_roman
from hopline_ingest.formats.pdf.page_content import LinePosition, PageContent

MAX_LABEL: Final = 12  # characters
_MIN_RUN: Final = 3  # pages in a row whose printed numbers count up
_ARABIC: Final = r"(?P<prefix>[A-Z]{1,2}[-–.]|\d{1,2}[-–])?(?P<number>\d{1,4})"
_PRINTED: Final = re.compile(
    rf"(?:.*\s)?\W*(?:(?:page|seite|p\.)\s*)?(?:{_ARABIC}|(?P<roman>[ivxlc]{{1,7}}))(?:\s*(?:of|/|von)\s*\d+)?\W*",
    re.IGNORECASE,
)
_LEADING: Final = re.compile(rf"\W*(?:page\s+)?(?:{_ARABIC}|(?P<roman>[ivxlc]{{1,7}}))(?:\s.*)?", re.IGNORECASE)

Number = tuple[str, int]  # kind or prefix of a printed number, and its value


def find_page_labels(
    pages: Sequence[PageContent], positions: Collection[LinePosition], labels: Sequence[str] = ()
) -> list[str]:
    """Return the label of each page, "" for pages without one, and for all if every label is the number of its page.

    ``labels`` are those of the file, by page number; without any, the numbers of the lines at ``positions``, which are
    headers and footers, are taken where they count up over several pages.
    """
    shown = [_clean(labels[page.number - 1]) if page.number <= len(labels) else "" for page in pages]
    if not any(shown):
        shown = _read_printed(pages, positions)
    is_plain = all(label in {"", str(page.number)} for page, label in zip(pages, shown, strict=True))
    return [""] * len(pages) if is_plain else shown


def _clean(label: str) -> str:
    label = " ".join(label.split())
    return label if len(label) <= MAX_LABEL else ""


def _read_printed(pages: Sequence[PageContent], positions: Collection[LinePosition]) -> list[str]:
    """Return the printed numbers that belong to a run of pages on which they count up."""
    candidates: list[dict[Number, str]] = [{} for _ in pages]
    for number, index in positions:
        candidates[number].update(_parse_numbers(pages[number].lines[index].text))
    labels = [""] * len(pages)
    for start in range(len(pages)):
        for kind, value in candidates[start]:
            length = _measure_run(candidates, start, kind, value)
            if length >= _MIN_RUN and not (start and (kind, value - 1) in candidates[start - 1]):
                for offset in range(length):
                    labels[start + offset] = labels[start + offset] or candidates[start + offset][kind, value + offset]
    return labels


def _measure_run(candidates: Sequence[dict[Number, str]], start: int, kind: str, value: int) -> int:
    """Count the pages from ``start`` on whose printed numbers count up from ``value``."""
    length = 0
    while start + length < len(candidates) and (kind, value + length) in candidates[start + length]:
        length += 1
    return length


def _parse_numbers(text: str) -> Iterator[tuple[Number, str]]:
    """Yield the number at the end of a header or footer, and the one at its beginning, as kind, value and label."""
    for pattern in (_PRINTED, _LEADING):
        match = pattern.fullmatch(text)
        if match is None:
            continue
        if match["roman"]:
            value = parse_roman(match["roman"])
            if value is not None:
                yield ("roman", value), match["roman"]
        else:
            prefix = match["prefix"] or ""
            yield (prefix, int(match["number"])), prefix + match["number"]
