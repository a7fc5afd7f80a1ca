"""Trained parts: found by name, read once, read again when they were trained anew."""

import numpy as np
import pytest

from hopline.embeddings.lora import adapted, fresh
from hopline.embeddings.minilm import MiniLM, shipped_folder, torch_minilm
from hopline.errors import UnknownName, UsageError
from hopline.flow.replay import replay
from hopline.flow.requests import infer
from hopline.flow.run import run
from hopline.flow.services import Graph, Parts, Scope, World
from hopline.learned.mdr import VERSION, load_mdr
from hopline.learned.registry import LOADERS, TAUGHT_BY, LearnedParts
from hopline.learned.weight_files import Card, save_weights
from hopline.types import Trace

CARD = Card("mdr", VERSION, "", "", {}, {}, {}, {}, 0.0)
TEXTS = ["Who drew the bridge?", "Ingrid Vale drew the Skarv Bridge. " * 40, "slate"]


@pytest.fixture(scope="module")
def bert():
    return torch_minilm()[0]


def numbers(bert, up=0.0):
    change = fresh(bert, rank=2, seed=1)
    return {name: np.full_like(one, up) if name.endswith("up") else one for name, one in change.items()}


def test_a_change_of_nothing_changes_nothing(bert, tmp_path):
    save_weights(tmp_path, numbers(bert), CARD)
    plain, guide = MiniLM(shipped_folder()), load_mdr(tmp_path)
    assert np.allclose(plain.embed(TEXTS), guide(texts=TEXTS), atol=1e-6)


def test_a_change_is_added_to_the_weights(bert, tmp_path):
    change = numbers(bert, up=0.02)
    merged = adapted(bert, {name: bert.words.new_tensor(one) for name, one in change.items()})
    wanted = bert.layers[3].widen.weight.numpy() + change["3.widen.up"] @ change["3.widen.down"]
    assert np.allclose(merged.layers[3].widen.weight.numpy(), wanted, atol=1e-6)
    save_weights(tmp_path, change, CARD)
    assert not np.allclose(MiniLM(shipped_folder()).embed(TEXTS[:1]), load_mdr(tmp_path)(texts=TEXTS[:1]), atol=1e-4)


def test_one_question_and_a_batch_are_changed_alike(bert, tmp_path):
    save_weights(tmp_path, numbers(bert, up=0.02), CARD)
    guide = load_mdr(tmp_path)
    one, many = guide(texts=TEXTS[:1]), guide(texts=TEXTS)  # by numpy, by torch
    assert np.allclose(one[0], many[0], atol=1e-4)


def test_what_was_trained_anew_is_read_anew(bert, tmp_path):
    parts = LearnedParts(tmp_path)
    save_weights(tmp_path / "mdr", numbers(bert), CARD)
    before = parts.infer("mdr", {"texts": TEXTS[:1]})
    save_weights(tmp_path / "mdr", numbers(bert, up=0.02), CARD)
    assert not np.allclose(before, parts.infer("mdr", {"texts": TEXTS[:1]}), atol=1e-4)


def test_a_part_that_was_not_trained_says_how_to(tmp_path):
    assert set(TAUGHT_BY) == set(LOADERS)
    with pytest.raises(UsageError, match="hopline train graph_hop"):
        LearnedParts(tmp_path).infer("graph_hop", {})
    with pytest.raises(UnknownName, match="graph_hop, graph_llm, mdr, themes, writer"):
        LearnedParts(tmp_path).infer("bgr", {})


class Nothing(Graph):
    def search(self, request, scope, vector):
        raise AssertionError(request)

    def fetch(self, name, parameters, scope):
        raise AssertionError(name)


class Doubling(Parts):
    def infer(self, part, inputs):
        return np.asarray(inputs["numbers"], dtype=np.float32) * 2


def asking(numbers):
    return (yield infer("double", numbers=numbers))


def test_a_flow_asks_a_part_and_its_trace_replays():
    world = World(Nothing(), MiniLM(shipped_folder()), parts=Doubling())
    outcome = run(asking([1, 2]), world, Scope("c"), record=True)
    assert outcome.result.tolist() == [2, 4]
    [step] = outcome.trace.steps
    assert (step.request, step.name, step.detail["numbers"]) == ("infer", "double", "2 values")
    assert replay(asking([1, 2]), Trace(outcome.trace.steps)).tolist() == [2, 4]


def test_a_world_without_parts_says_so():
    with pytest.raises(UsageError, match="double needs a trained part"):
        run(asking([1]), World(Nothing(), MiniLM(shipped_folder())), Scope("c"))
