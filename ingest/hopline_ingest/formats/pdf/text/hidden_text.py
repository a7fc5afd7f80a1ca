"""Text that a PDF page contains but does not show: without ink, transparent, or in the colour of its background."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from hopline_ingest.formats.pdf.frame import Frame
from hopline_ingest.formats.pdf.ocr.scans import choose_scale
from hopline_ingest.formats.pdf.page_content import bounding_rect
from hopline_ingest.formats.pdf.text.glyphs import Glyph

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_HIDDEN: Final = 2_000  # characters of the hidden text of a page that are listed
_SCALE: Final = 2.0  # pixels per point
_MARGIN: Final = 0.3  # of the height of a word, at its top and bottom, that is not compared: other lines may be there
_INSET: Final = 0.25  # points at the sides of a word that are not compared
_TOLERANCE: Final = 12  # of 255 levels, within a blank area

Run = list[Glyph | None]


def drop_hidden_text(page: Any, frame: Frame, glyphs: Sequence[Glyph | None]) -> tuple[Run, str]:
    """Remove hidden text from the glyphs of a page; also returns this text, at most `MAX_HIDDEN` characters.

    A run of glyphs that may be hidden is removed if the rendered page is blank where each of its words is. So the text
    layer of a scan stays, which is over the image of the same text, and white text on a dark background. All text stays
    if the page has no other text.
    """
    shown = [glyph for glyph in glyphs if glyph is not None and not glyph.may_be_hidden]
    if len(shown) == sum(glyph is not None for glyph in glyphs) or not any(glyph.text.isalnum() for glyph in shown):
        return list(glyphs), ""
    scale = choose_scale(frame, _SCALE)
    image = page.render(scale=scale, may_draw_forms=False, grayscale=True).to_numpy()
    visible: Run = []
    hidden: list[str] = []
    for may_be_hidden, group in groupby(glyphs, key=lambda glyph: glyph is not None and glyph.may_be_hidden):
        run = list(group)
        if may_be_hidden and all(_is_blank(image, word, scale) for word in _split_words(run)):
            hidden.append("".join(glyph.text for glyph in run if glyph is not None))
            visible.append(None)  # what is before and after it is not one word
        else:
            visible.extend(run)
    return visible, " ".join(" ".join(hidden).split())[:MAX_HIDDEN]


def _split_words(run: Iterable[Glyph | None]) -> Iterator[list[Glyph]]:
    for is_blank, group in groupby(run, key=lambda glyph: glyph is None or glyph.text.isspace()):
        if not is_blank:
            yield [glyph for glyph in group if glyph is not None]


def _is_blank(image: NDArray[np.uint8], word: Sequence[Glyph], scale: float) -> bool:
    """Return whether the image has a single colour where a word is, inside its margins."""
    x0, y0, x1, y1 = bounding_rect(glyph.rect for glyph in word)
    if word[0].turn == 0:
        y0, y1 = y0 + _MARGIN * (y1 - y0), y1 - _MARGIN * (y1 - y0)
    left, right = max(0, round((x0 + _INSET) * scale)), max(0, round((x1 - _INSET) * scale))
    area = image[max(0, round(y0 * scale)) : max(0, round(y1 * scale)), left:right]
    return area.size == 0 or int(area.max()) - int(area.min()) <= _TOLERANCE
