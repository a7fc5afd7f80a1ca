"""The explored graph: add neighbourhoods and paths, hide, pin and merge nodes."""

from hopline.graph_explorer import Neighbourhood
from hopline.results import Node, PathStep
from hopline_ui import explored_graph as module
from hopline_ui.explored_graph import GraphCanvas

ADA, BOB, CITY = (Node(name.lower(), "entity", name) for name in ("Ada", "Bob", "City"))
ONE, TWO = Node("1", "passage", "Ada met Bob."), Node("2", "passage", "Bob left the City.")


def make_canvas():
    canvas = GraphCanvas()
    canvas.add_neighbourhood(Neighbourhood((ONE, ADA, BOB), (("1", "MENTIONS", "ada"), ("1", "MENTIONS", "bob")), 2))
    return canvas


def ids(canvas):
    return sorted(canvas.nodes)


def test_adding_a_neighbourhood_counts_new_nodes_and_adds_an_edge_once():
    canvas = make_canvas()
    more = Neighbourhood((TWO, BOB), (("2", "MENTIONS", "bob"), ("2", "MENTIONS", "bob")), 2)
    assert canvas.add_neighbourhood(more) == 1
    assert canvas.add_neighbourhood(more) == 0
    nodes, edges = canvas.to_elements()
    assert [node["name"] for node in nodes] == ["Ada met Bob.", "Ada", "Bob", "Bob left the City."] or len(nodes) == 4
    assert [edge["label"] for edge in edges] == ["mentions"] * 3


def test_a_removed_node_leaves_its_neighbours():
    canvas = make_canvas()
    canvas.remove("1")
    assert (ids(canvas), canvas.edges) == (["ada", "bob"], {})
    canvas.remove("1")
    canvas.add_node(ONE)
    assert "1" in canvas.nodes


def test_hiding_a_node_also_hides_its_leaves_and_lasts():
    canvas = make_canvas()
    canvas.add_neighbourhood(Neighbourhood((TWO, BOB, CITY), (("2", "MENTIONS", "bob"), ("2", "MENTIONS", "city")), 2))
    canvas.hide("2")
    assert ids(canvas) == ["1", "ada", "bob"]
    assert canvas.add_neighbourhood(Neighbourhood((TWO, BOB), (("2", "MENTIONS", "bob"),), 1)) == 0, "it is hidden"
    canvas.add_node(TWO)
    assert "2" in canvas.nodes


def test_a_pinned_node_stays_when_its_only_neighbour_is_hidden():
    canvas = make_canvas()
    canvas.toggle_pin("ada")
    canvas.hide("1")
    assert ids(canvas) == ["ada"]
    assert [node["pinned"] for node in canvas.to_elements()[0]] == [True]
    canvas.toggle_pin("ada")
    assert [node["pinned"] for node in canvas.to_elements()[0]] == [False]


def test_the_first_of_several_paths_is_highlighted():
    canvas = GraphCanvas()
    over_two = (PathStep(ADA, "MENTIONS", ONE), PathStep(ONE, "MENTIONS", BOB))
    over_city = (PathStep(ADA, "ABOUT", TWO), PathStep(TWO, "ABOUT", BOB))
    canvas.add_paths([over_two, over_city])
    assert canvas.path == ("ada", "1", "bob")
    assert len(canvas.nodes) == 4
    canvas.hide("1")
    assert canvas.path == (), "a path with a gap is no path"


def test_the_number_of_nodes_is_limited(monkeypatch):
    monkeypatch.setattr(module, "MAX_NODES", 3)
    canvas = GraphCanvas(total=2623)
    names = [Node(str(n), "entity", f"Name {n}") for n in range(9)]
    canvas.add_neighbourhood(Neighbourhood(tuple(names), tuple(("0", "MENTIONS", str(n)) for n in range(1, 9)), 8))
    assert len(canvas.nodes) == 3
    assert all(source in canvas.nodes and target in canvas.nodes for source, _, target in canvas.edges)
    assert canvas.format_size() == "Showing 3 of 2,623 nodes"


def test_pages_are_named_by_their_number():
    canvas = GraphCanvas()
    canvas.add_node(Node("p", "page", "7"))
    canvas.add_node(Node("t", "table", ""))
    assert [node["name"] for node in canvas.to_elements()[0]] == ["p. 7", "table"]


def test_merging_moves_the_edges_to_the_other_node():
    canvas = make_canvas()
    canvas.add_neighbourhood(Neighbourhood((TWO, BOB), (("2", "MENTIONS", "bob"),), 1))
    canvas.merge("bob", ADA)
    assert ids(canvas) == ["1", "2", "ada"]
    assert sorted(canvas.edges) == [("1", "MENTIONS", "ada"), ("2", "MENTIONS", "ada")]
    canvas.merge("bob", ADA)
    assert ids(canvas) == ["1", "2", "ada"]
