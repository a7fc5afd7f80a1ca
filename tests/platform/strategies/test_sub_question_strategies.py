"""Strategies with sub-questions or queries of a model: Self-Ask, RGNN-Ret, IRCoT, ITER-RETGEN."""

import pytest

from hopline.errors import ModelUnavailable
from hopline.flow.replay import replay
from hopline.strategies import load_strategy

QUESTION, EAST = "Where was the director of Blind Shaft born?", [1, 0, 0, 0]
DIRECTOR, BORN = "Who directed Blind Shaft?", "Where was Li Yang born?"


def ask(question="", *, done=False):
    return {"question": question, "done": done}


@pytest.fixture
def graph(tiny):
    graph = tiny()
    graph.passage("film", "Blind Shaft was directed by Li Yang.", [0.8, 0.6, 0, 0])
    graph.passage("man", "Li Yang was born in Xi'an.", [0, 0, 1, 0])
    graph.passage("noise", "Blind men.", [1, 0, 0, 0])
    graph.embedder.known |= {DIRECTOR: [0.6, 0.8, 0, 0], BORN: [0, 0.1, 0.99, 0]}
    return graph


SELF_ASK = [ask(DIRECTOR), {"answer": "Li Yang"}, ask(BORN), {"answer": "Xi'an"}, ask(done=True)]


def test_self_ask_searches_for_each_sub_question(graph, make_chat):
    chat = make_chat(*SELF_ASK)
    ranking = graph.rank("self_ask:base=dense", QUESTION, EAST, 1, chat=chat)
    # with k = 1 the first finds film and the second man, 1/61 each, ties by id; with k = 2 both find film
    assert graph.keys(ranking.ids) == ["film"]
    assert graph.keys(graph.rank("self_ask:base=dense", QUESTION, EAST, 2, chat=make_chat(*SELF_ASK)).ids) == [
        "film",
        "man",
    ]
    assert "Asked: Who directed Blind Shaft?\nFound: <document>\nLi Yang\n</document>" in chat.prompts[2].text
    assert "Blind Shaft was directed by Li Yang." in chat.prompts[1].text


def test_a_loop_of_two_rounds_replays_without_store_or_model(graph, make_chat):
    outcome = graph.outcome("self_ask:base=dense", QUESTION, EAST, 3, chat=make_chat(*SELF_ASK))
    assert sum(step.request == "ask" for step in outcome.trace.steps) == 5
    assert replay(load_strategy("self_ask:base=dense").flow(QUESTION, 3), outcome.trace) == outcome.result


@pytest.mark.parametrize(
    ("spec", "more"), [("self_ask:base=dense", [ask(done=True)]), ("rgnn_ret", [{"enough": True}])]
)
def test_a_step_with_an_unusable_reply_searches_for_the_question_itself(graph, make_chat, spec, more):
    critique = [{"enough": False}] if spec == "rgnn_ret" else []
    key = "sentence" if spec == "rgnn_ret" else "answer"
    chat = make_chat("", {key: "Blind men."}, *critique, ask(BORN), {key: "Xi'an"}, *more)
    ranking = graph.rank(f"{spec},pool=last" if ":" in spec else f"{spec}:pool=last", QUESTION, EAST, 1, chat=chat)
    assert graph.keys(ranking.ids) == ["man"]
    assert f"Asked: {QUESTION}\nFound: <document>\nBlind men." in chat.prompts[2].text
    assert len(chat.prompts) == 5 + len(critique)


@pytest.mark.parametrize(
    ("spec", "calls"),
    [("self_ask:base=dense", 3), ("rgnn_ret", 4), ("ircot:base=dense", 1), ("iter_retgen:base=dense", 1)],
)
def test_the_loop_ends_if_no_reply_can_be_used(graph, make_chat, spec, calls):
    chat = make_chat("")
    ranking = graph.rank(spec, QUESTION, EAST, 1, chat=chat)
    assert graph.keys(ranking.ids) == ["noise"]
    assert len(chat.prompts) == calls


