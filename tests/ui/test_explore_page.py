"""Explore, without a browser: find, open, hide, pin, follow a way, and what goes wrong."""

from __future__ import annotations

import json

import pytest
from canned import HOSTILE, unreachable


def drawn(page):
    [component] = page.get("bidi_component")
    return json.loads(component.proto.mixed.json or component.proto.json)


def names(page):
    return [node["name"] for node in drawn(page)["nodes"]]


def press(page, key):
    return page.button(key=key).click().run()


@pytest.fixture
def explore(open_page):
    return lambda **query: open_page("explore", **query)


@pytest.fixture
def at_halcyon(explore):
    page = explore()
    page.text_input(key="find text").set_value("halcyon").run()
    return press(page, "find halcyon")


def test_the_first_picture_is_a_part_of_the_whole_and_says_so(explore, told):
    page = explore()
    assert "Halcyon Turbines" in names(page)
    assert "Showing 4 of 2,623 nodes" in told(page)
    assert drawn(page)["layout"] == "force"


def test_what_is_found_is_drawn_selected_and_opened(at_halcyon, told):
    assert drawn(at_halcyon)["selected"] == "halcyon"
    text = told(at_halcyon)
    assert "entity · organisation" in text
    assert "Halcyon AS" in text
    assert "<mark>Halcyon Turbines</mark>" in text
    assert HOSTILE not in text, "a name is never markup"
    assert at_halcyon.query_params["node"] in ("halcyon", ["halcyon"])


def test_nothing_found_says_what_to_try(explore, told):
    page = explore()
    page.text_input(key="find text").set_value("zzz").run()
    assert "Nothing of that name" in told(page)


def test_an_address_begins_at_its_node(explore):
    page = explore(node="north")
    assert drawn(page)["selected"] == "north"
    assert set(names(page)) == {"Seen", "Halcyon Turbines"} or "Halcyon Turbines" in names(page)


def test_a_node_is_hidden_pinned_and_the_overview_brought_back(at_halcyon):
    page = press(at_halcyon, "pin")
    assert [node["id"] for node in drawn(page)["nodes"] if node["pinned"]] == ["halcyon"]
    page = press(page, "hide")
    assert "Halcyon Turbines" not in names(page)
    assert drawn(page)["selected"] is None
    page = press(page, "overview")
    assert "Halcyon Turbines" in names(page)


def test_a_way_is_followed_from_one_node_to_another(at_halcyon):
    page = press(at_halcyon, "way from here")
    page.text_input(key="find text").set_value("north").run()
    page = press(press(page, "find north"), "way to here")
    assert drawn(page)["path"] == ["halcyon", "p1", "north"]


def test_where_no_way_leads_it_is_said(at_halcyon):
    page = press(at_halcyon, "way from here")
    page.text_input(key="find text").set_value("skagen").run()
    page = press(press(page, "find skagen"), "way to here")
    assert any("No way" in toast.value for toast in page.toast)
    assert drawn(page)["path"] == []


def test_where_nothing_is_selected_the_names_shared_most_are_ways_in(explore, told):
    page = explore()
    assert "Names shared most" in told(page)
    page = press(page, "shared halcyon")
    assert drawn(page)["selected"] == "halcyon"
    assert "Names shared most" not in told(page)


def test_two_names_are_said_to_be_the_same(at_halcyon, hop):
    page = press(at_halcyon, "way from here")
    page.text_input(key="find text").set_value("north").run()
    page = press(press(page, "find north"), "same as")
    assert [(one.source, one.target) for one in hop.decided.values()] == [("Halcyon Turbines", "North Sea")]
    assert "Halcyon Turbines" not in names(page)


def test_suggestions_are_accepted_refused_and_undone(explore, hop, told):
    page = press(explore(), "same names button")
    assert "both in 3 documents" in told(page)
    assert HOSTILE not in told(page), "a name is never markup"
    page = press(page, "same north halcyon")
    assert hop.decided["north"].merged
    assert "North Sea" not in names(page)
    page = press(press(page, "same names button"), "different skagen halcyon")
    assert not hop.decided["skagen halcyon"].merged
    page = press(press(page, "same names button"), "undo north")
    assert list(hop.decided) == ["skagen halcyon"]


def test_an_address_of_a_node_that_is_gone_shows_the_overview(explore):
    page = explore(node="gone")
    assert any("no longer in the graph" in toast.value for toast in page.toast)
    assert "Halcyon Turbines" in names(page)


def test_the_graph_being_away_is_said_in_words(explore, hop, told):
    hop.trouble = unreachable()
    page = explore()
    assert "The graph is away" in told(page)
    assert not page.exception


def test_what_is_drawn_can_be_taken_along(explore):
    from hopline_ui.pages.explore import _csv

    assert _csv([("id", "name"), ("1", "=1+1"), ("2", "ø")]) == b"\xef\xbb\xbfid,name\r\n1,'=1+1\r\n2,\xc3\xb8\r\n"


def test_an_empty_cell_of_what_is_taken_along_stays_empty():
    from hopline_ui.pages.explore import _csv

    assert _csv([("id", ""), ("", "+1")]).decode("utf-8-sig") == "id,\r\n,'+1\r\n"


def test_a_collection_that_is_no_longer_there_gives_way_to_one_that_is(explore, hop, told):
    page = explore()
    hop.rename("nordvik", "plans")
    page = page.run()
    assert any("no collection called" in toast.value for toast in page.toast)
    assert page.selectbox(key="collection box").value == "plans"
    assert "Halcyon Turbines" in names(page)
