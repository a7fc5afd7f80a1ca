"""Terminal output with rich: answers, paths, tables and progress bars."""

from hopline.rendering.answers import draw_answer, draw_comparison, draw_retrieval, format_draft
from hopline.rendering.console import TerminalConsole
from hopline.rendering.progress import download_bars, show_progress
from hopline.rendering.tables import (
    draw_ablation,
    draw_card,
    draw_documents,
    draw_estimate,
    draw_evaluation,
    draw_facets,
    draw_graph_quality,
    draw_neighbourhood,
    draw_outline,
    draw_query_result,
    draw_status,
)

__all__ = [
    "TerminalConsole",
    "download_bars",
    "draw_ablation",
    "draw_answer",
    "draw_card",
    "draw_comparison",
    "draw_documents",
    "draw_estimate",
    "draw_evaluation",
    "draw_facets",
    "draw_graph_quality",
    "draw_neighbourhood",
    "draw_outline",
    "draw_query_result",
    "draw_retrieval",
    "draw_status",
    "format_draft",
    "show_progress",
]
