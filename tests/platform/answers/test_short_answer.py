"""Short answers of a model from the evidence of a strategy alone, on a graph of three passages."""

import pytest

from hopline.answers.short_answer import ShortAnswerModel, answer_in_short
from hopline.errors import BudgetSpent, ModelUnavailable
from hopline.flow.run import Budget, run
from hopline.flow.services import Services
from hopline.retrieval.ranking import Ranking, Strategy

QUESTION = "Is the Skarv Bridge older than Vale was?"
MODEL = ShortAnswerModel("canned", context=8192)


@pytest.fixture(scope="module")
def graph(tiny):
    graph = tiny()
    graph.passage("a", "The Skarv Bridge crosses the strait.", [1, 0, 0, 0])
    graph.passage("b", "Ingrid Vale was born in 1893.", [0, 1, 0, 0], "two.pdf")
    graph.passage("c", "It rained. " * 40, [0, 0, 1, 0], "three.pdf")
    return graph


def ask(graph, chat, order="abc", *, model=MODEL, k=10, budget=None, question=QUESTION):
    """Answer with a strategy that returns the passages of ``order``."""

    def rank(question, k):
        yield from ()
        ids = tuple(graph.id(key) for key in order)[:k]
        return Ranking(ids, (1.0,) * len(ids))

    flow = answer_in_short(Strategy("fixed", rank, ""), question, k, model=model)
    return run(flow, Services(graph.store, graph.embedder, chat), graph.scope(), budget=budget).result


@pytest.mark.parametrize("reply", ["yes", "no", "10", "Maud Kerrigan", "32 years", "unknown"])
def test_the_answer_is_what_the_model_says(graph, make_chat, reply):
    answer = ask(graph, make_chat({"answer": f" {reply}\n"}))
    assert (answer.short, answer.text, answer.status) == (reply, reply, "answered")
    assert (answer.written_by, answer.model_error) == ("canned", "")
    assert [item.id for item in answer.retrieval.evidence] == [graph.id(key) for key in "abc"]
    assert answer.additional_evidence == ()


def test_the_model_reads_the_evidence_of_the_strategy_in_its_order_and_nothing_else(graph, make_chat):
    chat = make_chat({"answer": "yes"})
    ask(graph, chat, "ba")
    [prompt] = chat.prompts
    assert prompt.text == (
        "Passages:\n"
        "[1] <document>\ntwo.pdf: Ingrid Vale was born in 1893.\n</document>\n\n"
        "[2] <document>\none.pdf: The Skarv Bridge crosses the strait.\n</document>\n\n"
        f"Question: {QUESTION}"
    )
    assert "likeliest" in prompt.system


def test_the_first_k_or_as_much_as_a_limit_of_tokens_allows_is_read(graph, make_chat):
    chat = make_chat({"answer": "yes"})
    ask(graph, chat, "abc", k=1)
    ask(graph, chat, "cab", model=ShortAnswerModel("canned", 8192, max_tokens=20))
    ask(graph, chat, "abc", model=ShortAnswerModel("canned", 8192, max_tokens=20))
    first, cut, two = (prompt.text for prompt in chat.prompts)
    assert first.count("<document>") == 1
    assert cut.count("<document>") == 1
    assert "It rained. It rained." in cut
    assert len(cut) < 20 * 4 + 120
    assert two.count("<document>") == 2
    assert "Ingrid Vale" in two


def test_without_a_limit_the_context_of_the_model_is_filled():
    assert ShortAnswerModel("m", 8192).room == 5694
    assert ShortAnswerModel("m", 1000).room == 600
    assert ShortAnswerModel("m", 8192, max_tokens=7000).room == 7000


def test_without_evidence_the_model_answers_from_memory(graph, make_chat):
    chat = make_chat({"answer": "Bergen"})
    assert ask(graph, chat, "").short == "Bergen"
    assert chat.prompts[0].text == f"Question: {QUESTION}"
    assert "own knowledge" in chat.prompts[0].system


@pytest.mark.parametrize("question", ["Was it Dry or Wet?", "How was it? (A) Dry; (B) Wet"])
def test_of_options_the_model_chooses_a_letter(graph, make_chat, question):
    chat = make_chat({"answer": "B"})
    model = ShortAnswerModel("canned", 8192, options=("Dry", "Wet"))
    assert ask(graph, chat, model=model, question=question).short == "B"
    [prompt] = chat.prompts
    assert "letter" in prompt.system
    assert prompt.text.count("(A) Dry") == prompt.text.count("(B) Wet") == 1


def test_a_reply_that_is_no_json_is_the_answer_as_it_stands(graph, make_chat):
    assert ask(graph, make_chat("")).short == "…"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ({"answer": " "}, "empty answer"),
        (ModelUnavailable("HTTP 401"), "HTTP 401"),
        (BudgetSpent("no calls"), "no calls"),
    ],
)
def test_a_model_without_an_answer_is_the_error_of_an_abstention(graph, make_chat, reply, reason):
    answer = ask(graph, make_chat(reply))
    assert (answer.status, answer.short) == ("not_found", "")
    assert reason in answer.model_error
    assert len(answer.retrieval.evidence) == 3


def test_a_spent_budget_leaves_the_retrieval(graph, make_chat):
    answer = ask(graph, make_chat({"answer": "yes"}), budget=Budget(calls=0))
    assert answer.model_error
    assert len(answer.retrieval.evidence) == 3
