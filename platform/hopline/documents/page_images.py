"""Images of PDF pages, whole or cropped around a quote, with the quote highlighted.

PDFium runs in a process of its own (`hopline.documents.pdf_render`): it is not thread-safe, and a PDF that crashes it
or exhausts its memory cannot end this process.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from hopline.documents.images import is_image
from hopline.errors import DocumentError
from hopline.records import Box

MARGIN = 110.0  # points shown above and below the quote
SCALE = 2.0  # pixels per point
TIMEOUT_SECONDS = 20.0  # per page


def has_page_images(path: Path) -> bool:
    """Whether a file is a PDF or an image, by its first kilobyte; its name does not matter."""
    try:
        with path.open("rb") as file:
            head = file.read(1024)
        return b"%PDF-" in head or is_image(head)
    except OSError:
        return False


def compute_crop(boxes: Sequence[Box], page: int) -> tuple[float, float] | None:
    """Return top and bottom, in points, of the strip around the boxes of a page; None where it has none."""
    on_page = [box for box in boxes if box.page == page]
    if not on_page:
        return None
    return max(0.0, min(box.y0 for box in on_page) - MARGIN), max(box.y1 for box in on_page) + MARGIN


def render_page(
    path: Path, page: int, boxes: Sequence[Box] = (), *, whole: bool = True, context: Sequence[Box] = ()
) -> bytes:
    """Return a PNG of page ``page`` (from 1) of a PDF or image with its boxes highlighted, `SCALE` pixels per point.

    Unless it is ``whole``, the page is cropped to the boxes of ``context``, or else to those highlighted.

    Raises:
        DocumentError: the page cannot be rendered.
    """
    on_page = tuple((box.x0, box.y0, box.x1, box.y1) for box in boxes if box.page == page)
    return _run_renderer(str(path), page, on_page, None if whole else compute_crop(context or boxes, page))


def _run_renderer(
    path: str, page: int, boxes: tuple[tuple[float, float, float, float], ...], strip: tuple[float, float] | None
) -> bytes:
    job = {"path": path, "page": page, "boxes": boxes, "strip": strip, "scale": SCALE}
    command = [sys.executable, "-m", "hopline.documents.pdf_render"]
    try:
        done = subprocess.run(
            command, input=json.dumps(job).encode(), capture_output=True, timeout=TIMEOUT_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise DocumentError(f"page {page} could not be rendered within {TIMEOUT_SECONDS:.0f} seconds") from error
    if done.returncode or not done.stdout:
        raise DocumentError(f"page {page} could not be rendered")
    return done.stdout
