"""Parsing of DOCX, PPTX, HTML, EPUB and Markdown by docling-rs; runs in a parser process."""

from __future__ import annotations

import io
import re
from pathlib import Path

from hopline.errors import DocumentError
from hopline_ingest.chunking import split_passages
from hopline_ingest.formats.docling_tree import parse_docling_tree
from hopline_ingest.formats.file_types import match_suffix
from hopline_ingest.formats.parsed_document import ParsedDocument
from hopline_ingest.formats.text import decode_text
from hopline_ingest.formats.titles import title_from_name
from hopline_ingest.sandbox.limits import suspend_memory_limit

_ZIPPED = {".docx", ".pptx", ".epub"}
_OLE = b"\xd0\xcf\x11\xe0"  # container of old Office files and of encrypted new ones
_CANONICAL_SUFFIXES = {".htm": ".html", ".markdown": ".md"}
_FRONT_MATTER = re.compile(r"\A---\s*\n(.*?)\n(?:---|\.\.\.)\s*\n", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title:\s*(.+?)\s*$", re.MULTILINE | re.IGNORECASE)


def parse_office_file(path: str, name: str) -> ParsedDocument:
    """Parse an office file into a document; external references are not fetched.

    Raises:
        DocumentError: the file is damaged, encrypted, or not of the type that its name says.
    """
    with suspend_memory_limit():
        from docling_rs import ConversionError, DocumentConverter, DocumentStream
    suffix = match_suffix(name)
    data, title = _prepare_bytes(Path(path).read_bytes(), suffix)
    converter = DocumentConverter(image_sources="none", metadata="json")
    stream = DocumentStream(name="document" + _CANONICAL_SUFFIXES.get(suffix, suffix), stream=io.BytesIO(data))
    try:
        converted = converter.convert(stream)
    except ConversionError as error:
        raise DocumentError(f"the {suffix[1:].upper()} file is damaged and cannot be opened ({error})") from error
    metadata = converted.metadata or {}
    content = parse_docling_tree(
        converted.document.export_to_dict(), title=title or str(metadata.get("title") or ""), sure=suffix != ".docx"
    )
    return ParsedDocument(
        content.title or title_from_name(name), content.pages, split_passages(content.blocks), content.tables
    )


def _prepare_bytes(data: bytes, suffix: str) -> tuple[bytes, str]:
    """Return the bytes to convert, and the title from the front matter, if any."""
    kind = suffix[1:].upper()
    if suffix in _ZIPPED:
        if data.startswith(_OLE):
            raise DocumentError(
                f"the file is password-protected or in an old format; save it as {kind} without a password"
            )
        if not data.startswith(b"PK"):
            raise DocumentError(f"the file is not a valid {kind} file, although its name ends in {suffix}")
        return data, ""
    text = decode_text(data)
    front = _FRONT_MATTER.match(text) if suffix in {".md", ".markdown"} else None
    if front is None:
        return text.encode("utf-8"), ""
    titled = _FRONT_TITLE.search(front[1])
    return text[front.end() :].encode("utf-8"), titled[1].strip("\"'") if titled else ""
