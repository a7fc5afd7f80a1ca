"""Take the screenshots of the documentation over the sample documents: ``python tests/ui/take_screenshots.py``."""

from __future__ import annotations

import tempfile
from pathlib import Path
from urllib.parse import quote

from browsing import CHROMIUM, OFFLINE, open_tab, press_ask, serve, visit, wait_until_idle
from playwright.sync_api import Page, sync_playwright

from hopline import Hopline
from hopline.demo import COLLECTION, open_sample_folder

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"
QUESTION = "Who founded the company that operates the Brackwater Desalination Plant?"
WARM_UP = "When does the concession end?"  # loads the models, so that the times shown are those of later questions
ENTITY = "Tidewell Utilities"
SIZE = {"width": 1280, "height": 800}
TIMEOUT = 120_000  # milliseconds


def take_screenshots(page: Page, address: str) -> None:
    """Take the screenshots of the three views that answer questions."""
    page.set_default_timeout(TIMEOUT)
    press_ask(visit(page, f"{address}/?collection={COLLECTION}&q={quote(WARM_UP)}"))
    for view, path, button in (("ask", "/", "Ask"), ("compare", "/compare", "Compare")):
        visit(page, f"{address}{path}?collection={COLLECTION}")
        page.get_by_role("textbox", name="Question").fill(QUESTION)
        page.get_by_role("button", name=button, exact=True).click()
        page.get_by_text("Evidence path").first.wait_for()
        save(page, view)
    visit(page, f"{address}/explore?collection={COLLECTION}")
    page.get_by_role("textbox", name="Find").fill(ENTITY)
    page.keyboard.press("Enter")
    page.get_by_role("button").filter(has_text=ENTITY).first.click()
    save(page, "explore")


def save(page: Page, view: str) -> None:
    """Save the screenshot of a view after its images and drawings are complete."""
    page.mouse.move(0, SIZE["height"] - 1)  # no tooltip
    wait_until_idle(page).wait_for_timeout(5000)
    wait_until_idle(page).screenshot(path=IMAGES / f"page-{view}.png")


def main() -> None:
    """Add the sample documents to a new home, and take the screenshots of its page."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        with Hopline.open(home) as hop, open_sample_folder() as samples:
            hop.add(sorted(samples.glob("*.pdf")), collection=COLLECTION).wait()
        with (
            serve(["-m", "hopline_ui", "--port", "{port}"], home / "page.log", HOPLINE_HOME=folder) as address,
            sync_playwright() as playwright,
        ):
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", OFFLINE])
            with open_tab(browser, viewport=SIZE) as page:
                take_screenshots(page, address)


if __name__ == "__main__":
    main()
