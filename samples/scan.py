"""Generate the scanned page: the inspection record, rendered and degraded like a poor scan.

Run ``python samples/scan.py`` only to change the image; `make.py` embeds the committed one, so that the samples do not
depend on the version of a renderer or of a JPEG encoder.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pypdfium2
from layout import write
from PIL import Image, ImageFilter
from reports.kestrel_quay import RECORD, SCANNED_PAGE

DPI, TILT_DEGREES, PAPER, NOISE, QUALITY = 150, 0.4, 244, 5.0, 45


def render_scan() -> Image.Image:
    """The record in grey levels, slightly rotated and blurred, with sensor noise."""
    with tempfile.TemporaryDirectory() as folder:
        document = pypdfium2.PdfDocument(write(RECORD, Path(folder)))
        page = document[0].render(scale=DPI / 72).to_pil().convert("L")
        document.close()
    page = page.rotate(TILT_DEGREES, Image.Resampling.BICUBIC, fillcolor=255).filter(ImageFilter.GaussianBlur(0.6))
    grey = np.asarray(page, dtype=np.float64) * PAPER / 255
    noise = np.random.default_rng(1911).normal(0, NOISE, grey.shape)
    return Image.fromarray(np.clip(grey + noise, 0, 255).astype(np.uint8))


if __name__ == "__main__":
    render_scan().save(SCANNED_PAGE, quality=QUALITY)
