"""End to end: the page, the worker, a private Neo4j, the system's Chromium."""

from __future__ import annotations

import io
import json
import re
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from urllib.parse import urljoin

import pypdfium2
import pytest
from browsing import (
    graph,
    locate_node,
    open_tab,
    press_ask,
    save_screenshot,
    serve,
    visit,
    wait_for_text,
    wait_until_idle,
)
from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1] / "platform" / "llm"))

import scripted

from hopline import Hopline
from hopline.documents.page_images import SCALE
from hopline.documents.pdf_render import BORDER, HIGHLIGHT

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]
SAMPLES = Path(str(files("hopline"))) / "samples"
REVIEW = SAMPLES / "brackwater-operating-review-2024.pdf"
LENDING = SAMPLES / "lantern-lending-report-2024.pdf"
SHARED = Path(__file__).resolve().parents[3] / "shared"
READING = 400_000  # milliseconds that processing may take on a busy machine
BAD = "no & really no تقرير.pdf"
WHOLE = r"text=/3 pages · \d+ passages · \d tables/"  # the sizes of a processed document
CITATION = ".st-key-answer button"
TANK = "How much water does the town tank above Port Ansel hold?"


@pytest.fixture(scope="module")
def page_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home folder whose worker and server are stopped at the end."""
    folder = tmp_path_factory.mktemp("page-home")
    yield folder
    with pytest.MonkeyPatch.context() as patch:
        for name in ("NEO4J_URI", "HOPLINE_NEO4J_URI"):
            patch.delenv(name, raising=False)
        Hopline.stop(folder)


@pytest.fixture(scope="module")
def address(chromium, page_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a page whose first request is a link to a view; Streamlit showed an empty page for it."""
    log = tmp_path_factory.mktemp("page") / "log"
    with serve(["-m", "hopline_ui", "--port", "{port}"], log, HOPLINE_HOME=str(page_home)) as url:
        with open_tab(chromium) as page:
            visit(page, f"{url}/documents")
            page.get_by_text("Drag and drop documents here").wait_for()
        yield url


