"""A PDF opened, or the reason why it cannot be, in words for the user."""

from __future__ import annotations

from typing import Any

from hopline.errors import DocumentError
from hopline_ingest.parse.content import PdfOutline


def open_pdf(path: str) -> Any:
    """The file as PDFium's document.

    Raises:
        DocumentError: the file is damaged, encrypted or has no pages.
    """
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        raise DocumentError(_reason(str(error))) from error
    if len(document) == 0:
        document.close()
        raise DocumentError("the PDF has no pages")
    return document


def _reason(error: str) -> str:
    if "password" in error.lower() or "security" in error.lower():
        return "the PDF is password-protected; save it without a password and add it again"
    if "success" in error.lower():  # PDFium's word for a file whose page tree is empty
        return "the PDF has no pages"
    return "the PDF is damaged and cannot be opened"


def outline(document: Any) -> PdfOutline:
    """How many pages a document has, and the title in its properties."""
    title = document.get_metadata_value("Title") or ""
    return PdfOutline(len(document), " ".join(title.replace("\x00", "").split())[:500])
