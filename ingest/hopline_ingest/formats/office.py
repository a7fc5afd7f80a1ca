"""Parsing of office files, web pages, e-books, e-mails and spreadsheets by docling-rs; runs in a parser process."""

from __future__ import annotations

import io
from pathlib import Path

from hopline.errors import DocumentError
from hopline_ingest.chunking import split_passages
from hopline_ingest.formats.coverage import warn_of_loss
from hopline_ingest.formats.docling_tree import parse_docling_tree
from hopline_ingest.formats.file_types import match_suffix
from hopline_ingest.formats.front_matter.bibliography import read_block_bibliography
from hopline_ingest.formats.office_source import prepare_source
from hopline_ingest.formats.parsed_document import ParsedDocument
from hopline_ingest.formats.titles import title_from_name
from hopline_ingest.sandbox.limits import suspend_memory_limit


def parse_office_file(path: str, name: str) -> ParsedDocument:
    """Parse an office file into a document; external references are not fetched.

    Raises:
        DocumentError: the file is damaged, encrypted, or not of the type that its name says.
    """
    with suspend_memory_limit():
        from docling_rs import ConversionError, DocumentConverter, DocumentStream
    suffix = match_suffix(name)
    source = prepare_source(Path(path).read_bytes(), suffix)
    converter = DocumentConverter(image_sources="none", metadata="json", list_attachments=True)
    stream = DocumentStream(name=source.name, stream=io.BytesIO(source.data))
    try:
        converted = converter.convert(stream)
    except ConversionError as error:
        raise DocumentError(f"the {suffix[1:].upper()} file is damaged and cannot be opened ({error})") from error
    metadata = converted.metadata or {}
    content = parse_docling_tree(
        converted.document.export_to_dict(),
        title=source.title or str(metadata.get("title") or ""),
        sure=suffix != ".docx",
        is_web_page=source.name.endswith((".html", ".epub")),
        large_tables=source.tables,
    )
    document = ParsedDocument(
        content.title or title_from_name(name),
        content.pages,
        split_passages(content.blocks),
        content.tables,
        left_out=tuple(dict.fromkeys((*source.left_out, *content.left_out))),
        figures=content.figures,
        metadata=source.properties,
        bibliography=read_block_bibliography(content.title, content.blocks, source.declared),
    )
    return warn_of_loss(document, source.texts)
