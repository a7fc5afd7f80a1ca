"""Planning of sub-questions by rules and by a model, and retrieval for them."""

import pytest

from hopline.errors import ModelUnavailable
from hopline.flow.requests import Fetch, Reply
from hopline.retrieval.agent.llm_session import LlmSession
from hopline.retrieval.agent.planning import (
    Plan,
    RulePlanner,
    TrainedPlanner,
    find_unmatched_words,
    plan_bridge,
    split_comparison,
)
from hopline.retrieval.agent.query_graph import QueryFact, QueryGraph, QueryRound, extract_facts
from hopline.retrieval.entity_links import EntityLink
from hopline.retrieval.ranking import Ranking
from hopline.scoring.evidence_graph import QUESTION as FROM_QUESTION

QUESTION, EAST = "Where did the designer of the Skarv Bridge study?", [1, 0, 0, 0]


def run_with(flow, *answers):
    """Return the result of a flow whose requests get the given responses in order."""
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
        ("Is the Orre Lighthouse taller than Halm Light?", ["Orre Lighthouse", "Halm Light"], None),
        ("Whose harbour froze earlier, that of Orre or that of Halm?", ["Orre", "Halm"], None),
        ("Which of Orre and Halm has the deepest harbour?", ["Orre", "Halm"], None),
        ("Are the Acme 300 and the Acme 500 equally loud?", ["Acme 300", "Acme 500"], None),
        ("How much heavier is the P-60 compared to the P-40?", ["P-60", "P-40"], None),
        ("Between Bergen and Oslo, which received more rain in 2020?", ["Bergen", "Oslo"], None),
        ("Which officer under Jon Dahl later commanded the Skarv?", ["Jon Dahl", "Skarv"], []),
        ("In which year was the singer and actor Jon Dahl awarded the Skarv Prize?", ["Jon Dahl", "Skarv Prize"], []),
        ("What do Ingrid Vale and Jon Dahl have in common?", ["Ingrid Vale", "Jon Dahl"], None),
        ("Who is the composer of the song Blue Moon by Ada Quill?", ["Blue Moon", "Ada Quill"], []),
        ("Which player of Orre and later member of Halm United won?", ["Orre", "Halm United"], []),
        ("Which painter and writer born in Orre studied under Jon Dahl?", ["Orre", "Jon Dahl"], []),
        ("Who was the first mayor of Orre after Jon Dahl?", ["Orre", "Jon Dahl"], []),
        ("What is the winter port of the county that has Orre and Halm?", ["Orre", "Halm"], []),
        ("Which newspaper of Orre did the daughter of Jon Dahl and his father own?", ["Orre", "Jon Dahl"], []),
        ("Which firm of Bergen built the Orre Lighthouse?", ["Orre Lighthouse", "Bergen"], []),
        ("Which is older, Orre Lighthouse?", ["Orre Lighthouse"], []),
    ],
)
def test_a_comparison_has_a_sub_question_for_each_name(question, names, parts):
    sub_questions = split_comparison(question, names)
    assert sub_questions == parts if parts is not None else len(sub_questions) == 2


def make_link(weight, name, source="a", target="b"):
    return EntityLink(weight, name.lower(), name, source, target, ())


def test_a_bridge_is_the_heaviest_link_with_the_unmatched_words():
    texts = ("The Skarv Bridge was designed by Ingrid Vale.",)
    so_far = QueryGraph(
        [QueryRound(QUESTION, Ranking(("a",)), texts, (), (make_link(0.4, "Halm"), make_link(1.2, "Ingrid Vale")))]
    )
    assert plan_bridge(QUESTION, so_far) == Plan("sub_question", "Ingrid Vale study", "ingrid vale")


def test_evidence_is_sufficient_if_all_words_match_or_no_link_remains():
    output = "The designer of the Skarv Bridge studied in Trondheim."
    assert (
        plan_bridge(
            QUESTION, QueryGraph([QueryRound(QUESTION, Ranking(), (output,), (), (make_link(1, "Vale"),))])
        ).action
        == "sufficient"
    )
    weak = (make_link(0.01, "Vale"),)
    assert (
        plan_bridge(QUESTION, QueryGraph([QueryRound(QUESTION, Ranking(), ("A bridge.",), (), weak)])).action
        == "sufficient"
    )
    twice = [
        QueryRound(QUESTION, Ranking(), ("A bridge.",), (), (make_link(1, "Vale"),)),
        QueryRound("Vale", Ranking(), ("x",), (), (), "vale"),
    ]
    assert plan_bridge(QUESTION, QueryGraph(twice)).action == "sufficient"


