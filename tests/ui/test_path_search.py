"""The path between two nodes on the page Explore: search, drawing, steps in words, address."""

from __future__ import annotations

import json

import pytest

from hopline_ui.session.state import KEY


@pytest.fixture
def explore(open_page):
    return lambda **query: open_page("explore", **query)


def press(page, key):
    return page.button(key=key).click().run()


def find_path(page, start, end):
    page.text_input(key="path from").set_value(start)
    page.text_input(key="path to").set_value(end)
    return press(page, "find path")


def read_drawing(page):
    [component] = page.get("bidi_component")
    return json.loads(component.proto.mixed.json or component.proto.json)


def test_two_names_give_the_path_alone_with_its_steps_and_their_source(explore, page_text):
    page = find_path(explore(), "halcyon", "north")
    drawing = read_drawing(page)
    assert drawing["path"] == ["halcyon", "p1", "north"]
    assert len(drawing["nodes"]) == 3
    text = page_text(page)
    assert "entity “Halcyon Turbines” — mentioned in → passage “permit-file.pdf · p. 1 · Holdings”" in text
    assert "passage “permit-file.pdf · p. 1 · Holdings” — mentions → entity “North Sea”" in text
    assert text.count("<blockquote") == 1, "the source of both steps is shown once"
    assert "<mark>Halcyon Turbines</mark> was acquired" in text
    assert "Page" in [expander.label for expander in page.expander]


def test_a_path_has_an_address_and_is_closed(explore, page_text):
    page = explore(**{"from": "halcyon", "to": "north"})
    assert read_drawing(page)["path"] == ["halcyon", "p1", "north"]
    page = press(page, "close path")
    assert "from" not in page.query_params
    assert "Path from" not in page_text(page)


def test_a_path_is_opened_in_the_graph(explore):
    page = press(explore(**{"from": "halcyon", "to": "north"}), "open path")
    assert set(page.session_state[KEY].canvases["nordvik"].nodes) == {"halcyon", "p1", "north"}
    assert "from" not in page.query_params
    assert not [button for button in page.button if button.key == "close path"]


def test_nodes_without_a_path_unknown_names_and_empty_fields_are_said(explore, page_text):
    assert "No path of at most 8 edges" in page_text(find_path(explore(), "halcyon", "skagen"))
    page = find_path(explore(), "halcyon", "zzz")
    assert "Nothing is called “zzz”" in page_text(page)
    assert "Enter two names" in page_text(find_path(page, "", " "))


def test_another_match_replaces_the_best_one(explore):
    page = find_path(explore(), "halcyon", "s")
    others = [button for button in page.button if str(button.key).startswith("to ")]
    assert others
    chosen = others[0].key.removeprefix("to ")
    page = others[0].click().run()
    assert page.query_params["to"] in (chosen, [chosen])
