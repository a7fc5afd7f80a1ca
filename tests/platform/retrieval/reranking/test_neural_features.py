"""Neural features of candidates, and rerankers that are trained with them."""

import json

import numpy as np
import pytest

from hopline.errors import UsageError
from hopline.evaluation import Question
from hopline.flow.run import run
from hopline.flow.services import Models, Scope, Services
from hopline.retrieval.reranking.context import CONTEXT_COLUMNS
from hopline.retrieval.reranking.feature_extraction import extract_features
from hopline.retrieval.reranking.features import CANDIDATE_COLUMNS, NEURAL_COLUMNS
from hopline.retrieval.reranking.learned_reranker import LearnedReranker
from hopline.strategies import load_strategy
from hopline.strategies.hopline import find_candidates
from hopline.training.collection_training import train_collection_reranker

QUESTION, EAST, NORTH = "Who directed the film?", [1, 0, 0, 0], [0, 1, 0, 0]


class FakeModels(Models):
    """A guide that predicts north for a question and up for a passage; hops that prefer long texts; two topics."""

    def infer(self, part, inputs):
        if part == "mdr":
            rows = [[0, 0, 1, 0] if text.startswith(f"{QUESTION} ") else NORTH for text in inputs["texts"]]
            return np.asarray(rows, dtype=np.float32)
        if part == "graph_hop":
            assert inputs["paths"] == [[]]
            return np.array([[len(text) / 100 for text in inputs["facts"]]], dtype=np.float32)
        assert part == "themes/toy_pair"
        return np.array([[1.0, 0.0]], dtype=np.float32)


@pytest.fixture
def graph(tiny):
    graph = tiny()
    graph.passage("east", "The film was a success.", EAST)
    graph.passage("north", "Li Yang.", NORTH)
    graph.passage("up", "Born in 1959.", [0, 0, 1, 0])
    graph.embedder.known[QUESTION] = EAST
    return graph


def compute(graph, *extras):
    def flow():
        candidates = yield from find_candidates(QUESTION, 1)
        _, features = yield from extract_features(candidates, extras)  # type: ignore[arg-type]
        return features

    return run(flow(), Services(graph.store, graph.embedder, models=FakeModels()), graph.scope()).result


def column(features, name):
    return dict(zip(features.ids, features.candidates.column(name).tolist(), strict=True))


def test_without_extras_no_model_is_called(graph):
    features = compute(graph)
    assert features.columns == CANDIDATE_COLUMNS
    assert features.to_matrix().shape == (3, len(CANDIDATE_COLUMNS))


def test_the_guide_columns_are_cosines_to_its_predictions(graph):
    features = compute(graph, "guide")
    assert features.columns == (*CANDIDATE_COLUMNS, *NEURAL_COLUMNS["guide"])
    assert features.to_matrix().shape == (3, len(CANDIDATE_COLUMNS) + 3)
    first, later = column(features, "guide_first"), column(features, "guide_next")
    assert first[graph.id("north")] == pytest.approx(1.0)
    assert later[graph.id("up")] == pytest.approx(1.0)
    assert column(features, "guide_rank")[graph.id("up")] == 0


def test_neural_columns_have_a_fixed_order(graph, graph_store):
    graph_store.ensure_vector_index("themes_toy_pair", 2)
    row = {"id": graph.id("north"), "vector": [0.6, 0.8], "theme": 1}
    graph_store.write(
        ("topics/set_topics", {"collection": graph.collection, "themes": "toy_pair", "labels": ["a", "b"]}),
        ("topics/write_topics", {"property": "themes_toy_pair", "themes": "toy_pair", "rows": [row]}),
    )
    features = compute(graph, "hops", "themes")
    assert features.columns == (*CANDIDATE_COLUMNS, "themes", "hop_first", "hop_last")
    themes = column(features, "themes")
    assert themes[graph.id("north")] == pytest.approx(0.6, abs=1e-6)
    assert themes[graph.id("up")] == 0.0
    hops = column(features, "hop_last")
    assert max(hops, key=hops.get) == graph.id("east")


def test_without_topics_the_topic_column_is_zero(graph):
    assert not any(column(compute(graph, "themes"), "themes").values())


def test_a_reranker_stores_its_neural_features():
    trees = {"start": 0.0, "depth": 0} | {name: [[0]] for name in ("feature", "threshold", "left", "right", "value")}
    reranker = LearnedReranker.from_dict({"features": [*CANDIDATE_COLUMNS, *NEURAL_COLUMNS["guide"], *CONTEXT_COLUMNS], "extras": ["guide"], "rounds": 1,
                             "first": trees, "second": trees})  # fmt: skip
    assert reranker.extras == ("guide",)
    assert LearnedReranker.from_dict(json.loads(json.dumps(reranker.to_dict()))).extras == ("guide",)
    with pytest.raises(UsageError, match="train it again"):
        LearnedReranker.from_dict(reranker.to_dict() | {"extras": ["hearsay"]})
    with pytest.raises(UsageError, match="train it again"):
        LearnedReranker.from_dict(reranker.to_dict() | {"extras": []})


def test_a_reranker_is_trained_and_applied_with_the_guide(tiny):
    graph = tiny()
    for n in range(14):
        east = [1, 0.01 * n, 0, 0]
        graph.passage(f"gold{n:02}", f"Blue {n}.", [0.01 * n, 1, 0, 0], f"{n}.pdf")
        graph.passage(f"near{n:02}", f"Red {n}.", east, f"{n}.pdf")
        graph.embedder.known[f"Which is red, {n}?"] = east
    services = Services(graph.store, graph.embedder, models=FakeModels())
    questions = [Question(str(n), f"Which is red, {n}?", gold=(f"gold{n:02}",)) for n in range(14)]
    result = train_collection_reranker(graph.store, services, Scope(graph.collection), questions, extras=["guide"])
    assert result.reranker.extras == ("guide",)
    assert result.improves
    flow = load_strategy("hopline:trained=true").flow("Which is red, 3?", 5)
    ranking = run(flow, services, graph.scope()).result
    assert graph.keys(ranking.ids)[0].startswith("gold")
