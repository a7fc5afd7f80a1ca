"""The writer of KGP on a language model of a few thousand numbers, over vectors of the real encoder."""

import pytest

from hopline.embeddings.minilm import MiniLM, shipped_folder
from hopline.errors import UsageError
from hopline.learned.writer import SHOWN, Writer, load_writer, prompt_of
from hopline.training.hop_order import Hops
from hopline.training.mdr import Pool
from hopline.training.progress import unheard
from hopline.training.training_loop import Recipe
from hopline.training.writer import LABEL, _measured, split, train_writer

TOWNS = ["Bergen", "Oslo", "Voss", "Narvik", "Hamar", "Molde"]  # words that the toy model knows


@pytest.fixture(scope="module")
def pool():
    """The town that is near a bridge is what should be written, and its own passage what should be found."""
    bridges = [f"the bridge of {town} {n} is near {TOWNS[(n + 1) % 6]}" for n, town in enumerate(TOWNS * 5)]
    texts = [*bridges, *TOWNS]
    ids = [f"p{n}" for n in range(len(texts))]
    asked = [
        Hops(
            f"Where is the bridge of {TOWNS[n % 6]} {n} ?",
            (ids[n], ids[30 + (n + 1) % 6]),
            (texts[n], TOWNS[(n + 1) % 6]),
        )
        for n in range(30)
    ]
    return Pool("towns", ids, MiniLM(shipped_folder()).embed(texts), asked)


@pytest.fixture(scope="module")
def trained(base, pool, tmp_path_factory):
    folder, heard = tmp_path_factory.mktemp("writer"), []
    return (
        folder,
        train_writer([pool], folder, base, recipe=Recipe(epochs=12, batch=4, rate=2e-2), listener=heard.append),
        heard,
    )


def test_loss_falls_and_the_card_tells_before_and_after(trained):
    folder, card, heard = trained
    before, after = map(float, card.figures["held out, loss"].split(" -> "))
    assert after < before - 0.3
    assert {told.phase for told in heard} == {"before", "writer", "after"}
    assert (card.data["steps"], card.data["steps held out"]) == (27, 3)
    assert not (folder / "writer.checkpoint").exists()


def test_what_was_learned_is_used_again(trained, pool):
    folder, card, _ = trained
    part = load_writer(folder)
    again = _measured(part._writer, split([pool])[1], [pool], unheard, "loaded")
    assert {name: value.split(" -> ")[1] for name, value in card.figures.items() if name in again} == {
        name: str(value) for name, value in again.items()
    }
    asked = {"question": pool.questions[3].question, "trails": [[pool.questions[3].texts[0]], ["Oslo ."]]}
    written = part(**asked)
    assert len(written) == 2
    assert written == part(**asked)


def test_a_step_is_learned_from_all_before_it(pool):
    long = Hops("Who?", ("p0", "p1", "p2"), ("one", "two " * 100, "three"))
    taught, held_out = split([Pool("a", pool.ids, pool.vectors, [pool.questions[0], long])])
    assert [(hop.trail, hop.place) for hop in taught] == [(("one",), 1), (("one", "two " * 100), 2)]
    assert len(taught[0].label) == LABEL
    assert [hop.place for hop in held_out] == [31]


def test_a_passage_is_shown_in_one_line_and_not_whole():
    prompt = prompt_of("Who?", ["Vale drew\n the bridge.", "x" * 2 * SHOWN])
    assert prompt.splitlines()[:3] == ["Question: Who?", "Found:", "- Vale drew the bridge."]
    assert len(prompt) < SHOWN + 100


def test_too_few_questions_and_weights_of_another_model_are_told(base, pool, trained, tmp_path):
    few = Pool("few", pool.ids, pool.vectors, pool.questions[:5])
    with pytest.raises(UsageError, match="20 questions"):
        train_writer([few], tmp_path, base)
    with pytest.raises(UsageError, match="not those of this model"):
        Writer(base, rank=4).take({"other": pool.vectors}, trained[0])
