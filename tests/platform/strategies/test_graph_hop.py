"""Evidence graphs over a few facts, searched in both directions and merged."""

import numpy as np
import pytest

from hopline.flow.requests import Ask, Embed, Infer, Reply
from hopline.retrieval.agent.bidirectional_search import (
    MAX_EDGES,
    MAX_PATHS,
    SimilarityScorer,
    build_evidence_graph,
    score_with_network,
    search_direction,
)
from hopline.scoring.evidence_graph import QUESTION, MergeRule

QUESTION_TEXT, EAST = "Where did the designer of the Skarv Bridge study?", [1, 0, 0, 0]
FACTS = [("a", "The bridge was drawn by Vale."), ("b", "Vale studied in Trondheim."), ("c", "Slate is grey.")]


def run_with(flow, answer):
    """Return the result of a flow whose requests are answered by a function."""
    request = next(flow)
    while True:
        try:
            request = flow.send(answer(request))
        except StopIteration as stop:
            return stop.value


def network(chances):
    """A network with fixed probabilities of each fact, by direction and path."""

    def answer(request):
        assert isinstance(request, Infer)
        rows = [chances[request.inputs["direction"]].get(tuple(path), [0, 0, 0]) for path in request.inputs["paths"]]
        return np.asarray(rows, dtype=np.float32)

    return answer


CHAIN = {
    "forward": {(): [0.9, 0.2, 0.1], (0,): [0, 0.8, 0.1]},
    "backward": {(): [0.1, 0.7, 0.1], (1,): [0.9, 0, 0.2]},
}


def test_forward_search_starts_at_the_question():
    edges = run_with(search_direction(QUESTION_TEXT, FACTS, score_with_network, "forward"), network(CHAIN))
    assert edges == ((QUESTION, "a"), ("a", "b"))


def test_backward_search_ends_at_the_question():
    edges = run_with(search_direction(QUESTION_TEXT, FACTS, score_with_network, "backward"), network(CHAIN))
    assert edges == ((QUESTION, "a"), ("a", "b"))


def test_a_fact_occurs_once_per_path():
    every = {"forward": {path: [0.9, 0.9, 0.9] for path in [(), (0,), (1,), (2,), (0, 1), (1, 0), (0, 2), (2, 0)]}}
    edges = run_with(search_direction(QUESTION_TEXT, FACTS, score_with_network, "forward"), network(every))
    assert {target for _, target in edges} == {"a", "b", "c"}
    assert all((target, source) not in edges for source, target in edges)


def test_the_search_ends_if_every_fact_follows_every_path():
    facts = [(f"f{n}", f"Fact {n}.") for n in range(9)]
    levels = []

    def every(request):
        paths = request.inputs["paths"]
        levels.append([len(path) for path in paths])
        return np.asarray([[0.0 if n in path else 0.9 for n in range(9)] for path in paths], dtype=np.float32)

    edges = run_with(search_direction(QUESTION_TEXT, facts, score_with_network, "forward"), every)
    assert {target for _, target in edges} == {id for id, _ in facts}
    assert len(edges) < MAX_EDGES + len(facts)  # all successors of the last path are added
    assert len(levels) < len(facts)


def test_a_level_has_a_limited_number_of_paths():
    facts = [(f"f{n}", f"Fact {n}.") for n in range(50)]
    levels = []

    def wide(request):
        paths = request.inputs["paths"]
        levels.append(len(paths))
        return np.full((len(paths), 50), 0.0 if paths[0] else 0.9, dtype=np.float32)

    edges = run_with(search_direction(QUESTION_TEXT, facts, score_with_network, "forward"), wide)
    assert len(edges) == 50
    assert levels == [1, MAX_PATHS]


def test_neither_direction_reads_the_answer():
    requests = []

    def answer(request):
        requests.append(request)
        return network(CHAIN)(request)

    run_with(build_evidence_graph(QUESTION_TEXT, FACTS, follows="network", rule="equation", gamma=0.1), answer)
    assert {request.inputs["question"] for request in requests} == {QUESTION_TEXT}
    assert {request.inputs["direction"] for request in requests} == {"forward", "backward"}


def test_both_directions_are_merged():
    partial = {**CHAIN, "backward": {(): [0.1, 0.7, 0.6], (1,): [0.9, 0, 0]}}
    edges = run_with(
        build_evidence_graph(QUESTION_TEXT, FACTS, follows="network", rule="equation", gamma=0.1), network(partial)
    )
    assert set(edges) == {(QUESTION, "a"), ("a", "b"), (QUESTION, "c")}
    rules: tuple[tuple[MergeRule, float], ...] = (("intersection", 0.1), ("text", 0.9))
    for rule, gamma in rules:
        both = run_with(
            build_evidence_graph(QUESTION_TEXT, FACTS, follows="network", rule=rule, gamma=gamma), network(partial)
        )
        assert set(both) == {(QUESTION, "a"), ("a", "b")}


