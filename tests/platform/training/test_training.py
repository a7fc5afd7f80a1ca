"""From questions to parameters that a strategy uses, on a graph by hand."""

import pytest

from hopline.errors import UnknownName, UsageError
from hopline.evaluation import Question
from hopline.flow.services import Scope, World
from hopline.training.collection_training import train_part

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
    return train_part(graph.store, World(graph.store, graph.embedder), scope, what, questions, **how)


def test_what_was_learned_is_kept_and_used(graph):
    heard = []
    learned = train(graph, "gnn", Question("1", QUESTION, gold=("gold",)), listener=heard.append)
    assert learned.questions == 1
    assert {one.phase for one in heard} == {"questions", "rounds, at most"}
    assert heard[-1].done == learned.rounds
    assert learned.loss_after <= learned.loss_before
    trained = graph.rank("gnn_ret:trained=true", QUESTION, EAST)
    by_hand = graph.rank(f"gnn_ret:alpha={round(learned.alphas[0], 4)}", QUESTION, EAST)
    assert trained.ids == by_hand.ids
    assert trained.scores == pytest.approx(by_hand.scores, abs=1e-4)


def test_each_smaller_question_is_a_turn(graph, canned):
    graph.embedder.known |= {"Who is Vale?": EAST, "Where did she study?": [0, 0, 1, 0]}
    steps = ("Who is Vale?", "Where did she study?")
    learned = train(graph, "rgnn", Question("1", QUESTION, gold=("near", "gold"), steps=steps))
    assert 0 <= learned.beta <= 1
    chat = canned({"question": steps[0], "done": False}, {"answer": "x"}, {"enough": True})
    assert graph.rank("rgnn_ret:trained=true", QUESTION, EAST, chat=chat).ids


def test_without_training_it_is_said_how_to_train(graph):
    with pytest.raises(UsageError, match="hopline train gnn"):
        graph.rank("gnn_ret:trained=true", QUESTION, EAST)


def test_what_cannot_be_learned_from_is_said(graph):
    with pytest.raises(UnknownName, match="gnn, rgnn"):
        train(graph, "bm25", Question("1", QUESTION, gold=("gold",)))
    with pytest.raises(UsageError, match='"gold"'):
        train(graph, "gnn", Question("1", QUESTION))
    with pytest.raises(UsageError, match="decomposition"):
        train(graph, "rgnn", Question("1", QUESTION, gold=("gold",)))
    with pytest.raises(UsageError, match="at least one question"):
        train(graph, "gnn", Question("1", QUESTION, gold=("nowhere",)))
