"""How much a file holds, told from its bytes: nothing is opened, so that nothing can do harm."""

from __future__ import annotations

import gzip
import mmap
import re
from pathlib import Path

from hopline_ingest.formats.file_types import kind_of

_COUNT = re.compile(rb"/Count\s+(\d{1,7})\b")
_LINEARIZED = re.compile(rb"/Linearized\s.{0,200}?/N\s+(\d{1,7})\b", re.DOTALL)
_BYTES_A_PAGE = 9_000  # of a PDF whose page tree is packed
_PASSAGES_A_PAGE = 4.5
_BYTES_A_PASSAGE = {"text": 900, "office": 2_500}
_CHUNK = 1 << 20


def estimate(path: Path, *, max_mb: int = 100) -> tuple[int, int]:
    """Pages and, roughly, passages and tables of a file.

    Of a PDF, the pages are what its page tree says where that stands open in the file, else by its size;
    the passages of a ``.jsonl`` are its lines, of which no more than ``max_mb`` megabytes are counted.

    Raises:
        DocumentError: a file of no kind that can be read.
        OSError: it cannot be opened.
    """
    kind = kind_of(path.name)
    size = path.stat().st_size
    if size == 0:
        return 0, 0
    if kind == "pdf":
        pages = _pages(path, size)
        return pages, round(pages * _PASSAGES_A_PAGE)
    if kind == "rows":
        return 1, _lines(path, max_mb)
    return 1, max(1, size // _BYTES_A_PASSAGE[kind])


def _pages(path: Path, size: int) -> int:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as held:
        linearized = _LINEARIZED.search(held, 0, min(size, 2048))
        if linearized:
            return int(linearized[1])
        counts = [int(found[1]) for found in _COUNT.finditer(held)]
    return max(counts, default=0) or max(1, size // _BYTES_A_PAGE)


def _lines(path: Path, max_mb: int) -> int:
    with gzip.open(path, "rb") if path.name.lower().endswith(".gz") else path.open("rb") as file:
        lines, last = 0, b"\n"
        while (chunk := file.read(_CHUNK)) and file.tell() <= max_mb * 2**20:
            lines += chunk.count(b"\n")
            last = chunk[-1:]
    return lines + (last != b"\n")
