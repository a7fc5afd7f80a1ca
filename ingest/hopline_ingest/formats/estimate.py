"""Estimate of a file's pages and passages from its bytes, without parsing it, so that no file can do harm."""

from __future__ import annotations

import gzip
import mmap
import re
import zlib
from pathlib import Path

from hopline.documents.images import SUFFIXES as IMAGES
from hopline.errors import DocumentError
from hopline_ingest.formats.file_types import detect_file_type, match_suffix

_COUNT = re.compile(rb"/Count\s+(\d{1,7})\b")
_LINEARIZED = re.compile(rb"/Linearized\s.{0,200}?/N\s+(\d{1,7})\b", re.DOTALL)
_BYTES_PER_PAGE = 9_000  # of a PDF whose page tree is compressed
_PASSAGES_PER_PAGE = 4.5
_BYTES_PER_PASSAGE = {"text": 900, "office": 2_500, "spreadsheet": 2_500}
_CHUNK = 1 << 20


def estimate_file(path: Path, *, max_mb: int = 100) -> tuple[int, int]:
    """Estimate the number of pages, and of passages and tables, of a file.

    The pages of a PDF come from its page tree if that is not compressed, else from the file's size;
    the passages of a ``.jsonl`` are its lines in the first ``max_mb`` megabytes.

    Raises:
        DocumentError: the format is not supported, or the file cannot be opened or decompressed.
    """
    try:
        return _estimate_file(path, max_mb)
    except (OSError, EOFError, zlib.error) as error:
        raise DocumentError(f"the file cannot be opened or decompressed: {error}") from error


def _estimate_file(path: Path, max_mb: int) -> tuple[int, int]:
    file_type = detect_file_type(path.name)
    size = path.stat().st_size
    if size == 0:
        return 0, 0
    if match_suffix(path.name) in IMAGES:
        return 1, round(_PASSAGES_PER_PAGE)
    if file_type == "pdf":
        pages = _count_pages(path, size)
        return pages, round(pages * _PASSAGES_PER_PAGE)
    if file_type == "jsonl":
        return 1, _count_lines(path, max_mb)
    return 1, max(1, size // _BYTES_PER_PASSAGE[file_type])


def _count_pages(path: Path, size: int) -> int:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        linearized = _LINEARIZED.search(content, 0, min(size, 2048))
        if linearized:
            return int(linearized[1])
        counts = [int(match[1]) for match in _COUNT.finditer(content)]
    return max(counts, default=0) or max(1, size // _BYTES_PER_PAGE)


def _count_lines(path: Path, max_mb: int) -> int:
    with path.open("rb") as plain:
        is_gzip = plain.read(2) == b"\x1f\x8b"  # as the parser decides
    with gzip.open(path, "rb") if is_gzip else path.open("rb") as file:
        lines, last = 0, b"\n"
        while (chunk := file.read(_CHUNK)) and file.tell() <= max_mb * 2**20:
            lines += chunk.count(b"\n")
            last = chunk[-1:]
    return lines + (last != b"\n")