def test_without_sub_questions_the_question_itself_is_searched_for(graph, make_chat):
    for replies in (["", "", ""], [ask(done=True)], [ask("")]):
        chat = make_chat(*replies)
        ranking = graph.rank("self_ask:base=dense,steps=3", QUESTION, EAST, 1, chat=chat)
        assert graph.keys(ranking.ids) == ["noise"]


def test_a_repeated_sub_question_ends_the_loop(graph, make_chat):
    chat = make_chat(ask(BORN), {"answer": "unknown"}, ask("where was LI YANG born"))
    graph.rank("self_ask:base=dense", QUESTION, EAST, 1, chat=chat)
    assert len(chat.prompts) == 3


def test_the_limit_on_steps_is_respected(graph, make_chat):
    replies = [reply for n in range(9) for reply in (ask(f"Is it {n}?"), {"answer": "no"})]
    chat = make_chat(*replies)
    graph.rank("self_ask:base=dense,steps=2", QUESTION, EAST, 1, chat=chat)
    assert len(chat.prompts) == 3, "the last sub-question is searched for, but not answered"


def test_a_spent_budget_returns_the_evidence_found_so_far(graph, make_chat):
    chat = make_chat(*SELF_ASK)
    ranking = graph.rank("self_ask:base=dense", QUESTION, EAST, 1, chat=chat, calls=2)
    assert graph.keys(ranking.ids) == ["film"]


def test_a_model_that_becomes_unavailable_returns_the_evidence_found_so_far(graph, make_chat):
    chat = make_chat(ask(BORN), ModelUnavailable("gone"))
    assert graph.keys(graph.rank("self_ask:base=dense", QUESTION, EAST, 1, chat=chat).ids) == ["man"]


@pytest.mark.parametrize("spec", ["self_ask", "rgnn_ret", "ircot", "iter_retgen", "sync_ge", "gear", "kgp:guide=model"])
def test_without_a_model_the_strategy_raises(graph, spec):
    graph.entity("Blind Shaft", "film", "noise")
    with pytest.raises(ModelUnavailable, match="HOPLINE_MODEL"):
        graph.rank(spec, QUESTION, EAST)


def test_rgnn_ret_combines_the_step_with_earlier_ones(graph, make_chat):
    chat = make_chat(
        ask(DIRECTOR), {"sentence": "Li Yang"}, {"enough": False}, ask(BORN), {"sentence": "x"}, {"enough": True}
    )
    ranking = graph.rank("rgnn_ret:beta=0.5,pool=last", QUESTION, EAST, 3, chat=chat)
    # cosines: first question film .96, noise .6, man 0; second film .0597, man .9950, noise 0; no edges, so h = 1 − cos
    want = {"film": 0.5 * 0.96 + 0.5 * 0.0603, "man": 0.5 * 0.9949, "noise": 0.5 * 0.6}
    assert dict(zip(graph.keys(ranking.ids), ranking.scores, strict=True)) == pytest.approx(want, abs=2e-3)
    assert len(chat.prompts) == 6


def test_rgnn_ret_asks_until_the_answers_are_sufficient(graph, make_chat):
    chat = make_chat(ask(BORN), {"sentence": "Xi'an"}, {"enough": True})
    assert graph.keys(graph.rank("rgnn_ret", QUESTION, EAST, 1, chat=chat).ids) == ["man"]
    assert len(chat.prompts) == 3


def test_the_critique_of_rgnn_ret_reads_sub_questions_and_sentences(graph, make_chat):
    sentence = "Blind Shaft was directed by Li Yang."
    chat = make_chat(ask(DIRECTOR), {"sentence": sentence}, {"enough": True})
    graph.rank("rgnn_ret", QUESTION, EAST, 1, chat=chat)
    _, answer, critique = chat.prompts
    assert "in one short sentence" in answer.system
    assert critique.text == f"Question: {QUESTION}\n\nAsked: {DIRECTOR}\nFound: <document>\n{sentence}\n</document>"


