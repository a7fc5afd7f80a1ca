"""The option ``rerank`` of every strategy, with the included reader."""

import pytest

from hopline.errors import UsageError
from hopline.learned.registry import BUNDLED, ModelRegistry
from hopline.strategies import load_strategy

QUESTION, EAST = "Who founded Tidewell?", [1, 0, 0, 0]


@pytest.fixture
def graph(tiny):
    graph = tiny()
    graph.passage("near", "Tidewell is a company with many offices and a long history.", [1, 0, 0, 0])
    graph.passage("answer", "Maud Kerrigan founded Tidewell in the year 1987.", [0.9, 0.4359, 0, 0])
    graph.passage("far", "The weather was fine.", [0, 0, 1, 0])
    return graph


@pytest.fixture(scope="module")
def parts():
    return ModelRegistry(BUNDLED)


def test_evidence_with_the_answer_rises(graph, parts):
    assert graph.keys(graph.rank("dense", QUESTION, EAST).ids) == ["near", "answer", "far"]
    reranked = graph.rank("dense:rerank=2", QUESTION, EAST, parts=parts)
    assert graph.keys(reranked.ids) == ["answer", "near", "far"]
    assert list(reranked.scores) == sorted(reranked.scores, reverse=True)


def test_k_is_respected_and_evidence_behind_the_depth_keeps_its_order(graph, parts):
    assert graph.keys(graph.rank("dense:rerank=2", QUESTION, EAST, k=1, parts=parts).ids) == ["answer"]
    assert graph.keys(graph.rank("dense:rerank=1", QUESTION, EAST, parts=parts).ids) == ["near", "answer", "far"]


@pytest.mark.parametrize("name", ["bm25", "hybrid", "hopline", "gnn_ret", "kgp"])
def test_every_strategy_has_the_option_beside_its_own(graph, parts, name):
    plain, reranked = (graph.rank(spec, QUESTION, EAST, parts=parts) for spec in (name, f"{name}:rerank=3"))
    assert set(plain.ids) == set(reranked.ids)
    assert graph.keys(reranked.ids)[0] == "answer"
    assert {id: plain.paths[id] for id in plain.paths} == dict(reranked.paths)
    assert load_strategy("hybrid:fuse=sum,rerank=3").options["options"] == {"fuse": "sum"}


def test_a_wrong_value_is_refused():
    with pytest.raises(UsageError, match="dense:rerank must be a whole number"):
        load_strategy("dense:rerank=many")
