"""The one kind of figure in the samples: a bar chart."""

from __future__ import annotations

from collections.abc import Sequence

from reportlab.graphics.shapes import Drawing, Line, Rect, String
from reportlab.lib.colors import Color

WIDTH, HEIGHT, FLOOR = 380.0, 160.0, 20.0
INK, FILL = Color(0.15, 0.15, 0.15), Color(0.27, 0.47, 0.62)


def bars(names: Sequence[str], values: Sequence[float], unit: str) -> Drawing:
    """One bar a name, its value written above it; the tallest fills the height."""
    drawing = Drawing(WIDTH, HEIGHT)
    room, tallest = WIDTH / len(names), max(values)
    drawing.add(Line(0, FLOOR, WIDTH, FLOOR, strokeColor=INK))
    for place, (name, value) in enumerate(zip(names, values, strict=True)):
        left, high = place * room + room * 0.2, (HEIGHT - FLOOR - 24) * value / tallest
        middle = left + room * 0.3
        drawing.add(Rect(left, FLOOR, room * 0.6, high, fillColor=FILL, strokeColor=None))
        drawing.add(_label(middle, FLOOR - 12, name))
        drawing.add(_label(middle, FLOOR + high + 4, f"{value:g}"))
    drawing.add(String(0, HEIGHT - 9, unit, fontName="Helvetica", fontSize=8, fillColor=INK))
    return drawing


def _label(x: float, y: float, text: str) -> String:
    return String(x, y, text, textAnchor="middle", fontName="Helvetica", fontSize=8, fillColor=INK)
