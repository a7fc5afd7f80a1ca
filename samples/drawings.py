"""Bar charts, the only kind of figure in the samples."""

from __future__ import annotations

from collections.abc import Sequence

from reportlab.graphics.shapes import Drawing, Line, Rect, String
from reportlab.lib.colors import Color

WIDTH, HEIGHT, FLOOR = 380.0, 160.0, 20.0
INK, FILL = Color(0.15, 0.15, 0.15), Color(0.27, 0.47, 0.62)


def draw_bars(names: Sequence[str], values: Sequence[float], unit: str) -> Drawing:
    """A bar chart with one bar per name and its value above the bar; the tallest bar fills the height."""
    drawing = Drawing(WIDTH, HEIGHT)
    step, tallest = WIDTH / len(names), max(values)
    drawing.add(Line(0, FLOOR, WIDTH, FLOOR, strokeColor=INK))
    for index, (name, value) in enumerate(zip(names, values, strict=True)):
        left, height = index * step + step * 0.2, (HEIGHT - FLOOR - 24) * value / tallest
        middle = left + step * 0.3
        drawing.add(Rect(left, FLOOR, step * 0.6, height, fillColor=FILL, strokeColor=None))
        drawing.add(_build_label(middle, FLOOR - 12, name))
        drawing.add(_build_label(middle, FLOOR + height + 4, f"{value:g}"))
    drawing.add(String(0, HEIGHT - 9, unit, fontName="Helvetica", fontSize=8, fillColor=INK))
    return drawing


def _build_label(x: float, y: float, text: str) -> String:
    return String(x, y, text, textAnchor="middle", fontName="Helvetica", fontSize=8, fillColor=INK)
