"""The title of a document, from its file's properties if plausible, else from its first page. Pure."""

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
_INFORMATIVE_LENGTH = 4  # letters of an informative word: "Form 10-K" has one such word
_SENTENCE_WORDS = 7
_LARGER = 1.15
_LONGEST = 250


def is_plausible_title(title: str, shown: str) -> bool:
    """Whether a title from a file's properties is plausible: words, most of which occur on the first pages."""
    title = " ".join(title.split())
    if len(title) < 4 or len(title) > _LONGEST or _NO_TITLE.fullmatch(title):
        return False
    shown_words = {word.lower() for word in _WORD.findall(shown)}
    words = [word.lower() for word in _WORD.findall(title)]
    matched = [word for word in words if word in shown_words]
    return len(matched) == len(words) or sum(len(word) >= _INFORMATIVE_LENGTH for word in matched) >= 2


def is_version_of(title: str, shown: str) -> bool:
    """Return whether two titles share most of their informative words: "Art in Physics" and "Creativity in Physics"."""
    words, shown_words = ({word.lower() for word in _WORD.findall(text)} for text in (title, shown))
    informative = {word for word in words | shown_words if len(word) >= _INFORMATIVE_LENGTH}
    return 2 * len(informative & words & shown_words) > len(informative)


def find_largest_text(lines: Sequence[Line], body: float) -> str:
    """Return the text with the largest font on a first page if larger than the body text and informative, else ""."""
    worded = [line for line in lines if sum(character.isalpha() for character in line.text) >= 3 and line.turn == 0]
    top = max((line.size for line in worded), default=0.0)
    if not worded or top < _LARGER * body:
        return ""
    first = next(index for index, line in enumerate(worded) if line.size > 0.97 * top)
    parts = []
    for line in worded[first:]:
        if line.size < 0.97 * top:
            break
        parts.append(line.text)
    title = " ".join(parts)
    informative = sum(len(word) >= _INFORMATIVE_LENGTH for word in _WORD.findall(title))
    return title if len(title) <= _LONGEST and informative >= 2 and not _is_text(title) else ""


def _is_text(title: str) -> bool:
    """Return whether a text is a sentence, or an item of a list that is one, rather than a title."""
    return title.endswith((".", ";")) and len(_WORD.findall(title)) >= _SENTENCE_WORDS


def title_from_name(name: str) -> str:
    """Convert a file's name into a title: "annual_report-2022.pdf" -> "annual report 2022"."""
    return " ".join(re.sub(r"[_\-+]+", " ", PurePath(name).stem).split()) or name
