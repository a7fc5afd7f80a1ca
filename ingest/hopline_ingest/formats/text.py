"""Plain text: its encoding told, its paragraphs and headings found. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from hopline.errors import DocumentError
from hopline_ingest.chunking import split
from hopline_ingest.formats.block import Block
from hopline_ingest.formats.parsed_document import ParsedDocument, ParsedPage
from hopline_ingest.formats.pdf.layout.headings import Sections, Style
from hopline_ingest.formats.titles import from_name

_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_LOOKED_AT = 4096  # bytes
_MANY = 0.3  # of the bytes at one parity are zero: UTF-16 without a mark
_JUNK = 0.02  # of the characters are controls: no text
_UNDERLINE = re.compile(r"[=\-~^*#]{3,}")
_NUMBERED = re.compile(
    r"(?:(?:chapter|part|section)\s+[\dIVXLC]+|\d{1,2}(?:\.\d{1,2})*\.?)(?:[\s:.].*)?", re.IGNORECASE
)
_BULLET = re.compile(r"\s*(?:[-*•–]|\(?\w{1,3}[.)])\s+\S")
_LONGEST = 80  # characters of a heading


def decoded(data: bytes) -> str:
    """The text that bytes hold: UTF-8, UTF-16 or -32 with or without a mark, else Windows-1252.

    Raises:
        DocumentError: they hold no text.
    """
    text = data.decode(_encoding(data), errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    junk = sum(character < " " and character not in "\n\t\f\v" for character in text[: 10 * _LOOKED_AT])
    if junk > _JUNK * min(len(text), 10 * _LOOKED_AT):
        raise DocumentError("the file holds no text")
    return text


def _encoding(data: bytes) -> str:
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), "")
    if marked:
        return marked
    head = data[:_LOOKED_AT]
    if head[1::2].count(0) > _MANY * len(head[1::2]):
        return "utf-16-le"
    if head[0::2].count(0) > _MANY * len(head[0::2]):
        return "utf-16-be"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def read_plain(data: bytes, name: str) -> ParsedDocument:
    """The document that a text file holds: one page, paragraphs parted by empty lines.

    Raises:
        DocumentError: it holds no text.
    """
    paragraphs = list(_paragraphs(decoded(data)))
    first = paragraphs[0] if paragraphs else []
    title = first[0].strip() if first and _is_title(first) else ""
    blocks = _blocks(paragraphs[1:] if title else paragraphs)
    return ParsedDocument(title or from_name(name), (ParsedPage(1),), split(blocks))


def _paragraphs(text: str) -> Iterator[list[str]]:
    """The lines of each paragraph; an underlined line, or one with a bullet, begins its own."""
    for part in re.split(r"\n\s*\n|\f", text):
        held: list[str] = []
        for line in (line.rstrip() for line in part.split("\n") if line.strip()):
            if held and (_BULLET.match(line) or (len(held) == 2 and _UNDERLINE.fullmatch(held[1].strip()))):
                yield held
                held = []
            held.append(line)
        if held:
            yield held


def _is_title(lines: list[str]) -> bool:
    shown = [line for line in lines if not _UNDERLINE.fullmatch(line.strip())]
    return len(shown) == 1 and len(shown[0]) <= 2 * _LONGEST and not shown[0].endswith((".", ",", ";", "?", "!"))


def _blocks(paragraphs: list[list[str]]) -> Iterator[Block]:
    """Paragraphs under their headings; a heading with nothing under it is a paragraph."""
    sections = Sections()
    for lines, following in pairwise([*paragraphs, []]):
        style = _heading(lines)
        if style is not None and following and _heading(following) != style:
            sections.enter(lines[0].strip(), style)
        else:
            yield Block(" ".join(" ".join(lines).split()), sections.path)


def _heading(lines: list[str]) -> Style | None:
    """How a paragraph is set if it is a heading: underlined, in capitals, or numbered and short."""
    first = lines[0].strip() if lines else ""
    underlined = len(lines) == 2 and bool(_UNDERLINE.fullmatch(lines[1].strip()))
    if not first or len(first) > _LONGEST or not (len(lines) == 1 or underlined) or first.endswith((".", ",", ";")):
        return None
    caps = first.isupper() and len(first) > 3
    numbered = _NUMBERED.fullmatch(first)
    if not (underlined or caps or numbered):
        return None
    depth = 1 + first.split()[0].rstrip(".").count(".") if numbered and first[0].isdigit() else 0
    return Style(12.0 if underlined and lines[1].strip()[0] == "=" else 11.0, bold=underlined, caps=caps, depth=depth)
