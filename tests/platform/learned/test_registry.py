"""Trained models: looked up by name, loaded once, loaded again after a new training."""

import numpy as np
import pytest

from hopline.embeddings.lora import apply_lora, init_lora
from hopline.embeddings.minilm import MiniLM, load_torch_minilm, minilm_folder
from hopline.errors import UnknownName, UsageError
from hopline.flow.replay import replay
from hopline.flow.requests import infer
from hopline.flow.run import run
from hopline.flow.services import Graph, Models, Scope, Services
from hopline.learned.mdr import VERSION, load_mdr
from hopline.learned.registry import LOADERS, TRAIN_COMMANDS, ModelRegistry
from hopline.learned.weight_files import ModelCard, save_weights
from hopline.results import Trace

CARD = ModelCard("mdr", VERSION, "", "", {}, {}, {}, {}, 0.0)
TEXTS = ["Who drew the bridge?", "Ingrid Vale drew the Skarv Bridge. " * 40, "slate"]


@pytest.fixture(scope="module")
def bert():
    return load_torch_minilm()[0]


def make_adapter(bert, up=0.0):
    adapter = init_lora(bert, rank=2, seed=1)
    return {name: np.full_like(array, up) if name.endswith("up") else array for name, array in adapter.items()}


def test_a_new_adapter_changes_nothing(bert, tmp_path):
    save_weights(tmp_path, make_adapter(bert), CARD)
    base, guide = MiniLM(minilm_folder()), load_mdr(tmp_path)
    assert np.allclose(base.embed(TEXTS), guide(texts=TEXTS), atol=1e-6)


def test_an_adapter_is_merged_into_the_weights(bert, tmp_path):
    adapter = make_adapter(bert, up=0.02)
    merged = apply_lora(bert, {name: bert.word_embeddings.new_tensor(array) for name, array in adapter.items()})
    expected = bert.layers[3].intermediate.weight.numpy() + adapter["3.widen.up"] @ adapter["3.widen.down"]
    assert np.allclose(merged.layers[3].intermediate.weight.numpy(), expected, atol=1e-6)
    save_weights(tmp_path, adapter, CARD)
    assert not np.allclose(MiniLM(minilm_folder()).embed(TEXTS[:1]), load_mdr(tmp_path)(texts=TEXTS[:1]), atol=1e-4)


def test_one_question_and_a_batch_give_the_same_vectors(bert, tmp_path):
    save_weights(tmp_path, make_adapter(bert, up=0.02), CARD)
    guide = load_mdr(tmp_path)
    array, many = guide(texts=TEXTS[:1]), guide(texts=TEXTS)  # by numpy, by torch
    assert np.allclose(array[0], many[0], atol=1e-4)


def test_newer_weights_are_loaded_again(bert, tmp_path):
    models = ModelRegistry(tmp_path)
    save_weights(tmp_path / "mdr", make_adapter(bert), CARD)
    before = models.infer("mdr", {"texts": TEXTS[:1]})
    save_weights(tmp_path / "mdr", make_adapter(bert, up=0.02), CARD)
    assert not np.allclose(before, models.infer("mdr", {"texts": TEXTS[:1]}), atol=1e-4)


def test_an_untrained_model_names_the_command_that_trains_it(tmp_path):
    assert set(TRAIN_COMMANDS) == set(LOADERS)
    with pytest.raises(UsageError, match="hopline train graph_hop"):
        ModelRegistry(tmp_path).infer("graph_hop", {})
    with pytest.raises(
        UnknownName, match="cell_selector, graph_hop, graph_llm, mdr, name_tagger, reader, themes, verifier, writer"
    ):
        ModelRegistry(tmp_path).infer("bgr", {})


class Nothing(Graph):
    def search(self, request, scope, vector):
        raise AssertionError(request)

    def fetch(self, name, parameters, scope):
        raise AssertionError(name)


class Doubling(Models):
    def infer(self, part, inputs):
        return np.asarray(inputs["numbers"], dtype=np.float32) * 2


def infer_double(make_adapter):
    return (yield infer("double", numbers=make_adapter))


def test_a_flow_infers_with_a_model_and_its_trace_replays():
    services = Services(Nothing(), MiniLM(minilm_folder()), models=Doubling())
    outcome = run(infer_double([1, 2]), services, Scope("c"), record=True)
    assert outcome.result.tolist() == [2, 4]
    [step] = outcome.trace.steps
    assert (step.request, step.name, step.detail["numbers"]) == ("infer", "double", "2 values")
    assert replay(infer_double([1, 2]), Trace(outcome.trace.steps)).tolist() == [2, 4]


def test_a_world_without_parts_says_so():
    with pytest.raises(UsageError, match="double needs a trained part"):
        run(infer_double([1]), Services(Nothing(), MiniLM(minilm_folder())), Scope("c"))