def test_the_first_sub_question_is_the_question_itself():
    assert run_with(RulePlanner([]).plan_next(QUESTION, QueryGraph())) == Plan("sub_question", QUESTION)


def test_words_are_unmatched_until_a_text_has_one_of_their_stems():
    assert find_unmatched_words("When did the slate-cutters of Orre strike?", ["Striking in Orre"]) == ["slate-cutters"]
    assert find_unmatched_words("of the", []) == []


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


def test_rules_follow_the_bridge_and_return_its_path(graph):
    assert "vale" not in graph.keys(graph.rank("dense", QUESTION, EAST, 3).ids)
    ranking = graph.rank("ras:base=dense,depth=2", QUESTION, EAST, 3)
    assert {"bridge", "vale"} <= set(graph.keys(ranking.ids))
    path = ranking.paths[graph.id("vale")]
    assert [step.edge for step in path] == ["MENTIONS", "ABOUT"]
    assert (graph.id("bridge"), graph.id("vale")) in ranking.graph
    assert (FROM_QUESTION, graph.id("bridge")) in ranking.graph


def test_one_round_gives_the_ranking_of_the_base(graph):
    alone = graph.rank("dense", QUESTION, EAST, 3)
    assert graph.rank("ras:base=dense,rounds=1", QUESTION, EAST, 3).ids == alone.ids


@pytest.mark.parametrize("base", ["dense", "hybrid", "bm25"])
def test_a_round_ranks_five_passages_whatever_k_is(graph, base):
    for n in range(7):
        graph.passage(f"more{n}", f"The Skarv Bridge, view {n}.", [0.9, 0.1 * n, 0, 0.3])
    for k, count in ((2, 2), (5, 5), (10, 5)):
        assert len(graph.rank(f"ras:base={base},rounds=1", QUESTION, EAST, k).ids) == count
    assert len(graph.rank(f"ras:base={base},rounds=1,depth=8", QUESTION, EAST, 10).ids) == 8


def test_the_planner_reads_the_same_facts_whatever_k_is(graph, make_chat):
    for n in range(7):
        graph.passage(f"more{n}", f"The Skarv Bridge, view {n}.", [0.9, 0.1 * n, 0, 0.3])
        graph.triple(f"more{n}", "Skarv Bridge", "is seen from", f"view {n}", EAST)
    prompts = []
    for k in (3, 20):
        chat = make_chat({"action": "sub_question"}, {"action": "sufficient", "question": ""})
        graph.rank("ras:planner=model", QUESTION, EAST, k, chat=chat)
        prompts.append([prompt.text for prompt in chat.prompts])
    assert prompts[0] == prompts[1]


def test_a_model_plans_until_it_repeats_a_question(graph, make_chat):
    chat = make_chat({"action": "sub_question"}, {"action": "sub_question", "question": "Ingrid Vale study"})
    ranking = graph.rank("ras:planner=model,base=dense", QUESTION, EAST, 3, chat=chat)
    assert len(chat.prompts) == 3  # whether, what next, and the same again
    assert "(Ingrid Vale; designed; Skarv Bridge)" in chat.prompts[1].text
    assert graph.keys(ranking.ids)[0] in ("bridge", "vale")


def test_a_model_plans_until_the_evidence_is_sufficient_or_the_limit(graph, make_chat):
    enough = make_chat({"action": "sub_question"}, {"action": "sufficient", "question": ""})
    graph.rank("ras:planner=model", QUESTION, EAST, 3, chat=enough)
    assert len(enough.prompts) == 2
    ever = make_chat(
        {"action": "sub_question"}, *({"action": "sub_question", "question": f"what is {n}?"} for n in range(9))
    )
    graph.rank("ras:planner=model,rounds=3", QUESTION, EAST, 3, chat=ever)
    assert len(ever.prompts) == 3


def test_a_question_that_needs_no_retrieval_is_closed_book(graph, make_chat):
    ranking = graph.rank("ras:planner=model", "What is 2 + 2?", EAST, 3, chat=make_chat({"action": "no_retrieval"}))
    assert ranking == Ranking(closed_book=True)


@pytest.mark.parametrize(("spec", "prompts"), [("planner=model,rounds=2", 3), ("planner=rules,rounds=2", 0)])
def test_a_model_extracts_facts_only_for_a_plan_that_reads_them(graph, make_chat, spec, prompts):
    chat = make_chat(
        {"action": "sub_question"},
        {"facts": [{"subject": "Skarv Bridge", "predicate": "has", "object": "five arches"}]},
        {"action": "sub_question", "question": "Ingrid Vale study"},
        {"facts": []},
    )
    ranking = graph.rank(f"ras:base=dense,depth=1,facts=model,{spec}", QUESTION, EAST, 3, chat=chat)
    assert len(chat.prompts) == prompts  # the first action, facts, and the next action
    assert "vale" in graph.keys(ranking.ids)