def test_the_network_is_merged_with_the_gamma_of_its_training_unless_another_is_set():
    # of three edges one is shared
    partial = {"forward": {(): [0.9, 0.8, 0.1]}, "backward": {(): [0.1, 0.7, 0.6]}}
    backward = {(QUESTION, "b"), (QUESTION, "c")}

    def build(trained, **options):
        def answer(request):
            return trained if request.inputs.get("output") == "gamma" else network(partial)(request)

        return set(run_with(build_evidence_graph(QUESTION_TEXT, FACTS, follows="network", **options), answer))

    assert build(0.4) == backward
    assert build(0.3) == backward | {(QUESTION, "a")}
    assert build(0.4, gamma=0.3) == backward | {(QUESTION, "a")}
    assert build(0.3, gamma=0.4) == backward


def test_the_usual_rule_of_the_network_is_the_union_of_equation_2():
    wide = {**CHAIN, "forward": {(): [0.9, 0.8, 0.1], (0,): [0, 0.2, 0.1]}}
    edges = run_with(build_evidence_graph(QUESTION_TEXT, FACTS, follows="network", gamma=0.1), network(wide))
    assert set(edges) == {(QUESTION, "a"), (QUESTION, "b"), ("a", "b")}


def test_untrained_evidence_nearly_as_similar_as_the_most_similar_follows():
    known = {FACTS[0][1]: [0.8, 0.6, 0], FACTS[1][1]: [0.6, 0.8, 0], FACTS[2][1]: [0, 0, 1], QUESTION_TEXT: [1, 0, 0]}

    def answer(request):
        assert isinstance(request, Embed)
        rows = np.asarray([known.get(text, [0, 0, -1]) for text in request.texts], dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    edges = run_with(search_direction(QUESTION_TEXT, FACTS, SimilarityScorer(), "forward"), answer)
    assert edges == ((QUESTION, "a"), ("a", "b"))  # c is similar to neither; b only to a path with a


def test_untrained_the_graph_is_the_forward_graph_unless_a_rule_is_given():
    known = {FACTS[0][1]: [0.8, 0.6, 0], FACTS[1][1]: [0.6, 0.8, 0], FACTS[2][1]: [0, 0, 1], QUESTION_TEXT: [1, 0, 0]}
    answer = lambda request: np.asarray([known[text] for text in request.texts], dtype=np.float32)  # noqa: E731
    chain = ((QUESTION, "a"), ("a", "b"))
    assert run_with(build_evidence_graph(QUESTION_TEXT, FACTS, follows="likeness", gamma=0.1), answer) == chain
    turned = run_with(
        build_evidence_graph(QUESTION_TEXT, FACTS, follows="likeness", rule="backward", gamma=0.1), answer
    )
    assert ("b", "a") in turned


def test_a_model_writes_chains_and_invalid_numbers_are_dropped():
    def answer(request):
        assert isinstance(request, Ask)
        data = {"chains": [[1, 2], [1, 9, 2], [3]]}
        return [Reply(str(data), data)]

    edges = run_with(build_evidence_graph(QUESTION_TEXT, FACTS, follows="model", rule="equation", gamma=0.1), answer)
    assert set(edges) == {(QUESTION, "a"), ("a", "b"), (QUESTION, "c")}


def test_an_unusable_reply_gives_an_empty_graph():
    answer = lambda _: [Reply("…", None, "no JSON")]  # noqa: E731
    assert (
        run_with(build_evidence_graph(QUESTION_TEXT, FACTS, follows="model", rule="equation", gamma=0.1), answer) == ()
    )


@pytest.fixture
def graph(tiny):
    graph = tiny()
    for key, (_, text) in zip("abc", FACTS, strict=True):
        graph.passage(key, text, EAST if key == "a" else [0, 1, 0, 0] if key == "b" else [0, 0, 1, 0])
    graph.embedder.known |= {f"one.pdf: {text}": [0, 0, 0, 1] for _, text in FACTS}
    return graph


def test_evidence_of_the_graph_is_ranked_first(graph, make_chat):
    chat = make_chat({"chains": [[2, 1]]})
    ranking = graph.rank("graph_hop:follows=model", QUESTION_TEXT, EAST, chat=chat)
    first, second = (source for source in (ranking.graph[0][1], ranking.graph[1][1]))
    assert ranking.ids[:2] == (first, second)
    assert ranking.graph == ((QUESTION, first), (first, second))
    assert len(ranking.ids) == 3
    assert list(ranking.scores) == sorted(ranking.scores, reverse=True)


def test_untrained_each_text_is_embedded_once_for_both_directions():
    texts = []

    def answer(request):
        texts.extend(request.texts)
        rows = np.ones((len(request.texts), 8), dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    run_with(build_evidence_graph(QUESTION_TEXT, FACTS, follows="likeness", rule="equation", gamma=0.1), answer)
    assert len(texts) == 4
    assert len(texts) == len(set(texts))


def test_untrained_the_stored_vectors_are_used(graph):
    graph.embedder.known = {}
    ranking = graph.rank("graph_hop", QUESTION_TEXT, EAST)
    assert graph.keys(ranking.ids)[0] == "a"
    assert ranking.graph == ((QUESTION, graph.id("a")),)
