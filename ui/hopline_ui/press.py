"""Draws one page of one PDF, in a process of its own: an order as JSON in, a PNG out.

The order: ``path``, ``page`` (from 1), ``boxes`` [[x0, y0, x1, y1]] in points from the top left,
``strip`` [top, bottom] in points or null for the whole page, ``scale`` in pixels a point.
"""

from __future__ import annotations

import io
import json
import sys
from typing import Any

MEMORY = 2 << 30  # bytes of address space
PIXELS = 30_000_000  # of the whole page; a larger one is drawn smaller
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


def draw(order: dict[str, Any]) -> bytes:
    """The PNG that was ordered."""
    import pypdfium2
    from PIL import Image, ImageChops, ImageDraw

    with pypdfium2.PdfDocument(order["path"]) as document:
        page = document[order["page"] - 1]
        width, height = page.get_size()
        scale = min(order["scale"], (PIXELS / max(width * height, 1.0)) ** 0.5)
        picture = page.render(scale=scale).to_pil().convert("RGB")
    for x0, y0, x1, y1 in order["boxes"]:
        area = tuple(round(v * scale) for v in (x0 - PAD, y0 - PAD, x1 + PAD, y1 + PAD))
        area = (max(area[0], 0), max(area[1], 0), min(area[2], picture.width), min(area[3], picture.height))
        if area[2] - area[0] < 2 or area[3] - area[1] < 2:
            continue
        part = picture.crop(area)
        picture.paste(ImageChops.multiply(part, Image.new("RGB", part.size, INK)), area[:2])
        ImageDraw.Draw(picture).rectangle((area[0], area[1], area[2] - 1, area[3] - 1), outline=EDGE, width=2)
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
