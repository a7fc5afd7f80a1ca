"""Taking an answer along as a file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from hopline.client import Hopline
from hopline.types import Answer
from hopline_ui.components import source
from hopline_ui.export import as_json, as_markdown, as_page


def show(hop: Hopline, answer: Answer) -> None:
    """A button for each form; the file is made when it is asked for."""
    forms: tuple[tuple[str, str, str, Callable[[], str]], ...] = (
        ("HTML with the pages", "html", "text/html", lambda: as_page(answer, partial(source.pictures, hop))),
        ("Markdown", "md", "text/markdown", lambda: as_markdown(answer)),
        ("JSON", "json", "application/json", lambda: as_json(answer)),
    )
    with st.popover("Take along", icon=":material/download:", key="take along"):
        for label, suffix, kind, made in forms:
            st.download_button(label, made, f"answer.{suffix}", kind, key=f"take {suffix}", on_click="ignore")
