"""Training of the writer of KGP with a language model of a few thousand parameters and the real encoder."""

import pytest

from hopline.embeddings.minilm import MiniLM, minilm_folder
from hopline.errors import UsageError
from hopline.learned.writer import MAX_PASSAGE_CHARACTERS, Writer, build_writer_prompt, load_writer
from hopline.training.hop_order import HopSequence
from hopline.training.mdr import TrainingCollection
from hopline.training.progress import ignore_progress
from hopline.training.training_loop import Recipe
from hopline.training.writer import LABEL_CHARACTERS, _evaluate, split_samples, train_writer

TOWNS = ["Bergen", "Oslo", "Voss", "Narvik", "Hamar", "Molde"]  # words in the vocabulary of the small model


@pytest.fixture(scope="module")
def collection():
    """The label is the town near a bridge; the passage of that town is the one to retrieve."""
    bridges = [f"the bridge of {town} {n} is near {TOWNS[(n + 1) % 6]}" for n, town in enumerate(TOWNS * 5)]
    texts = [*bridges, *TOWNS]
    ids = [f"p{n}" for n in range(len(texts))]
    hops = [
        HopSequence(
            f"Where is the bridge of {TOWNS[n % 6]} {n} ?",
            (ids[n], ids[30 + (n + 1) % 6]),
            (texts[n], TOWNS[(n + 1) % 6]),
        )
        for n in range(30)
    ]
    return TrainingCollection("towns", ids, MiniLM(minilm_folder()).embed(texts), hops)


@pytest.fixture(scope="module")
def writer_training(base, collection, tmp_path_factory):
    folder, reports = tmp_path_factory.mktemp("writer"), []
    return (
        folder,
        train_writer(
            [collection], folder, base, recipe=Recipe(epochs=12, batch=4, rate=2e-2), on_progress=reports.append
        ),
        reports,
    )


def test_the_loss_decreases_and_the_card_has_figures_before_and_after(writer_training):
    folder, card, reports = writer_training
    before, after = map(float, card.figures["held out, loss"].split(" -> "))
    assert after < before - 0.3
    assert {progress.phase for progress in reports} == {"before", "writer", "after"}
    assert (card.data["steps"], card.data["steps held out"]) == (27, 3)
    assert not (folder / "writer.checkpoint").exists()


def test_loaded_weights_give_the_figures_of_the_card(writer_training, collection):
    folder, card, _ = writer_training
    part = load_writer(folder)
    again = _evaluate(part._writer, split_samples([collection])[1], [collection], ignore_progress, "loaded")
    assert {name: value.split(" -> ")[1] for name, value in card.figures.items() if name in again} == {
        name: str(value) for name, value in again.items()
    }
    inputs = {"question": collection.questions[3].question, "trails": [[collection.questions[3].texts[0]], ["Oslo ."]]}
    generated = part(**inputs)
    assert len(generated) == 2
    assert generated == part(**inputs)


def test_a_sample_has_all_earlier_passages(collection):
    long = HopSequence("Who?", ("p0", "p1", "p2"), ("one", "two " * 100, "three"))
    training, held_out = split_samples(
        [TrainingCollection("a", collection.ids, collection.vectors, [collection.questions[0], long])]
    )
    assert [(sample.trail, sample.index) for sample in training] == [(("one",), 1), (("one", "two " * 100), 2)]
    assert len(training[0].label) == LABEL_CHARACTERS
    assert [sample.index for sample in held_out] == [31]


def test_passages_in_the_prompt_are_truncated_to_one_line():
    prompt = build_writer_prompt("Who?", ["Vale drew\n the bridge.", "x" * 2 * MAX_PASSAGE_CHARACTERS])
    assert prompt.splitlines()[:3] == ["Question: Who?", "Found:", "- Vale drew the bridge."]
    assert len(prompt) < MAX_PASSAGE_CHARACTERS + 100


def test_too_few_questions_and_weights_of_another_model_are_refused(base, collection, writer_training, tmp_path):
    few = TrainingCollection("few", collection.ids, collection.vectors, collection.questions[:5])
    with pytest.raises(UsageError, match="20 questions"):
        train_writer([few], tmp_path, base)
    with pytest.raises(UsageError, match="do not belong to this model"):
        Writer(base, rank=4).load_parameters({"other": collection.vectors}, writer_training[0])
