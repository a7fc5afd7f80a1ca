"""Draws one page of one PDF, in a process of its own: an order as JSON in, a PNG out.

The order: ``path``, ``page`` (from 1), ``boxes`` [[x0, y0, x1, y1]] in points from the top left,
``strip`` [top, bottom] in points or null for the whole page, ``scale`` in pixels a point.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Sequence
from typing import Any

MEMORY = 2 << 30  # bytes of address space
PIXELS = 30_000_000  # of the whole page; a larger one is drawn smaller
WIDEST = 1460  # pixels; Streamlit scales what is wider
INK = (255, 226, 120)
EDGE = (234, 88, 12)
PAD = 1.5  # points around a highlighted box


def limit() -> None:
    """Caps memory where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def pixels(box: Sequence[float], scale: float, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """A box in points, with its padding, as pixels of a picture of that size."""
    x0, y0, x1, y1 = box
    left, top, right, bottom = (round(v * scale) for v in (x0 - PAD, y0 - PAD, x1 + PAD, y1 + PAD))
    return max(left, 0), max(top, 0), min(right, size[0]), min(bottom, size[1])


def blocks(boxes: Sequence[Sequence[float]]) -> list[list[float]]:
    """Lines that follow each other in one column, as one rectangle each."""
    merged: list[list[float]] = []
    for x0, y0, x1, y1 in boxes:
        last = merged[-1] if merged else None
        beneath = last is not None and y0 >= last[1] and y0 - last[3] < 0.9 * (y1 - y0)
        if last is not None and beneath and x0 < last[2] and last[0] < x1:
            last[:] = [min(last[0], x0), last[1], max(last[2], x1), max(last[3], y1)]
        else:
            merged.append([x0, y0, x1, y1])
    return merged


def draw(order: dict[str, Any]) -> bytes:
    """The PNG that was ordered."""
    import pypdfium2
    from PIL import Image, ImageChops, ImageDraw

    with pypdfium2.PdfDocument(order["path"]) as document:
        page = document[order["page"] - 1]
        width, height = page.get_size()
        scale = min(order["scale"], WIDEST / max(width, 1.0), (PIXELS / max(width * height, 1.0)) ** 0.5)
        picture = page.render(scale=scale).to_pil().convert("RGB")
    for box in order["boxes"]:
        area = pixels(box, scale, picture.size)
        if area[2] - area[0] >= 2 and area[3] - area[1] >= 2:
            part = picture.crop(area)
            picture.paste(ImageChops.multiply(part, Image.new("RGB", part.size, INK)), area[:2])
    for box in blocks(order["boxes"]):
        left, top, right, bottom = pixels(box, scale, picture.size)
        if right - left >= 2 and bottom - top >= 2:
            ImageDraw.Draw(picture).rectangle((left, top, right - 1, bottom - 1), outline=EDGE, width=2)
    if order["strip"]:
        top, bottom = (round(y * scale) for y in order["strip"])
        if 0 <= top < bottom and top < picture.height:
            picture = picture.crop((0, top, picture.width, min(bottom, picture.height)))
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=3)
    return out.getvalue()


if __name__ == "__main__":
    limit()
    sys.stdout.buffer.write(draw(json.load(sys.stdin)))
