"""The page on a canned Hopline, with and without a browser."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright
from streamlit.testing.v1 import AppTest

import hopline_ui

HERE = Path(__file__).parent
HOUSE = Path(hopline_ui.__file__).parent  # where the page's own .streamlit/ is
sys.path.insert(0, str(HERE))

from browsing import CHROMIUM, served  # noqa: E402
from canned import Canned, filled  # noqa: E402


@pytest.fixture
def hop(tmp_path: Path) -> Canned:
    return filled(tmp_path)


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch, hop: Canned) -> Callable[..., AppTest]:
    """``open_page("documents", q="…")``: the page run once, with query parameters."""

    def opened(start: str = "ask", **query: Any) -> AppTest:
        monkeypatch.setattr("hopline_ui.client_connection.hopline", lambda: hop)
        monkeypatch.setattr("hopline_ui.components.conversation.visitor", lambda: "the browser of the tests")
        page = AppTest.from_string(f"from hopline_ui.navigation import run\nrun({start!r})", default_timeout=60)
        for name, value in query.items():
            page.query_params[name] = value
        return page.run()

    return opened


@pytest.fixture
def told() -> Callable[[AppTest], str]:
    """Everything that a page shows as text, joined by line breaks."""

    def tell(page: AppTest) -> str:
        kinds = ("html", "markdown", "caption", "subheader", "title", "info", "warning", "error", "success", "code")
        parts = [
            getattr(element, "value", "") or getattr(element, "body", "")
            for kind in kinds
            for element in page.get(kind)
        ]
        return "\n".join(str(part) for part in parts)

    return tell


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The system's Chromium."""
    if CHROMIUM is None:
        pytest.skip("no Chromium here")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def _streamlit(script: str) -> list[str]:
    return ["-m", "streamlit", "run", str(HERE / script), "--server.port={port}", "--server.headless=true",
            "--server.address=127.0.0.1", "--browser.gatherUsageStats=false", "--server.fileWatcherType=none"]  # fmt: skip


@pytest.fixture(scope="session")
def canned_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the page on the canned Hopline."""
    with served(_streamlit("canned_page.py"), tmp_path_factory.mktemp("canned") / "log", cwd=HOUSE) as address:
        yield address


@pytest.fixture(scope="session")
def graph_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a page that is nothing but the component."""
    with served(_streamlit("graph_page.py"), tmp_path_factory.mktemp("graph") / "log", cwd=HOUSE) as address:
        yield address