def test_self_ask_answers_sub_questions_in_a_phrase(graph, make_chat):
    chat = make_chat(*SELF_ASK)
    graph.rank("self_ask:base=dense", QUESTION, EAST, 1, chat=chat)
    assert "short phrase alone" in chat.prompts[1].system


def test_only_the_critique_ends_rgnn_ret(graph, make_chat):
    no = {"enough": False}
    chat = make_chat(
        ask(DIRECTOR, done=True),
        {"sentence": "Li Yang"},
        no,
        ask(done=True),
        {"sentence": "x"},
        no,
        ask(BORN),
        {"sentence": "x"},
        {"enough": True},
    )
    ranking = graph.rank("rgnn_ret", QUESTION, EAST, 3, chat=chat)
    assert len(chat.prompts) == 9
    assert "man" in graph.keys(ranking.ids)
    planned = [prompt for prompt in chat.prompts if "What should be looked up next?" in prompt.text]
    assert len(planned) == 3
    assert all("done" not in prompt.schema["properties"] and "done" not in prompt.system for prompt in planned)
    assert f"Asked: {QUESTION}" in planned[2].text  # in the place of the empty sub-question


def test_rgnn_ret_ends_if_the_model_asks_nothing_new_for_the_second_time(graph, make_chat):
    no = {"enough": False}
    chat = make_chat(ask(BORN), {"sentence": "x"}, no, ask(BORN), {"sentence": "x"}, no, ask(BORN))
    graph.rank("rgnn_ret", QUESTION, EAST, 3, chat=chat)
    assert len(chat.prompts) == 7


def test_rgnn_ret_neither_answers_nor_judges_after_its_last_step(graph, make_chat):
    chat = make_chat(
        ask(DIRECTOR), {"sentence": "Li Yang"}, {"enough": False}, ask(BORN), {"sentence": "x"}, {"enough": True}
    )
    ranking = graph.rank("rgnn_ret:steps=2", QUESTION, EAST, 3, chat=chat)
    assert len(chat.prompts) == 4
    assert "man" in graph.keys(ranking.ids)


def test_rgnn_ret_passes_messages_for_each_sub_question(graph, make_chat):
    graph.entity("Li Yang", "film", "man")
    for n in range(4):
        graph.passage(f"more{n}", "Nothing.", [0.5, 0.5, 0, 0.7], "two.pdf")  # nearer than man, so that it is not in T
    chat = make_chat(ask(DIRECTOR), {"sentence": "Li Yang"}, {"enough": True})
    ranking = graph.rank("rgnn_ret:pool=last", QUESTION, EAST, 7, chat=chat)
    assert [step.edge for step in ranking.paths[graph.id("man")]] == ["MENTIONS", "MENTIONS"]
    # T is film and the four nearer ones; h(man) = 1 becomes (1 + .04) / 2
    assert dict(zip(graph.keys(ranking.ids), ranking.scores, strict=True))["man"] == pytest.approx(0.48, abs=1e-3)


@pytest.mark.parametrize("options", ["alpha=1", "edges=position", "hub=1"])
def test_rgnn_ret_passes_no_message_over_edges_that_an_option_leaves_out(graph, make_chat, options):
    graph.entity("Li Yang", "film", "man")
    chat = make_chat(ask(DIRECTOR), {"sentence": "Li Yang"}, {"enough": True})
    ranking = graph.rank(f"rgnn_ret:pool=last,{options}", QUESTION, EAST, 3, chat=chat)
    assert dict(zip(graph.keys(ranking.ids), ranking.scores, strict=True))["man"] == pytest.approx(0.0, abs=1e-3)


