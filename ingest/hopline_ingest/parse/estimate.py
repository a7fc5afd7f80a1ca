"""How much a file holds, told without reading it."""

from __future__ import annotations

from pathlib import Path

from hopline_ingest.parse.kinds import kind_of

_CHARACTERS_A_PASSAGE = 900
_PASSAGES_A_PAGE = 4.0


def estimate(path: Path) -> tuple[int, int]:
    """Pages and, roughly, passages of a file.

    Raises:
        DocumentError: a file of no kind that can be read.
    """
    kind = kind_of(path.name)
    size = path.stat().st_size
    if kind == "pdf":
        pages = _pdf_pages(path)
        return pages, round(pages * _PASSAGES_A_PAGE)
    if kind == "rows":
        return 1, _lines(path)
    return 1, max(1, size // _CHARACTERS_A_PASSAGE)


def _pdf_pages(path: Path) -> int:
    from hopline_ingest.parse.pdf_file import open_pdf

    document = open_pdf(str(path))
    try:
        return len(document)
    finally:
        document.close()


def _lines(path: Path) -> int:
    import gzip

    opened = gzip.open(path, "rb") if path.name.lower().endswith(".gz") else path.open("rb")
    with opened as file:
        return sum(1 for _ in file)
