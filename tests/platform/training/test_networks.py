"""The networks learn what they are shown, from a few graphs and hops made up, and their weights are used."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from hopline.embeddings.minilm import MiniLM, shipped_folder, torch_minilm
from hopline.errors import UsageError
from hopline.evaluation.evidence_graphs import Graph, read_graphs
from hopline.learned.graph_hop import Decision, GraphHop, laid_out
from hopline.learned.graph_hop_network import Direction, lower_states
from hopline.learned.mdr import load_mdr
from hopline.learned.weight_files import CARD, READ_ME
from hopline.scoring.evidence_graph import QUESTION
from hopline.training.graph_hop import Setup, _batch, split, train_graph_hop
from hopline.training.hop_order import Hops
from hopline.training.mdr import Pool, train_mdr
from hopline.training.training_loop import Recipe

TOWNS = ["Bergen", "Oslo", "Voss", "Narvik", "Hamar", "Molde", "Alta", "Bodø", "Moss", "Gjøvik", "Larvik", "Skien"]
PEOPLE = ["Vale", "Berg", "Dahl", "Lund", "Moen", "Haug", "Strand", "Solberg", "Bakke", "Eide", "Holm", "Lie"]


def graph(n):
    """Who drew a bridge, then where they were born; the other facts are of other bridges and people."""
    town, person, other = TOWNS[n % 12], PEOPLE[(n * 5 + n // 12) % 12], PEOPLE[(n + 7) % 12]
    facts = {
        "drawn": f"the bridge of {town} was drawn by {person}", "born": f"{person} was born in {TOWNS[(n + 3) % 12]}",
        "noise": f"{other} plays the violin", "more": "slate is a grey stone", "last": f"ferries leave {TOWNS[(n + 5) % 12]}",
    }  # fmt: skip
    edges = ((QUESTION, "drawn"), ("drawn", "born"))
    return Graph(str(n), f"where was the designer of the bridge of {town} born?", facts, edges)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder, heard = tmp_path_factory.mktemp("graph_hop"), []
    graphs = [graph(n) for n in range(32)]
    setup = Setup(layers=0, recipe=Recipe(epochs=6, batch=8, rate=2e-3))
    card = train_graph_hop(graphs[:24], graphs[24:], folder, setup=setup, told={"by": "hand"}, listener=heard.append)
    return folder, card, heard, graphs


def test_a_network_learns_what_follows_in_both_directions(trained):
    _, card, heard, _ = trained
    assert card.figures["dev F1"] > 0.9
    assert card.figures["dev GM"] > 0.5
    assert {told.phase for told in heard} == {"forward", "backward", "choosing"}


def test_its_card_says_what_it_is_and_its_checkpoints_are_gone(trained):
    folder, card, _, _ = trained
    assert {path.name for path in folder.iterdir()} == {"model.safetensors", CARD, READ_ME}
    assert json.loads((folder / CARD).read_text())["data"] == {"by": "hand", "graphs": 24, "graphs to choose on": 8}
    assert card.recipe["seed"] == 42


def test_what_a_path_leads_to_does_not_depend_on_what_else_is_asked(trained):
    folder, _, _, graphs = trained
    network = GraphHop.load(folder)
    facts = list(graphs[26].facts.values())
    asked = {"question": graphs[26].question, "facts": facts}
    together = network(way="forward", paths=[[], [0], [0, 1], [2]], **asked)
    alone = np.vstack([network(way="forward", paths=[path], **asked) for path in ([], [0], [0, 1], [2])])
    assert np.allclose(together, alone, atol=1e-5)
    assert together[1, 0] == together[2, 0] == together[2, 1] == 0.0  # what is on a path does not follow it
    assert together[0].argmax() == 0
    assert together[1].argmax() == 1


def test_the_order_of_facts_changes_nothing(trained):
    folder, _, _, graphs = trained
    network = GraphHop.load(folder)
    facts = list(graphs[27].facts.values())
    there = network(way="backward", question=graphs[27].question, facts=facts, paths=[[]])[0]
    back = network(way="backward", question=graphs[27].question, facts=facts[::-1], paths=[[]])[0]
    assert np.allclose(there, back[::-1], atol=1e-5)


def test_an_untrained_network_puts_first_what_is_most_alike():
    bert, tokenizer = torch_minilm()
    directions = {way: Direction(bert, layers=1).eval() for way in ("forward", "backward")}
    network = GraphHop(directions, bert, tokenizer, layers=1)
    facts = ["slate is a grey stone", "the bridge of Voss was drawn by Vale", "Vale plays the violin"]
    question = "who drew the bridge of Voss?"
    chances = network.chances("forward", question, facts, [[]])[0]
    vectors = MiniLM(shipped_folder()).embed([question, *facts])
    assert np.argsort(-chances).tolist() == np.argsort(-(vectors[1:] @ vectors[0])).tolist()


def test_a_question_in_a_batch_of_longer_ones_with_the_same_facts_gets_what_it_gets_alone():
    bert, tokenizer = torch_minilm()
    torch.manual_seed(3)
    direction = Direction(bert, layers=1).eval()
    for value in direction.parameters():
        value.data += 0.02 * torch.randn_like(value)  # what begins silent would hide what is mixed up
    short = replace(graph(1), question="who?")
    long = replace(graph(2), facts={**graph(2).facts, "drawn": short.facts["drawn"], "last": "a pier"})  # equal texts
    below = dict.fromkeys(text for one in (short, long) for text in (one.question, *one.facts.values()))
    tokens = [one.ids for one in tokenizer.encode_batch_fast(list(below))]
    below = dict(zip(below, lower_states(bert, tokens, layers=1), strict=True))

    def logits(graphs):
        batch = _batch(graphs, [list(one.facts) for one in graphs], "forward")
        questions = direction.encode([below[one.question] for one in graphs])
        with torch.inference_mode():
            found = direction.follows(questions, direction.encode([below[text] for text in batch.facts]), batch.paths)
        return found[batch.paths.open], batch.targets[batch.paths.open]

    (both, wanted), (first, one), (second, other) = logits([short, long]), logits([short]), logits([long])
    assert torch.allclose(both, torch.cat([first, second]), atol=1e-4)
    assert torch.equal(wanted, torch.cat([one, other]))


def test_what_follows_is_nearly_as_likely_as_the_likeliest_and_behind_the_first_step_likely_by_itself():
    chances = np.array([[0.2, 0.15, 0.05], [0.2, 0.15, 0.0], [0.9, 0.5, 0.0]], dtype=np.float32)
    sure = Decision(share=0.6, bar=0.4).certainties(chances, [[], [2], [2]])
    assert (sure >= 0.5).tolist() == [[True, True, False], [False, False, False], [True, False, False]]
    assert sure[1, 2] == 0.0  # what is on the path
    assert np.argsort(-sure, axis=1).tolist() == np.argsort(-chances, axis=1).tolist()


def test_paths_bring_what_they_go_on_from():
    laid = laid_out([(1, 0), (2,)], 3)
    assert laid.paths.parent.tolist() == [-1, 0, 0, 1]
    assert laid.asked == [3, 2]
    assert laid.paths.open[3].tolist() == [False, False, True]


def test_too_few_graphs_are_refused():
    with pytest.raises(UsageError, match="20 graphs"):
        split([graph(n) for n in range(5)])


def test_own_rows_are_read_and_bad_ones_named(tmp_path):
    path = Path(tmp_path / "rows.jsonl")
    row = {"id": "1", "question": "?", "facts": ["one", "two"], "edges": [["", "0"], ["0", "1"]]}
    path.write_text(json.dumps(row) + "\n")
    assert read_graphs(path) == [Graph("1", "?", {"0": "one", "1": "two"}, ((QUESTION, "0"), ("0", "1")))]
    path.write_text(json.dumps(row) + "\n" + json.dumps({**row, "edges": [["", "9"]]}) + "\n")
    with pytest.raises(UsageError, match=r"line 2: wanted .* 9, which is none of the facts"):
        read_graphs(path)
    path.write_text("")
    with pytest.raises(UsageError, match="no row"):
        read_graphs(path)


def test_the_guide_learns_where_the_next_passage_is(tmp_path):
    encoder = MiniLM(shipped_folder())
    passages = [f"{town}: The bridge of {town} was drawn by {who}." for town, who in zip(TOWNS, PEOPLE, strict=True)]
    passages += [f"{who}: {who} was born in {TOWNS[n - 5]}." for n, who in enumerate(PEOPLE)]
    ids = [str(n) for n in range(len(passages))]
    asked = [f"where was the designer of the bridge of {town} born?" for town in TOWNS] * 2
    hops = [
        Hops(question, (str(n % 12), str(12 + n % 12)), (passages[n % 12], passages[12 + n % 12]))
        for n, question in enumerate(asked)
    ]
    heard = []
    card = train_mdr(
        [Pool("toy", ids, encoder.embed(passages), hops)], tmp_path, recipe=Recipe(4, 8, 2e-3), listener=heard.append
    )
    assert heard[-1].loss < heard[0].loss
    guide = load_mdr(tmp_path)
    texts = [f"{one.question} {one.texts[0]}" for one in hops[:12]]
    vectors = encoder.embed(passages)

    def right(found):
        return sum(int(np.argmax(vectors @ one)) == 12 + n for n, one in enumerate(found))

    assert right(guide(texts=texts)) > right(encoder.embed(texts))
    assert card.data["questions held out"] == 3
    assert not (tmp_path / "guide.checkpoint").exists()


def test_too_few_hops_are_refused(tmp_path):
    pool = Pool("toy", ["1"], np.ones((1, 384), dtype=np.float32), [])
    with pytest.raises(UsageError, match="two gold passages"):
        train_mdr([pool], tmp_path)
