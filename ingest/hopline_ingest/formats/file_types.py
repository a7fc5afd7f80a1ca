"""Which files can be read, and what they are."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from hopline.errors import DocumentError

Kind = Literal["pdf", "office", "text", "rows"]

_KINDS: dict[str, Kind] = {
    ".pdf": "pdf",
    ".docx": "office",
    ".pptx": "office",
    ".html": "office",
    ".htm": "office",
    ".epub": "office",
    ".md": "office",
    ".markdown": "office",
    ".txt": "text",
    ".text": "text",
    ".jsonl": "rows",
    ".jsonl.gz": "rows",
}
SUPPORTED: tuple[str, ...] = tuple(_KINDS)
_MAGIC_WITHIN = 1024  # bytes before "%PDF-" that readers put up with


def suffix_of(name: str) -> str:
    """The suffix that says what a file is, in lower case: ".pdf", ".jsonl.gz"."""
    lower = name.lower()
    return next((suffix for suffix in sorted(SUPPORTED, key=len, reverse=True) if lower.endswith(suffix)), "")


def kind_of(name: str) -> Kind:
    """What kind of file a name says it is.

    Raises:
        DocumentError: no kind that can be read; lists those that can.
    """
    suffix = suffix_of(name)
    if not suffix:
        there = Path(name).suffix or "no suffix"
        raise DocumentError(f"{there} files cannot be read; these can: {' '.join(SUPPORTED)}")
    return _KINDS[suffix]


def check_file(path: Path, name: str, *, max_mb: int) -> Kind:
    """What kind of file ``path`` is, once it is sure that it can be opened as such.

    Raises:
        DocumentError: missing, empty, too big, of no kind that can be read, or no PDF though named so.
    """
    kind = kind_of(name)
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
    if kind == "pdf" and b"%PDF-" not in head:
        raise DocumentError("the file is no PDF, though its name ends in .pdf")
    return kind
