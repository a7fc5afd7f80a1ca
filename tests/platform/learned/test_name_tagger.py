"""The name tagger: its decoding, and names in sentences with the included weights."""

from __future__ import annotations

import numpy as np
import pytest

from hopline.learned.name_tagger import LABELS, TYPES, NameTagger, decode_labels, describe_shape, load_name_tagger
from hopline.learned.registry import BUNDLED


@pytest.fixture(scope="module")
def tagger() -> NameTagger:
    return load_name_tagger(BUNDLED / "name_tagger")


def make_rows(*labels: int) -> np.ndarray:
    rows = np.full((len(labels), LABELS), -9.0, np.float32)
    rows[np.arange(len(labels)), labels] = -0.1
    return rows


FIRST_PERSON, NEXT_PERSON, FIRST_PLACE = 1, 2, 1 + 2 * TYPES.index("place")


def test_labels_are_decoded_to_names() -> None:
    rows = make_rows(FIRST_PERSON, NEXT_PERSON, 0, FIRST_PLACE, FIRST_PERSON)
    assert decode_labels(rows) == [(0, 2, "person"), (3, 4, "place"), (4, 5, "person")]
    assert decode_labels(rows[:0]) == []


def test_a_name_begins_with_a_first_word() -> None:
    rows = make_rows(NEXT_PERSON, NEXT_PERSON, 0, NEXT_PERSON)
    assert all(end - start >= 1 for start, end, _ in decode_labels(rows))
    assert decode_labels(rows)[0][:2] == (0, 2)
    alone = make_rows(0, NEXT_PERSON)
    assert decode_labels(alone) in ([], [(1, 2, "person")], [(0, 2, "person")])


@pytest.mark.parametrize(
    ("word", "shape"), [("pump", 0), ("Pump", 1), ("NASA", 2), ("A", 3), ("12", 4), ("–", 5), ("iPad", 6)]
)
def test_shapes_of_words(word: str, shape: int) -> None:
    assert describe_shape(word) == shape


def test_names_are_found_with_their_types(tagger: NameTagger) -> None:
    words = ["Maria", "Jensen", "joined", "the", "World", "Bank", "in", "Copenhagen", "."]
    [tagged] = tagger.tag([words])
    assert {(" ".join(words[name.start : name.end]), name.type) for name in tagged.names} == {
        ("Maria Jensen", "person"),
        ("World Bank", "organization"),
        ("Copenhagen", "place"),
    }
    outside = tagged.probabilities[:, 0]
    assert all(outside[name.start : name.end].mean() < 0.5 for name in tagged.names)
    assert outside[:2].mean() < 0.1
    assert outside[2:4].mean() > 0.9


def test_a_sentence_has_the_same_names_in_every_batch(tagger: NameTagger) -> None:
    sentences = [
        ["Ada", "Lovelace", "lived", "in", "London", "."],
        ["It", "rained", "."],
        ["IBM", "bought", "Red", "Hat", "in", "2019", "."],
    ]
    together = tagger.tag(sentences)
    for sentence, tagged in zip(sentences, together, strict=True):
        [alone] = tagger.tag([sentence])
        assert alone.names == tagged.names or np.allclose(alone.probabilities, tagged.probabilities, atol=1e-4)


def test_many_sentences_have_the_names_that_few_have(tagger: NameTagger, monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = [["Ada", "Lovelace", "lived", "in", "London", "."], ["IBM", "rose", "."], [], ["Riverton"] * 40] * 3
    few = tagger.tag(sentences)
    monkeypatch.setattr("hopline.learned.name_tagger._TORCH_PIECES", 10)
    for with_numpy, with_torch in zip(few, tagger.tag(sentences), strict=True):
        assert with_numpy.names == with_torch.names
        assert np.allclose(with_numpy.probabilities, with_torch.probabilities, atol=1e-4)


def test_empty_and_very_long_sentences(tagger: NameTagger) -> None:
    empty, blank, long = tagger.tag([[], [" "], ["Riverton"] * 900])
    assert (empty.names, blank.names) == ((), ())
    assert empty.probabilities.shape == (0, LABELS)
    assert 0 < len(long.probabilities) < 260
    assert all(name.end <= len(long.probabilities) for name in long.names)
