"""Serve a page in a process of its own, and open it in the system's Chromium."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urljoin

from playwright.sync_api import Browser, Error, Page, ViewportSize, expect

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
ARTEFACTS = Path(__file__).resolve().parents[2] / "artefacts" / "ui"
IDLE = "[data-testid=stApp][data-test-script-state=notRunning]"
DESKTOP: ViewportSize = {"width": 1440, "height": 900}
OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"  # of Chromium: no other host is found
Scheme = Literal["light", "dark"]
EMPTY_PAGE = "/_stcore/health"  # without scripts, at the address of the page; a tab that no test uses shows it
LOCAL = ("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serve(command: Sequence[str], log: Path, *, cwd: Path | None = None, **environment: str) -> Iterator[str]:
    """Run a page until the block ends and yield its address; ``{port}`` in the command is replaced.

    The environment has none of the user's settings for Neo4j or a model.
    """
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("NEO4J_", "OPENAI_", "HOPLINE_"))}
    port = free_port()
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, *(part.replace("{port}", str(port)) for part in command)],
            stdout=out,
            stderr=subprocess.STDOUT,
            cwd=cwd,
            env=ours | environment,
        )
        try:
            _wait(process, port, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"the page did not start:\n{log.read_text(errors='replace')[-2000:]}")


@contextmanager
def open_tab(browser: Browser, *, viewport: ViewportSize = DESKTOP, color_scheme: Scheme = "light") -> Iterator[Page]:
    """Open a tab. A request to another host, a script error or a stack trace on the page fails the test.

    All tabs share one context, whose cache has the scripts of the page. A tab is reused, so that the scripts are
    compiled once; what it stores is deleted first.
    """
    context = browser.contexts[0] if browser.contexts else browser.new_context()
    foreign: list[str] = []
    errors: list[str] = []
    listeners: dict[Any, Callable[[Any], None]] = {
        "request": lambda request: None if request.url.startswith(LOCAL) else foreign.append(request.url),
        "websocket": lambda socket: None if socket.url.startswith(LOCAL) else foreign.append(socket.url),
        "pageerror": lambda error: errors.append(str(error)),
    }
    page = next((tab for tab in context.pages if tab.url.endswith(EMPTY_PAGE)), None) or context.new_page()
    page.bring_to_front()  # Chromium hardly draws a tab behind another
    page.set_default_timeout(120_000)  # on a busy machine, the first start of the server takes more than 30 s
    page.set_viewport_size(viewport)
    page.emulate_media(color_scheme=color_scheme)
    for event, listener in listeners.items():
        page.on(event, listener)
    try:
        yield page
        assert page.locator("[data-testid=stException]").count() == 0
        assert "Traceback" not in page.inner_text("body")
    except BaseException:
        ARTEFACTS.mkdir(parents=True, exist_ok=True)
        with suppress(Error):  # the page has crashed
            page.screenshot(path=ARTEFACTS / "failed.png", full_page=True)
        raise
    finally:
        try:
            page.goto(urljoin(page.url, EMPTY_PAGE))
            page.evaluate("localStorage.clear(), sessionStorage.clear()")
            for event, listener in listeners.items():
                page.remove_listener(event, listener)
        except Error:  # the page did not open or has crashed
            page.close()
        context.clear_cookies()
    assert foreign == []
    assert errors == []


def wait_until_idle(page: Page) -> Page:
    """Wait until the script has run and its output is drawn."""
    page.wait_for_selector(IDLE)
    page.wait_for_timeout(250)
    page.wait_for_selector(IDLE)
    return page


def wait_for_text(page: Page, selector: str, text: str | re.Pattern[str]) -> None:
    """Wait until an element shows a text, or a match of a pattern.

    Streamlit draws the parts of a container one after another.
    """
    expect(page.locator(selector).first).to_contain_text(text, use_inner_text=True, timeout=60_000)


def visit(page: Page, address: str) -> Page:
    page.goto(address)
    return wait_until_idle(page)


def press_ask(page: Page) -> Page:
    """Ask the question that is in the input, such as that of a link."""
    page.get_by_test_id("stFormSubmitButton").get_by_role("button", name="Ask").click()
    page.wait_for_selector(".st-key-answer, .st-key-abstained")
    return wait_until_idle(page)


def set_colour_scheme(page: Page, scheme: Scheme) -> None:
    """Change the colour scheme of an open page."""
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(f"getComputedStyle(document.querySelector('.stApp')).colorScheme === '{scheme}'")


def save_screenshot(page: Page, name: str) -> None:
    """Save a screenshot of the whole page for review if the environment variable ``SCREENSHOTS`` is set."""
    if not os.environ.get("SCREENSHOTS"):
        return
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    size = page.viewport_size or {"width": 1440, "height": 900}
    height = page.evaluate("document.querySelector('.stMainBlockContainer').scrollHeight + 80")
    page.set_viewport_size({"width": size["width"], "height": max(size["height"], min(int(height), 4000))})
    page.wait_for_function("document.querySelectorAll('[data-testid=stSkeleton]').length === 0")
    page.wait_for_function("[...document.images].every(image => image.complete)")
    page.wait_for_timeout(500)
    page.screenshot(path=ARTEFACTS / f"{name}.png")
    page.set_viewport_size(size)


# cytoscape's instance, which the component stores on its frame
GRAPH = "document.querySelector('[data-testid=stBidiComponentIsolated]').shadowRoot.querySelector('.frame')._cyreg.cy"


def graph(page: Page, expression: str) -> Any:
    """Evaluate a JavaScript expression over `cy`."""
    page.wait_for_function(f"(() => {{ try {{ return {GRAPH}.nodes().length > 0 }} catch {{ return false }} }})()")
    return page.evaluate(f"(() => {{ const cy = {GRAPH}; return {expression} }})()")


def wait_until_stable(page: Page, expression: str) -> Any:
    """Evaluate an expression once its value is stable."""
    reads = [graph(page, expression)]
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        page.wait_for_timeout(200)
        reads.append(graph(page, expression))
        if len(reads) > 3 and reads[-1] == reads[-2] == reads[-3] == reads[-4]:
            return reads[-1]
    raise AssertionError(f"this still changes after 20 s: {expression}")


def wait_until_true(page: Page, expression: str) -> None:
    """Wait until a JavaScript expression over `cy` is true."""
    page.wait_for_function(
        f"(() => {{ try {{ const cy = {GRAPH}; return {expression} }} catch {{ return false }} }})()", timeout=20_000
    )


def locate_node(page: Page, node: str) -> tuple[float, float]:
    """Return the position of a node on the screen."""
    page.locator("[data-testid=stBidiComponentIsolated]").scroll_into_view_if_needed()
    position = wait_until_stable(
        page,
        f"(() => {{ const box = cy.container().getBoundingClientRect(), at = cy.getElementById({node!r}).renderedPosition();"
        " return [box.x + at.x, box.y + at.y] })()",
    )
    return position[0], position[1]
