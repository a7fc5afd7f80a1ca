"""Images as PDFs of one page each, so that they are read by OCR and shown like scans.

A TIFF has several pages; the further frames of other formats are an animation, or copies of the first one.
"""

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
_WHITES: Final = (1, 255, 65_535)  # values of white by the depth of an image
_LIGHT: Final = 224  # mean brightness, up to 255, of light writing
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
            buffer = io.BytesIO()
            for frame in ImageSequence.Iterator(image) if image.format == "TIFF" else (image,):
                page, dpi = _prepare_page(frame)
                undated = {"creationDate": None, "modDate": None}  # the dates of the image are not known
                page.save(buffer, "PDF", resolution=dpi, quality=_QUALITY, append=buffer.tell() > 0, **undated)
    except Image.DecompressionBombError as error:
        raise DocumentError(f"the image is too large: {error}") from error
    except (OSError, SyntaxError, ValueError, EOFError) as error:  # what Pillow raises on damaged files
        raise DocumentError(f"the image is damaged and cannot be opened ({error})") from error
    return buffer.getvalue()


def _prepare_page(frame: Picture) -> tuple[Picture, float]:
    """Return an upright page in colours or grey on white, and its resolution in dots per inch."""
    from PIL import ImageOps

    stated = frame.info.get("dpi", (0, 0))[0]
    ImageOps.exif_transpose(frame, in_place=True)
    page = frame
    if page.mode.startswith(("I", "F")):
        page = _reduce_depth(page)
    elif page.mode in {"1", "P", "PA"}:  # neither bits nor numbers of colours can be averaged
        page = page.convert("L" if page.mode == "1" else "RGBA")
    dpi = float(stated) if _POSSIBLE_DPI[0] < stated <= _POSSIBLE_DPI[1] else float(_DPI)
    dpi = max(dpi, max(page.size) / _MAX_SIDE * 72)
    if (share := page.width * page.height / _MAX_PIXELS) > 1:
        size = round(page.width / share**0.5), round(page.height / share**0.5)
        page, dpi = page.resize(size), dpi / share**0.5
    if page.mode in {"RGBA", "LA"} or "transparency" in page.info:
        page = _fill_background(page.convert("RGBA"))
    return page.convert("L" if page.mode == "L" else "RGB"), dpi


def _reduce_depth(page: Picture) -> Picture:
    """Return a page of 16 or 32 bits, or of real numbers, with 8 bits; the white of real numbers is 1."""
    page = page.convert("I").convert("F") if page.mode.startswith("I") else page
    highest = float(page.getextrema()[1])  # type: ignore[arg-type]
    white = next((level for level in _WHITES if highest <= level), highest)
    return page.point(lambda value: value * (255 / white) + 0).convert("L")


def _fill_background(page: Picture) -> Picture:
    """Return a page with transparent parts on white, or on black if what is on them is light."""
    from PIL import Image, ImageStat

    visible = page.getchannel("A")
    is_light = visible.getextrema()[1] and ImageStat.Stat(page.convert("L"), visible).mean[0] > _LIGHT
    return Image.alpha_composite(Image.new("RGBA", page.size, "black" if is_light else "white"), page)
