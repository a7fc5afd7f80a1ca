"""Lines, cells and glyphs made by hand."""

from array import array

import pytest

from hopline_ingest.formats.pdf.page_content import Line, TableCell
from hopline_ingest.formats.pdf.text.glyphs import Glyph


@pytest.fixture(scope="session")
def line():
    """Makes a line from its text and left top corner; each character is half as wide as the font's size."""

    def make(text, x=50.0, y=100.0, *, size=10.0, width=None, **more):
        step = (width / len(text)) if width else 0.5 * size
        lefts = array("f", (x + index * step for index in range(len(text))))
        rights = array("f", (x + (index + 1) * step for index in range(len(text))))
        return Line(text, (x, y, x + step * len(text), y + size), lefts, rights, size=size, **more)

    return make


@pytest.fixture(scope="session")
def make_cells():
    """Makes the cells of a table from their texts, without a place."""

    def make(texts):
        return tuple(tuple(TableCell(text) for text in row) for row in texts)

    return make


@pytest.fixture(scope="session")
def set_text():
    """Makes the glyphs of a text set from a left top corner, as PDFium would give them."""

    def make(text, x=50.0, y=100.0, *, size=10.0, bold=False):
        step = 0.5 * size
        return [
            Glyph(character, (x + n * step, y, x + (n + 1) * step, y + size), size, bold)
            for n, character in enumerate(text)
        ]

    return make
