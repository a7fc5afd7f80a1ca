"""DOCX, PPTX, HTML, EPUB and Markdown, by docling-rs; runs in a reading process."""

from __future__ import annotations

import io
import re
from pathlib import Path

from hopline.errors import DocumentError
from hopline_ingest.chunking import split
from hopline_ingest.formats.docling_tree import told_by
from hopline_ingest.formats.file_types import suffix_of
from hopline_ingest.formats.parsed_document import ParsedDocument
from hopline_ingest.formats.text import decoded
from hopline_ingest.formats.titles import from_name
from hopline_ingest.sandbox.limits import loading

_ZIPPED = {".docx", ".pptx", ".epub"}
_OLE = b"\xd0\xcf\x11\xe0"  # the container of old Office files, and of encrypted new ones
_SAME = {".htm": ".html", ".markdown": ".md"}
_FRONT_MATTER = re.compile(r"\A---\s*\n(.*?)\n(?:---|\.\.\.)\s*\n", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title:\s*(.+?)\s*$", re.MULTILINE | re.IGNORECASE)


def read_office(path: str, name: str) -> ParsedDocument:
    """The document that a file holds. Nothing that it refers to is fetched.

    Raises:
        DocumentError: it is damaged, encrypted, or not what its name says.
    """
    with loading():
        from docling_rs import ConversionError, DocumentConverter, DocumentStream
    suffix = suffix_of(name)
    data, title = _prepared(Path(path).read_bytes(), suffix)
    converter = DocumentConverter(image_sources="none", metadata="json")
    stream = DocumentStream(name="document" + _SAME.get(suffix, suffix), stream=io.BytesIO(data))
    try:
        found = converter.convert(stream)
    except ConversionError as error:
        raise DocumentError(f"the {suffix[1:].upper()} file is damaged and cannot be opened ({error})") from error
    metadata = found.metadata or {}
    told = told_by(
        found.document.export_to_dict(), title=title or str(metadata.get("title") or ""), sure=suffix != ".docx"
    )
    return ParsedDocument(told.title or from_name(name), told.pages, split(told.blocks), told.tables)


def _prepared(data: bytes, suffix: str) -> tuple[bytes, str]:
    """The bytes to convert, and a title that stands in front of them."""
    kind = suffix[1:].upper()
    if suffix in _ZIPPED:
        if data.startswith(_OLE):
            raise DocumentError(f"the file is password-protected or of an old format; save it as {kind} without one")
        if not data.startswith(b"PK"):
            raise DocumentError(f"the file is no {kind}, though its name ends in {suffix}")
        return data, ""
    text = decoded(data)
    front = _FRONT_MATTER.match(text) if suffix in {".md", ".markdown"} else None
    if front is None:
        return text.encode("utf-8"), ""
    titled = _FRONT_TITLE.search(front[1])
    return text[front.end() :].encode("utf-8"), titled[1].strip("\"'") if titled else ""
