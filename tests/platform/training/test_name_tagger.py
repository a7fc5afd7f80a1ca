"""Training of the name tagger: reading annotated sets, what an annotation allows, and a training that learns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from hopline.embeddings.minilm import load_torch_minilm
from hopline.learned.name_tagger import TYPES, load_name_tagger, tokenize_words
from hopline.training.name_data import (
    AnnotatedName,
    NamedSentence,
    build_silver_sentence,
    find_tagged_spans,
    read_gum,
    read_name_files,
)
from hopline.training.name_tagger import LAYERS, NameTaggerNetwork, allow_labels, train_name_tagger
from hopline.training.training_loop import Recipe

GUM = """# sent_id = 1
1\tThe\tthe\tDET\tDT\t_\t4\tdet\t_\tEntity=(1-person-new
2\tNorth\tNorth\tPROPN\tNNP\t_\t3\tcompound\t_\tEntity=(2-place-new-sss-1-2-sgl-North_Isle
3\tIsle\tIsle\tPROPN\tNNP\t_\t4\tcompound\t_\tEntity=2)
4\tpilot\tpilot\tNOUN\tNN\t_\t5\tnsubj\t_\tEntity=1)
5\tsaw\tsee\tVERB\tVBD\t_\t0\troot\t_\t_
6\tTable\ttable\tPROPN\tNNP\t_\t5\tobj\t_\tEntity=(3-abstract-new
7\t2\t2\tNUM\tCD\t_\t6\tnummod\t_\tEntity=3)
"""
TAGGED = """Kolb\tB-PER
and\tO
Lee\tI-PER
left\tO
Halm\tI-LOC

Danish\tI-MISC
ships\tO
sail\tO
"""


def get_names(sentence: NamedSentence) -> list[tuple[str, list[str]]]:
    return [(" ".join(sentence.words[name.start : name.end]), sorted(name.types)) for name in sentence.names]


def test_proper_nouns_of_gum_are_names(tmp_path: Path) -> None:
    file = tmp_path / "gum-news.txt"
    file.write_text(GUM, encoding="utf-8")
    [sentence] = read_gum(file)
    assert get_names(sentence) == [("North Isle", ["place"])]


def test_tagged_words_are_read_and_other_types_are_masked(tmp_path: Path) -> None:
    (tmp_path / "wikigold.txt").write_text(TAGGED, encoding="utf-8")
    first, second = read_name_files(tmp_path)
    assert get_names(first) == [("Kolb", ["person"]), ("Lee", ["person"]), ("Halm", ["place"])]
    assert (get_names(second), second.masked) == ([], {0})
    assert list(find_tagged_spans(["I-A", "I-A", "B-A", "O"])) == [(0, 2, "A"), (2, 3, "A")]


def test_names_of_spacy_weigh_less_and_groups_are_masked() -> None:
    sentence = build_silver_sentence(
        ["Danish", "ships", "left", "Halm"], [(0, 1, "NORP"), (3, 4, "GPE"), (1, 2, "DATE")]
    )
    assert get_names(sentence) == [("Halm", ["place"])]
    assert (sentence.masked, sentence.weight < 1) == ({0}, True)


def test_a_word_may_be_a_name_of_a_type_that_its_set_does_not_annotate() -> None:
    name = AnnotatedName(0, 2, frozenset({"person"}))
    sentence = NamedSentence(
        ("Ada", "Quist", "read", "Ulysses", "x"), (name,), "set", frozenset({4}), frozenset({"work"})
    )
    allowed = allow_labels(sentence, 5)
    person, work = TYPES.index("person"), TYPES.index("work")
    assert np.flatnonzero(allowed[0]).tolist() == [1 + 2 * person]
    assert np.flatnonzero(allowed[1]).tolist() == [2 + 2 * person]
    assert np.flatnonzero(allowed[2]).tolist() == [0]
    assert np.flatnonzero(allowed[3]).tolist() == [0, 1 + 2 * work, 2 + 2 * work]
    assert allowed[4].all()


def test_a_training_writes_weights_that_the_tagger_loads_and_computes_alike(tmp_path: Path) -> None:
    sentences = [
        NamedSentence(("Zorbl", "sails", "to", "Quandry", "."), (AnnotatedName(0, 1, frozenset({"product"})),
                      AnnotatedName(3, 4, frozenset({"place"}))), "a"),
        NamedSentence(("It", "rains", "in", "the", "evening", "."), (), "a"),
    ] * 12  # fmt: skip
    card = train_name_tagger(
        sentences, tmp_path, recipe=Recipe(epochs=6, batch=8, rate=2e-3, slow=0.2), data={"a": "made"}
    )
    assert card.data["sentences held out"] == 2
    tagger = load_name_tagger(tmp_path)
    [tagged, plain] = tagger.tag([sentences[0].words, sentences[1].words])
    assert [(name.start, name.type) for name in tagged.names] == [(0, "product"), (3, "place")]
    assert plain.names == ()
    bert, tokenizer = load_torch_minilm()
    tokenizer.no_truncation()
    network = NameTaggerNetwork(bert, LAYERS).eval()
    from safetensors.torch import load_file

    network.load_state_dict({name: value.float() for name, value in load_file(tmp_path / "model.safetensors").items()})
    tokens = tokenize_words(tokenizer, sentences[0].words)
    with torch.inference_mode():
        expected = network([tokens])[0][tokens.first].softmax(dim=-1).numpy()
    assert np.allclose(expected, tagged.probabilities, atol=1e-4)
