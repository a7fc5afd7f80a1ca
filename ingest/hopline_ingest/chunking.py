"""Paragraphs into passages: whole sentences, at most 200 tokens, never across sections."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, pairwise
from typing import Any

from hopline.types import Box
from hopline_ingest.formats.block import Block
from hopline_ingest.formats.parsed_document import ParsedPassage, Span

LIMIT = 200  # tokens: what the default embedder sees at once (256 word pieces) with room for the title
_PIECES = re.compile(r"[a-zA-Z\u00c0-\u024f]+|\d+|[^\W\d_]|[^\w\s]|_")
_WHOLE, _PIECE = 8, 4  # a word of up to 8 letters counts 1, and 1 more for every 4 letters beyond


def tokens(text: str) -> int:
    """How many tokens a text has, by letters alone.

    A Latin word of up to 8 letters is one, and each 4 letters beyond are one more; digits the
    same; a letter of another script and a mark are one each. Against the word pieces of
    all-MiniLM on Wikipedia, papers and filings: 0.98 of them on average; 1 text in 100 has more
    than 1.25 pieces a token.
    """
    return sum(1 + max(0, len(piece) - _WHOLE + _PIECE - 1) // _PIECE for piece in _PIECES.findall(text))


@dataclass(frozen=True, slots=True)
class _Unit:
    """A sentence, or a part of one that is too long, of one block."""

    block: Block
    span: Span
    tokens: int
    starts_block: bool


def split(blocks: Iterable[Block], *, limit: int = LIMIT) -> tuple[ParsedPassage, ...]:
    """Passages of at most ``limit`` tokens, in order.

    Paragraphs stay whole where they fit: one that does not fit into a passage that is at least
    half full begins the next. Within a passage paragraphs are parted by a line break. A block
    that stands alone shares its passage with no other.
    """
    passages: list[ParsedPassage] = []
    for _, run in groupby(_numbered(blocks), key=lambda pair: pair[0]):
        paragraphs = [list(_units(block, limit)) for _, block in run]
        passages.extend(_passage(units) for units in _packed(paragraphs, limit))
    return tuple(passages)


def _numbered(blocks: Iterable[Block]) -> Iterator[tuple[int, Block]]:
    """Each block with the number of its run; a run shares a section and may share passages."""
    run, before = 0, None
    for block in blocks:
        if before is not None and (block.alone or before.alone or block.section != before.section):
            run += 1
        before = block
        yield run, block


def _packed(paragraphs: Sequence[list[_Unit]], limit: int) -> Iterator[list[_Unit]]:
    held: list[_Unit] = []
    used = 0
    for paragraph in paragraphs:
        whole = sum(unit.tokens for unit in paragraph)
        if held and used + whole > limit and used >= limit // 2:
            yield held
            held, used = [], 0
        for unit in paragraph:
            if held and used + unit.tokens > limit:
                yield held
                held, used = [], 0
            held.append(unit)
            used += unit.tokens
    if held:
        yield held


def _units(block: Block, limit: int) -> Iterator[_Unit]:
    first = True
    for start, end in sentences(block.text):
        for part in _parts(block.text, (start, end), limit):
            yield _Unit(block, part, tokens(block.text[slice(*part)]), first)
            first = False


def sentences(text: str) -> list[Span]:
    """Spans of the sentences of ``text``, in order, without the blanks between them."""
    from syntok import segmenter

    starts = [sentence[0].offset for paragraph in segmenter.analyze(text) for sentence in paragraph if sentence]
    bounds = [*starts, len(text)]
    if starts:
        bounds[0] = 0
    return [span for pair in pairwise(bounds) if (span := _stripped(text, pair))]


def _stripped(text: str, span: Span) -> Span | None:
    piece = text[span[0] : span[1]]
    start = span[0] + len(piece) - len(piece.lstrip())
    end = span[0] + len(piece.rstrip())
    return (start, end) if start < end else None


def _parts(text: str, span: Span, limit: int) -> list[Span]:
    """The span itself, or where it is too long its parts at the best places to cut."""
    start, end = span
    if tokens(text[start:end]) <= limit:
        return [span]
    _, offsets = _chunker(limit)(text[start:end], offsets=True)
    return [part for a, b in offsets if (part := _stripped(text, (start + a, start + b)))]


@cache
def _chunker(limit: int) -> Any:
    import semchunk

    return semchunk.chunkerify(tokens, chunk_size=limit)


def _passage(units: Sequence[_Unit]) -> ParsedPassage:
    """One passage of consecutive units, with every span moved to its own text."""
    pieces: list[str] = []
    spans: list[Span] = []
    lines: list[Span] = []
    boxes: list[Box] = []
    length = 0
    for before, unit in zip([None, *units], units, strict=False):
        between = "" if before is None else _between(before, unit)
        shift = length + len(between) - unit.span[0]
        pieces.append(between + unit.block.text[slice(*unit.span)])
        length += len(pieces[-1])
        spans.append((unit.span[0] + shift, unit.span[1] + shift))
        for (first, last), box in unit.block.shown(*unit.span):
            lines.append((first + shift, last + shift))
            boxes.append(box)
    pages = [box.page for box in boxes] or [page for unit in units for page in unit.block.pages]
    joined_lines, joined_boxes = _joined(lines, boxes)
    return ParsedPassage(
        "".join(pieces),
        units[0].block.section,
        tuple(dict.fromkeys(pages)),
        joined_boxes,
        joined_lines,
        tuple(spans),
    )


def _between(before: _Unit, unit: _Unit) -> str:
    if before.block is not unit.block:
        return "\n"
    return unit.block.text[before.span[1] : unit.span[0]]


def _joined(lines: Sequence[Span], boxes: Sequence[Box]) -> tuple[tuple[Span, ...], tuple[Box, ...]]:
    """Parts of one line of the page, cut where a sentence ends within it, as one."""
    spans: list[Span] = []
    kept: list[Box] = []
    for span, box in zip(lines, boxes, strict=True):
        last = kept[-1] if kept else None
        if last and (last.page, last.y0, last.y1) == (box.page, box.y0, box.y1) and span[0] - spans[-1][1] <= 1:
            spans[-1] = (spans[-1][0], span[1])
            kept[-1] = Box(box.page, min(last.x0, box.x0), box.y0, max(last.x1, box.x1), box.y1)
        else:
            spans.append(span)
            kept.append(box)
    return tuple(spans), tuple(kept)
