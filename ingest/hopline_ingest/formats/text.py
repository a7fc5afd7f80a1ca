"""Parsing of plain text: paragraphs and headings. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from hopline.questions.section_numbers import parse_heading
from hopline_ingest.chunking import split_passages
from hopline_ingest.formats.block import Block
from hopline_ingest.formats.front_matter.bibliography import read_block_bibliography
from hopline_ingest.formats.hyphenation import collect_document_words, join_wrapped_lines
from hopline_ingest.formats.parsed_document import ParsedDocument, ParsedPage
from hopline_ingest.formats.pdf.layout.headings import HeadingStyle, SectionPath
from hopline_ingest.formats.text_decoding import decode_text
from hopline_ingest.formats.titles import title_from_name

_UNDERLINE = re.compile(r"[=\-~^*#]{3,}")
_NUMBERED = re.compile(r"\d{1,2}(?:\.\d{1,2})*\.?(?:[\s:.].*)?")
_BULLET = re.compile(r"\s*(?:[-*•–]|\(?\w{1,3}[.)])\s+\S")
_MAX_HEADING = 80  # characters


def parse_plain_text(data: bytes, name: str) -> ParsedDocument:
    """Parse a text file into a document: one page, with paragraphs separated by empty lines.

    A short first line is the title. It is also text, which can be cited, unless it has the form of a heading.

    Raises:
        DocumentError: the bytes are not text.
    """
    paragraphs = list(split_paragraphs(decode_text(data)))
    first = paragraphs[0] if paragraphs else []
    title = first[0].strip() if first and _is_title(first) else ""
    following = paragraphs[1] if len(paragraphs) > 1 else []
    is_heading = bool(title) and (_heading_style(first) is not None or _heading_style(following) is not None)
    blocks = list(_build_blocks(paragraphs[1:] if is_heading and following else paragraphs))
    title = title or title_from_name(name)
    bibliography = read_block_bibliography(title, blocks)
    return ParsedDocument(title, (ParsedPage(1),), split_passages(blocks), bibliography=bibliography)


def split_paragraphs(text: str) -> Iterator[list[str]]:
    """Yield the lines of each paragraph; an underlined line, or one with a bullet, begins a new one."""
    for part in re.split(r"\n\s*\n|\f", text):
        current: list[str] = []
        for line in (line.rstrip() for line in part.split("\n") if line.strip()):
            if current and (_BULLET.match(line) or (len(current) == 2 and _UNDERLINE.fullmatch(current[1].strip()))):
                yield current
                current = []
            current.append(line)
        if current:
            yield current


def join_paragraphs(text: str) -> Iterator[str]:
    """Yield each paragraph in one line, without the hyphens that only break words."""
    paragraphs = list(split_paragraphs(text))
    words = collect_document_words(line.strip() for lines in paragraphs for line in lines)
    yield from (join_wrapped_lines(lines, words) for lines in paragraphs)


def _is_title(lines: list[str]) -> bool:
    shown = [line for line in lines if not _UNDERLINE.fullmatch(line.strip())]
    return len(shown) == 1 and len(shown[0]) <= 2 * _MAX_HEADING and not shown[0].endswith((".", ",", ";", "?", "!"))


def _build_blocks(paragraphs: list[list[str]]) -> Iterator[Block]:
    """Yield the paragraphs with their section paths; a heading without content is a paragraph."""
    sections = SectionPath()
    words = collect_document_words(line.strip() for lines in paragraphs for line in lines)
    for lines, following in pairwise([*paragraphs, []]):
        style = _heading_style(lines)
        if style is not None and following and _heading_style(following) != style:
            sections.enter(lines[0].strip(), style)
        else:
            yield Block(join_wrapped_lines(lines, words), sections.path)


def _heading_style(lines: list[str]) -> HeadingStyle | None:
    """Return the style of a heading (underlined, in capitals, or numbered and short); None for other paragraphs."""
    first = lines[0].strip() if lines else ""
    underlined = len(lines) == 2 and bool(_UNDERLINE.fullmatch(lines[1].strip()))
    if not first or len(first) > _MAX_HEADING or not (len(lines) == 1 or underlined) or first.endswith((".", ",", ";")):
        return None
    caps = first.isupper() and len(first) > 3
    numbered = _NUMBERED.fullmatch(first)
    number = parse_heading(first)
    if not (underlined or caps or numbered or (number and number.kind)):
        return None
    depth = 1 + first.split()[0].rstrip(".").count(".") if numbered and first[0].isdigit() else 0
    return HeadingStyle(
        12.0 if underlined and lines[1].strip()[0] == "=" else 11.0, bold=underlined, caps=caps, depth=depth
    )
