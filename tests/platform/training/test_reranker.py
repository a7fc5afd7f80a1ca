"""Training of the reranker: it is used only if it improves the recall, and stored with its collection."""

import json

import numpy as np
import pytest

from hopline.errors import UsageError
from hopline.evaluation import Question
from hopline.flow.services import Scope, Services
from hopline.retrieval.candidates import Candidates
from hopline.retrieval.reranking.features import build_features
from hopline.training import reranker
from hopline.training.collection_training import train_collection_reranker
from hopline.training.reranker import RerankerSample, train_reranker

COUNT = 12


def make_sample(random, gold_of):
    """Twelve candidates by descending sum; ``gold_of`` selects the gold ones from name boosts and sums."""
    sums = np.sort(random.uniform(0, 3.5, COUNT))[::-1]
    named = random.uniform(0, 1, COUNT)
    ids = tuple(f"{n:02}" for n in range(COUNT))
    columns = {name: random.uniform(0, 1, COUNT) for name in ("base", "links", "gnn", "pagerank", "bm25")}
    columns |= {"score": sums, "boost": named}
    candidates = Candidates("alpha beta", random.uniform(0, 1, COUNT).astype(np.float32), None, ids, columns)
    features = build_features(candidates, dict.fromkeys(ids, "gamma"), np.eye(COUNT))
    gold = np.isin(np.arange(COUNT), gold_of(named, sums))
    return RerankerSample(features, gold, int(gold.sum()))


def test_a_signal_that_the_sum_does_not_contain_is_learned():
    random = np.random.default_rng(0)
    sample = [make_sample(random, lambda named, sums: np.argsort(-named)[:2]) for _ in range(60)]
    learned = train_reranker(sample)
    assert learned.improves
    assert max(learned.held_out) > learned.untrained + 0.2
    fresh = make_sample(random, lambda named, sums: np.argsort(-named)[:2])
    best = np.argsort(-learned.reranker.predict(fresh.features))[:5]
    assert fresh.gold[best].sum() == 2


def test_it_is_not_used_if_the_untrained_order_is_as_good():
    random = np.random.default_rng(1)
    learned = train_reranker([make_sample(random, lambda named, sums: [0, 1]) for _ in range(30)])
    assert learned.untrained == 1.0
    assert not learned.improves
    assert learned.to_dict()["scorer"]["rounds"] == 0


def test_training_is_deterministic(monkeypatch):
    monkeypatch.setattr(reranker, "TREES", 20)
    sample = [make_sample(np.random.default_rng(n), lambda named, sums: [int(named.argmax())]) for n in range(20)]
    assert train_reranker(sample).to_dict() == train_reranker(sample).to_dict()


def test_too_few_questions_are_refused():
    with pytest.raises(UsageError, match="needs 10 questions"):
        train_reranker([make_sample(np.random.default_rng(0), lambda named, sums: [0])] * 9)


@pytest.fixture
def graph(tiny):
    """Of two passages about a name, the gold one does not share the words of the question."""
    graph = tiny()
    for n in range(14):
        east = [1, 0.01 * n, 0, 0]
        graph.passage(f"gold{n:02}", f"Blue {n}.", [0.3, 0.01 * n, 0.9, 0], f"{n}.pdf")
        graph.passage(f"near{n:02}", f"Red {n}, long and dull.", east, f"{n}.pdf")
        graph.embedder.known[f"Which is red, {n}?"] = east
    return graph


def questions(count):
    return [Question(str(n), f"Which is red, {n}?", gold=(f"gold{n:02}",)) for n in range(count)]


def train(graph, count=14, **how):
    services = Services(graph.store, graph.embedder)
    return train_collection_reranker(graph.store, services, Scope(graph.collection), questions(count), **how)


def test_the_trained_reranker_is_stored_and_orders_the_candidates(graph):
    untrained = graph.rank("hopline", "Which is red, 3?", [1, 0.03, 0, 0])
    reports = []
    learned = train(graph, on_progress=reports.append)
    assert [(progress.phase, progress.done, progress.total) for progress in reports] == [
        ("questions", 14, 14),
        *(("folds", n, 5) for n in range(1, 6)),
    ]
    assert learned.questions == 14
    trained = graph.rank("hopline:trained=true", "Which is red, 3?", [1, 0.03, 0, 0])
    assert learned.improves
    assert graph.keys(trained.ids)[0].startswith("gold")
    assert not graph.keys(untrained.ids)[0].startswith("gold")
    assert all(0 < score < 1 for score in trained.scores)
    every = graph.rank("hopline:trained=true", "Which is red, 3?", [1, 0.03, 0, 0], k=100)
    assert len(every.ids) == 28


def test_it_can_be_stored_with_other_collections_also_empty_ones(graph, tiny):
    other, empty = tiny(), tiny()
    other.passage("x", "Red.", [1, 0, 0, 0])
    train(graph, used_in=[other.collection, empty.collection])
    assert other.rank("hopline:trained=true", "Which is red?", [1, 0, 0, 0]).ids == (other.id("x"),)
    assert empty.rank("hopline:trained=true", "Which is red?", [1, 0, 0, 0]).ids == ()
    with pytest.raises(UsageError, match="hopline train reranker"):
        graph.rank("hopline:trained=true", "Which is red?", [1, 0, 0, 0])


def test_questions_without_gold_in_the_collection_do_not_count(graph):
    services = Services(graph.store, graph.embedder)
    strangers = [Question(str(n), "Which is red?", gold=("nowhere",)) for n in range(30)]
    with pytest.raises(UsageError, match=r"\(got 9\)"):
        train_collection_reranker(graph.store, services, Scope(graph.collection), [*questions(9), *strangers])


def test_a_reranker_of_another_version_is_refused(graph):
    other = json.dumps({"scorer": {"features": ["sum"], "rounds": 1}})
    graph.store.write(("learned/write_parameters", {"collection": graph.collection, "name": "scorer", "values": other}))
    with pytest.raises(UsageError, match="train it again"):
        graph.rank("hopline:trained=true", "Which is red, 3?", [1, 0.03, 0, 0])