@pytest.fixture(scope="module")
def plants_page(chromium, address: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Address of a page that has processed a valid PDF, uploaded together with an invalid one."""
    bad = tmp_path_factory.mktemp("bad") / BAD
    bad.write_bytes(b"this is not a PDF")
    with open_tab(chromium) as page:
        visit(page, f"{address}/documents")
        create_collection(page, "plants")
        upload(page, [REVIEW, bad])
        page.get_by_role("button", name="Add 2 documents to").click()
        wait_until_idle(page)
        page.wait_for_selector(".document >> text=brackwater-operating-review-2024.pdf")
        page.wait_for_selector("[data-testid=stProgress]")
        assert "of 2 documents" in page.inner_text("[data-testid=stProgress]")
        save_screenshot(page, "documents-reading")
    with open_tab(chromium) as page:  # the tab was closed; processing continues
        visit(page, f"{address}/documents")
        page.wait_for_selector(WHOLE, timeout=READING)
        page.reload()
        page.wait_for_selector(WHOLE, timeout=READING)
        wait_until_idle(page).wait_for_selector("[data-testid=stProgress]", state="detached")
        save_screenshot(page, "documents-read")
    return address


def create_collection(page, name):
    box = page.locator(".st-key-collection-box input")
    box.click()
    box.fill(name)
    box.press("Enter")
    wait_until_idle(page)


def upload(page, paths):
    with page.expect_file_chooser() as chooser:
        page.locator("[data-testid=stFileUploaderDropzone] button").click()
    chooser.value.set_files(paths)
    page.get_by_role("button", name=re.compile("^Add .* to ")).wait_for()
    wait_until_idle(page)


def ask(page, question):
    page.get_by_label("Question").fill(question)
    page.get_by_label("Question").press("Enter")
    page.wait_for_selector(".st-key-answer, .st-key-abstained")
    return wait_until_idle(page)


def download_image(page, kind):
    """Return the image as it was sent, not as it is scaled in the window."""
    image = page.locator(f"[class*='st-key-picture-{kind}'] img").first
    image.wait_for()
    data = page.request.get(urljoin(page.url, image.get_attribute("src"))).body()
    return Image.open(io.BytesIO(data)).convert("RGB")


def list_places(pdf, number, word):
    """Yield the rectangles of a word as PDFium finds it, in points from the top left."""
    with pypdfium2.PdfDocument(pdf) as document:
        page = document[number - 1]
        text = page.get_textpage()
        search = text.search(word, match_whole_word=True)
        while (match := search.get_next()) is not None:
            boxes = [text.get_charbox(i) for i in range(match[0], match[0] + match[1])]
            top, bottom = page.get_height() - max(b[3] for b in boxes), page.get_height() - min(b[1] for b in boxes)
            yield min(b[0] for b in boxes), top, max(b[2] for b in boxes), bottom


def is_highlighted(picture, rectangle):
    """Whether every pixel on the middle line of a rectangle is highlighted."""
    left, top, right, bottom = rectangle
    y = round((top + bottom) / 2 * SCALE)
    return all(picture.getpixel((x, y))[2] < 200 for x in range(round(left * SCALE), round(right * SCALE)))


def test_a_first_visit_shows_the_welcome_page(chromium, address):
    with open_tab(chromium) as page:
        visit(page, address)
        page.wait_for_selector("text=trace every answer to its page")
        save_screenshot(page, "welcome")
        assert page.get_by_role("button", name="Try the sample documents").is_visible()


def test_a_valid_pdf_is_processed_and_an_invalid_one_fails_with_a_reason(chromium, plants_page):
    with open_tab(chromium) as page:
        visit(page, f"{plants_page}/documents")
        bad = page.locator(".document", has_text=BAD)
        assert bad.locator(".reason").inner_text()
        assert "Error" not in bad.locator(".reason").inner_text()
        assert page.get_by_role("button", name=re.compile("Retry")).count() == 0  # the file is at fault


def test_the_highlight_on_the_page_covers_the_quote(chromium, plants_page):
    with open_tab(chromium) as page:
        ask(visit(page, f"{plants_page}/?collection=plants"), TANK)
        wait_for_text(page, ".st-key-answer", "6,200 cubic metres")
        page.locator(CITATION).first.click()
        wait_until_idle(page)
        number = int(re.search(r"p\. (\d+)", page.inner_text(".st-key-source-head"))[1])
        page.get_by_text("Passage as text").click()
        quote = page.inner_text("blockquote.passage mark")
        page.get_by_text("Whole page").click()
        wait_until_idle(page)
        whole = download_image(page, "whole")
        for word in re.findall(r"\w{3,}", quote):
            assert any(is_highlighted(whole, rectangle) for rectangle in list_places(REVIEW, number, word)), (
                f"{word!r} is not highlighted"
            )
        marked = [
            whole.getpixel((x, y)) in (HIGHLIGHT, BORDER)
            for x in range(0, whole.width, 3)
            for y in range(0, whole.height, 3)
        ]
        assert 0.001 < sum(marked) / len(marked) < 0.15
        crop = download_image(page, "crop")
        assert crop.width == whole.width
        assert crop.height < whole.height
        assert HIGHLIGHT in {colour for _, colour in crop.getcolors(crop.width * crop.height)}
        save_screenshot(page, "answer-light")


def test_a_node_of_the_path_opens_its_panel(chromium, plants_page):
    with open_tab(chromium) as page:
        ask(visit(page, f"{plants_page}/?collection=plants"), TANK)
        passage = graph(page, "cy.nodes('[kind = \"passage\"]').last().id()")
        page.mouse.click(*locate_node(page, passage))
        page.locator(".st-key-node", has_text="6,200 cubic metres").wait_for()


def test_a_reload_and_a_shared_address_show_the_same_answer_and_source(chromium, plants_page):
    with open_tab(chromium) as page:
        ask(visit(page, f"{plants_page}/?collection=plants"), TANK)
        page.get_by_text("Evidence ·").click()
        page.locator("[class*='st-key-show-evidence-2'] button").first.click()
        wait_until_idle(page)
        text, source, shared = page.inner_text(".st-key-answer"), page.inner_text(".st-key-source-head"), page.url
        assert source.startswith("Evidence 2")
        page.reload()
        wait_until_idle(page).wait_for_selector(CITATION)
        assert page.inner_text(".st-key-answer") == text
    with open_tab(chromium) as other:  # the conversation is in the address
        visit(other, shared).wait_for_selector(CITATION)
        wait_until_idle(other)
        assert other.inner_text(".st-key-answer") == text
        assert other.inner_text(".st-key-source-head") == source
    without = re.sub(r"&conversation=[^&]*", "", shared)
    with open_tab(chromium) as other:
        assert "This question comes from a link" in visit(other, without).inner_text("body")
        press_ask(other).wait_for_selector(CITATION)
        wait_until_idle(other)
        assert other.inner_text(".st-key-answer") == text
        assert other.inner_text(".st-key-source-head") == source


def test_what_is_not_in_the_documents_is_not_answered(chromium, plants_page):
    with open_tab(chromium) as page:
        ask(visit(page, f"{plants_page}/?collection=plants"), "Who insures MV Petrel?")
        wait_for_text(page, ".st-key-abstained", "Not found in the documents.")
        save_screenshot(page, "abstained")


@pytest.mark.parametrize(
    ("name", "width", "scheme"), [("narrow", 360, "light"), ("dark", 1440, "dark"), ("wide", 2560, "light")]
)
def test_the_answer_fits_every_window_and_theme(chromium, plants_page, name, width, scheme):
    with open_tab(chromium, viewport={"width": width, "height": 900}, color_scheme=scheme) as page:
        ask(visit(page, f"{plants_page}/?collection=plants"), TANK)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        outside = page.evaluate(
            "[...document.querySelectorAll('.stMainBlockContainer button, .stMainBlockContainer img')]"
            ".filter(e => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1).length"
        )
        assert outside == 0
        save_screenshot(page, f"answer-{name}")


def test_the_answer_of_a_model_appears_as_it_is_written(chromium, plants_page, page_home, tmp_path) -> None:
    sentences = [
        ("The plant has **two** tanks:", []),
        ("- one above Port Ansel", ["Port Ansel"]),
        ("- another one, which nothing mentions", ["a tank on the moon"]),
    ]
    items = [
        {"text": text, "citations": [{"evidence": 1, "quote": quote} for quote in quotes]} for text, quotes in sentences
    ]
    reply = json.dumps({"sentences": items, "short": "two tanks", "found": True})
    with scripted.serve([scripted.Turn(reply, pause=0.08)]) as server:
        settings = {"HOPLINE_HOME": str(page_home), "HOPLINE_MODEL": "tiny", "OPENAI_BASE_URL": server.url}
        command = ["-m", "hopline_ui", "--port", "{port}"]
        with serve(command, tmp_path / "log", **settings) as url, open_tab(chromium) as page:
            visit(page, f"{url}/?collection=plants")
            page.get_by_label("Question").fill("Which tanks does the plant have?")
            page.get_by_label("Question").press("Enter")
            page.wait_for_function("document.querySelector('.draft')?.innerText", polling=20, timeout=120_000)
            shown_at = time.monotonic()
            page.wait_for_function("document.querySelector('.draft')?.innerText.includes('✓')", polling=20)
            save_screenshot(page, "ask-draft")
            wait_until_idle(page)
            text = page.inner_text(".st-key-answer")
            save_screenshot(page, "ask-written")
            assert page.locator(".draft").count() == 0
    assert shown_at < scripted.find_middle(server)
    assert text.index("The plant has two tanks:") < text.index("• one above Port Ansel") < text.index("• another one")
    assert "not found in the sources" in text
    assert len(server.requests) == 1


def test_an_upload_without_its_token_is_refused(plants_page):
    request = urllib.request.Request(f"{plants_page}/_stcore/upload_file/session/file", data=b"x", method="PUT")
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=10)
    refused.value.close()
    assert refused.value.code == 403


def test_a_question_about_the_samples_has_a_path_over_two_documents(chromium, address):
    with open_tab(chromium) as page:
        visit(page, f"{address}/documents")
        create_collection(page, "samples")
        upload(page, [REVIEW, LENDING])
        page.get_by_role("button", name="Add 2 documents to").click()
        wait_until_idle(page)
        page.wait_for_selector("[data-testid=stProgress]")
        page.wait_for_selector("[data-testid=stProgress]", state="detached", timeout=READING)
        wait_until_idle(page).get_by_role("link", name="Ask these documents").click()  # a click during a run is lost
        page.wait_for_selector("text=Try asking")
        save_screenshot(page, "suggestions")
        page.locator(".st-key-suggestions button").first.click()
        page.wait_for_selector(".st-key-answer, .st-key-abstained")
        wait_until_idle(page)
        save_screenshot(page, "samples-two-documents")
        wait_for_text(page, ".st-key-answer", "Maud Kerrigan")


@pytest.mark.shared
def test_a_real_report_is_uploaded_processed_and_asked(chromium, address):
    pdf = SHARED / "pdfs" / "dv03_education_multi_tables.pdf"
    if not pdf.is_file():
        pytest.skip("the data in ../shared is missing")
    with open_tab(chromium) as page:
        visit(page, f"{address}/documents")
        create_collection(page, "market")
        upload(page, [pdf])
        page.get_by_role("button", name="Add 1 document to").click()
        wait_until_idle(page)
        page.wait_for_selector("[data-testid=stProgress]")
        page.wait_for_selector("[data-testid=stProgress]", state="detached", timeout=READING)
        ask(visit(page, f"{address}/?collection=market"), "What can the mean absolute percentage error express?")
        page.wait_for_selector("[class*='st-key-picture-crop'] img")
        save_screenshot(page, "real-report")
