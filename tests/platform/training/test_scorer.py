"""A scorer is learned where something can be, used where it wins, and kept with its collection."""

import json
from inspect import signature

import numpy as np
import pytest

from hopline.errors import UsageError
from hopline.evaluation import Question
from hopline.flow.services import Scope, World
from hopline.retrieval.candidates import gather
from hopline.retrieval.reranking.features import Look
from hopline.strategies.hopline import rank
from hopline.training.collection_training import train_for_candidates
from hopline.training.reranker import Shown, train_scorer

COUNT = 12


def shown(random, gold_of):
    """Twelve candidates by falling sum; the gold are those that ``gold_of`` says of their named raise and sum."""
    sums = np.sort(random.uniform(0, 3.5, COUNT))[::-1]
    named = random.uniform(0, 1, COUNT)
    look = Look(
        ids=tuple(f"{n:02}" for n in range(COUNT)),
        sums=sums,
        parts=random.uniform(0, 1, (COUNT, 4)),
        cosines=random.uniform(0, 1, COUNT),
        words=random.uniform(0, 1, COUNT),
        named=named,
        lengths=np.ones(COUNT),
        vectors=np.eye(COUNT),
        question=np.eye(COUNT)[0],
        says=np.zeros((COUNT, 2), dtype=bool),
    )
    gold = np.isin(np.arange(COUNT), gold_of(named, sums))
    return Shown(look, gold, int(gold.sum()))


def test_what_the_sum_does_not_see_is_learned():
    random = np.random.default_rng(0)
    sample = [shown(random, lambda named, sums: np.argsort(-named)[:2]) for _ in range(60)]
    learned = train_scorer(sample)
    assert learned.wins
    assert max(learned.held_out) > learned.untrained + 0.2
    fresh = shown(random, lambda named, sums: np.argsort(-named)[:2])
    best = np.argsort(-learned.scorer.chances(fresh.look))[:5]
    assert fresh.gold[best].sum() == 2


def test_it_is_not_used_where_the_sum_is_as_good():
    random = np.random.default_rng(1)
    learned = train_scorer([shown(random, lambda named, sums: [0, 1]) for _ in range(30)])
    assert learned.untrained == 1.0
    assert not learned.wins
    assert learned.to_dict()["scorer"]["rounds"] == 0


def test_the_same_questions_teach_the_same():
    sample = [shown(np.random.default_rng(n), lambda named, sums: [int(named.argmax())]) for n in range(20)]
    assert train_scorer(sample).to_dict() == train_scorer(sample).to_dict()


def test_too_few_questions_are_refused():
    with pytest.raises(UsageError, match="needs 10 questions"):
        train_scorer([shown(np.random.default_rng(0), lambda named, sums: [0])] * 9)


@pytest.fixture
def graph(tiny):
    """Of two passages about a name, the one that the question's words do not fit is the gold one."""
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
    world = World(graph.store, graph.embedder)
    return train_for_candidates(graph.store, world, Scope(graph.collection), questions(count), **how)


def test_what_was_learned_is_kept_and_orders_the_candidates(graph):
    untrained = graph.rank("hopline", "Which is red, 3?", [1, 0.03, 0, 0])
    learned = train(graph)
    assert learned.questions == 14
    trained = graph.rank("hopline:trained=true", "Which is red, 3?", [1, 0.03, 0, 0])
    assert learned.wins
    assert graph.keys(trained.ids)[0].startswith("gold")
    assert not graph.keys(untrained.ids)[0].startswith("gold")
    assert all(0 < score < 1 for score in trained.scores)
    every = graph.rank("hopline:trained=true", "Which is red, 3?", [1, 0.03, 0, 0], k=100)
    assert len(every.ids) == 28


def test_it_can_be_kept_for_another_collection(graph, tiny):
    other = tiny()
    other.passage("x", "Red.", [1, 0, 0, 0])
    train(graph, used_in=[other.collection])
    assert other.rank("hopline:trained=true", "Which is red?", [1, 0, 0, 0]).ids == (other.id("x"),)
    with pytest.raises(UsageError, match="hopline train scorer"):
        graph.rank("hopline:trained=true", "Which is red?", [1, 0, 0, 0])


def test_how_far_it_is_is_told(graph):
    heard = []
    train(graph, listener=heard.append)
    assert [(one.phase, one.done, one.total) for one in heard] == [
        ("questions", 14, 14),
        *(("folds", n, 5) for n in range(1, 6)),
    ]


def test_questions_without_gold_in_the_collection_do_not_count(graph):
    world = World(graph.store, graph.embedder)
    strangers = [Question(str(n), "Which is red?", gold=("nowhere",)) for n in range(30)]
    with pytest.raises(UsageError, match=r"\(got 9\)"):
        train_for_candidates(graph.store, world, Scope(graph.collection), [*questions(9), *strangers])


def test_candidates_are_gathered_as_the_strategy_gathers_them():
    options = {
        name: one.default for name, one in signature(rank).parameters.items() if name not in {"cover", "trained"}
    }
    assert options == {name: one.default for name, one in signature(gather).parameters.items()}


def test_a_scorer_of_another_version_is_refused(graph):
    other = json.dumps({"scorer": {"features": ["sum"], "rounds": 1}})
    graph.store.write(("train/write_learned", {"collection": graph.collection, "name": "scorer", "values": other}))
    with pytest.raises(UsageError, match="train it again"):
        graph.rank("hopline:trained=true", "Which is red, 3?", [1, 0.03, 0, 0])
