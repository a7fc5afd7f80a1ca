"""One page of a PDF: text, layout, tables; runs in a reading process."""

from __future__ import annotations

import time
from typing import Any

from hopline_ingest.parse.content import Line, PageContent
from hopline_ingest.parse.gate import is_plain
from hopline_ingest.parse.glyphs import frame_of, glyphs
from hopline_ingest.parse.lines import pieces
from hopline_ingest.parse.page_blocks import blocks, plain_blocks
from hopline_ingest.parse.regions import LayoutModel


class PdfReader:
    """Reads pages of one PDF after another; keeps the file and the models open between calls."""

    def __init__(self) -> None:
        self._layout = LayoutModel()

    def page(self, document: Any, number: int) -> PageContent:
        """Page ``number``, from 1."""
        begun = time.monotonic()
        page = document[number - 1]
        frame = frame_of(page)
        found = pieces(glyphs(page, frame))
        lines: list[Line]
        if is_plain(found):
            lines = plain_blocks(found)
        else:
            lines = blocks(found, self._layout.regions(page, frame.width, frame.height))
        return PageContent(number, frame.width, frame.height, tuple(lines), seconds=time.monotonic() - begun)
