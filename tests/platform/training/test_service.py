"""`hop.training` on the real server with the real embedder."""

import json
import shutil

import pytest

from hopline.errors import ModelUnavailable, UnknownName, UsageError
from hopline.evaluation import Question
from hopline.training.training_loop import Recipe

KEEPERS = ["Ada Thorne", "Ben Rask", "Cora Lund", "Dag Moe", "Eva Brandt", "Finn Holt", "Gro Aas", "Hal Voss"]
ISLANDS = [f"{first}{last}" for first in ("Tor", "Kal", "Ves", "Nor") for last in ("holm", "sund", "vik", "ness", "oy")]


@pytest.fixture(scope="module")
def lights(hop, tmp_path_factory):
    """Islands with their keepers, and keepers with their trades, for questions of two hops."""
    rows = [
        {"id": f"i{n}", "title": island, "text": f"The light of {island} is kept by {KEEPERS[n % 8]}."}
        for n, island in enumerate(ISLANDS)
    ]
    rows += [
        {"id": f"k{n}", "title": name, "text": f"{name} was trained as a joiner in the town of {name[:3]}by."}
        for n, name in enumerate(KEEPERS)
    ]
    file = tmp_path_factory.mktemp("lights") / "lights.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    assert hop.add(file, collection="lights").wait(timeout=240).failures == ()
    template = "Where was the keeper of the light of {} trained?"
    return [Question(f"q{n}", template.format(item), gold=(f"i{n}", f"k{n % 8}")) for n, item in enumerate(ISLANDS)]


def test_a_guide_is_trained_with_progress_and_used(hop, lights):
    reports = []
    recipe = Recipe(epochs=2, batch=8, rate=1e-3)
    folder = hop.settings.weights / "mdr"
    try:
        card = hop.training.mdr({"lights": lights}, recipe=recipe, metadata={"by": "hand"}, on_progress=reports.append)
        assert card.data["collections"] == "lights"
        assert card.data["by"] == "hand"
        assert [item.phase for item in reports] == ["questions of lights", *["guide"] * 6]
        assert (folder / "README.md").exists()
        retrieval = hop.retrieve(lights[3].text, collection="lights", strategy="mdr:trained=true", k=5)
        assert "i3" in {item.source_id for item in retrieval.evidence}
    finally:
        shutil.rmtree(folder, ignore_errors=True)  # restores the bundled guide for this session


def test_an_evidence_graph_is_built_from_given_facts(hop):
    facts = {
        "bridge": "The Skarv Bridge was designed by Ingrid Vale.",
        "vale": "Ingrid Vale studied engineering in Trondheim.",
        "slate": "Slate is a grey stone that roofs are made of.",
    }
    graph = hop.evidence_graph("Where did the designer of the Skarv Bridge study?", facts)
    assert {node.id for node in graph.nodes} == {end for edge in graph.edges for end in edge if end}
    assert {node.id for node in graph.nodes} == {"bridge", "vale"}
    assert {node.name for node in graph.nodes} == {facts["bridge"], facts["vale"]}


def test_questions_to_graphs_are_cleaned_as_those_of_ask(hop, lights):
    with pytest.raises(UsageError, match="a question is a text; got 7"):
        hop.answer_from_graph(7, collection="lights")
    with pytest.raises(UsageError, match="hopline train graph_llm"):
        hop.answer_from_graph(f"{lights[0].text} \ud83d\n", collection="lights")
    assert hop.answer_from_graph(" \n", collection="lights") == ""
    facts = {"bridge": "The Skarv Bridge was designed by Ingrid Vale. \ud83d"}
    [node] = hop.evidence_graph("Who designed the Skarv Bridge\n\ud83d?", facts).nodes
    assert node.name == "The Skarv Bridge was designed by Ingrid Vale. \N{REPLACEMENT CHARACTER}"


def test_untrained_models_and_wrong_strategies_are_refused(hop, lights):
    with pytest.raises(UsageError, match="hopline train graph_llm"):
        hop.answer_from_graph(lights[0].text, collection="lights")
    with pytest.raises(UsageError, match="need the strategy ras"):
        hop.answer_from_graph(lights[0].text, collection="lights", strategy="dense")
    with pytest.raises(UsageError, match="hopline train graph_hop"):
        hop.evidence_graph("Who?", {"a": "Ada."}, follows="network")
    with pytest.raises(ModelUnavailable):
        hop.training.label_questions([Question("1", "Who?", answers=("Ada",), gold=("i0", "k0"))], collection="lights")
    with pytest.raises(UnknownName, match="nowhere"):
        hop.training.reranker(lights, collection="nowhere")