def test_ircot_searches_for_each_sentence_of_the_reasoning(graph, make_chat):
    thought = "Blind Shaft was directed by Li Yang."
    graph.embedder.known[thought] = [0, 0.1, 0.99, 0]
    chat = make_chat({"thought": thought, "done": False}, {"thought": "", "done": True})
    ranking = graph.rank("ircot:base=dense,pool=best", QUESTION, EAST, 2, chat=chat)
    assert set(graph.keys(ranking.ids)) == {"noise", "man"}
    assert f"Sentences so far: <document>\n{thought}" in chat.prompts[1].text
    assert len(chat.prompts) == 2


def test_ircot_stops_at_a_repetition_or_the_limit_on_steps(graph, make_chat):
    unusable = make_chat({"thought": "Still looking.", "done": False}, "", {"thought": "Never read.", "done": False})
    graph.rank("ircot:base=dense,steps=9", QUESTION, EAST, 2, chat=unusable)
    assert len(unusable.prompts) == 2
    again = make_chat({"thought": "Still looking.", "done": False})
    graph.rank("ircot:base=dense,steps=9", QUESTION, EAST, 2, chat=again)
    assert len(again.prompts) == 2
    new = make_chat(*({"thought": f"Thought {n}.", "done": False} for n in range(9)))
    graph.rank("ircot:base=dense,steps=3", QUESTION, EAST, 2, chat=new)
    assert len(new.prompts) == 2


def test_ircot_can_retrieve_with_hipporag(graph, make_chat):
    graph.triple("man", "Li Yang", "was born in", "Xi'an", [0, 0, 1, 0])
    graph.triple("film", "Blind Shaft", "was directed by", "Li Yang", [0, 0, 1, 0])
    chat = make_chat({"thought": "", "done": True})
    ranking = graph.rank("ircot:base=hipporag", QUESTION, EAST, 2, chat=chat)
    assert set(graph.keys(ranking.ids)) == {"film", "man"}


def test_iter_retgen_searches_again_with_the_answer(graph, make_chat):
    text = "Li Yang, born in Xi'an."
    graph.embedder.known[f"{QUESTION} {text}"] = [0, 0.1, 0.99, 0]
    chat = make_chat({"answer": text})
    assert graph.keys(graph.rank("iter_retgen:base=dense", QUESTION, EAST, 1, chat=chat).ids) == ["man"]
    assert len(chat.prompts) == 1
    assert graph.keys(graph.rank("iter_retgen:base=dense", QUESTION, EAST, 1, chat=make_chat("")).ids) == ["noise"]


def test_iter_retgen_ends_when_the_model_repeats_its_text(graph, make_chat):
    graph.embedder.known |= {f"{QUESTION} {text}": [0, 0.1, 0.99, 0] for text in ("one", "two")}
    for replies, calls in ((["one"], 2), (["one", "two"], 2), ([""], 1)):
        chat = make_chat(*({"answer": text} for text in replies))
        graph.rank("iter_retgen:base=dense,rounds=6", QUESTION, EAST, 1, chat=chat)
        assert len(chat.prompts) == calls


@pytest.mark.parametrize("spec", ["ircot:recurrent=true,beta=0.5,pool=last", "iter_retgen:recurrent=true,beta=0.5"])
def test_the_recurrence_can_be_used_in_other_loops(graph, make_chat, spec):
    text = "Li Yang"
    graph.embedder.known |= {text: [0, 0, 1, 0], f"{QUESTION} {text}": [0, 0, 1, 0]}
    chat = make_chat({"thought": text, "answer": text, "done": False}, {"thought": "", "done": True})
    ranking = graph.rank(spec, QUESTION, EAST, 3, chat=chat)
    # half of cos to the question, half of cos to the thought
    want = {"film": 0.4, "man": 0.5, "noise": 0.5}
    assert dict(zip(graph.keys(ranking.ids), ranking.scores, strict=True)) == pytest.approx(want, abs=1e-3)
