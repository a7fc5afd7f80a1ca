"""A page of a PDF as a picture, whole or cropped around what is quoted, with the quote highlighted.

PDFium runs in a process of its own (`hopline_ui.pdf_render`): it is not thread-safe, and a PDF that
crashes it or asks for gigabytes takes nothing else down.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from hopline.errors import DocumentError
from hopline.types import Box

MARGIN = 110.0  # points shown above and below the quote
SCALE = 2.0  # pixels a point
SECONDS = 20.0  # a page that takes longer is given up


def is_pdf(path: Path) -> bool:
    """Whether the file says so itself, within its first kilobyte; its name does not matter."""
    try:
        with path.open("rb") as file:
            return b"%PDF-" in file.read(1024)
    except OSError:
        return False


def crop(boxes: Sequence[Box], page: int) -> tuple[float, float] | None:
    """Top and bottom, in points, of the strip around the boxes of a page; None where it has none."""
    here = [box for box in boxes if box.page == page]
    if not here:
        return None
    return max(0.0, min(box.y0 for box in here) - MARGIN), max(box.y1 for box in here) + MARGIN


def page_picture(path: Path, page: int, boxes: Sequence[Box], *, whole: bool) -> bytes:
    """A PNG of page ``page`` (from 1) with its boxes highlighted, `SCALE` pixels a point.

    Raises:
        DocumentError: the page cannot be drawn.
    """
    here = tuple((box.x0, box.y0, box.x1, box.y1) for box in boxes if box.page == page)
    return _printed(str(path), page, here, None if whole else crop(boxes, page))


@st.cache_data(max_entries=200, show_spinner=False)
def _printed(
    path: str, page: int, boxes: tuple[tuple[float, float, float, float], ...], strip: tuple[float, float] | None
) -> bytes:
    order = {"path": path, "page": page, "boxes": boxes, "strip": strip, "scale": SCALE}
    command = [sys.executable, "-m", "hopline_ui.pdf_render"]
    try:
        done = subprocess.run(
            command, input=json.dumps(order).encode(), capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise DocumentError(f"page {page} could not be drawn within {SECONDS:.0f} seconds") from error
    if done.returncode or not done.stdout:
        raise DocumentError(f"page {page} could not be drawn")
    return done.stdout
