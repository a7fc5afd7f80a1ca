"""Images of PDF pages, whole or cropped around a quote, with the quote highlighted.

PDFium runs in a process of its own (`hopline.documents.pdf_render`): it is not thread-safe, and a PDF that crashes it
or exhausts its memory cannot end this process.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from hopline.documents.images import is_image
from hopline.errors import DocumentError, UsageError
from hopline.records import Box

MARGIN = 110.0  # points shown above and below the quote
SCALE = 2.0  # pixels per point
TIMEOUT_SECONDS = 20.0  # per page
_EDGE = 4.0  # points shown around a figure
_WIDEST = 1e6  # points; wider than each page

_COLOUR = re.compile("#[0-9a-fA-F]{6}")
_Rect = tuple[float, float, float, float]


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
    path: Path,
    page: int,
    boxes: Sequence[Box] = (),
    *,
    whole: bool = True,
    context: Sequence[Box] = (),
    colours: Sequence[str] = (),
) -> bytes:
    """Return a PNG of page ``page`` (from 1) of a PDF or image with its boxes highlighted, `SCALE` pixels per point.

    Unless it is ``whole``, the page is cropped to the boxes of ``context``, or else to those highlighted.
    ``colours`` are those of the boxes, such as "#0c8599"; "" is the colour of highlighted text.

    Raises:
        UsageError: a colour is not valid, or there are not as many as boxes.
        DocumentError: the page cannot be rendered.
    """
    chosen = list(zip(boxes, check_colours(colours, len(boxes)), strict=True))
    on_page = tuple((box.x0, box.y0, box.x1, box.y1) for box, _ in chosen if box.page == page)
    shown = tuple(colour for box, colour in chosen if box.page == page)
    strip = None if whole else compute_crop(context or boxes, page)
    return _run_renderer(path, page, on_page, (0.0, strip[0], _WIDEST, strip[1]) if strip else None, colours=shown)


def check_colours(colours: Sequence[str], boxes: int) -> list[str]:
    """Return the colour of each of a number of boxes, "" where none is given.

    Raises:
        UsageError: a colour is not valid, or there are not as many as boxes.
    """
    if colours and len(colours) != boxes:
        raise UsageError(f"each box needs a colour (got {len(colours)} for {boxes} boxes)")
    for colour in colours:
        if colour and not _COLOUR.fullmatch(colour):
            raise UsageError(f"a colour is six hexadecimal digits, such as '#0c8599' (got {colour!r:.80})")
    return list(colours) or [""] * boxes


def render_figure(path: Path, box: Box, *, whole: bool = False) -> bytes:
    """Return a PNG of a figure of a PDF or image, cropped to its box, or of its ``whole`` page with a frame around it.

    The figure itself is not tinted, as its colours matter.

    Raises:
        DocumentError: the page cannot be rendered.
    """
    rect = (box.x0, box.y0, box.x1, box.y1)
    if whole:
        return _run_renderer(path, box.page, (rect,), None, tinted=False)
    sides = (max(0.0, box.x0 - _EDGE), max(0.0, box.y0 - _EDGE), box.x1 + _EDGE, box.y1 + _EDGE)
    return _run_renderer(path, box.page, (), sides)


def _run_renderer(
    path: Path,
    page: int,
    boxes: tuple[_Rect, ...],
    area: _Rect | None,
    *,
    tinted: bool = True,
    colours: Sequence[str] = (),
) -> bytes:
    shown = {"boxes": boxes, "colours": [*colours] or [""] * len(boxes), "area": area}
    job = {"path": str(path), "page": page, **shown, "tinted": tinted, "scale": SCALE}
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
