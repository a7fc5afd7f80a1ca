"""What is drawn while exploring: it grows, nodes are put away, ways are followed."""

from hopline.client import Neighbourhood
from hopline.types import Node, Step
from hopline_ui import explored_graph as module
from hopline_ui.explored_graph import Sketch

ADA, BOB, CITY = (Node(name.lower(), "entity", name) for name in ("Ada", "Bob", "City"))
ONE, TWO = Node("1", "passage", "Ada met Bob."), Node("2", "passage", "Bob left the City.")


def met():
    sketch = Sketch()
    sketch.grow(Neighbourhood((ONE, ADA, BOB), (("1", "MENTIONS", "ada"), ("1", "MENTIONS", "bob")), 2))
    return sketch


def ids(sketch):
    return sorted(sketch.nodes)


def test_growing_counts_what_is_new_and_draws_an_edge_once():
    sketch = met()
    more = Neighbourhood((TWO, BOB), (("2", "MENTIONS", "bob"), ("2", "MENTIONS", "bob")), 2)
    assert sketch.grow(more) == 1
    assert sketch.grow(more) == 0
    nodes, edges = sketch.drawn()
    assert [node["name"] for node in nodes] == ["Ada met Bob.", "Ada", "Bob", "Bob left the City."] or len(nodes) == 4
    assert [edge["label"] for edge in edges] == ["mentions"] * 3


def test_hiding_a_node_takes_what_it_alone_joined_and_keeps_it_away():
    sketch = met()
    sketch.grow(Neighbourhood((TWO, BOB, CITY), (("2", "MENTIONS", "bob"), ("2", "MENTIONS", "city")), 2))
    sketch.hide("2")
    assert ids(sketch) == ["1", "ada", "bob"]
    assert sketch.grow(Neighbourhood((TWO, BOB), (("2", "MENTIONS", "bob"),), 1)) == 0, "it was put away"
    sketch.show(TWO)
    assert "2" in sketch.nodes


def test_a_pinned_node_stays_when_its_only_neighbour_is_hidden():
    sketch = met()
    sketch.pin("ada")
    sketch.hide("1")
    assert ids(sketch) == ["ada"]
    assert [node["pinned"] for node in sketch.drawn()[0]] == [True]
    sketch.pin("ada")
    assert [node["pinned"] for node in sketch.drawn()[0]] == [False]


def test_the_first_of_several_ways_is_the_one_that_is_drawn():
    sketch = Sketch()
    over_two = (Step(ADA, "MENTIONS", ONE), Step(ONE, "MENTIONS", BOB))
    over_city = (Step(ADA, "ABOUT", TWO), Step(TWO, "ABOUT", BOB))
    sketch.follow([over_two, over_city])
    assert sketch.way == ("ada", "1", "bob")
    assert len(sketch.nodes) == 4
    sketch.hide("1")
    assert sketch.way == (), "a way with a gap is none"


def test_no_more_is_drawn_than_can_be_looked_at(monkeypatch):
    monkeypatch.setattr(module, "MOST", 3)
    sketch = Sketch(total=2623)
    names = [Node(str(n), "entity", f"Name {n}") for n in range(9)]
    sketch.grow(Neighbourhood(tuple(names), tuple(("0", "MENTIONS", str(n)) for n in range(1, 9)), 8))
    assert len(sketch.nodes) == 3
    assert all(source in sketch.nodes and target in sketch.nodes for source, _, target in sketch.edges)
    assert sketch.told() == "Showing 3 of 2,623 nodes"


def test_pages_are_named_by_their_number():
    sketch = Sketch()
    sketch.show(Node("p", "page", "7"))
    sketch.show(Node("t", "table", ""))
    assert [node["name"] for node in sketch.drawn()[0]] == ["p. 7", "table"]


def test_the_names_that_most_shares_come_first():
    sketch = met()
    sketch.grow(Neighbourhood((TWO, BOB, CITY), (("2", "MENTIONS", "bob"), ("2", "MENTIONS", "city")), 2))
    assert sketch.shared(5) == [(BOB, 2)]
    sketch.grow(Neighbourhood((TWO, ADA), (("2", "MENTIONS", "ada"),), 1))
    assert sketch.shared(1) == [(ADA, 2)]


def test_two_names_that_are_one_are_drawn_as_one():
    sketch = met()
    sketch.grow(Neighbourhood((TWO, BOB), (("2", "MENTIONS", "bob"),), 1))
    sketch.join("bob", ADA)
    assert ids(sketch) == ["1", "2", "ada"]
    assert sorted(sketch.edges) == [("1", "MENTIONS", "ada"), ("2", "MENTIONS", "ada")]
    sketch.join("bob", ADA)
    assert ids(sketch) == ["1", "2", "ada"]
