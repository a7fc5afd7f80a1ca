"""Text of a paragraph from its lines, with hyphenation removed and the span of each line. Pure."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Sequence

from hopline_ingest.formats.block import BlockLine
from hopline_ingest.formats.hyphenation import SOFT, collect_document_words, remove_line_end_hyphen
from hopline_ingest.formats.pdf.page_content import Line

__all__ = ["SOFT", "collect_words", "join_lines", "join_text"]


def collect_words(lines: Iterable[Line]) -> set[str]:
    """Collect the words of the lines of a document, as `hopline_ingest.formats.hyphenation` needs them."""
    return collect_document_words(line.text for line in lines)


def join_lines(lines: Sequence[tuple[int, Line]], words: Collection[str] = ()) -> tuple[str, tuple[BlockLine, ...]]:
    """Join lines with their page numbers into a text; also returns the span of each line.

    Lines are separated by a blank. A word that is broken at a line's end is joined; the hyphen of a compound stays.
    ``words`` are those of the document.
    """
    text = ""
    block_lines: list[BlockLine] = []
    for index, (page, line) in enumerate(lines):
        following = lines[index + 1][1].text if index + 1 < len(lines) else ""
        shown, glue = remove_line_end_hyphen(line.text, following, words)
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
