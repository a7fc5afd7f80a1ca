"""GraphLLM with a language model of a few thousand parameters, from questions to replies."""

import shutil
from dataclasses import replace

import numpy as np
import pytest
import torch

from hopline.errors import UsageError
from hopline.evaluation import Question
from hopline.flow.requests import Ask, Embed, Fetch, Reply
from hopline.learned.graph_llm import (
    GraphLlm,
    GraphLlmShape,
    GraphTransformer,
    build_graph_prompt,
    build_triple_graph,
    collect_graph_texts,
    load_graph_llm,
)
from hopline.learned.local_llm import MAX_PROMPT_TOKENS
from hopline.training.graph_llm import GraphLlmConfig, SampleEncoder, ablation_configs, split_samples, train_graph_llm
from hopline.training.progress import ignore_progress
from hopline.training.sub_question_data import SubQuestionSample, label_question, read_samples, write_samples
from hopline.training.training_loop import Recipe

TOWNS = ["Bergen", "Oslo", "Voss", "Narvik", "Hamar", "Molde"]  # words in the vocabulary of the small model
SMALL = GraphLlmShape(hidden=16, layers=2, heads=2, between=16, rank=4)


def vectors_of(names):
    return {name: np.eye(8, dtype=np.float32)[sum(map(ord, name)) % 8] for name in names}


TRIPLES = [("Vale", "drew", "the bridge"), ("Vale", "born in", "Voss")]


def test_a_graph_has_a_node_for_each_name_and_each_edge_in_both_directions():
    assert collect_graph_texts(TRIPLES) == [
        "Vale",
        "the bridge",
        "Voss",
        "drew",
        "inverse of drew",
        "born in",
        "inverse of born in",
    ]
    graph = build_triple_graph(TRIPLES, vectors_of(collect_graph_texts(TRIPLES)))
    assert graph.nodes.shape == (3, 8)
    assert graph.edges.T.tolist() == [[0, 1], [0, 2], [1, 0], [2, 0]]
    assert graph.attributes.shape == (4, 8)


def test_several_graphs_are_averaged_and_no_graph_is_zero():
    torch.manual_seed(1)
    transformer = GraphTransformer(8, SMALL).eval()
    first, second = (build_triple_graph([triple], vectors_of(collect_graph_texts([triple]))) for triple in TRIPLES)
    both = transformer([first, second])
    assert torch.allclose(both, (transformer([first]) + transformer([second])) / 2, atol=1e-5)
    assert not torch.allclose(transformer([first]), transformer([second]), atol=1e-3)
    assert transformer([]).tolist() == [0.0] * SMALL.hidden


def test_facts_are_written_into_the_prompt_or_left_out():
    prompt = build_graph_prompt("plan", "Who?", [("what is it?", TRIPLES)])
    assert "[SUBQ] what is it?\nFacts: (Vale | drew | the bridge); (Vale | born in | Voss)" in prompt
    assert "Facts" not in build_graph_prompt("plan", "Who?", [("what is it?", TRIPLES)], facts=0)
    assert build_graph_prompt("answer", "Who?", [("a?", TRIPLES)], facts=1).count("|") == 2


def test_a_prompt_has_as_many_facts_as_it_has_room_for_in_order_and_in_turns():
    rounds = [(f"what is {n}?", [("Vale", "drew", f"bridge {n}.{fact}") for fact in range(200)]) for n in range(2)]
    lines = build_graph_prompt("answer", "Who?", rounds).splitlines()
    counts = [line.count("(Vale") for line in lines if line.startswith("Facts")]
    assert counts[0] - counts[1] in {0, 1}
    assert counts[1] > 12
    assert len("".join(lines)) <= 3 * MAX_PROMPT_TOKENS
    assert f"bridge 1.{counts[1] - 1})" in lines[4]
    assert f"bridge 1.{counts[1]})" not in lines[4]
    alone = build_graph_prompt("answer", "Who?", [("what?", []), rounds[0]])
    assert alone.count("(Vale") > sum(counts) - 5
    assert "[SUBQ] what?\nFacts: \n" in alone


def test_the_soft_token_follows_the_first_and_only_the_label_counts_in_the_loss(base):
    model = GraphLlm(base, dimension=8, shape=SMALL)
    embedded, labels = model.embed_prompt("Where is the bridge", "Voss", soft=model.encode_graphs([]))
    assert len(embedded) == len(labels) == 2 + 4 + 2
    assert labels[:-2].tolist() == [-100] * 6
    assert labels[-1] == model.tokenizer.eos_token_id
    nothing = model.projector(torch.zeros(SMALL.hidden))
    assert torch.allclose(embedded[1], nothing)


