"""The export menu of an answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from hopline.client import Hopline
from hopline.results import Answer
from hopline_ui.components import source
from hopline_ui.export import to_html, to_json, to_markdown


def show(hop: Hopline, answer: Answer) -> None:
    """Show a download button per format; the file is created when the button is clicked."""
    formats: tuple[tuple[str, str, str, Callable[[], str]], ...] = (
        ("HTML with page images", "html", "text/html", lambda: to_html(answer, partial(source.render_pages, hop))),
        ("Markdown", "md", "text/markdown", lambda: to_markdown(answer)),
        ("JSON", "json", "application/json", lambda: to_json(answer)),
    )
    with st.popover("Export", icon=":material/download:", key="take along"):
        for label, suffix, mime, create in formats:
            st.download_button(label, create, f"answer.{suffix}", mime, key=f"take {suffix}", on_click="ignore")
