"""Every view in the system's Chromium: light, dark and narrow, without a violation that axe knows of."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import graph, keep_picture, looking, point_of, settled, visit
from canned import QUESTION

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

ASKED = f"q={quote(QUESTION)}&collection=nordvik&strategy=gnn_ret"
VIEWS = {
    "ask": f"/?{ASKED}",
    "compare": "/compare",
    "explore": "/explore?node=halcyon",
    "documents": "/documents",
    "welcome": "/?empty=yes",
}
LOOKS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "narrow": {"viewport": {"width": 360, "height": 780}},
}
# in Streamlit's own parts: no h1, a toolbar outside the landmarks, the role of the box that files are dropped on
OF_STREAMLIT = {"page-has-heading-one", "region", "landmark-one-main", "heading-order", "presentation-role-conflict"}


def violations(page):
    found = Axe().run(page).response["violations"]
    return {
        one["id"]: [node["html"][:200] for node in one["nodes"]][:3] for one in found if one["id"] not in OF_STREAMLIT
    }


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("view", VIEWS)
def test_a_view_has_no_violation_and_nothing_runs_out_of_it(chromium, canned_page, view, look):
    with looking(chromium, **LOOKS[look]) as page:
        visit(page, canned_page + VIEWS[view])
        if view == "compare":
            page.get_by_role("textbox", name="Question").fill(QUESTION)
            page.get_by_test_id("stFormSubmitButton").get_by_role("button").click()
            page.get_by_text("Way to its evidence").wait_for()
            settled(page)
        keep_picture(page, f"{view}-{look}")
        settled(page).wait_for_timeout(700)  # what faded in is there
        assert violations(page) == {}
        wide = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
        assert wide[0] <= wide[1], "the page must not scroll sideways"


def test_a_find_is_drawn_opened_by_a_double_click_and_hidden(chromium, canned_page):
    with looking(chromium) as page:
        visit(page, f"{canned_page}/explore")
        assert "Showing 4 of 2,623 nodes" in page.inner_text("body")
        find = page.get_by_label("Find")
        find.fill("skagen")
        find.press("Enter")
        page.get_by_role("button", name="Skagen Wind Farm").click()
        page.wait_for_selector(".st-key-node >> text=Skagen Wind Farm")
        settled(page)
        assert graph(page, "cy.getElementById('skagen').hasClass('selected')")
        before = graph(page, "cy.edges().length")
        page.mouse.dblclick(*point_of(page, "p2"))
        page.wait_for_url("**node=p2**")
        settled(page)
        assert graph(page, "cy.edges().length") >= before
        page.get_by_role("button", name="Hide").click()
        page.wait_for_selector(".st-key-node", state="detached")
        settled(page)
        assert "node=" not in page.url


def test_a_pinned_node_does_not_move(chromium, canned_page):
    with looking(chromium) as page:
        visit(page, f"{canned_page}/explore?node=halcyon")
        page.get_by_role("button", name="Pin").click()
        page.wait_for_selector("role=button[name=/Let go/]")
        settled(page)
        assert graph(page, "cy.getElementById('halcyon').locked()")


def test_an_address_shows_the_same_node_to_another_tab(chromium, canned_page):
    with looking(chromium) as page:
        visit(page, f"{canned_page}/explore?node=north")
        assert page.inner_text(".st-key-node p.name") == "North Sea"


def test_names_that_mean_the_same_are_decided_in_a_dialog(chromium, canned_page):
    with looking(chromium) as page:
        visit(page, f"{canned_page}/explore")
        page.get_by_role("button", name="Same names").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_text("spelled nearly the same").first.wait_for()
        settled(page).wait_for_timeout(700)
        assert violations(page) == {}
        keep_picture(page, "same-names")
        before = dialog.get_by_role("button", name="Different").count()
        dialog.get_by_role("button", name="Different").last.click()
        settled(page)
        assert dialog.get_by_role("button", name="Different").count() == before - 1
        dialog.get_by_text("Decided", exact=True).click()
        dialog.get_by_role("button", name="Undo").click()
        dialog.get_by_text("Nothing is decided yet.").wait_for()
        dialog.get_by_text("Suggestions", exact=True).click()
        settled(page)
        assert dialog.get_by_role("button", name="Different").count() == before


def test_a_folder_is_dropped_with_its_paths(chromium, canned_page, tmp_path):
    (tmp_path / "plans" / "2030").mkdir(parents=True)
    for name in ("a.md", "2030/b.md", "2030/c.exe"):
        (tmp_path / "plans" / name).write_text("# A plan")
    with looking(chromium) as page:
        visit(page, f"{canned_page}/documents")
        page.get_by_text("A folder", exact=True).click()
        page.get_by_text("Drop a folder here").wait_for()
        settled(page)
        page.locator("input[type=file]").set_input_files(tmp_path / "plans")
        page.get_by_role("button", name="Read 2 documents").click()
        for name in ("a.md", "2030/b.md"):
            page.locator(".document .name").get_by_text(name, exact=True).wait_for()


def test_a_document_opens_in_a_dialog_at_its_pages(chromium, canned_page):
    with looking(chromium) as page:
        visit(page, f"{canned_page}/documents")
        page.locator(".stButton").get_by_role("button", name="Open").nth(1).click()
        page.get_by_role("dialog").get_by_role("img", name="page 1 of").wait_for()
        settled(page)
        assert violations(page) == {}
