"""Answers of RAS from its query graph, by the trained GraphLLM and by any language model."""

import pytest

from hopline.answers.query_graph_answer import answer_from_query_graph, build_fact_prompt, find_answer_source
from hopline.answers.short_answer import ShortAnswerModel
from hopline.errors import ModelUnavailable, UsageError
from hopline.flow.run import run
from hopline.flow.services import Models, Services
from hopline.retrieval.agent.query_graph import QueryFact, QueryGraph, QueryRound
from hopline.retrieval.ranking import Ranking
from hopline.strategies import load_strategy

QUESTION, EAST = "Where did the designer of the Skarv Bridge study?", [1, 0, 0, 0]
MODEL = ShortAnswerModel("canned", context=8192)
OPTIONS = "base=dense,depth=1"


@pytest.fixture
def graph(tiny):
    graph = tiny()
    graph.passage("bridge", "The Skarv Bridge was designed by Ingrid Vale.", EAST)
    graph.passage("vale", "Ingrid Vale: she went to the college of Trondheim to study.", [0, 1, 0, 0])
    for n in range(3):
        graph.passage(f"other{n}", f"Slate of grade {n} is a rock.", [0.5 - 0.1 * n, 0, 0.5, 0])
    graph.entity("Ingrid Vale", "bridge", "vale", kind="PERSON")
    graph.about("vale", "Ingrid Vale")
    graph.embedder.known |= {QUESTION: EAST, "Ingrid Vale study": [0, 1, 0, 0]}
    graph.triple("bridge", "Skarv Bridge", "designed by", "Ingrid Vale", EAST)
    graph.triple("vale", "Ingrid Vale", "studied in", "Trondheim", EAST)
    return graph


class FakeModels(Models):
    """A trained planner that searches for the question alone; records the inputs of the answer."""

    def infer(self, part, inputs):
        if inputs["task"] == "plan":
            return "[SUFFICIENT]"
        self.inputs = inputs
        return "Trondheim"


def answer(graph, spec, *, chat=None, models=None, model=MODEL):
    flow = answer_from_query_graph(load_strategy(spec), QUESTION, 3, model=model)
    services = Services(graph.store, graph.embedder, chat, models=models)
    return run(flow, services, graph.scope()).result


def test_any_model_answers_from_the_sub_questions_with_their_facts(graph, make_chat):
    chat = make_chat({"answer": "Trondheim"})
    result = answer(graph, f"ras:{OPTIONS},answer_from=graph", chat=chat)
    assert (result.short, result.status, result.written_by) == ("Trondheim", "answered", "canned")
    assert result.retrieval.evidence
    [prompt] = chat.prompts
    assert prompt.text == (
        f"Sub-question: {QUESTION}\nFacts:\n<document>\n(Skarv Bridge; designed by; Ingrid Vale)\n</document>\n\n"
        "Sub-question: Ingrid Vale study\nFacts:\n<document>\n(Ingrid Vale; studied in; Trondheim)\n</document>\n\n"
        f"Question: {QUESTION}"
    )
    assert "facts" in prompt.system


def test_the_trained_model_answers_from_the_query_graph(graph):
    models = FakeModels()
    result = answer(graph, f"ras:planner=trained,{OPTIONS},answer_from=graph_llm", models=models, model=None)
    assert (result.short, result.written_by) == ("Trondheim", "GraphLLM")
    assert models.inputs["rounds"] == [(QUESTION, [("Skarv Bridge", "designed by", "Ingrid Vale")])]


def test_a_question_that_needs_no_retrieval_is_answered_from_memory(graph, make_chat):
    chat = make_chat({"action": "no_retrieval"}, {"answer": "4"})
    assert answer(graph, f"ras:planner=model,{OPTIONS},answer_from=graph", chat=chat).short == "4"
    assert "own knowledge" in chat.prompts[1].system
    assert chat.prompts[1].text == f"Question: {QUESTION}"


def test_a_model_that_fails_is_the_error_of_an_abstention(graph, make_chat):
    result = answer(graph, f"ras:{OPTIONS},answer_from=graph", chat=make_chat(ModelUnavailable("HTTP 401")))
    assert (result.status, result.model_error) == ("not_found", "HTTP 401")


def test_the_rounds_share_the_room_of_the_prompt():
    rounds = [
        QueryRound(name, Ranking(), (), tuple(QueryFact(name, "has", f"part {n}", "e") for n in range(50)))
        for name in ("one", "two")
    ]
    prompt = build_fact_prompt("who?", QueryGraph(rounds), ShortAnswerModel("m", 8192, max_tokens=40))
    assert [prompt.count(f"({name}; has") for name in ("one", "two")] == [4, 4]
    assert "(two; has; part 3)" in prompt
    assert "part 4" not in prompt


def test_the_source_is_an_option_of_ras_only():
    assert find_answer_source(load_strategy("dense")) == find_answer_source(load_strategy("ras")) == "passages"
    assert find_answer_source(load_strategy("ras:answer_from=graph_llm")) == "graph_llm"
    with pytest.raises(UsageError, match="leave out rerank"):
        find_answer_source(load_strategy("ras:answer_from=graph,rerank=5"))
