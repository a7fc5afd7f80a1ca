"""Images as PDFs of one page each (a TIFF has several), so that they are read by OCR and shown like scans."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hopline.errors import DocumentError

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

SUFFIXES: Final = (".png", ".jpg", ".jpeg", ".tif", ".tiff")
_SIGNATURES: Final = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\x00", b"MM\x00*", b"II+\x00", b"MM\x00+")
_DPI: Final = 150  # of an image that does not give its resolution
_POSSIBLE_DPI: Final = (72, 1200)  # lowest and highest that is believed
_MAX_SIDE: Final = 1800  # points; a photograph with 72 dpi is no page of a metre
_MAX_PIXELS: Final = 40_000_000  # of a page; a larger one is reduced
_QUALITY: Final = 95  # of the JPEG in the PDF


def is_image(head: bytes) -> bool:
    """Return whether a file begins as PNG, JPEG or TIFF images do."""
    return head.startswith(_SIGNATURES)


def convert_image(path: Path) -> bytes | None:
    """Return a PDF with the pages of an image file; None if the file is no image.

    Raises:
        DocumentError: the image is damaged or too large.
    """
    with path.open("rb") as file:
        if not is_image(file.read(8)):
            return None
    from PIL import Image, ImageSequence

    try:
        with Image.open(path) as image:
            pages = [_prepare_page(frame) for frame in ImageSequence.Iterator(image)]
    except Image.DecompressionBombError as error:
        raise DocumentError(f"the image is too large: {error}") from error
    except (OSError, SyntaxError, ValueError, EOFError) as error:  # what Pillow raises on damaged files
        raise DocumentError(f"the image is damaged and cannot be opened ({error})") from error
    buffer = io.BytesIO()
    for page, dpi in pages:
        page.save(buffer, "PDF", resolution=dpi, quality=_QUALITY, append=buffer.tell() > 0)
    return buffer.getvalue()


def _prepare_page(frame: Picture) -> tuple[Picture, float]:
    """Return an upright page in colours or grey on white, and its resolution in dots per inch."""
    from PIL import Image, ImageOps

    stated = frame.info.get("dpi", (0, 0))[0]
    page = ImageOps.exif_transpose(frame) or frame
    if page.mode in {"RGBA", "LA", "PA"} or "transparency" in page.info:
        page = page.convert("RGBA")
        page = Image.alpha_composite(Image.new("RGBA", page.size, "white"), page)
    page = page.convert("L" if page.mode in {"1", "L", "I;16", "I"} else "RGB")
    dpi = float(stated) if _POSSIBLE_DPI[0] < stated <= _POSSIBLE_DPI[1] else float(_DPI)
    dpi = max(dpi, max(page.size) / _MAX_SIDE * 72)
    if (share := page.width * page.height / _MAX_PIXELS) > 1:
        size = round(page.width / share**0.5), round(page.height / share**0.5)
        page, dpi = page.resize(size), dpi / share**0.5
    return page, dpi
