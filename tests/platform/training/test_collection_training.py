"""Training on the questions of a collection, and use of the stored parameters, on a small graph."""

import pytest

from hopline.errors import UnknownName, UsageError
from hopline.evaluation import Question
from hopline.flow.services import Scope, Services
from hopline.training.collection_training import train_collection_gnn

QUESTION, EAST = "Where was Vale taught?", [1, 0, 0, 0]


@pytest.fixture
def graph(tiny):
    graph = tiny()
    graph.passage("near", "Vale.", EAST)
    for n in range(5):
        graph.passage(f"other{n}", "Nothing.", [0.6, 0.8, 0, 0], "two.pdf")
    graph.passage("gold", "Trondheim.", [0, 0, 1, 0], "three.pdf")
    graph.entity("Ingrid Vale", "near", "gold")
    graph.embedder.known[QUESTION] = EAST
    return graph


def train(graph, what, *questions, **how):
    scope = Scope(graph.collection)
    return train_collection_gnn(graph.store, Services(graph.store, graph.embedder), scope, what, questions, **how)


def test_trained_parameters_are_stored_and_used(graph):
    reports = []
    learned = train(graph, "gnn", Question("1", QUESTION, gold=("gold",)), on_progress=reports.append)
    assert learned.questions == 1
    assert {report.phase for report in reports} == {"questions", "rounds, at most"}
    assert reports[-1].done == learned.rounds
    assert learned.loss_after <= learned.loss_before
    trained = graph.rank("gnn_ret:trained=true", QUESTION, EAST)
    by_hand = graph.rank(f"gnn_ret:alpha={round(learned.alphas[0], 4)}", QUESTION, EAST)
    assert trained.ids == by_hand.ids
    assert trained.scores == pytest.approx(by_hand.scores, abs=1e-4)


def test_each_sub_question_is_a_query(graph, make_chat):
    graph.embedder.known |= {"Who is Vale?": EAST, "Where did she study?": [0, 0, 1, 0]}
    steps = ("Who is Vale?", "Where did she study?")
    learned = train(graph, "rgnn", Question("1", QUESTION, gold=("near", "gold"), steps=steps))
    assert 0 <= learned.beta <= 1
    chat = make_chat({"question": steps[0], "done": False}, {"answer": "x"}, {"enough": True})
    assert graph.rank("rgnn_ret:trained=true", QUESTION, EAST, chat=chat).ids


def test_an_untrained_model_names_the_command_that_trains_it(graph):
    with pytest.raises(UsageError, match="hopline train gnn"):
        graph.rank("gnn_ret:trained=true", QUESTION, EAST)


def test_unusable_questions_are_refused(graph):
    with pytest.raises(UnknownName, match="gnn, rgnn"):
        train(graph, "bm25", Question("1", QUESTION, gold=("gold",)))
    with pytest.raises(UsageError, match='"gold"'):
        train(graph, "gnn", Question("1", QUESTION))
    with pytest.raises(UsageError, match="decomposition"):
        train(graph, "rgnn", Question("1", QUESTION, gold=("gold",)))
    with pytest.raises(UsageError, match="at least one question"):
        train(graph, "gnn", Question("1", QUESTION, gold=("nowhere",)))
