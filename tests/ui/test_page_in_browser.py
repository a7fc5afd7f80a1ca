"""The whole way on the real thing: the page, the worker, a private Neo4j, the system's Chromium."""

from __future__ import annotations

import io
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from urllib.parse import urljoin

import pypdfium2
import pytest
from browsing import graph, keep_picture, looking, point_of, served, settled, visit
from PIL import Image

from hopline import Hopline
from hopline_ui.page_images import SCALE
from hopline_ui.pdf_render import EDGE, INK

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]
SAMPLES = Path(str(files("hopline"))) / "samples"
REVIEW = SAMPLES / "brackwater-operating-review-2024.pdf"
SHARED = Path(__file__).resolve().parents[3] / "shared"
READING = 400_000  # milliseconds that reading may take on a busy machine
BAD = "no & really no تقرير.pdf"
WHOLE = r"text=/3 pages · \d+ passages · \d tables/"  # what a document that was read says of itself
CITATION = ".st-key-answer button"
TANK = "How much water does the town tank above Port Ansel hold?"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home of the page's own, whose worker and server end with it."""
    folder = tmp_path_factory.mktemp("page-home")
    yield folder
    with pytest.MonkeyPatch.context() as patch:
        for name in ("NEO4J_URI", "HOPLINE_NEO4J_URI"):
            patch.delenv(name, raising=False)
        Hopline.stop(folder)


