"""Training on the questions of a collection, and use of the stored parameters, on a small graph."""

import pytest
import torch

from hopline.errors import UnknownName, UsageError
from hopline.evaluation import Question, QuestionStep
from hopline.flow.run import run
from hopline.flow.services import Scope, Services
from hopline.training.collection_training import GnnSizes, train_collection_gnn
from hopline.training.gnn import GnnConfig, propagate_query
from hopline.training.gnn_samples import fetch_gnn_sample
from hopline.training.hop_order import fetch_hops

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


def test_the_sizes_of_the_training_may_be_chosen(graph):
    assert GnnSizes().change(GnnConfig(nodes=7)) == GnnConfig(nodes=7)
    assert GnnSizes(2, 3, 4).change(GnnConfig()) == GnnConfig(layers=2, nodes=3, competitors=4)
    question = Question("1", QUESTION, gold=("gold",))
    few, many = (train(graph, "gnn", question, sizes=GnnSizes(competitors=number)) for number in (1, 25))
    assert few.loss_before != many.loss_before
    assert len(train(graph, "gnn", question, sizes=GnnSizes(layers=2)).alphas) == 2


def test_each_sub_question_is_a_query(graph, make_chat):
    graph.embedder.known |= {"Who is Vale?": EAST, "Where did she study?": [0, 0, 1, 0]}
    steps = (QuestionStep("Who is Vale?"), QuestionStep("Where did she study?"))
    learned = train(graph, "rgnn", Question("1", QUESTION, gold=("near", "gold"), steps=steps))
    assert 0 <= learned.beta <= 1
    chat = make_chat({"question": steps[0].text, "done": False}, {"answer": "x"}, {"enough": True})
    assert graph.rank("rgnn_ret:trained=true", QUESTION, EAST, chat=chat).ids


def fetch_sample(graph, steps, gold, **how):
    services = Services(graph.store, graph.embedder)
    return run(fetch_gnn_sample(steps, gold, **how), services, Scope(graph.collection)).result


def get_gold(graph, sample):
    return [graph.keys([sample.ids[n] for n in query.gold]) for query in sample.queries]


@pytest.mark.parametrize("alpha", [0.2, 0.5, 0.9])
def test_the_distances_of_two_layers_are_those_of_the_strategy(tiny, alpha):
    graph = tiny()
    graph.passage("near", "Vale.", EAST)
    for n in range(45):
        graph.passage(f"other{n}", "Nothing.", [0.3, 0.95, 0, 0], f"other{n}.pdf")
    graph.passage("first", "Berg.", [0, 0, 1, 0], "first.pdf")  # farther from the question than 46 passages
    graph.passage("second", "Trondheim.", [0, 0, 1, 0], "second.pdf")
    graph.entity("Ingrid Vale", "near", "first")
    graph.entity("Ada Berg", "first", "second")
    graph.embedder.known[QUESTION] = EAST
    sample = fetch_sample(graph, (QuestionStep(QUESTION),), [graph.id("second")], layers=2)
    trained = propagate_query(sample.queries[0], torch.tensor([alpha, alpha, 1.0], dtype=torch.float64), nodes=5)
    ranking = graph.rank(f"gnn_ret:layers=2,alpha={alpha}", QUESTION, EAST, 48)
    used = dict(zip(ranking.ids, ranking.scores, strict=True))
    distances = dict(zip(sample.ids, trained.tolist(), strict=True))
    assert set(distances) == set(used)
    assert distances == pytest.approx({id: 1.0 - score for id, score in used.items()}, abs=1e-5)
    first = alpha  # the message of "near" is 0; it is in T of the second layer, unless it is farther than five others
    second = alpha + (1.0 - alpha) * first if first < 0.7 else 1.0
    assert distances[graph.id("second")] == pytest.approx(second, abs=1e-5)


def test_more_steps_than_gold_evidence_leave_out_steps_and_not_the_question(graph):
    texts = ["Who is Vale?", "Where did she study?", "Where is that?"]
    graph.embedder.known |= dict(zip(texts, ([1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]), strict=True))
    question = Question("1", QUESTION, gold=("near", "gold"), steps=tuple(map(QuestionStep, texts)))
    sample = fetch_sample(graph, question.steps, [graph.id("near"), graph.id("gold")])
    assert get_gold(graph, sample) == [["gold", "near"], ["gold"], []]
    learned = train(graph, "rgnn", question, Question("2", QUESTION, gold=("nowhere",), steps=question.steps))
    assert (learned.questions, learned.steps, learned.steps_left_out, learned.questions_left_out) == (1, 2, 1, 1)


def test_the_gold_evidence_of_a_step_is_used_and_may_be_that_of_two_steps(graph):
    graph.embedder.known |= {"Who is Vale?": EAST, "Where?": EAST, "When?": EAST}
    gold, near = graph.id("gold"), graph.id("near")
    steps = (QuestionStep("Who is Vale?", (gold,)), QuestionStep("Where?", (gold,)), QuestionStep("When?", (near,)))
    assert get_gold(graph, fetch_sample(graph, steps, [near, gold])) == [["gold", "near"], ["gold", "near"], ["near"]]
    unnamed = fetch_sample(graph, (QuestionStep("Who is Vale?", (gold,)), QuestionStep("Where?")), [near, gold])
    assert get_gold(graph, unnamed) == [["gold", "near"], ["near"]]


def test_the_order_of_hops_is_that_of_the_question_set_or_else_estimated(graph):
    gold = tuple(map(graph.id, ("near", "gold")))  # the question is like "near"

    def fetch_keys(question):
        hops = run(fetch_hops(question), Services(graph.store, graph.embedder), Scope(graph.collection)).result
        return graph.keys(hops.ids)

    assert fetch_keys(Question("1", QUESTION, gold=gold[::-1])) == ["near", "gold"]
    assert fetch_keys(Question("1", QUESTION, gold=gold, hops=gold[::-1])) == ["gold", "near"]
    assert fetch_keys(Question("1", QUESTION, gold=gold, hops=gold[1:])) == ["near", "gold"]  # not of all gold


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
