"""Saved views of the page Explore: saved, listed, opened, deleted, and moved with their collection."""

from __future__ import annotations

import pytest

from hopline.results import Node, PathStep
from hopline_ui.explored_graph import GraphCanvas
from hopline_ui.session.saved_views import SavedViews, decode_canvas, encode_canvas
from hopline_ui.session.state import KEY

FIRST, SECOND = Node("a", "entity", "Halm <b>"), Node("b", "passage", "Text")


@pytest.fixture
def canvas():
    canvas = GraphCanvas(pinned={"a"}, hidden={"z"})
    canvas.add_paths([(PathStep(FIRST, "MENTIONS", SECOND),)])
    return canvas


def press(page, key):
    return page.button(key=key).click().run()


def test_a_drawing_is_stored_with_path_pins_and_hidden_nodes(canvas):
    assert decode_canvas(encode_canvas(canvas)) == canvas
    assert decode_canvas("{}") is decode_canvas("no json") is None


def test_views_are_of_a_collection_and_move_with_it(tmp_path, canvas):
    views = SavedViews(tmp_path / "home")
    assert views.list_names("c") == []
    views.save("c", "One", canvas)
    views.save("c", "Two", GraphCanvas())
    views.save("c", "One", canvas)
    views.save("other", "Three", canvas)
    assert views.list_names("c") == ["One", "Two"]
    assert views.load("c", "One") == canvas
    assert views.load("c", "Three") is None
    views.rename_collection("c", "d")
    assert (views.list_names("c"), views.list_names("d")) == ([], ["One", "Two"])
    views.delete("d", "Two")
    views.delete_collection("other")
    assert (views.list_names("d"), views.list_names("other")) == (["One"], [])


def test_a_view_is_saved_opened_and_deleted_on_the_page(open_page, hop):
    page = open_page("explore", node="halcyon")
    page.text_input(key="view name").set_value(" My *view* ")
    page = press(page, "save view button")
    assert SavedViews(hop.settings.home).list_names("nordvik") == ["My *view*"]
    drawn = set(page.session_state[KEY].canvases["nordvik"].nodes)
    page = press(page, "hide")
    assert set(page.session_state[KEY].canvases["nordvik"].nodes) != drawn
    page = press(page, "open view 0")
    assert set(page.session_state[KEY].canvases["nordvik"].nodes) == drawn
    other = open_page("explore")
    assert [button.label for button in other.button if button.key == "open view 0"] == [r"My \*view\*"]
    other = press(other, "delete view 0")
    assert SavedViews(hop.settings.home).list_names("nordvik") == []
