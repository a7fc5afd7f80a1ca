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
_PART = 4  # letters: two words of the document as long as that are a compound, "in" and "form" are not


def collect_words(lines: Iterable[Line]) -> set[str]:
    """Collect the words of a document in lower case, with compounds as they are written.

    ``lines`` are in order: the two parts of a word that a line's end breaks are no words.
    """
    words: set[str] = set()
    broken = False
    for line in lines:
        found = [word.lower() for word in _WORD.findall(line.text)]
        first = 1 if broken else 0
        broken = line.text.endswith(_HYPHENS)
        words.update(found[first : len(found) - broken])
    return words


def join_lines(lines: Sequence[tuple[int, Line]], words: Collection[str] = ()) -> tuple[str, tuple[BlockLine, ...]]:
    """Join lines, given with their page numbers, into a text; also return the span of each line.

    Lines are parted by a blank. A word broken at a line's end is made whole; its hyphen stays if
    the document writes it so elsewhere, and only then if both ways would do.
    """
    text = ""
    held: list[BlockLine] = []
    for index, (page, line) in enumerate(lines):
        following = lines[index + 1][1].text if index + 1 < len(lines) else ""
        shown, glue = _without_hyphen(line.text, following, words)
        kept = [number for number, character in enumerate(shown) if character != SOFT]
        lefts = array("f", (line.lefts[number] for number in kept))
        rights = array("f", (line.rights[number] for number in kept))
        start = len(text)
        text += "".join(shown[number] for number in kept)
        held.append(BlockLine((start, len(text)), page, line.rect, lefts, rights))
        text += glue if following else ""
    return text, tuple(held)


def join_text(lines: Iterable[Line]) -> str:
    """Join lines into a text without hyphenation."""
    return join_lines([(0, line) for line in lines])[0]


def _without_hyphen(text: str, following: str, words: Collection[str]) -> tuple[str, str]:
    """A line without the hyphen that only breaks a word, and what parts it from the next line."""
    if not text.endswith(_HYPHENS) or not following:
        return text, " "
    before, after = _LAST_WORD.search(text[:-1]), _FIRST_WORD.match(following)
    if not before or not after:
        return (text, " ") if text[:-1].endswith(" ") else (text.replace(SOFT, "-"), "")
    whole = (before[0] + after[0]).lower()
    if whole in words:
        return text[:-1], ""
    compound = f"{before[0]}-{after[0]}".lower()
    both = min(len(before[0]), len(after[0])) >= _PART and before[0].lower() in words and after[0].lower() in words
    if compound in words or both or not after[0][0].islower():
        return text[:-1] + "-", ""
    return text[:-1], ""
