"""Every view says that it waits for the database while that does not answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from hopline.testing import FakeHopline


@pytest.mark.parametrize(
    ("view", "call"),
    [
        *((view, "collections") for view in ("ask", "compare", "explore", "documents")),
        ("documents", "documents.progress"),
        ("settings", "status"),
    ],
)
def test_a_view_waits_for_the_database_with_a_notice(
    open_page: Callable[..., AppTest], hop: FakeHopline, monkeypatch: pytest.MonkeyPatch, view: str, call: str
) -> None:
    notices: list[str] = []
    waiting: list[str] = []  # the notice that is shown, and the calls that are made meanwhile

    @contextmanager
    def show(text: str = "", **_: Any) -> Iterator[None]:
        notices.append(text)
        before = len(hop.state.calls)
        yield
        waiting.extend(item.name for item in hop.state.calls[before:])

    monkeypatch.setattr("hopline_ui.error_messages.st.spinner", show)
    assert not open_page(view).exception
    assert call in waiting
    assert any(text.startswith("Waiting for the database") for text in notices)