def samples(count=24):
    """The answer is the town that the graph's only edge leads to."""
    created = []
    for n in range(count):
        town = TOWNS[n % 3]
        rounds = (("Where is it ?", (("the bridge", "near", town),)),)
        question = f"Where is the bridge of {TOWNS[3 + n % 3]} {n} ?"
        created += [
            SubQuestionSample("plan", question, (), "[SUBQ] Where is it ?"), SubQuestionSample("plan", question, rounds, "[SUFFICIENT]"),
            SubQuestionSample("answer", question, rounds, town),
        ]  # fmt: skip
    return created


@pytest.fixture(scope="module")
def model_training(base, tmp_path_factory):
    folder, reports = tmp_path_factory.mktemp("graph_llm"), []
    config = GraphLlmConfig(base, shape=SMALL, recipe=Recipe(epochs=8, batch=4, rate=2e-2))
    return folder, train_graph_llm(samples(), folder, config, on_progress=reports.append), reports


def test_the_loss_decreases_and_the_card_has_figures_before_and_after(model_training):
    _, card, reports = model_training
    for name in ("loss of plans", "loss of answers"):
        before, after = map(float, card.figures[name].split(" -> "))
        assert after < before - 0.2, name
    assert {progress.phase for progress in reports} == {"before", "graph_llm", "after", "bare"}
    assert card.data["samples held out"] == 3 * 3


@pytest.fixture(scope="module")
def base_that_copies(base, tmp_path_factory):
    """The small language model, trained to answer with the town that follows the first token of the prompt."""
    from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM

    tokenizer = AutoTokenizer.from_pretrained(base)
    torch.manual_seed(3)
    config = LlamaConfig.from_pretrained(base)
    config.initializer_range = 0.1
    model = LlamaForCausalLM(config)
    [sample] = create_hidden_facts(1)
    prompt = tokenizer(build_graph_prompt("answer", sample.question, sample.rounds, facts=0), add_special_tokens=False)
    towns = tokenizer(" ".join(TOWNS), add_special_tokens=False)["input_ids"]
    start, end = tokenizer.bos_token_id, tokenizer.eos_token_id
    rows = torch.tensor([[start, town, *prompt["input_ids"], town, end] for town in towns])
    labels = rows.clone()
    labels[:, :-2] = -100
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(100):
        loss = model(input_ids=rows, labels=labels).loss
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    folder = tmp_path_factory.mktemp("copying") / "base"
    shutil.copytree(base, folder)
    model.save_pretrained(folder)
    return folder


