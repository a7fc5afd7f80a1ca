"""Parsing of plain text: encoding, paragraphs and headings. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from hopline.errors import DocumentError
from hopline_ingest.chunking import split_passages
from hopline_ingest.formats.block import Block
from hopline_ingest.formats.parsed_document import ParsedDocument, ParsedPage
from hopline_ingest.formats.pdf.layout.headings import HeadingStyle, SectionPath
from hopline_ingest.formats.titles import title_from_name

_BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_SAMPLE_BYTES = 4096  # used to detect the encoding
_UTF16_ZEROS = 0.3  # share of zero bytes at one parity above which a text is UTF-16 without a byte order mark
_MAX_CONTROLS = 0.02  # share of control characters above which a file is not text
_UNDERLINE = re.compile(r"[=\-~^*#]{3,}")
_NUMBERED = re.compile(
    r"(?:(?:chapter|part|section)\s+[\dIVXLC]+|\d{1,2}(?:\.\d{1,2})*\.?)(?:[\s:.].*)?", re.IGNORECASE
)
_BULLET = re.compile(r"\s*(?:[-*•–]|\(?\w{1,3}[.)])\s+\S")
_MAX_HEADING = 80  # characters


def decode_text(data: bytes) -> str:
    """Decode bytes as UTF-8, UTF-16 (with or without a byte order mark) or UTF-32 (with one), else Windows-1252.

    Raises:
        DocumentError: the bytes are not text.
    """
    text = data.decode(_detect_encoding(data), errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    junk = sum(character < " " and character not in "\n\t\f\v" for character in text[: 10 * _SAMPLE_BYTES])
    if junk > _MAX_CONTROLS * min(len(text), 10 * _SAMPLE_BYTES):
        raise DocumentError("the file is not a text file")
    return text


def _detect_encoding(data: bytes) -> str:
    by_mark = next((name for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), "")
    if by_mark:
        return by_mark
    head = data[:_SAMPLE_BYTES]
    if head[1::2].count(0) > _UTF16_ZEROS * len(head[1::2]):
        return "utf-16-le"
    if head[0::2].count(0) > _UTF16_ZEROS * len(head[0::2]):
        return "utf-16-be"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def parse_plain_text(data: bytes, name: str) -> ParsedDocument:
    """Parse a text file into a document: one page, with paragraphs separated by empty lines.

    Raises:
        DocumentError: the bytes are not text.
    """
    paragraphs = list(_split_paragraphs(decode_text(data)))
    first = paragraphs[0] if paragraphs else []
    title = first[0].strip() if first and _is_title(first) else ""
    blocks = _build_blocks(paragraphs[1:] if title else paragraphs)
    return ParsedDocument(title or title_from_name(name), (ParsedPage(1),), split_passages(blocks))


def _split_paragraphs(text: str) -> Iterator[list[str]]:
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


def _is_title(lines: list[str]) -> bool:
    shown = [line for line in lines if not _UNDERLINE.fullmatch(line.strip())]
    return len(shown) == 1 and len(shown[0]) <= 2 * _MAX_HEADING and not shown[0].endswith((".", ",", ";", "?", "!"))


def _build_blocks(paragraphs: list[list[str]]) -> Iterator[Block]:
    """Yield the paragraphs with their section paths; a heading without content is a paragraph."""
    sections = SectionPath()
    for lines, following in pairwise([*paragraphs, []]):
        style = _heading_style(lines)
        if style is not None and following and _heading_style(following) != style:
            sections.enter(lines[0].strip(), style)
        else:
            yield Block(" ".join(" ".join(lines).split()), sections.path)


def _heading_style(lines: list[str]) -> HeadingStyle | None:
    """Return the style of a heading (underlined, in capitals, or numbered and short); None for other paragraphs."""
    first = lines[0].strip() if lines else ""
    underlined = len(lines) == 2 and bool(_UNDERLINE.fullmatch(lines[1].strip()))
    if not first or len(first) > _MAX_HEADING or not (len(lines) == 1 or underlined) or first.endswith((".", ",", ";")):
        return None
    caps = first.isupper() and len(first) > 3
    numbered = _NUMBERED.fullmatch(first)
    if not (underlined or caps or numbered):
        return None
    depth = 1 + first.split()[0].rstrip(".").count(".") if numbered and first[0].isdigit() else 0
    return HeadingStyle(
        12.0 if underlined and lines[1].strip()[0] == "=" else 11.0, bold=underlined, caps=caps, depth=depth
    )
