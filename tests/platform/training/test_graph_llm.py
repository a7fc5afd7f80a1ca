"""GraphLLM on a language model of a few thousand numbers: the whole way, from questions to replies."""

import numpy as np
import pytest
import torch

from hopline.errors import UsageError
from hopline.flow.requests import Ask, Embed, Fetch, Reply
from hopline.learned.graph_llm import GraphLLM, GraphTransformer, Shape, graph_rows, load_graph_llm, names_of, prompt_of
from hopline.training.graph_llm import Rows, Setup, ablations, split, train_graph_llm
from hopline.training.progress import unheard
from hopline.training.sub_question_data import Sample, read_samples, samples_of, write_samples
from hopline.training.training_loop import Recipe

TOWNS = ["Bergen", "Oslo", "Voss", "Narvik", "Hamar", "Molde"]  # words that the toy model knows
SMALL = Shape(hidden=16, layers=2, heads=2, between=16, rank=4)


def vectors_of(names):
    return {name: np.eye(8, dtype=np.float32)[sum(map(ord, name)) % 8] for name in names}


TRIPLES = [("Vale", "drew", "the bridge"), ("Vale", "born in", "Voss")]


def test_a_graph_has_a_node_for_each_name_and_each_edge_in_both_directions():
    assert names_of(TRIPLES) == [
        "Vale",
        "the bridge",
        "Voss",
        "drew",
        "inverse of drew",
        "born in",
        "inverse of born in",
    ]
    graph = graph_rows(TRIPLES, vectors_of(names_of(TRIPLES)))
    assert graph.nodes.shape == (3, 8)
    assert graph.edges.T.tolist() == [[0, 1], [0, 2], [1, 0], [2, 0]]
    assert graph.attributes.shape == (4, 8)


def test_several_graphs_are_averaged_and_none_is_noughts():
    torch.manual_seed(1)
    reader = GraphTransformer(8, SMALL).eval()
    one, other = (graph_rows([triple], vectors_of(names_of([triple]))) for triple in TRIPLES)
    both = reader([one, other])
    assert torch.allclose(both, (reader([one]) + reader([other])) / 2, atol=1e-5)
    assert not torch.allclose(reader([one]), reader([other]), atol=1e-3)
    assert reader([]).tolist() == [0.0] * SMALL.hidden


def test_facts_are_written_into_the_prompt_or_left_out():
    prompt = prompt_of("plan", "Who?", [("what is it?", TRIPLES)])
    assert "[SUBQ] what is it?\nFacts: (Vale | drew | the bridge); (Vale | born in | Voss)" in prompt
    assert "Facts" not in prompt_of("plan", "Who?", [("what is it?", TRIPLES)], facts=0)
    assert prompt_of("answer", "Who?", [("a?", TRIPLES)], facts=1).count("|") == 2


def test_the_soft_token_stands_behind_the_first_and_only_the_label_is_predicted(base):
    model = GraphLLM(base, dimension=8, shape=SMALL)
    embedded, labels = model.row("Where is the bridge", "Voss", soft=model.soft([]))
    assert len(embedded) == len(labels) == 2 + 4 + 2
    assert labels[:-2].tolist() == [-100] * 6
    assert labels[-1] == model.tokenizer.eos_token_id
    nothing = model.projector(torch.zeros(SMALL.hidden))
    assert torch.allclose(embedded[1], nothing)


def samples(count=24):
    """The answer is the town that the graph's only edge leads to."""
    made = []
    for n in range(count):
        town = TOWNS[n % 3]
        rounds = (("Where is it ?", (("the bridge", "near", town),)),)
        question = f"Where is the bridge of {TOWNS[3 + n % 3]} {n} ?"
        made += [
            Sample("plan", question, (), "[SUBQ] Where is it ?"), Sample("plan", question, rounds, "[SUFFICIENT]"),
            Sample("answer", question, rounds, town),
        ]  # fmt: skip
    return made


@pytest.fixture(scope="module")
def trained(base, tmp_path_factory):
    folder, heard = tmp_path_factory.mktemp("graph_llm"), []
    setup = Setup(base, shape=SMALL, recipe=Recipe(epochs=8, batch=4, rate=2e-2))
    return folder, train_graph_llm(samples(), folder, setup, listener=heard.append), heard


def test_loss_falls_and_the_card_tells_before_and_after(trained):
    _, card, heard = trained
    for name in ("loss of plans", "loss of answers"):
        before, after = map(float, card.figures[name].split(" -> "))
        assert after < before - 0.2, name
    assert {told.phase for told in heard} == {"before", "graph_llm", "after", "bare"}
    assert card.data["samples held out"] == 3 * 3


def test_weights_are_only_what_was_learned_and_are_used_again(trained):
    folder, card, _ = trained
    assert not (folder / "graph_llm.checkpoint").exists()
    assert (folder / "model.safetensors").stat().st_size < 200_000
    part = load_graph_llm(folder)
    rounds = [("Where is it ?", [("the bridge", "near", "Voss")])]
    asked = {"question": "Where is the bridge of Hamar ?", "rounds": rounds}
    assert part(task="plan", **asked) == part(task="plan", **asked)
    assert isinstance(part(task="answer", **asked, merged=True), str)
    assert card.shape["sizes"]["hidden"] == SMALL.hidden


