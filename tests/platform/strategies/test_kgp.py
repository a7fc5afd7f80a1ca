"""Paths over a graph of five passages, chosen by TF-IDF, by an encoder and by a model."""

import numpy as np
import pytest

from hopline.flow.replay import replay
from hopline.flow.services import Models
from hopline.strategies import load_strategy

QUESTION, EAST = "Who designed the Skarv Bridge?", [1, 0, 0, 0]


@pytest.fixture
def graph(tiny):
    graph = tiny()
    graph.passage("seed", "The Skarv Bridge was drawn by Ingrid Vale.", EAST)
    graph.passage("right", "Ingrid Vale studied in Trondheim.", [0, 1, 0, 0])
    graph.passage("words", "Ingrid Vale who designed nothing.", [0, 0, 1, 0])
    graph.passage("far", "Trondheim lies on a fjord.", [0, 0.5, 0.5, 0])
    graph.passage("alone", "Slate.", [0, 0, 0.9, 0.1], "two.pdf")
    graph.entity("Ingrid Vale", "seed", "right", "words")
    graph.entity("Trondheim", "right", "far", kind="GPE")
    return graph


def test_a_path_is_extended_by_the_neighbours_most_similar_to_the_question(graph):
    ranking = graph.rank("kgp:seeds=1,branching=1", QUESTION, EAST)
    # BM25 finds seed and words; seed leads; its neighbours are right and words, and words has "who designed"
    assert graph.keys(ranking.ids)[0] == "words"
    assert "right" not in graph.keys(ranking.ids)


def test_every_hop_is_a_step_of_the_path(graph):
    ranking = graph.rank("kgp:seeds=1,branching=3,hops=3", QUESTION, EAST)
    assert {"seed", "right", "words", "far"} == set(graph.keys(ranking.ids))
    assert [step.edge for step in ranking.paths[graph.id("far")]] == ["MENTIONS"] * 4
    assert graph.id("seed") not in ranking.paths


def test_the_encoder_ranks_by_question_and_path(graph):
    trail = f"{QUESTION} one.pdf: The Skarv Bridge was drawn by Ingrid Vale."
    graph.embedder.known[trail] = [0, 1, 0, 0]
    ranking = graph.rank("kgp:guide=encoder,seeds=1,branching=1", QUESTION, EAST)
    assert "right" in graph.keys(ranking.ids)


class Guide(Models):
    """A trained guide that always predicts ``vector``; records its inputs."""

    def __init__(self, *vector):
        self.vector, self.read = vector, []

    def infer(self, part, inputs):
        assert part == "mdr"
        self.read += inputs["texts"]
        return np.tile(np.array(self.vector, np.float32), (len(inputs["texts"]), 1))


def test_the_trained_guide_replaces_the_encoder(graph):
    guide = Guide(0, 1, 0, 0)
    ranking = graph.rank("kgp:guide=mdr,seeds=1,branching=1", QUESTION, EAST, parts=guide)
    assert "right" in graph.keys(ranking.ids)
    assert guide.read == [f"{QUESTION} one.pdf: The Skarv Bridge was drawn by Ingrid Vale."]
    assert "words" in graph.keys(
        graph.rank("kgp:guide=mdr,seeds=1,branching=1", QUESTION, EAST, parts=Guide(0, 0, 1, 0)).ids
    )


def test_the_graph_of_the_trained_guide_links_its_predictions(graph):
    spec = "kgp:graph=mdr,seeds=1,branching=1,neighbours=1,hops=2"
    ranking = graph.rank(spec, QUESTION, EAST, parts=Guide(0, 0, 0.9, 0.1))
    assert "alone" in graph.keys(ranking.ids)
    assert "alone" not in graph.keys(graph.rank(spec, QUESTION, EAST, parts=Guide(0, 1, 0, 0)).ids)


def test_the_trained_guide_can_be_used_without_a_graph(graph):
    spec = "guided:guide=mdr,seeds=1,branching=1"
    assert "right" in graph.keys(graph.rank(spec, QUESTION, EAST, parts=Guide(0, 1, 0, 0)).ids)
    elsewhere = graph.keys(graph.rank(spec, QUESTION, EAST, parts=Guide(0, 0, 0.9, 0.1)).ids)
    assert "alone" in elsewhere
    assert "right" not in elsewhere


