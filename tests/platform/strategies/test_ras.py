"""Plans of sub-questions, by rules and by a model, and what they find."""

import pytest

from hopline.errors import ModelUnavailable
from hopline.flow.requests import Fetch, Reply
from hopline.flow.run import run
from hopline.flow.services import Parts, World
from hopline.retrieval.agent.llm_session import Talk
from hopline.retrieval.agent.planning import ByRules, ByTraining, Plan, bridge, comparison, left_open
from hopline.retrieval.agent.query_graph import Fact, Link, QueryGraph, Round, structured
from hopline.retrieval.ranking import Ranking
from hopline.scoring.evidence_graph import QUESTION as FROM_QUESTION
from hopline.strategies.ras import answered

QUESTION, EAST = "Where did the designer of the Skarv Bridge study?", [1, 0, 0, 0]


def driven(flow, *answers):
    """What a flow returns when its requests are answered in turn."""
    left: list = [None, *answers]
    while True:
        try:
            flow.send(left.pop(0))
        except StopIteration as stop:
            return stop.value


# -- the rules


@pytest.mark.parametrize(
    ("question", "names", "parts"),
    [
        (
            "Which lighthouse is older, Orre Lighthouse or Halm Light?",
            ["Orre Lighthouse", "Halm Light"],
            ["Orre Lighthouse Which lighthouse is older", "Halm Light Which lighthouse is older"],
        ),
        (
            "Are Ingrid Vale and Jon Dahl of the same nationality?",
            ["Jon Dahl", "Ingrid Vale"],
            ["Ingrid Vale Are of the same nationality", "Jon Dahl Are of the same nationality"],
        ),
        ("Who designed the bridge between Orre and Halm Strait?", ["Orre", "Halm Strait"], None),
        ("Which firm of Bergen built the Orre Lighthouse?", ["Orre Lighthouse", "Bergen"], []),
        ("Which is older, Orre Lighthouse?", ["Orre Lighthouse"], []),
    ],
)
def test_what_compares_two_names_is_looked_up_for_each(question, names, parts):
    found = comparison(question, names)
    assert found == parts if parts is not None else len(found) == 2


def linked(weight, name, source="a", target="b"):
    return Link(weight, name.lower(), name, source, target, ())


def test_a_bridge_is_the_heaviest_link_with_the_words_that_nothing_says_yet():
    texts = ("The Skarv Bridge was designed by Ingrid Vale.",)
    so_far = QueryGraph(
        [Round(QUESTION, Ranking(("a",)), texts, (), (linked(0.4, "Halm"), linked(1.2, "Ingrid Vale")))]
    )
    assert bridge(QUESTION, so_far) == Plan("sub_question", "Ingrid Vale study", "ingrid vale")


def test_it_suffices_where_all_is_said_or_nothing_leads_on():
    said = "The designer of the Skarv Bridge studied in Trondheim."
    assert (
        bridge(QUESTION, QueryGraph([Round(QUESTION, Ranking(), (said,), (), (linked(1, "Vale"),))])).action
        == "sufficient"
    )
    weak = (linked(0.01, "Vale"),)
    assert bridge(QUESTION, QueryGraph([Round(QUESTION, Ranking(), ("A bridge.",), (), weak)])).action == "sufficient"
    twice = [
        Round(QUESTION, Ranking(), ("A bridge.",), (), (linked(1, "Vale"),)),
        Round("Vale", Ranking(), ("x",), (), (), "vale"),
    ]
    assert bridge(QUESTION, QueryGraph(twice)).action == "sufficient"


def test_the_first_sub_question_is_the_question_itself():
    assert driven(ByRules([]).next(QUESTION, QueryGraph())) == Plan("sub_question", QUESTION)


def test_words_are_open_until_a_text_says_one_of_their_roots():
    assert left_open("When did the slate-cutters of Orre strike?", ["Striking in Orre"]) == ["slate-cutters"]
    assert left_open("of the", []) == []


# -- on a graph


@pytest.fixture
def graph(tiny):
    graph = tiny()
    graph.passage("bridge", "The Skarv Bridge was designed by Ingrid Vale.", EAST)
    graph.passage("vale", "Ingrid Vale: she went to the college of Trondheim to study.", [0, 1, 0, 0])
    for n in range(3):
        graph.passage(f"other{n}", f"Slate of grade {n} is a rock.", [0.5 - 0.1 * n, 0, 0.5, 0])
    graph.entity("Ingrid Vale", "bridge", "vale", kind="PERSON")
    graph.about("vale", "Ingrid Vale")
    graph.embedder.known["Ingrid Vale study"] = [0, 1, 0, 0]
    graph.triple("bridge", "Ingrid Vale", "designed", "Skarv Bridge", EAST)
    return graph


def test_rules_follow_the_bridge_and_its_way_is_shown(graph):
    assert "vale" not in graph.keys(graph.rank("dense", QUESTION, EAST, 3).ids)
    ranking = graph.rank("ras:base=dense,depth=2", QUESTION, EAST, 3)
    assert {"bridge", "vale"} <= set(graph.keys(ranking.ids))
    way = ranking.ways[graph.id("vale")]
    assert [step.edge for step in way] == ["MENTIONS", "ABOUT"]
    assert (graph.id("bridge"), graph.id("vale")) in ranking.graph
    assert (FROM_QUESTION, graph.id("bridge")) in ranking.graph


