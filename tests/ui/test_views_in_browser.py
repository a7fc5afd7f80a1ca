"""Every page in the system's Chromium: light, dark and narrow, without accessibility violations found by axe."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import (
    DESKTOP,
    Scheme,
    graph,
    locate_node,
    open_tab,
    press_ask,
    save_screenshot,
    set_colour_scheme,
    visit,
    wait_for_text,
    wait_until_idle,
)
from nordvik import FACTS, HOSTILE, QUESTION, evidence_of
from playwright.sync_api import ViewportSize, expect

from hopline.testing import make_document

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

ASKED = f"q={quote(QUESTION)}&collection=nordvik&strategy=gnn_ret"
PERMIT, TEXT = (make_document("nordvik", name).id for name in ("permit-file.pdf", HOSTILE))
PASSAGE = evidence_of("nordvik", "permit-file.pdf", FACTS["permit-file.pdf"], score=0.0).id
VIEWS = {
    "ask": f"/?{ASKED}",
    "overview": "/?communities=yes",
    "compare": "/compare",
    "explore": "/explore?node=halcyon",
    "path": "/explore?from=halcyon&to=north",
    "communities": "/explore?communities=yes",
    "documents": "/documents",
    "document": f"/documents?document={PERMIT}&passage={PASSAGE}",
    "text document": f"/documents?document={TEXT}",
    "settings": "/settings",
    "welcome": "/?empty=yes",
}
WINDOWS: dict[str, tuple[ViewportSize, tuple[Scheme, ...]]] = {  # size and colour schemes
    "wide": (DESKTOP, ("light", "dark")),
    "narrow": ({"width": 360, "height": 780}, ("light",)),
}
# in Streamlit's own elements: no h1, a toolbar outside the landmarks, the role of the upload box
OF_STREAMLIT = {"page-has-heading-one", "region", "landmark-one-main", "heading-order", "presentation-role-conflict"}


def violations(page):
    reported = Axe().run(page).response["violations"]
    return {
        violation["id"]: [node["html"][:200] for node in violation["nodes"]][:3]
        for violation in reported
        if violation["id"] not in OF_STREAMLIT
    }


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("view", VIEWS)
def test_a_page_has_no_accessibility_violation_and_no_overflow(chromium, nordvik_page, view, window):
    viewport, schemes = WINDOWS[window]
    with open_tab(chromium, viewport=viewport) as page:
        visit(page, nordvik_page + VIEWS[view])
        if view == "ask":
            press_ask(page)
        if view == "compare":
            page.get_by_role("textbox", name="Question").fill(QUESTION)
            page.get_by_test_id("stFormSubmitButton").get_by_role("button").click()
            page.get_by_text("Evidence path").wait_for()
            wait_until_idle(page)
        for scheme in schemes:
            set_colour_scheme(page, scheme)
            save_screenshot(page, f"{view}-{window}-{scheme}")
            wait_until_idle(page).wait_for_timeout(700)  # fade-ins are complete
            assert violations(page) == {}, scheme
            wide = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
            assert wide[0] <= wide[1], f"the {scheme} page must not scroll horizontally"


def test_feedback_is_given_with_the_keyboard_and_a_reload_opens_the_conversation(chromium, nordvik_page):
    with open_tab(chromium) as page:
        press_ask(visit(page, f"{nordvik_page}/?{ASKED}"))
        page.get_by_role("button", name="Right", exact=True).focus()
        page.keyboard.press("Enter")
        wait_for_text(page, "body", "Marked as right")
        assert "conversation=" in page.url
        page.reload()
        wait_for_text(page, "body", "answered on 20")
        wait_for_text(page, "body", "Marked as right")
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_text("Marked as right")).to_have_count(0)


def test_a_match_is_added_expanded_by_a_double_click_and_hidden(chromium, nordvik_page):
    with open_tab(chromium) as page:
        visit(page, f"{nordvik_page}/explore")
        wait_for_text(page, "body", "Showing 4 of 2,623 nodes")
        find = page.get_by_label("Find")
        find.fill("skagen")
        find.press("Enter")
        page.get_by_role("button", name="Skagen Wind Farm").click()
        page.wait_for_selector(".st-key-node >> text=Skagen Wind Farm")
        wait_until_idle(page)
        assert graph(page, "cy.getElementById('skagen').hasClass('selected')")
        before = graph(page, "cy.edges().length")
        page.mouse.dblclick(*locate_node(page, "p2"))
        page.wait_for_url("**node=p2**")
        wait_until_idle(page)
        assert graph(page, "cy.edges().length") >= before
        page.get_by_role("button", name="Hide").click()
        page.wait_for_selector(".st-key-node", state="detached")
        wait_until_idle(page)
        assert "node=" not in page.url


def test_a_community_opens_by_a_click_and_the_overview_returns(chromium, nordvik_page):
    with open_tab(chromium) as page:
        visit(page, f"{nordvik_page}/explore?communities=yes")
        wait_for_text(page, "body", "Showing 3 of 5 communities")
        assert graph(page, "cy.getElementById('c1').width() > cy.getElementById('c2').width()")
        save_screenshot(page, "communities")
        page.mouse.click(*locate_node(page, "c1"))
        page.wait_for_selector(".st-key-shared-names >> text=North Sea")
        wait_until_idle(page)
        assert graph(page, "cy.getElementById('halcyon').length") == 1
        page.get_by_role("button", name="Overview").click()
        page.locator(".st-key-communities").get_by_role("button").nth(1).click()
        page.wait_for_selector(".st-key-shared-names >> text=Skagen Wind Farm")


def test_a_pinned_node_does_not_move(chromium, nordvik_page):
    with open_tab(chromium) as page:
        visit(page, f"{nordvik_page}/explore?node=halcyon")
        page.get_by_role("button", name="Pin").click()
        page.wait_for_selector("role=button[name=/Unpin/]")
        wait_until_idle(page)
        assert graph(page, "cy.getElementById('halcyon').locked()")


def test_an_entity_has_a_timeline_whose_source_opens_the_page(chromium, nordvik_page):
    with open_tab(chromium) as page:
        visit(page, f"{nordvik_page}/explore?node=halcyon")
        page.get_by_role("tab", name="Timeline").click()
        page.locator(".st-key-node mark").get_by_text("30 June 2022", exact=True).wait_for()
        save_screenshot(page, "entity-timeline")
        page.get_by_role("tabpanel").get_by_role("button", name="permit-file.pdf · p. 1").click()
        page.get_by_role("img", name="page 1 of permit-file.pdf; marked").wait_for()
        wait_until_idle(page)
        assert violations(page) == {}


def test_an_address_shows_the_same_node_to_another_tab(chromium, nordvik_page):
    with open_tab(chromium) as page:
        visit(page, f"{nordvik_page}/explore?node=north")
        wait_for_text(page, ".st-key-node p.name", re.compile("^North Sea$"))


def test_similar_names_are_decided_in_a_dialog(chromium, nordvik_page):
    with open_tab(chromium) as page:
        visit(page, f"{nordvik_page}/explore")
        page.get_by_role("button", name="Merge duplicates").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_text("spelled nearly the same").first.wait_for()
        wait_until_idle(page).wait_for_timeout(700)
        assert violations(page) == {}
        save_screenshot(page, "same-names")
        buttons = dialog.get_by_role("button", name="Keep separate")
        before = buttons.count()
        buttons.last.click()
        expect(buttons).to_have_count(before - 1)
        wait_until_idle(page)
        dialog.get_by_text("Decisions", exact=True).click()
        dialog.get_by_role("button", name="Undo").click()
        dialog.get_by_text("No decisions yet.").wait_for()
        dialog.get_by_role("tab", name="Similar names").click()
        expect(buttons).to_have_count(before)


def test_a_folder_is_uploaded_with_its_paths(chromium, nordvik_page, tmp_path):
    (tmp_path / "plans" / "2030").mkdir(parents=True)
    for name in ("a.md", "2030/b.md", "2030/c.exe"):
        (tmp_path / "plans" / name).write_text("# A plan")
    with open_tab(chromium) as page:
        visit(page, f"{nordvik_page}/documents")
        page.get_by_text("Folder", exact=True).click()
        page.get_by_text("Drag and drop a folder here").wait_for()
        wait_until_idle(page)
        page.locator("input[type=file]").set_input_files(tmp_path / "plans")
        page.get_by_role("button", name="Add 2 documents").click()
        for name in ("a.md", "2030/b.md"):
            page.locator(".document .name").get_by_text(name, exact=True).wait_for()


def test_a_document_is_read_with_the_keyboard_and_a_passage_leads_to_the_graph_and_back(chromium, nordvik_page):
    with open_tab(chromium, viewport=WINDOWS["narrow"][0]) as page:
        visit(page, f"{nordvik_page}/documents")
        page.locator(".stButton").get_by_role("button", name="Open").nth(3).press("Enter")
        page.get_by_role("button", name="Next").press("Enter")
        page.get_by_role("img", name="page 2 of permit-file.pdf").wait_for()
        page.get_by_label("Page", exact=True).fill("III")
        page.get_by_label("Page", exact=True).press("Enter")
        page.get_by_role("img", name="page 1 of permit-file.pdf").wait_for()
        page.get_by_label("Search in this document").fill("HALCYON turbines")
        page.get_by_label("Search in this document").press("Enter")
        page.locator(".st-key-matches").get_by_role("button").press("Enter")
        page.get_by_role("img", name="page 1 of permit-file.pdf; marked").wait_for()
        assert f"document={PERMIT}" in page.url
        wait_until_idle(page)
        page.get_by_text("Text of this page").click()
        page.get_by_role("button", name="Show in graph").click()
        page.wait_for_selector(".st-key-node")
        assert f"explore?node={PASSAGE}" in page.url
        wait_until_idle(page).get_by_role("button", name="Open in document").click()
        page.get_by_role("img", name="page 1 of permit-file.pdf; marked").wait_for()


def test_a_passage_is_corrected_with_the_keyboard_beside_its_page(chromium, nordvik_page):
    with open_tab(chromium, viewport=WINDOWS["narrow"][0]) as page:
        press_ask(visit(page, f"{nordvik_page}/?{ASKED}"))
        page.get_by_role("button", name="Correct", exact=True).press("Enter")
        text = page.get_by_label("Corrected text")
        expect(text).to_have_value(re.compile("acquired by Nordvik Energy AS"))
        page.wait_for_function("[...document.images].every(image => image.complete && image.naturalWidth)")
        wait_until_idle(page).wait_for_timeout(700)
        assert violations(page) == {}
        width = page.evaluate("document.querySelector('[role=dialog]').scrollWidth - window.innerWidth")
        assert width <= 0, "the form fits a narrow window"
        text.fill("  ")
        text.press("Control+Enter")
        expect(page.get_by_role("dialog").get_by_text("must not be empty")).to_be_visible()
        text.fill("It was acquired in 2023.")
        page.get_by_label("Your name").fill("Ada")
        page.get_by_role("dialog").get_by_role("button", name="Save").press("Enter")
        expect(page.get_by_role("dialog")).to_have_count(0)
