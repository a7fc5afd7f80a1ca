"""Opening of PDF files, with error messages for the user."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any

from hopline.documents.images import convert_image
from hopline.errors import DocumentError
from hopline.text_encoding import normalize_text
from hopline_ingest.formats.pdf.page_content import PdfOutline
from hopline_ingest.formats.pdf.properties import read_properties

log = logging.getLogger(__name__)

_NO_PAGES = re.compile(rb"/Count\s+0\b[^>]*/Type\s*/Pages\b|/Type\s*/Pages\b[^>]*/Count\s+0\b")
_LOOKED_AT = 65_536  # bytes
_MAX_LABELS = 50_000  # pages whose labels are read
_MAX_NAMES = 5  # of attached files


def open_pdf(path: str) -> Any:
    """Open a PDF as a PDFium document; an image is converted into one.

    Raises:
        DocumentError: the file is damaged, encrypted or has no pages.
    """
    import pypdfium2

    image = convert_image(Path(path))
    try:
        document = pypdfium2.PdfDocument(image or path)
    except pypdfium2.PdfiumError as error:
        raise DocumentError(_reason(str(error), path)) from error
    if len(document) == 0:
        document.close()
        raise DocumentError("the PDF has no pages")
    document.init_forms()  # before the first page is loaded; has no effect without form fields
    return document


def _reason(error: str, path: str) -> str:
    if "password" in error.lower() or "security" in error.lower():
        return "the PDF is password-protected; save it without a password and add it again"
    if _NO_PAGES.search(Path(path).read_bytes()[:_LOOKED_AT]):  # PDFium says "Success", or its last error
        return "the PDF has no pages"
    return "the PDF is damaged and cannot be opened"


def read_outline(document: Any) -> PdfOutline:
    """Return the number of pages of a document, its properties, and a warning about attached files."""
    title = document.get_metadata_value("Title") or ""
    names = [document.get_attachment(index).get_name() for index in range(document.count_attachments())]
    shown = ", ".join(names[:_MAX_NAMES]) + (" …" if len(names) > _MAX_NAMES else "")
    warnings = (f"attached files are not read: {shown}",) if names else ()
    text = " ".join(title.replace("\x00", "").split())[:500]
    return PdfOutline(len(document), text, warnings, read_properties(document), _read_labels(document))


def _read_labels(document: Any) -> tuple[str, ...]:
    """Return the labels of the pages as the file has them; empty if it has none, or they are damaged."""
    try:
        labels = tuple(
            normalize_text(document.get_page_label(index)) for index in range(min(len(document), _MAX_LABELS))
        )
    except Exception as error:  # noqa: BLE001 - of any kind: damaged labels must not cost the document
        log.info("the page labels of a PDF cannot be read: %s", error)
        return ()
    return labels if any(labels) else ()
