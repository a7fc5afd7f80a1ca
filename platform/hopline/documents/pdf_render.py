"""Render one page of a PDF in a process of its own: reads a job as JSON from stdin, writes a PNG to stdout.

The job has ``path``, ``page`` (from 1), ``boxes`` [[x0, y0, x1, y1]] in points from the top left,
``colours`` ("#rrggbb" of each box, "" for that of highlighted text),
``area`` [x0, y0, x1, y1] in points or null for the whole page, ``tinted`` (whether the boxes are, besides their
frames), and ``scale`` in pixels per point.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hopline.documents.images import convert_image

MAX_MEMORY = 2 << 30  # bytes of address space
MAX_PIXELS = 30_000_000  # of the whole page; a larger one is scaled down
MAX_WIDTH = 1460  # pixels; Streamlit scales wider images down
HIGHLIGHT = (255, 226, 120)
BORDER = (234, 88, 12)
TINT = 0.3  # how much of a colour its light shade has
PADDING = 1.5  # points around a highlighted box


def limit_memory() -> None:
    """Limit the process's memory where the operating system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


def to_pixels(box: Sequence[float], scale: float, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """Convert a box in points, plus padding, to pixels within an image of ``size`` (width, height)."""
    x0, y0, x1, y1 = box
    left, top, right, bottom = (round(v * scale) for v in (x0 - PADDING, y0 - PADDING, x1 + PADDING, y1 + PADDING))
    return max(left, 0), max(top, 0), min(right, size[0]), min(bottom, size[1])


def merge_lines(boxes: Sequence[Sequence[float]]) -> list[list[float]]:
    """Merge the boxes of consecutive lines of one column into one rectangle each."""
    merged: list[list[float]] = []
    for x0, y0, x1, y1 in boxes:
        last = merged[-1] if merged else None
        is_next_line = last is not None and y0 >= last[1] and y0 - last[3] < 0.9 * (y1 - y0)
        if last is not None and is_next_line and x0 < last[2] and last[0] < x1:
            last[:] = [min(last[0], x0), last[1], max(last[2], x1), max(last[3], y1)]
        else:
            merged.append([x0, y0, x1, y1])
    return merged


def list_frames(boxes: Sequence[Sequence[float]], colours: Sequence[str]) -> list[tuple[Sequence[float], str]]:
    """Return the frames to draw with their colours: lines of highlighted text are merged, coloured boxes are not."""
    pairs = list(zip(boxes, colours, strict=True))
    merged = merge_lines([box for box, colour in pairs if not colour])
    return [*((box, colour) for box, colour in pairs if colour), *((box, "") for box in merged)]


def mix_tint(colour: str) -> tuple[int, int, int]:
    """Return a light shade of a colour "#rrggbb", in which black text remains readable."""
    red, green, blue = (255 - round((255 - int(colour[n : n + 2], 16)) * TINT) for n in (1, 3, 5))
    return red, green, blue


def render(job: dict[str, Any]) -> bytes:
    """Return the PNG of a job."""
    import pypdfium2
    from PIL import Image, ImageChops, ImageDraw

    path = Path(job["path"])
    with pypdfium2.PdfDocument(convert_image(path) or path) as document:
        page = document[job["page"] - 1]
        width, height = page.get_size()
        scale = min(job["scale"], MAX_WIDTH / max(width, 1.0), (MAX_PIXELS / max(width * height, 1.0)) ** 0.5)
        image = page.render(scale=scale).to_pil().convert("RGB")
    for box, colour in zip(job["boxes"], job["colours"], strict=True):
        area = to_pixels(box, scale, image.size)
        if job["tinted"] and area[2] - area[0] >= 2 and area[3] - area[1] >= 2:
            part = image.crop(area)
            tint = Image.new("RGB", part.size, mix_tint(colour) if colour else HIGHLIGHT)
            image.paste(ImageChops.multiply(part, tint), area[:2])
    for box, colour in list_frames(job["boxes"], job["colours"]):
        left, top, right, bottom = to_pixels(box, scale, image.size)
        if right - left >= 2 and bottom - top >= 2:
            ImageDraw.Draw(image).rectangle((left, top, right - 1, bottom - 1), outline=colour or BORDER, width=2)
    if job["area"]:
        left, top, right, bottom = (round(side * scale) for side in job["area"])
        if 0 <= top < bottom and top < image.height and 0 <= left < right and left < image.width:
            image = image.crop((left, top, min(right, image.width), min(bottom, image.height)))
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=3)
    return out.getvalue()


if __name__ == "__main__":
    limit_memory()
    sys.stdout.buffer.write(render(json.load(sys.stdin)))
