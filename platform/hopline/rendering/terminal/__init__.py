"""Hopline drawn with rich: answers, paths, tables, and progress that is true."""

from hopline.rendering.terminal.answers import draw_answer, draw_comparison, draw_retrieval
from hopline.rendering.terminal.progress import fetching, follow
from hopline.rendering.terminal.tables import (
    draw_documents,
    draw_estimate,
    draw_evaluation,
    draw_graph_quality,
    draw_neighbourhood,
    draw_status,
)

__all__ = [
    "draw_answer",
    "draw_comparison",
    "draw_documents",
    "draw_estimate",
    "draw_evaluation",
    "draw_graph_quality",
    "draw_neighbourhood",
    "draw_retrieval",
    "draw_status",
    "fetching",
    "follow",
]
