"""Chunking of paragraphs into passages: whole sentences, at most 200 tokens, never across sections."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any

from hopline.records import Box
from hopline.text.sentences import split_sentences, strip_span
from hopline_ingest.formats.block import Block
from hopline_ingest.formats.parsed_document import ParsedPassage, Span

MAX_CODE_LINES = 12  # of program code that is cited as a whole
LIMIT = 200  # tokens: the input limit of the default embedder (256 word pieces), with room for the title
_PIECES = re.compile(r"[a-zA-Z\u00c0-\u024f]+|\d+|[^\W\d_]|[^\w\s]|_")
_WHOLE, _PIECE = 8, 4  # a word of up to 8 letters counts as 1 token, and every 4 letters beyond as 1 more


def count_tokens(text: str) -> int:
    """Estimate the number of tokens of a text from its characters.

    A Latin word of up to 8 letters is one token, and each 4 letters beyond are one more; the same
    holds for digits; a letter of another script and a punctuation mark are one each. Compared with
    the word pieces of all-MiniLM on Wikipedia, papers and filings the estimate is 0.98 of them on
    average; 1 text in 100 has more than 1.25 pieces per token.
    """
    return sum(1 + max(0, len(piece) - _WHOLE + _PIECE - 1) // _PIECE for piece in _PIECES.findall(text))


@dataclass(frozen=True, slots=True)
class _Unit:
    """A sentence of one block, or a part of a sentence that is too long."""

    block: Block
    span: Span
    tokens: int
    starts_block: bool


def split_passages(blocks: Iterable[Block], *, limit: int = LIMIT) -> tuple[ParsedPassage, ...]:
    """Split blocks into passages of at most ``limit`` tokens, in order.

    Paragraphs stay whole where possible: one that does not fit into a passage that is at least
    half full begins the next. Paragraphs within a passage are separated by a line break. A block
    marked ``alone`` is a passage of its own.
    """
    passages: list[ParsedPassage] = []
    for _, run in groupby(_number_runs(blocks), key=lambda pair: pair[0]):
        paragraphs = [list(_split_units(block, limit)) for _, block in run]
        passages.extend(_build_passage(units) for units in _pack(paragraphs, limit))
    return tuple(passages)


def _number_runs(blocks: Iterable[Block]) -> Iterator[tuple[int, Block]]:
    """Yield each block with the number of its run: consecutive blocks of one section, which may share passages."""
    run, before = 0, None
    for block in blocks:
        if before is not None and (block.alone or before.alone or block.section != before.section):
            run += 1
        before = block
        yield run, block


def _pack(paragraphs: Sequence[list[_Unit]], limit: int) -> Iterator[list[_Unit]]:
    current: list[_Unit] = []
    used = 0
    for paragraph in paragraphs:
        whole = sum(unit.tokens for unit in paragraph)
        if current and used + whole > limit and used >= limit // 2:
            yield current
            current, used = [], 0
        for unit in paragraph:
            if current and used + unit.tokens > limit:
                yield current
                current, used = [], 0
            current.append(unit)
            used += unit.tokens
    if current:
        yield current


def _split_units(block: Block, limit: int) -> Iterator[_Unit]:
    first = True
    for start, end in split_code(block.text) if block.is_code else split_sentences(block.text):
        for part in _split_long_span(block.text, (start, end), limit):
            yield _Unit(block, part, count_tokens(block.text[slice(*part)]), first)
            first = False


def split_code(text: str) -> list[Span]:
    """Return the spans of program code that are cited: all of it if it is short, else its parts between empty lines.

    The indentation of their first lines is part of them.
    """
    lines = [match.span() for match in re.finditer(r"[^\n]*\S[^\n]*", text)]
    groups: list[list[Span]] = []
    for line in lines:
        is_apart = bool(groups) and "\n\n" in re.sub(r"[ \t]", "", text[groups[-1][-1][1] : line[0]])
        is_full = bool(groups) and len(groups[-1]) == MAX_CODE_LINES
        if not groups or is_full or (is_apart and len(lines) > MAX_CODE_LINES):
            groups.append([])
        groups[-1].append(line)
    return [(group[0][0], group[-1][1]) for group in groups]


def _split_long_span(text: str, span: Span, limit: int) -> list[Span]:
    """Return the span itself, or its parts at the best boundaries if it is too long."""
    start, end = span
    if count_tokens(text[start:end]) <= limit:
        return [span]
    _, offsets = _load_chunker(limit)(text[start:end], offsets=True)
    return [part for a, b in offsets if (part := strip_span(text, (start + a, start + b)))]


@cache
def _load_chunker(limit: int) -> Any:
    import semchunk

    return semchunk.chunkerify(count_tokens, chunk_size=limit)


def _build_passage(units: Sequence[_Unit]) -> ParsedPassage:
    """Build a passage from consecutive units, with all spans relative to its text."""
    pieces: list[str] = []
    spans: list[Span] = []
    lines: list[Span] = []
    boxes: list[Box] = []
    length = 0
    for before, unit in zip([None, *units], units, strict=False):
        separator = "" if before is None else _separator(before, unit)
        shift = length + len(separator) - unit.span[0]
        pieces.append(separator + unit.block.text[slice(*unit.span)])
        length += len(pieces[-1])
        spans.append((unit.span[0] + shift, unit.span[1] + shift))
        for (first, last), box in unit.block.line_boxes(*unit.span):
            lines.append((first + shift, last + shift))
            boxes.append(box)
    pages = [box.page for box in boxes] or [page for unit in units for page in unit.block.pages]
    joined_lines, joined_boxes = _merge_line_parts(lines, boxes)
    return ParsedPassage(
        "".join(pieces),
        units[0].block.section,
        tuple(dict.fromkeys(pages)),
        joined_boxes,
        joined_lines,
        tuple(spans),
    )


def _separator(before: _Unit, unit: _Unit) -> str:
    if before.block is not unit.block:
        return "\n"
    return unit.block.text[before.span[1] : unit.span[0]]


def _merge_line_parts(lines: Sequence[Span], boxes: Sequence[Box]) -> tuple[tuple[Span, ...], tuple[Box, ...]]:
    """Merge the parts of one line of the page that a sentence boundary separates."""
    spans: list[Span] = []
    merged: list[Box] = []
    for span, box in zip(lines, boxes, strict=True):
        last = merged[-1] if merged else None
        if last and (last.page, last.y0, last.y1) == (box.page, box.y0, box.y1) and span[0] - spans[-1][1] <= 1:
            spans[-1] = (spans[-1][0], span[1])
            merged[-1] = Box(box.page, min(last.x0, box.x0), box.y0, max(last.x1, box.x1), box.y1)
        else:
            spans.append(span)
            merged.append(box)
    return tuple(spans), tuple(merged)
