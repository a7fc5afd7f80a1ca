"""Skew of a scanned page: its lines are not quite parallel to the sides of the page. Pure."""

from __future__ import annotations

from typing import Any

import numpy as np

_LONG = 5.0  # width by height; shorter lines have no certain direction


def measure_skew(boxes: Any) -> float:
    """Return the clockwise angle of most lines to the nearest side of the page, in radians; 0 without long lines.

    ``boxes`` are the corners of the lines: (N, 4, 2), y downwards. The angle is the median, weighted by length.
    """
    if not len(boxes):
        return 0.0
    across, down = boxes[:, 1] - boxes[:, 0], boxes[:, 3] - boxes[:, 0]
    widths, heights = np.hypot(*across.T), np.hypot(*down.T)
    sides = np.where((widths >= heights)[:, None], across, down)
    lengths = np.maximum(widths, heights)
    is_long = lengths >= _LONG * np.minimum(widths, heights)
    if not is_long.any():
        return 0.0
    angles = np.arctan2(sides[:, 1], sides[:, 0])[is_long]
    angles = (angles + np.pi / 4) % (np.pi / 2) - np.pi / 4
    order = np.argsort(angles)
    weights = np.cumsum(lengths[is_long][order])
    return float(angles[order][np.searchsorted(weights, weights[-1] / 2)])


def rotate_points(points: Any, angle: float, centre: tuple[float, float]) -> Any:
    """Rotate points (…, 2) counterclockwise around a centre, y downwards."""
    cosine, sine = np.cos(angle), np.sin(angle)
    return (points - centre) @ np.array([[cosine, -sine], [sine, cosine]]) + centre