def test_without_a_model_the_planner_raises(graph):
    with pytest.raises(ModelUnavailable):
        graph.rank("ras:planner=model", QUESTION, EAST)


# -- facts


def test_facts_are_extracted_per_passage_and_incomplete_ones_are_dropped():
    whole = {"subject": "Vale", "predicate": "drew", "object": "the bridge"}
    broken = {"subject": "Vale", "predicate": " ", "object": "x"}
    replies = [Reply("", {"facts": [whole, broken]}), Reply("", {"facts": [whole]})]
    facts = run_with(extract_facts(LlmSession(), ["a", "b"], ["one", "two"]), replies)
    assert facts == (QueryFact("Vale", "drew", "the bridge", "a"), QueryFact("Vale", "drew", "the bridge", "b"))


def test_an_unusable_reply_is_replaced_by_the_triples_of_the_graph():
    flow = extract_facts(LlmSession(), ["a", "b"], ["one", "two"])
    next(flow)
    request = flow.send([Reply("…", None, "no JSON"), Reply("", {"facts": []})])
    assert isinstance(request, Fetch)
    assert request.parameters["ids"] == ["a"]
    columns = {"subject": ["Vale"], "predicate": ["drew"], "object": ["it"], "evidence": ["a"]}
    with pytest.raises(StopIteration) as stop:
        flow.send(columns)
    assert stop.value.value == (QueryFact("Vale", "drew", "it", "a"),)


def test_a_prompt_has_the_facts_of_each_round():
    drew, again = QueryFact("Vale", "drew", "it", "a"), QueryFact("Vale", "drew", "it", "b")
    born = QueryFact("Vale", "born in", "Voss", "b")
    query_graph = QueryGraph(
        [QueryRound("one", Ranking(), (), (drew,)), QueryRound("two", Ranking(), (), (again, born))]
    )
    assert query_graph.to_prompt("who?").startswith(
        "Question: who?\n\nLooked up: one\nFacts:\n<document>\n(Vale; drew; it)\n</document>"
    )


@pytest.mark.parametrize(
    ("output", "first", "later"),
    [
        ("[NO_RETRIEVAL]", Plan("no_retrieval"), Plan("sufficient")),
        ("[SUBQ] who drew it?", Plan("sub_question", QUESTION), Plan("sub_question", "who drew it?")),
        ("[SUFFICIENT]", Plan("sub_question", QUESTION), Plan("sufficient")),
        ("I am not sure [SUBQ]", Plan("sub_question", QUESTION), Plan("sufficient")),
    ],
)
def test_the_output_of_the_trained_planner_is_parsed_as_actions(output, first, later):
    assert run_with(TrainedPlanner().plan_next(QUESTION, QueryGraph()), output) == first
    so_far = QueryGraph([QueryRound(QUESTION, Ranking(), (), (QueryFact("Vale", "drew", "it", "a"),))])
    flow = TrainedPlanner().plan_next(QUESTION, so_far)
    assert next(flow).inputs["rounds"] == [(QUESTION, [("Vale", "drew", "it")])]
    with pytest.raises(StopIteration) as stop:
        flow.send(output)
    assert stop.value.value == later


def test_facts_are_in_reading_order(graph):
    graph.passage("long", "Vale drew the bridge, was born in Voss and wed Dahl.", [0, 0, 0, 1])
    for predicate, object_ in [("wed", "Dahl"), ("born in", "Voss"), ("drew", "the Bridge"), ("met", "nobody")]:
        graph.triple("long", "Vale", predicate, object_, EAST)
    for subject in ("Voss", "Dahl"):
        graph.triple("bridge", subject, "designed", "Skarv Bridge", EAST)
    columns = graph.store.fetch("ras/facts", {"ids": [graph.id("long"), graph.id("bridge")]}, graph.scope())
    assert columns["predicate"][:4] == ["drew", "born in", "wed", "met"]
    assert columns["subject"][4] == "Ingrid Vale"


def test_the_source_of_an_answer_changes_no_ranking(graph):
    spec = "ras:base=dense,depth=2"
    assert graph.rank(f"{spec},answer_from=graph", QUESTION, EAST, 3) == graph.rank(spec, QUESTION, EAST, 3)
