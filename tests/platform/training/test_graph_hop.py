"""Training of Graph-Hop and MDR on a few invented graphs and hops, and use of the weights."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from hopline.embeddings.minilm import MiniLM, load_torch_minilm, minilm_folder
from hopline.errors import UsageError
from hopline.evaluation.evidence_graphs import EvidenceGraphSample, read_evidence_graphs
from hopline.learned.graph_hop import DIRECTIONS, VERSION, DecisionThresholds, TrainedGraphHop, batch_paths
from hopline.learned.graph_hop_network import GraphHopNetwork, encode_lower_layers
from hopline.learned.mdr import load_mdr
from hopline.learned.registry import ModelRegistry
from hopline.learned.weight_files import CARD_FILE, README_FILE, load_weights, save_weights
from hopline.scoring.evidence_graph import QUESTION
from hopline.training.graph_hop import GraphHopConfig, split_graphs, train_graph_hop
from hopline.training.graph_hop_batches import build_batch
from hopline.training.graph_hop_thresholds import GAMMAS, evaluate_direction, select_thresholds
from hopline.training.hop_order import HopSequence
from hopline.training.mdr import TrainingCollection, train_mdr
from hopline.training.training_loop import Recipe

TOWNS = ["Bergen", "Oslo", "Voss", "Narvik", "Hamar", "Molde", "Alta", "Bodø", "Moss", "Gjøvik", "Larvik", "Skien"]
PEOPLE = ["Vale", "Berg", "Dahl", "Lund", "Moen", "Haug", "Strand", "Solberg", "Bakke", "Eide", "Holm", "Lie"]


def graph(n):
    """The gold facts are who drew a bridge and where they were born; the others are distractors."""
    town, person, other = TOWNS[n % 12], PEOPLE[(n * 5 + n // 12) % 12], PEOPLE[(n + 7) % 12]
    facts = {
        "drawn": f"the bridge of {town} was drawn by {person}", "born": f"{person} was born in {TOWNS[(n + 3) % 12]}",
        "noise": f"{other} plays the violin", "more": "slate is a grey stone", "last": f"ferries leave {TOWNS[(n + 5) % 12]}",
    }  # fmt: skip
    edges = ((QUESTION, "drawn"), ("drawn", "born"))
    return EvidenceGraphSample(str(n), f"where was the designer of the bridge of {town} born?", facts, edges)


@pytest.fixture(scope="module")
def network_training(tmp_path_factory):
    folder, reports = tmp_path_factory.mktemp("graph_hop"), []
    graphs = [graph(n) for n in range(32)]
    config = GraphHopConfig(layers=0, recipe=Recipe(epochs=6, batch=8, rate=2e-3))
    card = train_graph_hop(
        graphs[:24], graphs[24:], folder, config=config, metadata={"by": "hand"}, on_progress=reports.append
    )
    return folder, card, reports, graphs


def test_a_network_learns_the_next_evidence_in_both_directions(network_training):
    _, card, reports, _ = network_training
    assert card.figures["dev F1"] > 0.9
    assert card.figures["dev GM"] > 0.5
    assert {progress.phase for progress in reports} == {"forward", "backward", "choosing"}


def test_training_writes_a_model_card_and_deletes_its_checkpoints(network_training):
    folder, card, _, _ = network_training
    assert {path.name for path in folder.iterdir()} == {"model.safetensors", CARD_FILE, README_FILE}
    assert json.loads((folder / CARD_FILE).read_text())["data"] == {
        "by": "hand",
        "graphs": 24,
        "graphs to choose on": 8,
    }
    assert card.recipe["seed"] == 42


def test_the_prediction_for_a_path_does_not_depend_on_other_paths_of_the_call(network_training):
    folder, _, _, graphs = network_training
    network = TrainedGraphHop.load(folder)
    facts = list(graphs[26].facts.values())
    inputs = {"question": graphs[26].question, "facts": facts}
    together = network(direction="forward", paths=[[], [0], [0, 1], [2]], **inputs)
    alone = np.vstack([network(direction="forward", paths=[path], **inputs) for path in ([], [0], [0, 1], [2])])
    assert np.allclose(together, alone, atol=1e-5)
    assert together[1, 0] == together[2, 0] == together[2, 1] == 0.0  # evidence on a path does not follow it
    assert together[0].argmax() == 0
    assert together[1].argmax() == 1


def test_the_selected_gamma_is_stored_with_the_weights_and_returned_by_the_network(network_training, tmp_path):
    folder, card, _, _ = network_training
    assert card.shape["gamma"] in GAMMAS
    other = ModelRegistry(tmp_path)
    changed = replace(card, shape={**card.shape, "gamma": 0.37})
    save_weights(tmp_path / "graph_hop", load_weights(folder, version=VERSION)[0], changed)
    assert other.infer("graph_hop", {"output": "gamma"}) == 0.37


def test_the_order_of_facts_changes_nothing(network_training):
    folder, _, _, graphs = network_training
    network = TrainedGraphHop.load(folder)
    facts = list(graphs[27].facts.values())
    there = network(direction="backward", question=graphs[27].question, facts=facts, paths=[[]])[0]
    back = network(direction="backward", question=graphs[27].question, facts=facts[::-1], paths=[[]])[0]
    assert np.allclose(there, back[::-1], atol=1e-5)


class StarNetwork:
    """In both directions, fixed probabilities of the facts at the first hop; nothing follows after it."""

    def predict_probabilities(self, direction, question, facts, paths):
        chances = [float(text) for text in facts]
        return np.array([[0.0 if path else chance for chance in chances] for path in paths], dtype=np.float32)


def test_thresholds_and_epochs_are_selected_by_complete_graphs_before_the_f1_of_their_evidence():
    single = EvidenceGraphSample("1", "?", {"a": "1.0", "b": "0.65"}, ((QUESTION, "a"),))
    facts = {"a": "1.0", **dict.fromkeys("bcde", "0.65")}
    wide = EvidenceGraphSample("2", "?", facts, (*((QUESTION, id) for id in "abcd"), ("a", "e")))
    # with all facts of .65, the second graph has the right evidence with one wrong edge: GM 0, F1 (2/3 + 1) / 2;
    # without them, the first one is complete: GM 1/2, F1 (1 + 1/3) / 2
    selected = select_thresholds(StarNetwork(), [single, wide], lambda _: None)  # type: ignore[arg-type]
    assert selected.figures["dev GM"] == 0.5
    assert selected.figures["dev F1"] == pytest.approx(2 / 3, abs=1e-4)
    assert {thresholds.relative for thresholds in selected.thresholds.values()} == {0.7}
    for direction in DIRECTIONS:
        assert evaluate_direction(StarNetwork(), [single, wide], direction) == (0.5, 0.6667)  # type: ignore[arg-type]
        assert evaluate_direction(StarNetwork(), [wide], direction) == (0.0, 1.0)  # type: ignore[arg-type]


def test_the_card_has_the_best_epoch_of_each_direction(network_training):
    _, card, _, _ = network_training
    assert set(card.figures["best epoch"]) == set(DIRECTIONS)
    assert all(1 <= epoch <= 6 for epoch in card.figures["best epoch"].values())


def test_an_untrained_network_ranks_by_similarity():
    bert, tokenizer = load_torch_minilm()
    directions = {direction: GraphHopNetwork(bert, layers=1).eval() for direction in ("forward", "backward")}
    network = TrainedGraphHop(directions, bert, tokenizer, layers=1)  # type: ignore[arg-type]
    facts = ["slate is a grey stone", "the bridge of Voss was drawn by Vale", "Vale plays the violin"]
    question = "who drew the bridge of Voss?"
    probabilities = network.predict_probabilities("forward", question, facts, [[]])[0]
    vectors = MiniLM(minilm_folder()).embed([question, *facts])
    assert np.argsort(-probabilities).tolist() == np.argsort(-(vectors[1:] @ vectors[0])).tolist()


def test_padding_does_not_change_the_logits_of_a_shorter_question():
    bert, tokenizer = load_torch_minilm()
    torch.manual_seed(3)
    direction = GraphHopNetwork(bert, layers=1).eval()
    for value in direction.parameters():
        value.data += 0.02 * torch.randn_like(value)  # modules initialised to zero would hide errors
    short = replace(graph(1), question="who?")
    long = replace(graph(2), facts={**graph(2).facts, "drawn": short.facts["drawn"], "last": "a pier"})  # equal texts
    below = dict.fromkeys(text for sample in (short, long) for text in (sample.question, *sample.facts.values()))
    tokens = [encoding.ids for encoding in tokenizer.encode_batch_fast(list(below))]
    below = dict(zip(below, encode_lower_layers(bert, tokens, layers=1), strict=True))

    def logits(graphs):
        batch = build_batch(graphs, [list(sample.facts) for sample in graphs], "forward")
        questions = direction.encode([below[sample.question] for sample in graphs])
        with torch.inference_mode():
            scores = direction.score_candidates(
                questions, direction.encode([below[text] for text in batch.facts]), batch.tree
            )
        return scores[batch.tree.allowed], batch.targets[batch.tree.allowed]

    (both, wanted), (first, first_targets), (second, second_targets) = (
        logits([short, long]),
        logits([short]),
        logits([long]),
    )
    assert torch.allclose(both, torch.cat([first, second]), atol=1e-4)
    assert torch.equal(wanted, torch.cat([first_targets, second_targets]))


def test_the_absolute_threshold_applies_after_the_first_hop_only():
    probabilities = np.array([[0.2, 0.15, 0.05], [0.2, 0.15, 0.0], [0.9, 0.5, 0.0]], dtype=np.float32)
    sure = DecisionThresholds(relative=0.6, absolute=0.4).calibrate(probabilities, [[], [2], [2]])
    assert (sure >= 0.5).tolist() == [[True, True, False], [False, False, False], [True, False, False]]
    assert sure[1, 2] == 0.0  # evidence on the path
    assert np.argsort(-sure, axis=1).tolist() == np.argsort(-probabilities, axis=1).tolist()


def test_a_batch_of_paths_includes_their_prefixes():
    batch = batch_paths([(1, 0), (2,)], 3)
    assert batch.tree.parent.tolist() == [-1, 0, 0, 1]
    assert batch.rows == [3, 2]
    assert batch.tree.allowed[3].tolist() == [False, False, True]


def test_too_few_graphs_are_refused():
    with pytest.raises(UsageError, match="20 graphs"):
        split_graphs([graph(n) for n in range(5)])


def test_gold_graphs_are_read_and_invalid_rows_are_named(tmp_path):
    path = Path(tmp_path / "rows.jsonl")
    row = {"id": "1", "question": "?", "facts": ["one", "two"], "edges": [["", "0"], ["0", "1"]]}
    path.write_text(json.dumps(row) + "\n")
    assert read_evidence_graphs(path) == [
        EvidenceGraphSample("1", "?", {"0": "one", "1": "two"}, ((QUESTION, "0"), ("0", "1")))
    ]
    path.write_text(json.dumps(row) + "\n" + json.dumps({**row, "edges": [["", "9"]]}) + "\n")
    with pytest.raises(UsageError, match=r"line 2: wanted .* 9, which is not one of the facts"):
        read_evidence_graphs(path)
    path.write_text("")
    with pytest.raises(UsageError, match="no row"):
        read_evidence_graphs(path)


def make_musique_row(*steps):
    """A row with four paragraphs; a step is its question and the index of its paragraph."""
    paragraphs = [{"idx": n, "title": title, "paragraph_text": f"On {title}."} for n, title in enumerate("ABCD")]
    decomposition = [{"question": text, "answer": "x", "paragraph_support_idx": index} for text, index in steps]
    return {"id": "m", "question": "?", "paragraphs": paragraphs, "question_decomposition": decomposition}


@pytest.mark.parametrize(
    ("steps", "edges"),
    [
        ([("who sang the #7 hit?", 2), ("where is #1?", 0)], [(QUESTION, "2"), ("2", "0")]),
        ([("who?", 2), ("what?", 1), ("is #1 in #2?", 3)], [(QUESTION, "2"), (QUESTION, "1"), ("2", "3"), ("1", "3")]),
        ([("who?", 2), ("when was #1 there?", 2), ("where is #2?", 0)], [(QUESTION, "2"), ("2", "0")]),
        ([("who?", 2), ("where is #1?", 0), ("what is in #2?", 2)], [(QUESTION, "2"), ("2", "0")]),
    ],
)
def test_the_decomposition_of_musique_is_a_graph_of_paragraphs(tmp_path, steps, edges):
    path = Path(tmp_path / "rows.jsonl")
    path.write_text(json.dumps(make_musique_row(*steps)) + "\n")
    [graph] = read_evidence_graphs(path)
    assert graph.facts == {"0": "A: On A.", "1": "B: On B.", "2": "C: On C.", "3": "D: On D."}
    assert sorted(graph.edges) == sorted(edges)


@pytest.mark.parametrize("step", [("who?", 9), ("who?", None)])
def test_a_step_of_musique_without_its_paragraph_is_refused(tmp_path, step):
    path = Path(tmp_path / "rows.jsonl")
    path.write_text(json.dumps(make_musique_row(step)) + "\n")
    with pytest.raises(UsageError, match=r"line 1: .* which is not one of the paragraphs"):
        read_evidence_graphs(path)


def test_the_guide_learns_to_predict_the_next_passage(tmp_path):
    encoder = MiniLM(minilm_folder())
    passages = [f"{town}: The bridge of {town} was drawn by {who}." for town, who in zip(TOWNS, PEOPLE, strict=True)]
    passages += [f"{who}: {who} was born in {TOWNS[n - 5]}." for n, who in enumerate(PEOPLE)]
    ids = [str(n) for n in range(len(passages))]
    questions = [f"where was the designer of the bridge of {town} born?" for town in TOWNS] * 2
    hops = [
        HopSequence(question, (str(n % 12), str(12 + n % 12)), (passages[n % 12], passages[12 + n % 12]))
        for n, question in enumerate(questions)
    ]
    reports = []
    card = train_mdr(
        [TrainingCollection("toy", ids, encoder.embed(passages), hops)],
        tmp_path,
        recipe=Recipe(4, 8, 2e-3),
        on_progress=reports.append,
    )
    assert reports[-1].loss < reports[0].loss
    guide = load_mdr(tmp_path)
    texts = [f"{hop.question} {hop.texts[0]}" for hop in hops[:12]]
    vectors = encoder.embed(passages)

    def right(predictions):
        return sum(int(np.argmax(vectors @ prediction)) == 12 + n for n, prediction in enumerate(predictions))

    assert right(guide(texts=texts)) > right(encoder.embed(texts))
    assert card.data["questions held out"] == 3
    assert not (tmp_path / "guide.checkpoint").exists()


def test_too_few_hops_are_refused(tmp_path):
    pool = TrainingCollection("toy", ["1"], np.ones((1, 384), dtype=np.float32), [])
    with pytest.raises(UsageError, match="two gold passages"):
        train_mdr([pool], tmp_path)