def create_hidden_facts(count):
    """Questions whose tokens are the same; the town of the answer is in the graph only, one of three equally often."""
    created = []
    for n in range(count):
        town = TOWNS[(n + n // 10) % 3]
        rounds = (("Where is it ?", (("the bridge", "near", town),)),)
        created.append(SubQuestionSample("answer", f"Where is the bridge {n} ?", rounds, town))
    return created


def test_an_answer_that_only_the_graph_token_holds_is_right_with_it_and_at_chance_without_it(
    base_that_copies, tmp_path
):
    recipe = Recipe(epochs=6, batch=4, rate=1e-2)
    config = GraphLlmConfig(base_that_copies, without=frozenset({"facts"}), shape=SMALL, recipe=recipe)
    card = train_graph_llm(create_hidden_facts(90), tmp_path / "graph", config)
    assert card.data["samples held out"] == 9
    assert card.figures["EM, %"].endswith("-> 100.0")
    assert card.figures["EM, %, the token taken away"] == 33.3
    blind = replace(config, without=frozenset({"facts", "graph"}))
    card = train_graph_llm(create_hidden_facts(90), tmp_path / "blind", blind)
    assert card.figures["EM, %"].endswith("-> 33.3")


def test_weights_have_only_trained_parameters_and_can_be_loaded(model_training):
    folder, card, _ = model_training
    assert not (folder / "graph_llm.checkpoint").exists()
    assert (folder / "model.safetensors").stat().st_size < 200_000
    part = load_graph_llm(folder)
    rounds = [("Where is it ?", [("the bridge", "near", "Voss")])]
    inputs = {"question": "Where is the bridge of Hamar ?", "rounds": rounds}
    assert part(task="plan", **inputs) == part(task="plan", **inputs)  # type: ignore[arg-type]
    assert isinstance(part(task="answer", **inputs, merged=True), str)  # type: ignore[arg-type]
    assert card.shape["sizes"]["hidden"] == SMALL.hidden


def test_a_loaded_model_has_the_figures_of_the_card(model_training, base):
    folder, card, _ = model_training
    held_out = split_samples(samples())[1]
    loaded = SampleEncoder(load_graph_llm(folder)._model, GraphLlmConfig(base, shape=SMALL)).evaluate(
        held_out, ignore_progress, "loaded"
    )
    for name, value in loaded.items():
        assert card.figures[name].split(" -> ")[1] == str(value), name


def test_without_plans_there_are_only_answer_samples(base, tmp_path):
    config = GraphLlmConfig(
        base, shape=SMALL, recipe=Recipe(epochs=1, batch=4, rate=1e-2), without=frozenset({"plans"})
    )
    card = train_graph_llm(samples(), tmp_path, config)
    assert card.data["samples"] == 21
    assert "loss of answers, the token taken away" in card.figures
    assert not [name for name in card.figures if "plans" in name or "actions" in name]


def test_ablations_remove_their_component(base):
    sample = samples(1)[2]
    configs = ablation_configs(GraphLlmConfig(base, shape=SMALL))
    assert list(configs) == ["all", "without graph", "without facts", "without plans"]
    model = GraphLlm(base, shape=SMALL)
    prompt, _, graphs = SampleEncoder(model, configs["all"]).encode(sample)
    assert len(graphs) == 1
    assert SampleEncoder(model, configs["without graph"]).encode(sample)[2] == []
    assert "near" in prompt
    assert "near" not in SampleEncoder(model, configs["without facts"]).encode(sample)[0]
    two = SubQuestionSample(
        "answer", "Where?", (("a?", (("the bridge", "near", "Voss"),)), ("b?", (("it", "of", "Oslo"),))), "Voss"
    )
    once, _, graphs = SampleEncoder(model, configs["without plans"]).encode(two)
    assert len(graphs) == 1
    assert "[SUBQ] Where?\nFacts: (the bridge | near | Voss); (it | of | Oslo)" in once


def test_all_samples_of_a_question_are_in_the_same_split():
    training, held_out = split_samples(samples(20))
    assert not {sample.question for sample in training} & {sample.question for sample in held_out}
    assert len(held_out) == 6


def test_too_few_samples_and_a_missing_model_are_refused(base, tmp_path):
    with pytest.raises(UsageError, match="20 samples"):
        train_graph_llm(samples(2), tmp_path, GraphLlmConfig(base))
    with pytest.raises(UsageError, match="no language model"):
        GraphLlm(tmp_path / "nothing.gguf")


# -- labelling


def make_answerer(replies):
    """Answer the requests of `label_question`; ``replies`` are the model's replies in order."""
    remaining = list(replies)

    def answer(request):
        if isinstance(request, Ask):
            data = remaining.pop(0)
            return [Reply(str(data), data, "" if data else "no JSON")]
        if isinstance(request, Embed):
            return np.stack(
                [np.eye(4, dtype=np.float32)[{"Voss": 0, "voss": 0}.get(text, 1)] for text in request.texts]
            )
        assert isinstance(request, Fetch)
        if request.name == "gold/evidence":
            return {"id": ["a", "b"]}
        if request.name == "retrieval/vectors":
            return {"id": ["a", "b"], "vector": [[1.0, 0, 0, 0], [0, 1.0, 0, 0]]}
        if request.name == "ras/facts":
            return {"subject": ["Vale"], "predicate": ["drew"], "object": ["it"], "evidence": request.parameters["ids"]}
        names = ("kind", "text", "document", "document_id", "title", "section", "caption", "number", "pages", "boxes",
                 "lines", "sentences", "source_id", "cells", "structure")  # fmt: skip
        blank = {name: [None, None] for name in names}
        return blank | {"id": ["a", "b"], "kind": ["passage"] * 2, "text": ["one", "two"], "title": ["Vale", "Voss"]}

    return answer


def label(*replies):
    flow, answer = (
        label_question(Question("1", "Where was the designer born?", ("Voss",), ("a", "b"))),
        make_answerer(replies),
    )
    request = next(flow)
    while True:
        try:
            request = flow.send(answer(request))
        except StopIteration as stop:
            return stop.value


def test_a_closed_book_answer_gives_samples_without_retrieval():
    assert [(sample.task, sample.rounds, sample.label) for sample in label({"answer": "voss"})] == [
        ("plan", (), "[NO_RETRIEVAL]"), ("answer", (), "Voss"),
    ]  # fmt: skip


def test_every_prefix_is_a_sample_for_the_next_sub_question_and_all_for_sufficient():
    created = label({"answer": "unknown"}, {"question": "Who drew the bridge?"}, {"question": "Where was Vale born?"})
    assert [(sample.task, len(sample.rounds), sample.label) for sample in created] == [
        ("plan", 0, "[SUBQ] Who drew the bridge?"), ("plan", 1, "[SUBQ] Where was Vale born?"),
        ("plan", 2, "[SUFFICIENT]"), ("answer", 2, "Voss"),
    ]  # fmt: skip
    assert created[1].rounds == (("Who drew the bridge?", (("Vale", "drew", "it"),)),)


def test_a_generic_question_is_used_after_three_unusable_replies():
    same = {"question": "Where was the designer born?"}
    created = label({"answer": "Oslo"}, same, None, {"question": "short?"}, {"question": "Where was Vale born?"})
    assert created[0].label.startswith("[SUBQ] What is known about V")
    assert created[1].label == "[SUBQ] Where was Vale born?"


def test_samples_survive_writing_and_reading(tmp_path):
    write_samples(tmp_path / "deep" / "samples.jsonl", samples(2))
    assert read_samples(tmp_path / "deep" / "samples.jsonl") == samples(2)
