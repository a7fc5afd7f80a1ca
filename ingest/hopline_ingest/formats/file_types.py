"""Supported file types and their detection by suffix and content."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from hopline.documents.images import SUFFIXES as IMAGES
from hopline.documents.images import is_image
from hopline.errors import DocumentError

FileType = Literal["pdf", "office", "spreadsheet", "text", "jsonl"]

_FILE_TYPES: dict[str, FileType] = {
    ".pdf": "pdf",
    **dict.fromkeys(IMAGES, "pdf"),  # pages to recognise, as those of a scan
    ".docx": "office",
    ".pptx": "office",
    ".odt": "office",
    ".odp": "office",
    ".xlsx": "spreadsheet",
    ".xlsm": "spreadsheet",
    ".ods": "spreadsheet",
    ".csv": "spreadsheet",
    ".tsv": "spreadsheet",
    ".eml": "office",
    ".html": "office",
    ".htm": "office",
    ".epub": "office",
    ".md": "office",
    ".markdown": "office",
    ".txt": "text",
    ".text": "text",
    ".jsonl": "jsonl",
    ".jsonl.gz": "jsonl",
}
SUPPORTED: tuple[str, ...] = tuple(_FILE_TYPES)
_MAGIC_WITHIN = 1024  # bytes before "%PDF-" that PDF readers tolerate


def match_suffix(name: str) -> str:
    """Return the supported suffix of a file name in lower case (".pdf", ".jsonl.gz"), or ""."""
    lower = name.lower()
    return next((suffix for suffix in sorted(SUPPORTED, key=len, reverse=True) if lower.endswith(suffix)), "")


def detect_file_type(name: str) -> FileType:
    """Return the file type that a name's suffix denotes.

    Raises:
        DocumentError: the suffix is not supported; the message lists the supported ones.
    """
    suffix = match_suffix(name)
    if not suffix:
        rejected = f"{Path(name).suffix} files" if Path(name).suffix else "files without a suffix"
        raise DocumentError(f"{rejected} are not supported; supported are: {' '.join(SUPPORTED)}")
    return _FILE_TYPES[suffix]


def check_file(path: Path, name: str, *, max_mb: int) -> FileType:
    """Return the type of the file ``path`` after checking that it can be parsed as such.

    Raises:
        DocumentError: the file is missing, empty, too large, of an unsupported type, or not the PDF or image that its
            name says.
    """
    file_type = detect_file_type(name)
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(_MAGIC_WITHIN)
    except OSError as error:
        raise DocumentError(f"the file cannot be opened: {error.strerror or error}") from error
    if size == 0:
        raise DocumentError("the file is empty")
    if size > max_mb * 1024 * 1024:
        raise DocumentError(f"the file has {size / 2**20:,.0f} MB; the limit is {max_mb:,} MB (HOPLINE_MAX_FILE_MB)")
    if file_type == "pdf" and not (is_image(head) if match_suffix(name) in IMAGES else b"%PDF-" in head):
        kind = "image" if match_suffix(name) in IMAGES else "PDF file"
        raise DocumentError(f"the file is not a valid {kind}, although its name ends in {match_suffix(name)}")
    return file_type
