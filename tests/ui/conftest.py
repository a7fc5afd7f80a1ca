"""The page on a fake client, with and without a browser."""

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
PACKAGE = Path(hopline_ui.__file__).parent  # where the page's own .streamlit/ is
sys.path[:0] = [str(HERE), str(HERE.parent / "platform")]

from browsing import CHROMIUM, OFFLINE, serve  # noqa: E402
from nordvik import nordvik_hop  # noqa: E402

from hopline.testing import FakeHopline  # noqa: E402


@pytest.fixture
def hop(tmp_path: Path) -> FakeHopline:
    return nordvik_hop(tmp_path)


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch, hop: FakeHopline) -> Callable[..., AppTest]:
    """``open_page("documents", q="…")`` runs a page with query parameters, and asks the question of a link by a click."""

    def run_page(start: str = "ask", *, ask: bool = True, **query: Any) -> AppTest:
        monkeypatch.setattr("hopline_ui.client_connection.get_client", lambda: hop)
        monkeypatch.setattr("hopline_ui.components.conversation.get_visitor", lambda: "test-browser")
        page = AppTest.from_string(f"from hopline_ui.navigation import run\nrun({start!r})", default_timeout=60)
        for name, value in query.items():
            page.query_params[name] = value
        page.run()
        may_ask = "q" in query and any(button.key == "ask" for button in page.button)
        return page.button(key="ask").click().run() if ask and may_ask else page

    return run_page


@pytest.fixture
def page_text() -> Callable[[AppTest], str]:
    """Return all text that a page shows, joined by line breaks."""

    def read_text(page: AppTest) -> str:
        kinds = ("html", "markdown", "caption", "subheader", "title", "info", "warning", "error", "success", "code")
        parts = [
            getattr(element, "value", "") or getattr(element, "body", "")
            for kind in kinds
            for element in page.get(kind)
        ]
        return "\n".join(str(part) for part in parts)

    return read_text


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The system's Chromium, until the tests of the file end.

    Playwright runs an event loop in this thread as long as it is open, in which other tests cannot run theirs. The
    scope of a package is no shorter than the session, because the folders of the tests are no packages.
    """
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed; scripts/ensure_chromium.sh installs it, or says how to")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", OFFLINE])
        yield browser
        browser.close()


def _streamlit(script: str) -> list[str]:
    return ["-m", "streamlit", "run", str(HERE / script), "--server.port={port}", "--server.headless=true",
            "--server.address=127.0.0.1", "--browser.gatherUsageStats=false", "--server.fileWatcherType=none"]  # fmt: skip


@pytest.fixture(scope="session")
def nordvik_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the page on the fake client."""
    with serve(_streamlit("fake_page.py"), tmp_path_factory.mktemp("nordvik") / "log", cwd=PACKAGE) as address:
        yield address


@pytest.fixture(scope="session")
def graph_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a page with the graph component alone."""
    with serve(_streamlit("graph_page.py"), tmp_path_factory.mktemp("graph") / "log", cwd=PACKAGE) as address:
        yield address