@pytest.fixture(scope="module")
def address(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    log = tmp_path_factory.mktemp("page") / "log"
    with served(["-m", "hopline_ui", "--port", "{port}"], log, HOPLINE_HOME=str(home)) as found:
        yield found


@pytest.fixture(scope="module")
def read(chromium, address: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a page that has read a good PDF, dropped together with one that is none."""
    bad = tmp_path_factory.mktemp("bad") / BAD
    bad.write_bytes(b"this is no PDF at all")
    with looking(chromium) as page:
        page.set_default_timeout(120_000)
        visit(page, f"{address}/documents")
        name_a_collection(page, "plants")
        drop(page, [REVIEW, bad])
        page.get_by_role("button", name="Read 2 documents into").click()
        settled(page)
        page.wait_for_selector(".document >> text=brackwater-operating-review-2024.pdf")
        page.wait_for_selector("[data-testid=stProgress]")
        assert "of 2 documents" in page.inner_text("[data-testid=stProgress]")
        keep_picture(page, "documents-reading")
    with looking(chromium) as page:  # the tab was closed; the reading goes on
        page.set_default_timeout(120_000)
        visit(page, f"{address}/documents")
        page.wait_for_selector(WHOLE, timeout=READING)
        page.reload()
        page.wait_for_selector(WHOLE, timeout=READING)
        settled(page).wait_for_selector("[data-testid=stProgress]", state="detached")
        keep_picture(page, "documents-read")
    return address


def name_a_collection(page, name):
    box = page.locator(".st-key-collection-box input")
    box.click()
    box.fill(name)
    box.press("Enter")
    settled(page)


def drop(page, paths):
    with page.expect_file_chooser() as chooser:
        page.locator("[data-testid=stFileUploaderDropzone] button").click()
    chooser.value.set_files(paths)
    page.get_by_role("button", name="Read ").wait_for()
    settled(page)


def ask(page, question):
    page.get_by_label("Question").fill(question)
    page.get_by_label("Question").press("Enter")
    page.wait_for_selector(".st-key-answer, .st-key-abstained", timeout=120_000)
    return settled(page)


def picture_of(page, kind):
    """The picture as it was sent, not as it is scaled in the window."""
    image = page.locator(f"[class*='st-key-picture-{kind}'] img").first
    image.wait_for()
    data = page.request.get(urljoin(page.url, image.get_attribute("src"))).body()
    return Image.open(io.BytesIO(data)).convert("RGB")


def places(pdf, number, word):
    """Where PDFium finds a word: rectangles in points from the top left."""
    with pypdfium2.PdfDocument(pdf) as document:
        page = document[number - 1]
        text = page.get_textpage()
        search = text.search(word, match_whole_word=True)
        while (found := search.get_next()) is not None:
            boxes = [text.get_charbox(i) for i in range(found[0], found[0] + found[1])]
            top, bottom = page.get_height() - max(b[3] for b in boxes), page.get_height() - min(b[1] for b in boxes)
            yield min(b[0] for b in boxes), top, max(b[2] for b in boxes), bottom


def inked(picture, place):
    """Whether the middle line of a rectangle is all highlight, paper nowhere."""
    left, top, right, bottom = place
    y = round((top + bottom) / 2 * SCALE)
    return all(picture.getpixel((x, y))[2] < 200 for x in range(round(left * SCALE), round(right * SCALE)))


def test_a_first_visit_says_what_this_is_and_refuses_nothing(chromium, address):
    with looking(chromium) as page:
        page.set_default_timeout(120_000)  # the private server starts, its jars are fetched
        visit(page, address)
        page.wait_for_selector("text=see the way to the page")
        keep_picture(page, "welcome")
        assert page.get_by_role("button", name="Try the sample documents").is_visible()


def test_a_good_pdf_is_read_and_a_bad_one_fails_in_words(chromium, read):
    with looking(chromium) as page:
        visit(page, f"{read}/documents")
        bad = page.locator(".document", has_text=BAD)
        assert bad.locator(".reason").inner_text()
        assert "Error" not in bad.locator(".reason").inner_text()
        page.get_by_role("button", name="Try 1 failed document again").wait_for()


def test_the_highlight_on_the_page_covers_the_quote(chromium, read):
    with looking(chromium) as page:
        ask(visit(page, f"{read}/?collection=plants"), TANK)
        assert "6,200 cubic metres" in page.inner_text(".st-key-answer")
        page.locator(CITATION).first.click()
        settled(page)
        number = int(re.search(r"p\. (\d+)", page.inner_text(".st-key-source-head"))[1])
        page.get_by_text("Passage as text").click()
        quote = page.inner_text("blockquote.passage mark")
        page.get_by_text("Whole page").click()
        settled(page)
        whole = picture_of(page, "whole")
        for word in re.findall(r"\w{3,}", quote):
            assert any(inked(whole, place) for place in places(REVIEW, number, word)), f"{word!r} is not highlighted"
        marked = [
            whole.getpixel((x, y)) in (INK, EDGE) for x in range(0, whole.width, 3) for y in range(0, whole.height, 3)
        ]
        assert 0.001 < sum(marked) / len(marked) < 0.15
        crop = picture_of(page, "crop")
        assert crop.width == whole.width
        assert crop.height < whole.height
        assert INK in {colour for _, colour in crop.getcolors(crop.width * crop.height)}
        keep_picture(page, "answer-light")


def test_a_node_of_the_path_opens_its_panel(chromium, read):
    with looking(chromium) as page:
        ask(visit(page, f"{read}/?collection=plants"), TANK)
        passage = graph(page, "cy.nodes('[kind = \"passage\"]').last().id()")
        page.mouse.click(*point_of(page, passage))
        page.wait_for_selector(".st-key-node")
        assert "6,200 cubic metres" in page.inner_text(".st-key-node")


def test_a_reload_and_a_shared_address_show_the_same_answer_and_source(chromium, read):
    with looking(chromium) as page:
        ask(visit(page, f"{read}/?collection=plants"), TANK)
        page.get_by_text("Evidence ·").click()
        page.locator("[class*='st-key-show-evidence-2'] button").first.click()
        settled(page)
        said, source, shared = page.inner_text(".st-key-answer"), page.inner_text(".st-key-source-head"), page.url
        assert source.startswith("Evidence 2")
        page.reload()
        settled(page).wait_for_selector(CITATION)
        assert page.inner_text(".st-key-answer") == said
    with looking(chromium) as other:
        visit(other, shared).wait_for_selector(CITATION)
        settled(other)
        assert other.inner_text(".st-key-answer") == said
        assert other.inner_text(".st-key-source-head") == source


def test_what_is_not_in_the_documents_is_not_answered(chromium, read):
    with looking(chromium) as page:
        ask(visit(page, f"{read}/?collection=plants"), "Who insures MV Petrel?")
        assert "Not found in these documents." in page.inner_text(".st-key-abstained")
        keep_picture(page, "abstained")


@pytest.mark.parametrize(
    ("name", "width", "scheme"), [("narrow", 360, "light"), ("dark", 1440, "dark"), ("wide", 2560, "light")]
)
def test_the_answer_fits_every_window_and_theme(chromium, read, name, width, scheme):
    with looking(chromium, viewport={"width": width, "height": 900}, color_scheme=scheme) as page:
        ask(visit(page, f"{read}/?collection=plants"), TANK)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        outside = page.evaluate(
            "[...document.querySelectorAll('.stMainBlockContainer button, .stMainBlockContainer img')]"
            ".filter(e => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1).length"
        )
        assert outside == 0
        keep_picture(page, f"answer-{name}")


def test_an_upload_without_its_token_is_refused(read):
    request = urllib.request.Request(f"{read}/_stcore/upload_file/session/file", data=b"x", method="PUT")
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=10)
    refused.value.close()
    assert refused.value.code == 403


def test_the_samples_are_read_and_a_path_leads_over_two_documents(chromium, address):
    with looking(chromium) as page:
        page.set_default_timeout(120_000)
        visit(page, f"{address}/documents")
        name_a_collection(page, "samples")
        drop(page, sorted(SAMPLES.glob("*.pdf")))
        page.get_by_role("button", name="Read 6 documents into").click()
        settled(page)
        page.wait_for_selector("[data-testid=stProgress]")
        page.wait_for_selector("[data-testid=stProgress]", state="detached", timeout=READING)
        settled(page).get_by_role("link", name="Ask these documents").click()  # a click during a run goes astray
        page.wait_for_selector("text=Questions to begin with")
        keep_picture(page, "suggestions")
        page.locator(".st-key-suggestions button").first.click()
        page.wait_for_selector(".st-key-answer, .st-key-abstained")
        settled(page)
        keep_picture(page, "samples-two-documents")
        assert "Maud Kerrigan" in page.inner_text(".st-key-answer")


@pytest.mark.shared
def test_a_real_report_is_uploaded_read_asked_and_shown(chromium, address):
    pdf = SHARED / "pdfs" / "dv03_education_multi_tables.pdf"
    if not pdf.is_file():
        pytest.skip("the real data of ../shared is not here")
    with looking(chromium) as page:
        page.set_default_timeout(120_000)
        visit(page, f"{address}/documents")
        name_a_collection(page, "market")
        drop(page, [pdf])
        page.get_by_role("button", name="Read 1 document into").click()
        settled(page)
        page.wait_for_selector("[data-testid=stProgress]")
        page.wait_for_selector("[data-testid=stProgress]", state="detached", timeout=READING)
        ask(visit(page, f"{address}/?collection=market"), "What can the mean absolute percentage error express?")
        page.wait_for_selector("[class*='st-key-picture-crop'] img")
        keep_picture(page, "real-report")
