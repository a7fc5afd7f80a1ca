"""The abstract of a document: the text below its heading, or in the paragraph that begins with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from hopline.records import BibliographicEntry
from hopline_ingest.formats.front_matter.front_line import FrontLine, is_running_text
from hopline_ingest.formats.hyphenation import collect_document_words, join_wrapped_lines

_HEADING: Final = re.compile(r"\W*(?:abstract|a b s t r a c t|zusammenfassung|résumé)\s*[:.]?\s*", re.IGNORECASE)
_INLINE: Final = re.compile(r"\W*abstract\s*(?:[—–:.-]|\s(?=[A-Z]))\s*(?=\S)", re.IGNORECASE)
_END: Final = re.compile(
    r"\W*(?:key\s?words?\b|index terms\b|ccs concepts|categories and subject|general terms|jel\b|introduction\b|"
    r"(?:1|I)\.?\s+[A-Z]|©|copyright\b)",
    re.IGNORECASE,
)
_MAX_PAGE: Final = 3
_MAX_SKIPPED: Final = 15  # short lines beside an abstract
_MAX_LENGTH: Final = 4000  # characters
_MIN_LENGTH: Final = 100


def find_abstract(lines: Sequence[FrontLine]) -> BibliographicEntry | None:
    """Return the abstract with the boxes of its lines; None without one."""
    for number, line in enumerate(lines):
        if line.page > _MAX_PAGE:
            break
        inline = _INLINE.match(line.text)
        if inline and len(line.text) - inline.end() >= 20:
            parts = _collect(lines[number:])
            text = _join(parts)[inline.end() :]
        elif _HEADING.fullmatch(line.text):
            parts = _collect(_skip_short(lines[number + 1 :]))
            text = _join(parts)
        else:
            continue
        if _MIN_LENGTH <= len(text) <= _MAX_LENGTH:
            boxes = tuple(box for part in parts for box in part.make_entry("abstract", "").boxes)
            return BibliographicEntry("abstract", text, text, parts[0].page, boxes)
    return None


def _skip_short(lines: Sequence[FrontLine]) -> Sequence[FrontLine]:
    """Return the lines from the first one of running text on, if it is near."""
    running = (number for number, line in enumerate(lines[:_MAX_SKIPPED]) if is_running_text(line.text))
    return lines[next(running, len(lines)) :]


def _collect(lines: Sequence[FrontLine]) -> list[FrontLine]:
    """Collect the lines of a text up to a heading, a line in another size, or the keywords."""
    parts: list[FrontLine] = []
    for line in lines:
        is_other = parts and (abs(line.size - parts[0].size) > 0.6 or (line.is_heading and not parts[0].is_heading))
        if is_other or (parts and _END.match(line.text)) or (parts and line.page != parts[0].page):
            break
        parts.append(line)
        if line.line is None:  # a paragraph
            break
    return parts


def _join(lines: Sequence[FrontLine]) -> str:
    texts = [line.text for line in lines]
    return join_wrapped_lines(texts, collect_document_words(texts)) if texts else ""
