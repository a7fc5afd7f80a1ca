"""What trained parts say of candidates, and scorers that listen to them."""

import json

import numpy as np
import pytest

from hopline.errors import UsageError
from hopline.evaluation import Question
from hopline.flow.run import run
from hopline.flow.services import Parts, Scope, World
from hopline.retrieval.candidates import gather
from hopline.retrieval.reranking.candidate_texts import look_at
from hopline.retrieval.reranking.features import ALONE, BESIDE, EXTRAS, alone
from hopline.retrieval.reranking.learned_reranker import Scorer
from hopline.strategies import load_strategy
from hopline.training.collection_training import train_for_candidates

QUESTION, EAST, NORTH = "Who directed the film?", [1, 0, 0, 0], [0, 1, 0, 0]


class Told(Parts):
    """A guide that points north from a question and up behind a passage; hops that like long texts; themes of two."""

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


def looked(graph, *extras):
    def flow():
        found = yield from gather(QUESTION, 1)
        return (yield from look_at(QUESTION, found, extras))

    return run(flow(), World(graph.store, graph.embedder, parts=Told()), graph.scope()).result


def column(look, name, extras):
    names = [one for extra in EXTRAS if extra in extras for one in EXTRAS[extra]]
    return dict(zip(look.ids, look.extra[:, names.index(name)].tolist(), strict=True))


def test_without_extras_nothing_is_asked(graph):
    look = looked(graph)
    assert look.extra is None
    assert alone(look).shape[1] == len(ALONE)


def test_the_guide_says_how_near_each_is_to_where_it_points(graph):
    look = looked(graph, "guide")
    assert alone(look).shape[1] == len(ALONE) + 3
    first, later = column(look, "guide_first", ["guide"]), column(look, "guide_next", ["guide"])
    assert first[graph.id("north")] == pytest.approx(1.0)
    assert later[graph.id("up")] == pytest.approx(1.0)
    assert column(look, "guide_rank", ["guide"])[graph.id("up")] == 0


def test_hops_and_themes_are_columns_in_their_order_whatever_order_they_are_asked_in(graph, store):
    store.ensure_vectors("themes_toy_pair", 2)
    row = {"id": graph.id("north"), "vector": [0.6, 0.8], "theme": 1}
    store.write(
        ("themes/choose", {"collection": graph.collection, "themes": "toy_pair", "labels": ["a", "b"]}),
        ("themes/write", {"property": "themes_toy_pair", "themes": "toy_pair", "rows": [row]}),
    )
    asked = ["hops", "themes"]
    look = looked(graph, *asked)
    assert look.extra.shape == (3, 3)
    themes = column(look, "themes", asked)
    assert themes[graph.id("north")] == pytest.approx(0.6, abs=1e-6)
    assert themes[graph.id("up")] == 0.0
    hops = column(look, "hop_last", asked)
    assert max(hops, key=hops.get) == graph.id("east")


def test_a_collection_without_themes_has_noughts(graph):
    assert not looked(graph, "themes").extra.any()


def test_a_scorer_remembers_what_it_listens_to():
    trees = {"start": 0.0, "depth": 0} | {name: [[0]] for name in ("feature", "threshold", "left", "right", "value")}
    scorer = Scorer.of_dict({"features": [*ALONE, *EXTRAS["guide"], *BESIDE], "extras": ["guide"], "rounds": 1,
                             "first": trees, "second": trees})  # fmt: skip
    assert scorer.extras == ("guide",)
    assert Scorer.of_dict(json.loads(json.dumps(scorer.to_dict()))).extras == ("guide",)
    with pytest.raises(UsageError, match="train it again"):
        Scorer.of_dict(scorer.to_dict() | {"extras": ["hearsay"]})
    with pytest.raises(UsageError, match="train it again"):
        Scorer.of_dict(scorer.to_dict() | {"extras": []})


def test_a_scorer_is_taught_with_the_guide_and_used_with_it(tiny):
    graph = tiny()
    for n in range(14):
        east = [1, 0.01 * n, 0, 0]
        graph.passage(f"gold{n:02}", f"Blue {n}.", [0.01 * n, 1, 0, 0], f"{n}.pdf")
        graph.passage(f"near{n:02}", f"Red {n}.", east, f"{n}.pdf")
        graph.embedder.known[f"Which is red, {n}?"] = east
    world = World(graph.store, graph.embedder, parts=Told())
    asked = [Question(str(n), f"Which is red, {n}?", gold=(f"gold{n:02}",)) for n in range(14)]
    learned = train_for_candidates(graph.store, world, Scope(graph.collection), asked, extras=["guide"])
    assert learned.scorer.extras == ("guide",)
    assert learned.wins
    flow = load_strategy("hopline:trained=true").flow("Which is red, 3?", 5)
    found = run(flow, world, graph.scope()).result
    assert graph.keys(found.ids)[0].startswith("gold")
