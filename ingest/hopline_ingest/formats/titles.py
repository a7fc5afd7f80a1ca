"""The title of a document: what its file says if that makes sense, else what its first page shows. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from hopline_ingest.formats.pdf.page_content import Line

_NO_TITLE = re.compile(
    r"untitled|document\d*|microsoft (?:word|powerpoint|excel)\b.*|title|slide \d+|.*[\\/].*|[\d\W_]*|.*_.*"
    r"|.*\.(?:pdf|docx?|indd|pptx?|qxd|tex|dvi|xlsx?)",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_TELLING = 4  # letters of a word that says something: "Form 10-K" has one such word
_LARGER = 1.15
_LONGEST = 250


def sensible(title: str, shown: str) -> bool:
    """Whether a title from a file's properties is one: words, most of which the first pages show."""
    title = " ".join(title.split())
    if len(title) < 4 or len(title) > _LONGEST or _NO_TITLE.fullmatch(title):
        return False
    there = {word.lower() for word in _WORD.findall(shown)}
    words = [word.lower() for word in _WORD.findall(title)]
    found = [word for word in words if word in there]
    return len(found) == len(words) or sum(len(word) >= _TELLING for word in found) >= 2


def largest(lines: Sequence[Line], body: float) -> str:
    """The text set largest on a first page, if it is larger than the body's and says something; else empty."""
    worded = [line for line in lines if sum(character.isalpha() for character in line.text) >= 3 and line.turn == 0]
    top = max((line.size for line in worded), default=0.0)
    if not worded or top < _LARGER * body:
        return ""
    first = next(index for index, line in enumerate(worded) if line.size > 0.97 * top)
    held = []
    for line in worded[first:]:
        if line.size < 0.97 * top:
            break
        held.append(line.text)
    title = " ".join(held)
    telling = sum(len(word) >= _TELLING for word in _WORD.findall(title))
    return title if len(title) <= _LONGEST and telling >= 2 else ""


def from_name(name: str) -> str:
    """A file's name as a title: "annual_report-2022.pdf" -> "annual report 2022"."""
    return " ".join(re.sub(r"[_\-+]+", " ", PurePath(name).stem).split()) or name