def test_one_round_is_the_base_alone(graph):
    alone = graph.rank("dense", QUESTION, EAST, 3)
    assert graph.rank("ras:base=dense,rounds=1", QUESTION, EAST, 3).ids == alone.ids


def test_a_model_plans_and_stops_where_it_repeats_itself(graph, canned):
    chat = canned({"action": "sub_question"}, {"action": "sub_question", "question": "Ingrid Vale study"})
    ranking = graph.rank("ras:planner=model,base=dense", QUESTION, EAST, 3, chat=chat)
    assert len(chat.prompts) == 3  # whether, what next, and the same again
    assert "(Ingrid Vale; designed; Skarv Bridge)" in chat.prompts[1].text
    assert graph.keys(ranking.ids)[0] in ("bridge", "vale")


def test_a_model_stops_where_it_suffices_and_at_the_cap(graph, canned):
    enough = canned({"action": "sub_question"}, {"action": "sufficient", "question": ""})
    graph.rank("ras:planner=model", QUESTION, EAST, 3, chat=enough)
    assert len(enough.prompts) == 2
    ever = canned(
        {"action": "sub_question"}, *({"action": "sub_question", "question": f"what is {n}?"} for n in range(9))
    )
    graph.rank("ras:planner=model,rounds=3", QUESTION, EAST, 3, chat=ever)
    assert len(ever.prompts) == 3


def test_what_needs_no_retrieval_is_the_model_s_own(graph, canned):
    ranking = graph.rank("ras:planner=model", "What is 2 + 2?", EAST, 3, chat=canned({"action": "no_retrieval"}))
    assert ranking == Ranking(unaided=True)


def test_without_a_model_the_planner_says_so(graph):
    with pytest.raises(ModelUnavailable):
        graph.rank("ras:planner=model", QUESTION, EAST)


# -- facts


def test_facts_of_two_passages_never_fuse_and_a_broken_one_is_left_out():
    whole = {"subject": "Vale", "predicate": "drew", "object": "the bridge"}
    broken = {"subject": "Vale", "predicate": " ", "object": "x"}
    replies = [Reply("", {"facts": [whole, broken]}), Reply("", {"facts": [whole]})]
    facts = driven(structured(Talk(), ["a", "b"], ["one", "two"]), replies)
    assert facts == (Fact("Vale", "drew", "the bridge", "a"), Fact("Vale", "drew", "the bridge", "b"))


def test_of_a_passage_that_the_model_says_nothing_about_the_graph_s_facts_are_taken():
    flow = structured(Talk(), ["a", "b"], ["one", "two"])
    next(flow)
    request = flow.send([Reply("…", None, "no JSON"), Reply("", {"facts": []})])
    assert isinstance(request, Fetch)
    assert request.parameters["ids"] == ["a"]
    columns = {"subject": ["Vale"], "predicate": ["drew"], "object": ["it"], "evidence": ["a"]}
    with pytest.raises(StopIteration) as stop:
        flow.send(columns)
    assert stop.value.value == (Fact("Vale", "drew", "it", "a"),)


def test_the_merged_graph_has_what_several_rounds_found_once():
    drew, again = Fact("Vale", "drew", "it", "a"), Fact("Vale", "drew", "it", "b")
    born = Fact("Vale", "born in", "Voss", "b")
    found = QueryGraph([Round("one", Ranking(), (), (drew,)), Round("two", Ranking(), (), (again, born))])
    assert found.merged() == (drew, born)
    assert found.written("who?").startswith("Question: who?\n\nLooked up: one\nFacts:\n(Vale; drew; it)")


@pytest.mark.parametrize(
    ("said", "first", "later"),
    [
        ("[NO_RETRIEVAL]", Plan("no_retrieval"), Plan("sufficient")),
        ("[SUBQ] who drew it?", Plan("sub_question", QUESTION), Plan("sub_question", "who drew it?")),
        ("[SUFFICIENT]", Plan("sub_question", QUESTION), Plan("sufficient")),
        ("I am not sure [SUBQ]", Plan("sub_question", QUESTION), Plan("sufficient")),
    ],
)
def test_the_trained_planner_s_words_become_actions(said, first, later):
    assert driven(ByTraining().next(QUESTION, QueryGraph()), said) == first
    so_far = QueryGraph([Round(QUESTION, Ranking(), (), (Fact("Vale", "drew", "it", "a"),))])
    flow = ByTraining().next(QUESTION, so_far)
    assert next(flow).inputs["rounds"] == [(QUESTION, [("Vale", "drew", "it")])]
    with pytest.raises(StopIteration) as stop:
        flow.send(said)
    assert stop.value.value == later


class Told(Parts):
    """A trained planner that looks up the question alone; remembers what it was asked to answer from."""

    def infer(self, part, inputs):
        if inputs["task"] == "plan":
            return "[SUFFICIENT]"
        self.asked = inputs
        return "Trondheim"


def test_the_trained_answerer_reads_the_graph_of_the_question(graph, store):
    parts = Told()
    graph.embedder.known[QUESTION] = EAST
    flow = answered(QUESTION, planner="trained", base="dense", depth=1, merged=True)
    assert run(flow, World(store, graph.embedder, parts=parts), graph.scope()).result == "Trondheim"
    assert parts.asked["merged"]
    assert parts.asked["rounds"] == [(QUESTION, [("Ingrid Vale", "designed", "Skarv Bridge")])]
