"""The graph component in the system's Chromium, on evidence paths and on a graph of 2,000 nodes."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from urllib.parse import urlencode

import pytest
from browsing import (
    graph,
    locate_node,
    open_tab,
    press_ask,
    save_screenshot,
    set_colour_scheme,
    visit,
    wait_for_text,
    wait_until_idle,
    wait_until_stable,
    wait_until_true,
)
from nordvik import QUESTION

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
PATH = urlencode({"q": QUESTION, "collection": "nordvik", "strategy": "gnn_ret", "source": "3"})
SVG = "{http://www.w3.org/2000/svg}"


STATE = """[location.href.replace(/&conversation=[^&]*/, ''), innerWidth, cy.zoom(), cy.pan(), cy.nodes().map(n => [n.position(), ...n.classes()]),
    document.querySelector('.st-key-node') !== null, document.querySelector('[data-testid=stMain]').scrollTop]"""


@pytest.fixture(scope="module")
def path_tab(chromium, nordvik_page):
    """A tab that shows the path, and its state after the visit, without the id of the conversation."""
    with open_tab(chromium) as page:
        press_ask(visit(page, f"{nordvik_page}/?{PATH}"))
        yield page, wait_until_stable(page, STATE)


@pytest.fixture
def path_page(path_tab, nordvik_page):
    """The page of the path; it is loaded again only if the test before left it in another state."""
    page, state = path_tab
    page.bring_to_front()
    page.set_viewport_size({"width": 1440, "height": 900})
    page.emulate_media(color_scheme="light")
    page.mouse.move(0, 0)
    if wait_until_stable(page, STATE) != state:
        press_ask(visit(page, f"{nordvik_page}/?{PATH}"))
        assert wait_until_stable(page, STATE) == state
    return page


def list_places(page):
    """Return (kind, x, y) of every node in model coordinates."""
    return graph(
        page, "cy.nodes().map(n => [n.data('kind'), Math.round(n.position('x')), Math.round(n.position('y'))])"
    )


def frame(page):
    return page.locator(".hopline-graph .frame")


def test_the_path_is_a_row_with_its_sources_below_in_lanes(path_page):
    spine = graph(path_page, "cy.nodes('.spine').map(n => [n.position('x'), n.position('y')])")
    assert len({y for _, y in spine}) == 1
    assert [x for x, _ in spine] == sorted(x for x, _ in spine)
    rows = {
        kind: {y for node_kind, _, y in list_places(path_page) if node_kind == kind} for kind in ("page", "document")
    }
    [pages], [documents] = rows["page"], rows["document"]
    assert spine[0][1] < pages < documents


def test_nodes_of_a_path_do_not_overlap(path_page):
    spots = [(x, y) for _, x, y in list_places(path_page)]
    assert all(abs(a[0] - b[0]) + abs(a[1] - b[1]) > 40 for i, a in enumerate(spots) for b in spots[:i])


def test_in_a_narrow_window_the_path_runs_downwards(chromium, nordvik_page):
    with open_tab(chromium, viewport={"width": 360, "height": 800}) as page:
        press_ask(visit(page, f"{nordvik_page}/?{PATH}"))
        spine = graph(page, "cy.nodes('.spine').map(n => [n.position('x'), n.position('y')])")
        assert len({x for x, _ in spine}) == 1
        assert [y for _, y in spine] == sorted(y for _, y in spine)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_window_that_becomes_narrow_turns_the_path(path_page):
    path_page.set_viewport_size({"width": 400, "height": 900})
    path_page.wait_for_timeout(600)
    assert len({x for x, _ in graph(path_page, "cy.nodes('.spine').map(n => [n.position('x'), n.position('y')])")}) == 1


def test_the_graph_fits_into_its_frame(path_page):
    assert graph(
        path_page,
        "(() => { const b = cy.elements().renderedBoundingBox();"
        " return b.x1 >= 0 && b.y1 >= 0 && b.x2 <= cy.width() && b.y2 <= cy.height() })()",
    )


def test_a_click_on_a_node_shows_its_details(path_page):
    path_page.mouse.click(*locate_node(path_page, "skagen"))
    path_page.wait_for_selector(".st-key-node >> text=Skagen Wind Farm")
    wait_for_text(path_page, ".st-key-node", "mentioned in → Passage [3]")
    assert graph(path_page, "cy.nodes('.selected').map(n => n.id())") == ["skagen"]


def test_a_click_moves_no_node_and_a_click_on_the_background_clears_the_panel(path_page):
    before = list_places(path_page)
    path_page.mouse.click(*locate_node(path_page, "halcyon"))
    path_page.wait_for_selector(".st-key-node")
    assert list_places(path_page) == before
    box = frame(path_page).bounding_box()
    path_page.mouse.click(box["x"] + 6, box["y"] + box["height"] - 6)
    path_page.wait_for_selector(".st-key-node", state="detached")


MOVES = {
    "scrolled": "document.querySelector('[data-testid=stMain]').scrollBy(0, 60)",
    "grown": "document.querySelector('[data-testid=stBidiComponentIsolated]')"
    ".insertAdjacentHTML('beforebegin', '<div style=\"height: 70px\"></div>')",
}


@pytest.mark.parametrize("move", MOVES)
def test_a_click_hits_its_node_after_the_page_has_scrolled_or_grown(path_page, move):
    path_page.mouse.click(*locate_node(path_page, "skagen"))
    path_page.wait_for_selector(".st-key-node >> text=Skagen Wind Farm")
    path_page.evaluate(MOVES[move])
    path_page.mouse.click(*locate_node(path_page, "halcyon"))
    path_page.wait_for_selector(".st-key-node >> text=Halcyon Turbines")


def test_arrow_keys_move_along_the_path_and_enter_selects(path_page):
    frame(path_page).focus()
    path_page.keyboard.press("ArrowRight")
    path_page.keyboard.press("ArrowRight")
    path_page.keyboard.press("ArrowRight")
    focused = graph(path_page, "cy.nodes('.focused').map(n => n.data('name'))")
    assert len(focused) == 1
    wait_for_text(path_page, ".hopline-graph .live-region", re.compile(f"^{re.escape(focused[0])}, "))
    path_page.keyboard.press("Enter")
    path_page.wait_for_selector(f".st-key-node >> text={focused[0]}")
    path_page.keyboard.press("Escape")
    path_page.wait_for_selector(".st-key-node", state="detached")


def test_arrow_down_goes_from_a_passage_to_its_page_and_document(path_page):
    frame(path_page).focus()
    path_page.keyboard.press("ArrowRight")
    seen = []
    for _ in range(2):
        path_page.keyboard.press("ArrowDown")
        seen += graph(path_page, "cy.nodes('.focused').map(n => n.data('kind'))")
    assert seen == ["page", "document"]


def test_the_legend_counts_kinds_and_hides_them(path_page):
    legend = path_page.locator(".hopline-graph .legend button")
    legend.first.wait_for()
    assert legend.all_inner_texts() == ["question 1", "entity 2", "passage 3", "page 3", "document 3"]
    pages = legend.filter(has_text="page 3")
    pages.click()
    assert pages.get_attribute("aria-pressed") == "false"
    wait_until_true(path_page, "cy.nodes(':visible').filter('[kind = \"page\"]').length === 0")
    wait_until_idle(path_page)
    pages.click()
    path_page.wait_for_selector(".hopline-graph .legend button[data-kind=page][aria-pressed=true]")
    wait_until_true(path_page, "cy.nodes(':visible').filter('[kind = \"page\"]').length === 3")


def test_hovering_a_node_dims_all_but_its_neighbours(path_page):
    path_page.mouse.move(*locate_node(path_page, "halcyon"))
    wait_for_text(path_page, ".hopline-graph .tip", "Halcyon Turbines")
    wait_until_true(path_page, "cy.nodes('.dim').length > 0")
    bright = graph(path_page, "cy.nodes().not('.dim').map(n => n.data('name'))")
    assert sorted(bright) == ["Halcyon Turbines", "Passage [1]", "Passage [2]"]


def test_edges_of_the_path_have_labels(path_page):
    assert graph(path_page, "cy.edges('.spine').map(e => e.style('label'))") == [
        "found by search", "mentions", "mentioned in", "mentions", "mentioned in",
    ]  # fmt: skip
    assert set(graph(path_page, "cy.edges('.backing').map(e => e.style('label'))")) == {""}


def test_the_graph_is_downloaded_as_png_and_svg(path_page, tmp_path):
    files = {}
    for kind in ("PNG", "SVG"):
        with path_page.expect_download() as download:
            path_page.get_by_role("button", name=f"Download {kind}").click()
        files[kind] = tmp_path / download.value.suggested_filename
        download.value.save_as(files[kind])
    assert files["PNG"].name == "evidence-path-source-3.png"
    assert files["PNG"].read_bytes().startswith(b"\x89PNG")
    drawing = ET.parse(files["SVG"]).getroot()
    words = " ".join("".join(text.itertext()) for text in drawing.iter(f"{SVG}text"))
    assert "Halcyon" in words
    assert "mentioned in" in words
    assert len(list(drawing.iter(f"{SVG}line"))) == 11


def test_the_tool_bar_zooms_and_fits(path_page):
    first = graph(path_page, "cy.zoom()")
    path_page.get_by_role("button", name="Zoom in").click()
    assert graph(path_page, "cy.zoom()") > first
    path_page.get_by_role("button", name="Fit to view").click()
    assert graph(path_page, "cy.zoom()") == pytest.approx(first)


@pytest.mark.parametrize(("width", "schemes"), [(1440, ["light", "dark"]), (360, ["light"])], ids=["wide", "narrow"])
def test_an_evidence_graph_is_shown_below_the_path_with_a_panel_of_its_own(chromium, nordvik_page, width, schemes):
    with open_tab(chromium, viewport={"width": width, "height": 900}) as page:
        press_ask(visit(page, f"{nordvik_page}/?{PATH.replace('gnn_ret', 'graph_hop')}"))
        frames = page.locator(".hopline-graph .frame")
        frames.nth(1).wait_for()
        assert frames.nth(1).evaluate("frame => frame._cyreg.cy.nodes().map(node => node.data('kind'))") == [
            "question", "passage", "passage", "passage",
        ]  # fmt: skip
        for n, panel in enumerate((".st-key-node", ".st-key-graph-node")):
            frames.nth(n).evaluate("frame => void frame._cyreg.cy.nodes('[kind = \"passage\"]').first().emit('tap')")
            page.wait_for_selector(f"{panel} >> text=Passage [1]")
        assert page.locator(".st-key-node").is_visible()
        for scheme in schemes:
            set_colour_scheme(page, scheme)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            save_screenshot(page, f"nordvik-evidence-graph-{scheme}-{width}")


def test_colours_follow_the_theme(path_page):
    colours = "[cy.nodes().first().style('color'), cy.getElementById('skagen').style('background-color')]"
    light = graph(path_page, colours)
    save_screenshot(path_page, "nordvik-path-light")
    set_colour_scheme(path_page, "dark")
    wait_until_true(path_page, f"{colours}.every((colour, n) => colour !== {light}[n])")
    save_screenshot(path_page, "nordvik-path-dark")
    set_colour_scheme(path_page, "light")
    wait_until_true(path_page, f"{colours}.every((colour, n) => colour === {light}[n])")


def test_two_thousand_nodes_are_laid_out_by_force_and_one_can_be_selected(chromium, graph_page):
    with open_tab(chromium) as page:
        visit(page, f"{graph_page}/?nodes=2000")
        page.wait_for_selector(".hopline-graph[data-drawn='2000']", state="attached", timeout=120_000)
        spread = graph(page, "(() => { const b = cy.nodes().boundingBox(); return [b.w, b.h] })()")
        assert min(spread) > 500
        graph(page, "void cy.getElementById('n5').emit('tap')")
        page.wait_for_selector("text=selected: n5")
        save_screenshot(page, "crowd-2000")


def read_label_boxes(page):
    """Return the boxes of the visible labels in model coordinates, once they are stable."""
    return wait_until_stable(
        page,
        "cy.nodes().filter(node => node.style('label')).map(node => {"
        " const box = node.boundingBox({ includeNodes: false, includeOverlays: false, includeUnderlays: false });"
        " return [box.x1, box.y1, box.x2, box.y2, node.hasClass('spine')]; })",
    )


@pytest.mark.parametrize("count", [60, 400])
def test_labels_do_not_overlap_and_zooming_in_shows_more(chromium, graph_page, count):
    with open_tab(chromium) as page:
        visit(page, f"{graph_page}/?nodes={count}")
        page.wait_for_selector(f".hopline-graph[data-drawn='{count}']", state="attached")
        names = read_label_boxes(page)
        assert 4 < len(names) < count
        for n, (x1, y1, x2, y2, on_path) in enumerate(names):
            for other in names[n + 1 :]:
                if on_path and other[4]:
                    continue  # labels of the path are always shown
                assert x2 <= other[0] or other[2] <= x1 or y2 <= other[1] or other[3] <= y1
        named = "cy.nodes().filter(node => node.style('label'))"
        before = wait_until_stable(page, f"{named}.map(node => node.id())")
        graph(
            page, "void cy.zoom({ level: 2 * cy.zoom(), renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } })"
        )
        wait_until_true(
            page,
            "(inside => inside.filter(node => node.style('label')).length"
            f" > inside.filter(node => {json.dumps(before)}.includes(node.id())).length)"
            "(cy.nodes().filter(node => { const { x, y } = node.renderedPosition();"
            " return x > 0 && y > 0 && x < cy.width() && y < cy.height(); }))",
        )


@pytest.mark.parametrize("count", [60, 400])
def test_a_graph_is_drawn_in_the_same_way_each_time(chromium, graph_page, count):
    drawings = []
    for _ in range(2):
        with open_tab(chromium) as page:
            visit(page, f"{graph_page}/?nodes={count}")
            page.wait_for_selector(f".hopline-graph[data-drawn='{count}']", state="attached")
            drawings.append(wait_until_stable(page, "cy.nodes().map(node => node.position())"))
    assert drawings[0] == drawings[1]


def test_markup_in_names_is_escaped(chromium, graph_page, tmp_path):
    with open_tab(chromium) as page:
        visit(page, f"{graph_page}/?nodes=12")
        page.mouse.move(*locate_node(page, "n0"))
        wait_for_text(page, ".hopline-graph .tip", "<img src=x onerror=")
        with page.expect_download() as download:
            page.get_by_role("button", name="Download SVG").click()
        download.value.save_as(tmp_path / "crowd.svg")
        words = "".join(ET.parse(tmp_path / "crowd.svg").getroot().itertext())
        assert "<img" in words
        assert page.evaluate("window.hacked") is None


def test_a_double_click_asks_to_expand(chromium, graph_page):
    with open_tab(chromium) as page:
        visit(page, f"{graph_page}/?nodes=12")
        graph(page, "void cy.getElementById('n3').emit('dbltap')")
        wait_until_idle(page)
        page.wait_for_selector("text=expanded: n3")


def test_two_sessions_do_not_see_each_others_selection(chromium, graph_page):
    with open_tab(chromium) as first, open_tab(chromium) as second:
        visit(first, f"{graph_page}/?nodes=12")
        visit(second, f"{graph_page}/?nodes=12")
        graph(first, "void cy.getElementById('n4').emit('tap')")
        first.wait_for_selector("text=selected: n4")
        second.reload()
        wait_until_idle(second)
        assert "selected: None" in second.inner_text("body")


def test_the_bundle_is_served_as_a_file_and_not_in_messages(chromium, graph_page):
    sizes = []
    with open_tab(chromium) as page:
        page.on("websocket", lambda socket: socket.on("framereceived", lambda data: sizes.append(len(data))))
        files = []
        page.on("response", lambda response: files.append(response.url) if "bidi-components" in response.url else None)
        visit(page, f"{graph_page}/?nodes=12")
        graph(page, "void cy.getElementById('n4').emit('tap')")
        page.wait_for_selector("text=selected: n4")
    assert any(Path(url).name.startswith("graph-") for url in files)
    assert max(sizes) < 100_000
