"""The Explore page without a browser: find, expand, hide, pin, paths, errors."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from nordvik import HOSTILE, communities, unreachable

from hopline.entities.communities import CommunityGraph


def read_graph(page):
    [component] = page.get("bidi_component")
    return json.loads(component.proto.mixed.json or component.proto.json)


def names(page):
    return [node["name"] for node in read_graph(page)["nodes"]]


def press(page, key):
    return page.button(key=key).click().run()


def keys(page, prefix):
    return [button.key for button in page.button if button.key.startswith(prefix)]


@pytest.fixture
def explore(open_page):
    return lambda **query: open_page("explore", **query)


@pytest.fixture
def at_halcyon(explore):
    page = explore()
    page.text_input(key="find text").set_value("halcyon").run()
    return press(page, "find halcyon")


def test_the_overview_shows_a_part_of_the_graph_and_the_total(explore, page_text):
    page = explore()
    assert "Halcyon Turbines" in names(page)
    assert "Showing 4 of 2,623 nodes" in page_text(page)
    assert read_graph(page)["layout"] == "force"


def test_a_match_is_added_selected_and_expanded(at_halcyon, page_text):
    assert read_graph(at_halcyon)["selected"] == "halcyon"
    text = page_text(at_halcyon)
    assert "entity · organisation" in text
    assert "Halcyon AS" in text
    assert "<mark>Halcyon Turbines</mark>" in text
    assert HOSTILE not in text, "a name is never markup"
    assert at_halcyon.query_params["node"] in ("halcyon", ["halcyon"])


def test_uncertain_statements_are_shown_by_a_switch(at_halcyon, page_text):
    assert "acquired" in page_text(at_halcyon)
    assert "sank" not in page_text(at_halcyon)
    assert "1 uncertain statement hidden." in page_text(at_halcyon)
    at_halcyon.toggle(key="uncertain").set_value(True).run()
    assert "sank" in page_text(at_halcyon)
    assert "uncertain statement hidden" not in page_text(at_halcyon)


def test_an_entity_shows_statements_timeline_and_documents_with_their_sources(at_halcyon, page_text):
    assert [tab.label for tab in at_halcyon.tabs] == ["Statements", "Timeline", "Passages", "Documents"]
    text = page_text(at_halcyon)
    assert text.count("<b>Nordvik Energy AS</b> acquired") == 1, "the same statement of two passages is shown once"
    assert "2022-06-30" in text
    assert "<mark>30 June 2022</mark>" in text
    assert "4 passages" in text
    sources = [button.label for button in at_halcyon.button if button.key.startswith("source of ")]
    assert sources == ["permit\\-file\\.pdf · p\\. 1 · Holdings"] * 2


def test_the_source_of_a_statement_opens_its_page(at_halcyon, page_text):
    [first, *_] = keys(at_halcyon, "source of ")
    page = press(at_halcyon, first)
    assert page.subheader[0].value == "permit\\-file\\.pdf"
    assert "1" in page.query_params["page"]


def test_the_source_of_a_document_that_was_removed_shows_a_message(at_halcyon, hop, page_text):
    hop.remove("permit-file.pdf", collection="nordvik")
    [key] = keys(at_halcyon, "mentioned in ")
    page = press(at_halcyon, key)
    assert "it was deleted" in page_text(page)
    assert not page.exception


def test_a_search_without_matches_shows_a_hint(explore, page_text):
    page = explore()
    page.text_input(key="find text").set_value("zzz").run()
    assert "No matches" in page_text(page)


def test_a_click_does_not_search_again_until_text_or_collection_change(explore, hop):
    def searches():
        return [call["text"] for call in hop.state.calls_of("graph.find")]

    page = explore()
    page.text_input(key="find text").set_value("halcyon").run()
    page = press(press(page, "find halcyon"), "pin")
    assert searches() == ["halcyon"]
    page.text_input(key="find text").set_value("north").run()
    assert searches() == ["halcyon", "north"]
    page.text_input(key="find text").set_value("halcyon").run()
    assert searches() == ["halcyon", "north"], "the result of an earlier text is kept"
    hop.documents.remove(hop.documents.list("nordvik")[0].id, collection="nordvik")
    press(page, "pin")
    assert searches() == ["halcyon", "north", "halcyon"]


def test_names_are_searched_again_after_a_merge(at_halcyon, hop):
    page = press(at_halcyon, "way from here")
    page.text_input(key="find text").set_value("north").run()
    before = len(hop.state.calls_of("graph.find"))
    press(press(page, "find north"), "same as").run()
    assert len(hop.state.calls_of("graph.find")) > before


def test_an_address_with_a_node_starts_at_that_node(explore):
    page = explore(node="north")
    assert read_graph(page)["selected"] == "north"
    assert set(names(page)) == {"Seen", "Halcyon Turbines"} or "Halcyon Turbines" in names(page)


def test_a_node_is_pinned_and_hidden_and_the_overview_restores_it(at_halcyon):
    page = press(at_halcyon, "pin")
    assert [node["id"] for node in read_graph(page)["nodes"] if node["pinned"]] == ["halcyon"]
    page = press(page, "hide")
    assert "Halcyon Turbines" not in names(page)
    assert read_graph(page)["selected"] is None
    page = press(page, "overview")
    assert "Halcyon Turbines" in names(page)


def test_a_path_between_two_nodes_is_added(at_halcyon):
    page = press(at_halcyon, "way from here")
    page.text_input(key="find text").set_value("north").run()
    page = press(press(page, "find north"), "way to here")
    assert read_graph(page)["path"] == ["halcyon", "p1", "north"]


def test_two_nodes_without_a_path_show_a_message(at_halcyon):
    page = press(at_halcyon, "way from here")
    page.text_input(key="find text").set_value("skagen").run()
    page = press(press(page, "find skagen"), "way to here")
    assert any("No path" in toast.value for toast in page.toast)
    assert read_graph(page)["path"] == []


def test_the_most_mentioned_entities_are_listed_while_nothing_is_selected(explore):
    page = explore()
    buttons = {button.label for button in page.button if button.key.startswith("shared ")}
    assert buttons == {"Halcyon Turbines · 1,204", "North Sea · 7"}
    page.selectbox(key="entity type").set_value("place").run()
    assert [button.key for button in page.button if button.key.startswith("shared ")] == ["shared north"]
    page = press(page, "shared north")
    assert read_graph(page)["selected"] == "north"
    assert not [button for button in page.button if button.key.startswith("shared ")]


@pytest.fixture
def community_page(explore, hop):
    hop.state.communities = communities()
    return explore()


def test_the_page_opens_with_the_communities_as_a_drawing_and_a_list(community_page, page_text):
    drawing = read_graph(community_page)
    assert {node["kind"] for node in drawing["nodes"]} == {"community"}
    sizes = {node["id"]: node["size"] for node in drawing["nodes"]}
    assert sizes["c1"] > sizes["c2"] == sizes["c3"]
    [edge] = drawing["edges"]
    assert (edge["label"], edge["width"]) == ("shares 3 passages with", 6)
    assert keys(community_page, "community ") == ["community c1", "community c2", "community c3"]
    text = page_text(community_page)
    assert "2 entities · 12 passages · 3 documents" in text
    assert "Showing 3 of 5 communities" in text
    assert "hop.graph.list_communities('nordvik'" in text
    assert HOSTILE not in text, "a name is never markup"
    assert keys(community_page, "shared ") == ["shared halcyon", "shared north"]


def test_a_community_opens_as_a_graph_with_its_entities_listed(community_page, page_text):
    page = press(community_page, "community c1")
    assert {"Halcyon Turbines", "North Sea"} <= set(names(page))
    assert read_graph(page)["selected"] is None
    assert "Halcyon Turbines · North Sea" in page_text(page)
    assert "get_community('c1', 'nordvik')" in page_text(page)
    assert keys(page, "shared ") == ["shared halcyon", "shared north"]
    page = press(page, "shared north")
    assert read_graph(page)["selected"] == "north"
    page = press(page, "overview")
    assert {node["kind"] for node in read_graph(page)["nodes"]} == {"community"}
    assert read_graph(page)["selected"] is None


def test_a_community_that_has_changed_shows_the_communities_again(community_page, hop):
    first, *others = hop.state.communities.communities
    hop.state.communities = CommunityGraph((*others, replace(first, id="c9")), (), 3)
    page = press(community_page, "community c1")
    assert any("has changed" in toast.value for toast in page.toast)
    assert keys(page, "community ") == ["community c2", "community c3", "community c9"]


def test_a_name_is_found_and_the_most_connected_entities_are_shown_from_the_communities(community_page, hop):
    community_page.text_input(key="find text").set_value("halcyon").run()
    page = press(community_page, "find halcyon")
    assert read_graph(page)["selected"] == "halcyon"
    page = press(press(page, "overview"), "all entities")
    assert "Halcyon Turbines" in names(page)
    assert hop.state.calls_of("graph.get_overview")


def test_an_address_with_a_missing_node_shows_the_communities_and_says_so_once(explore, hop):
    hop.state.communities = communities()
    page = explore(node="gone")
    assert any("no longer in the graph" in toast.value for toast in page.toast)
    assert keys(page, "community ")
    assert not page.selectbox(key="entity type").set_value("place").run().toast


def test_a_collection_with_two_communities_opens_with_its_graph(explore, hop):
    hop.state.communities = communities().limit(2)
    assert "Halcyon Turbines" in names(explore())


def test_a_type_without_entities_says_so(explore, page_text):
    page = explore()
    page.selectbox(key="entity type").set_value("law").run()
    assert "No entities of this type." in page_text(page)


def test_two_entities_are_merged(at_halcyon, hop):
    page = press(at_halcyon, "way from here")
    page.text_input(key="find text").set_value("north").run()
    page = press(press(page, "find north"), "same as")
    assert [(decision.source, decision.target) for decision in hop.state.decisions.values()] == [
        ("Halcyon Turbines", "North Sea")
    ]
    assert "Halcyon Turbines" not in names(page)


def test_suggestions_are_merged_rejected_and_undone(explore, hop, page_text):
    page = press(explore(), "same names button")
    assert "both in 3 documents" in page_text(page)
    assert HOSTILE not in page_text(page), "a name is never markup"
    page = press(page, "same north halcyon")
    assert hop.state.decisions["north"].merged
    assert "North Sea" not in names(page)
    page = press(press(page, "same names button"), "different skagen halcyon")
    [rejected] = [decision for decision in hop.state.decisions.values() if not decision.merged]
    assert (rejected.source, rejected.target) == ("Skagen Wind Farm", "Halcyon Turbines")
    page = press(press(page, "same names button"), "undo north")
    assert list(hop.state.decisions.values()) == [rejected]


def test_an_address_with_a_missing_node_shows_the_overview(explore):
    page = explore(node="gone")
    assert any("no longer in the graph" in toast.value for toast in page.toast)
    assert "Halcyon Turbines" in names(page)


def test_an_unreachable_database_shows_a_message(explore, hop, page_text):
    hop.state.error = unreachable()
    page = explore()
    assert "Database not reachable" in page_text(page)
    assert not page.exception


def test_csv_export_has_a_byte_order_mark_and_quotes_formulas(explore):
    from hopline_ui.views.explore import _to_csv

    assert _to_csv([("id", "name"), ("1", "=1+1"), ("2", "ø")]) == b"\xef\xbb\xbfid,name\r\n1,'=1+1\r\n2,\xc3\xb8\r\n"


def test_an_empty_cell_stays_empty_in_csv():
    from hopline_ui.views.explore import _to_csv

    assert _to_csv([("id", ""), ("", "+1")]).decode("utf-8-sig") == "id,\r\n,'+1\r\n"


def test_a_missing_collection_is_replaced_by_an_existing_one(explore, hop, page_text):
    page = explore()
    hop.rename_collection("nordvik", "plans")
    page = page.run()
    assert any("no longer exists" in toast.value for toast in page.toast)
    assert page.selectbox(key="collection box").value == "plans"
    assert "Halcyon Turbines" in names(page)
