"""Text of a paragraph from its lines, with hyphenation removed and the span of each line. Pure."""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection, Iterable, Sequence

from hopline_ingest.formats.block import BlockLine
from hopline_ingest.formats.pdf.page_content import Line

SOFT = "\u00ad"
_HYPHENS = ("-", "\u2010", SOFT)
_LAST_WORD = re.compile(r"[^\W\d_]+$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")
_MIN_PART = 4  # letters of the words of a compound; "in" and "form" are shorter


def collect_words(lines: Iterable[Line]) -> set[str]:
    """Collect the words of a document in lower case, with compounds as they are written.

    ``lines`` are in order; the two parts of a word that is broken at a line's end are not collected.
    """
    words: set[str] = set()
    broken = False
    for line in lines:
        line_words = [word.lower() for word in _WORD.findall(line.text)]
        first = 1 if broken else 0
        broken = line.text.endswith(_HYPHENS)
        words.update(line_words[first : len(line_words) - broken])
    return words


def join_lines(lines: Sequence[tuple[int, Line]], words: Collection[str] = ()) -> tuple[str, tuple[BlockLine, ...]]:
    """Join lines with their page numbers into a text; also returns the span of each line.

    Lines are separated by a blank. A word that is broken at a line's end is joined; its hyphen stays if the document
    has the compound elsewhere, but not if it has the joined word.
    """
    text = ""
    block_lines: list[BlockLine] = []
    for index, (page, line) in enumerate(lines):
        following = lines[index + 1][1].text if index + 1 < len(lines) else ""
        shown, glue = _remove_hyphen(line.text, following, words)
        indices = [number for number, character in enumerate(shown) if character != SOFT]
        lefts = array("f", (line.lefts[number] for number in indices))
        rights = array("f", (line.rights[number] for number in indices))
        start = len(text)
        text += "".join(shown[number] for number in indices)
        block_lines.append(BlockLine((start, len(text)), page, line.rect, lefts, rights))
        text += glue if following else ""
    return text, tuple(block_lines)


def join_text(lines: Iterable[Line]) -> str:
    """Join lines into a text without hyphenation."""
    return join_lines([(0, line) for line in lines])[0]


def _remove_hyphen(text: str, following: str, words: Collection[str]) -> tuple[str, str]:
    """Return a line without a hyphen that only breaks a word, and the separator before the next line."""
    if not text.endswith(_HYPHENS) or not following:
        return text, " "
    before, after = _LAST_WORD.search(text[:-1]), _FIRST_WORD.match(following)
    if not before or not after:
        return (text, " ") if text[:-1].endswith(" ") else (text.replace(SOFT, "-"), "")
    joined_word = (before[0] + after[0]).lower()
    if joined_word in words:
        return text[:-1], ""
    compound = f"{before[0]}-{after[0]}".lower()
    are_words = (
        min(len(before[0]), len(after[0])) >= _MIN_PART and before[0].lower() in words and after[0].lower() in words
    )
    if compound in words or are_words or not after[0][0].islower():
        return text[:-1] + "-", ""
    return text[:-1], ""
