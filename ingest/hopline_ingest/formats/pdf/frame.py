"""The displayed page of a PDF: its size, and the mapping of positions in the file to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hopline_ingest.formats.pdf.page_content import Rect


@dataclass(frozen=True, slots=True)
class Frame:
    """Affine map, of scale 1 with y downwards, from PDF user space to the displayed page.

    ``matrix`` is (a, b, c, d, e, f): x' = a·x + c·y + e, y' = b·x + d·y + f.
    """

    width: float
    height: float
    matrix: tuple[float, float, float, float, float, float]

    def map_rect(self, x0: float, y0: float, x1: float, y1: float) -> Rect:
        """Map a rectangle of user space to the displayed page."""
        a, b, c, d, e, f = self.matrix
        xa, ya = a * x0 + c * y0 + e, b * x0 + d * y0 + f
        xb, yb = a * x1 + c * y1 + e, b * x1 + d * y1 + f
        return min(xa, xb), min(ya, yb), max(xa, xb), max(ya, yb)

    def map_y(self, x: float, y: float) -> float:
        """Return the distance of a point of user space from the top of the displayed page."""
        return self.matrix[1] * x + self.matrix[3] * y + self.matrix[5]


def read_frame(page: Any) -> Frame:
    """Return the frame of a page from its crop box and rotation."""
    left, bottom, right, top = page.get_bbox()
    across, up = right - left, top - bottom
    turn = page.get_rotation() % 360
    matrix = {
        0: (1.0, 0.0, 0.0, -1.0, -left, top),
        90: (0.0, 1.0, 1.0, 0.0, -bottom, -left),
        180: (-1.0, 0.0, 0.0, 1.0, right, -bottom),
        270: (0.0, -1.0, -1.0, 0.0, top, right),
    }[turn]
    width, height = (across, up) if turn in {0, 180} else (up, across)
    return Frame(width, height, matrix)