def test_trained_mdr_searches_twice_with_the_guide(graph):
    ranking = graph.rank("mdr:trained=true,first=1,second=1", QUESTION, EAST, 2, parts=Guide(0, 1, 0, 0))
    assert graph.keys(ranking.ids)[0] == "right"
    assert graph.keys(graph.rank("mdr:first=1,second=1", QUESTION, EAST, 2).ids)[0] == "seed"


def test_a_model_writes_the_next_evidence(graph, make_chat):
    chat = make_chat({"evidence": "She studied in Trondheim."})
    ranking = graph.rank("kgp:guide=model,seeds=1,branching=1", QUESTION, EAST, chat=chat)
    assert "right" in graph.keys(ranking.ids)
    assert "drawn by Ingrid Vale" in chat.prompts[0].text
    useless = graph.rank("kgp:guide=model,seeds=1,branching=1", QUESTION, EAST, chat=make_chat(""))
    assert useless == graph.rank("kgp:seeds=1,branching=1", QUESTION, EAST)


class Writing(Models):
    """A trained writer that always writes the same text; records the trails."""

    def __init__(self, text):
        self.text, self.read = text, []

    def infer(self, part, inputs):
        assert part == "writer"
        assert inputs["question"] == QUESTION
        self.read += inputs["trails"]
        return [self.text] * len(inputs["trails"])


def test_a_trained_writer_replaces_the_model(graph):
    writer = Writing("She studied in Trondheim.")
    ranking = graph.rank("kgp:guide=writer,seeds=1,branching=1", QUESTION, EAST, parts=writer)
    assert "right" in graph.keys(ranking.ids)
    assert writer.read == [["one.pdf: The Skarv Bridge was drawn by Ingrid Vale."]]
    useless = graph.rank("kgp:guide=writer,seeds=1,branching=1", QUESTION, EAST, parts=Writing(""))
    assert useless == graph.rank("kgp:seeds=1,branching=1", QUESTION, EAST)


def test_without_a_graph_the_writer_s_text_is_searched_for(graph):
    ranking = graph.rank(
        "guided:guide=writer,seeds=1,branching=1", QUESTION, EAST, parts=Writing("She studied in Trondheim.")
    )
    assert "right" in graph.keys(ranking.ids)


def test_two_hops_with_a_model_replay_without_store_or_model(graph, make_chat):
    chat = make_chat({"evidence": "She studied in Trondheim."}, {"evidence": "A fjord."})
    spec = "kgp:guide=model,seeds=1,branching=1,hops=3"
    outcome = graph.outcome(spec, QUESTION, EAST, chat=chat)
    assert {"right", "far"} <= set(graph.keys(outcome.result.ids))
    assert len(chat.prompts) == 2
    assert replay(load_strategy(spec).flow(QUESTION, 10), outcome.trace) == outcome.result


def test_a_spent_budget_returns_the_seeds(graph, make_chat):
    ranking = graph.rank("kgp:guide=model,seeds=1", QUESTION, EAST, chat=make_chat({"evidence": "x"}), calls=0)
    assert set(graph.keys(ranking.ids)) == {"seed", "words"}


def test_the_number_of_paths_is_limited(graph):
    ranking = graph.rank("kgp:seeds=1,branching=3,paths=1", QUESTION, EAST)
    assert set(graph.keys(ranking.ids)) == {"seed", "words"}


@pytest.mark.parametrize("spec", ["kgp:guide=model", "guided:guide=model"])
def test_written_evidence_is_compared_by_words_with_and_without_a_graph(graph, make_chat, spec):
    graph.embedder.known["She studied in Trondheim."] = [0, 0, 1, 0]  # the vector of another passage
    chat = make_chat({"evidence": "She studied in Trondheim."})
    ranking = graph.rank(f"{spec},seeds=1,branching=1", "Skarv Bridge", EAST, chat=chat)
    assert set(graph.keys(ranking.ids)) == {"seed", "right"}


def test_a_third_hop_is_reached_when_the_second_has_all_its_paths(graph):
    spec = "kgp:guide=encoder,seeds=1,branching=2,paths=2"
    graph.embedder.known[f"{QUESTION} one.pdf: The Skarv Bridge was drawn by Ingrid Vale."] = [0, 1, 0, 0]
    two, three = (set(graph.keys(graph.rank(f"{spec},hops={hops}", QUESTION, EAST).ids)) for hops in (2, 3))
    assert two == {"seed", "right", "words"}
    assert three == {"seed", "right", "words", "far"}