def test_what_is_loaded_loses_as_little_as_what_was_trained(trained, base):
    folder, card, _ = trained
    held_out = split(samples())[1]
    loaded = Rows(load_graph_llm(folder)._model, Setup(base, shape=SMALL)).measured(held_out, unheard, "loaded")
    for name, value in loaded.items():
        assert card.figures[name].split(" -> ")[1] == str(value), name


def test_without_plans_an_answer_is_learned_from_all_facts_at_once(base, tmp_path):
    setup = Setup(base, shape=SMALL, recipe=Recipe(epochs=1, batch=4, rate=1e-2), without=frozenset({"plans"}))
    card = train_graph_llm(samples(), tmp_path, setup)
    assert card.data["samples"] == 21
    assert "loss of answers, the token taken away" in card.figures
    assert not [name for name in card.figures if "plans" in name or "actions" in name]


def test_what_is_left_out_is_left_out(base):
    sample = samples(1)[2]
    setups = ablations(Setup(base, shape=SMALL))
    assert list(setups) == ["all", "without graph", "without facts", "without plans"]
    model = GraphLLM(base, shape=SMALL)
    prompt, _, graphs = Rows(model, setups["all"]).of(sample)
    assert len(graphs) == 1
    assert Rows(model, setups["without graph"]).of(sample)[2] == []
    assert "near" in prompt
    assert "near" not in Rows(model, setups["without facts"]).of(sample)[0]
    two = Sample(
        "answer", "Where?", (("a?", (("the bridge", "near", "Voss"),)), ("b?", (("it", "of", "Oslo"),))), "Voss"
    )
    once, _, graphs = Rows(model, setups["without plans"]).of(two)
    assert len(graphs) == 1
    assert "[SUBQ] Where?\nFacts: (the bridge | near | Voss); (it | of | Oslo)" in once


def test_questions_are_held_out_whole():
    taught, held_out = split(samples(20))
    assert not {one.question for one in taught} & {one.question for one in held_out}
    assert len(held_out) == 6


def test_too_few_samples_and_no_model_are_told(base, tmp_path):
    with pytest.raises(UsageError, match="20 samples"):
        train_graph_llm(samples(2), tmp_path, Setup(base))
    with pytest.raises(UsageError, match="no language model"):
        GraphLLM(tmp_path / "nothing.gguf")


# -- labelling


def answering(said):
    """Answers to the requests of `samples_of`; ``said`` are the model's replies in turn."""
    replies = list(said)

    def answer(request):
        if isinstance(request, Ask):
            data = replies.pop(0)
            return [Reply(str(data), data, "" if data else "no JSON")]
        if isinstance(request, Embed):
            return np.stack(
                [np.eye(4, dtype=np.float32)[{"Voss": 0, "voss": 0}.get(text, 1)] for text in request.texts]
            )
        assert isinstance(request, Fetch)
        if request.name == "gold/evidence":
            return {"id": ["a", "b"]}
        if request.name == "read/vectors":
            return {"id": ["a", "b"], "vector": [[1.0, 0, 0, 0], [0, 1.0, 0, 0]]}
        if request.name == "ras/facts":
            return {"subject": ["Vale"], "predicate": ["drew"], "object": ["it"], "evidence": request.parameters["ids"]}
        names = ("kind", "text", "document", "document_id", "title", "section", "caption", "number", "pages", "boxes",
                 "lines", "sentences", "source_id")  # fmt: skip
        blank = {name: [None, None] for name in names}
        return blank | {"id": ["a", "b"], "kind": ["passage"] * 2, "text": ["one", "two"], "title": ["Vale", "Voss"]}

    return answer


def labelled(*said):
    flow, answer = samples_of("Where was the designer born?", ["Voss"], ["a", "b"]), answering(said)
    request = next(flow)
    while True:
        try:
            request = flow.send(answer(request))
        except StopIteration as stop:
            return stop.value


def test_what_the_model_knows_needs_no_retrieval_and_teaches_nothing_else():
    assert [(one.task, one.rounds, one.label) for one in labelled({"answer": "voss"})] == [
        ("plan", (), "[NO_RETRIEVAL]"), ("answer", (), "Voss"),
    ]  # fmt: skip


def test_every_prefix_teaches_the_next_sub_question_and_the_whole_that_it_suffices():
    made = labelled({"answer": "unknown"}, {"question": "Who drew the bridge?"}, {"question": "Where was Vale born?"})
    assert [(one.task, len(one.rounds), one.label) for one in made] == [
        ("plan", 0, "[SUBQ] Who drew the bridge?"), ("plan", 1, "[SUBQ] Where was Vale born?"),
        ("plan", 2, "[SUFFICIENT]"), ("answer", 2, "Voss"),
    ]  # fmt: skip
    assert made[1].rounds == (("Who drew the bridge?", (("Vale", "drew", "it"),)),)


def test_a_model_that_asks_nothing_new_is_asked_three_times_and_then_stands_a_stock_question():
    same = {"question": "Where was the designer born?"}
    made = labelled({"answer": "Oslo"}, same, None, {"question": "short?"}, {"question": "Where was Vale born?"})
    assert made[0].label.startswith("[SUBQ] What is known about V")
    assert made[1].label == "[SUBQ] Where was Vale born?"


def test_samples_are_kept_as_they_were(tmp_path):
    write_samples(tmp_path / "deep" / "samples.jsonl", samples(2))
    assert read_samples(tmp_path / "deep" / "samples.jsonl") == samples(2)
