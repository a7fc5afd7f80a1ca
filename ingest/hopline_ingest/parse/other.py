"""Every format but PDF and rows: DOCX, PPTX, HTML, EPUB, Markdown by docling-rs, and plain text."""

from __future__ import annotations

from pathlib import Path

from hopline_ingest.parse.block import Block
from hopline_ingest.parse.parsed import ParsedDocument, ParsedPage
from hopline_ingest.parse.titles import from_name
from hopline_ingest.split import split


def read_other(path: str, name: str) -> ParsedDocument:
    """The document that a file other than a PDF holds."""
    text = Path(path).read_text("utf-8", errors="replace")
    blocks = [Block(part) for part in text.split("\n\n") if part.strip()]
    return ParsedDocument(from_name(name), (ParsedPage(1),), split(blocks))