def test_the_best_continuation_of_every_path_comes_before_the_second_best_of_any(graph):
    graph.passage("other", "The Skarv Bridge was painted by Jon Dahl, who designed another bridge.", [0.9, 0.1, 0, 0])
    graph.passage("dahl", "Jon Dahl was a painter.", [0, 0.2, 0, 0.9])
    graph.passage("end", "Painters in Oslo.", [0, 0.2, 0, 0.9])
    graph.entity("Jon Dahl", "other", "dahl")
    graph.entity("Oslo", "dahl", "end", kind="GPE")
    ranking = graph.rank("kgp:seeds=2,branching=2,paths=4,hops=3,keep=paths", "Skarv Bridge", EAST)
    # the second hop has three paths, of which two are extended: the best of seed and that of other
    assert "end" in graph.keys(ranking.ids)


def test_the_passages_of_the_paths_can_be_the_result(graph):
    for n in range(4):
        graph.passage(f"like{n}", f"Skarv Bridge {n}.", [0, 0, 0, 1], "two.pdf")
    question, spec = "Who drew the Skarv Bridge?", "kgp:seeds=1,branching=2,keep=paths"
    fused = graph.rank("kgp:seeds=1,branching=2", question, EAST)
    ranking = graph.rank(spec, question, EAST)
    [first, *rest] = graph.keys(ranking.ids)
    assert set(graph.keys(fused.ids)) > {first, *rest}, "passages by TF-IDF that are no seeds are left out"
    assert list(ranking.scores) == [1 / rank for rank in range(1, len(ranking.ids) + 1)]
    assert len(graph.rank(spec, question, EAST, 1).ids) == 1


def test_paths_are_read_one_by_one_the_longest_first(graph):
    spec = "kgp:seeds=1,branching=1,hops=3,guide=encoder,keep=paths"
    trail = f"{QUESTION} one.pdf: The Skarv Bridge was drawn by Ingrid Vale."
    graph.embedder.known |= {
        trail: [0, 1, 0, 0],
        f"{trail}\n\none.pdf: Ingrid Vale studied in Trondheim.": [0, 1, 1, 0],
    }
    ranking = graph.rank(spec, QUESTION, EAST)
    assert graph.keys(ranking.ids) == ["seed", "right", "far"]
    assert [step.edge for step in ranking.paths[graph.id("far")]] == ["MENTIONS"] * 4


def test_a_seed_without_neighbours_is_a_path(graph):
    assert graph.keys(graph.rank("kgp:keep=paths", "Slate", EAST).ids) == ["alone"]


def test_with_a_spent_budget_the_seeds_are_the_paths(graph, make_chat):
    chat = make_chat({"evidence": "x"})
    ranking = graph.rank("kgp:guide=model,seeds=1,keep=paths", QUESTION, EAST, chat=chat, calls=0)
    assert graph.keys(ranking.ids) == ["seed"]


def test_graphs_link_by_names_keywords_and_similarity(graph):
    graph.entity("fjord", "far", "alone", kind="NOUN")
    graph.similar("seed", "alone", 0.9)
    names = graph.rank("kgp:seeds=1,hops=3", QUESTION, EAST)
    keywords = graph.rank("kgp:seeds=1,hops=4,graph=keywords", QUESTION, EAST)
    similar = graph.rank("kgp:seeds=1,graph=similar", QUESTION, EAST)
    assert "alone" not in graph.keys(names.ids)
    assert "alone" in graph.keys(keywords.ids)
    assert [step.edge for step in similar.paths[graph.id("alone")]] == ["SIMILAR"]


def test_a_hub_links_no_evidence(graph):
    ranking = graph.rank("kgp:seeds=1,hub=2", QUESTION, EAST)
    assert "right" not in graph.keys(ranking.ids)


def test_the_guide_without_a_graph_searches_everywhere(graph, make_chat):
    chat = make_chat({"evidence": "A fjord."})
    ranking = graph.rank("guided:guide=model,seeds=1,branching=1", QUESTION, EAST, chat=chat)
    assert "far" in graph.keys(ranking.ids)
    assert "drawn by" in chat.prompts[0].text
