"""An order in which each says what those before it left open."""

import numpy as np
import pytest

from hopline.scoring.mmr import covering, rarity, said


def test_what_texts_say_of_the_question_is_told_by_roots_and_numbers():
    texts = ["Ada Wong wrote Blind Shaft in 1998.", "Blind Shaft was directed by Li Yang.", "Nothing of the kind."]
    says = said("Who directed the film that Ada Wong wrote in 1998?", texts)  # 1998, ada, direct, film, wong, wrote
    assert says.shape == (3, 6)
    assert says.sum(axis=1).tolist() == [4, 1, 0]
    assert said("Who is it?", texts).shape == (3, 0)
    assert said("Who directed it?", []).shape == (0, 1)


def test_the_rarer_a_word_the_heavier_it_is():
    weights = rarity(np.array([[True, True, False], [True, False, False]]))
    assert weights[0] < weights[1] < weights[2]
    assert weights.sum() == pytest.approx(1)


def test_the_next_is_what_says_something_new():
    says = np.array([[True, False], [True, False], [False, True]])
    raised = covering({"a": 3.0, "b": 2.9, "c": 2.0}, says, 2.0)
    assert list(raised) == ["a", "c", "b"]
    rare, rarer = rarity(says)
    assert raised == pytest.approx({"a": 3.0 + 2 * rare, "c": 2.0 + 2 * rarer, "b": 2.9})


def test_raised_scores_fall():
    random = np.random.default_rng(5)
    says = random.uniform(size=(30, 6)) < 0.4
    raised = list(covering({str(n): float(s) for n, s in enumerate(random.uniform(0, 3.5, 30))}, says, 2.5).values())
    assert raised == sorted(raised, reverse=True)
    assert covering({}, np.zeros((0, 0), dtype=bool), 2.5) == {}


def test_without_weight_or_words_the_order_is_that_of_the_scores():
    says = np.array([[False], [True]])
    assert covering({"a": 1.0, "b": 0.5}, says, 0.0) == {"a": 1.0, "b": 0.5}
    assert list(covering({"a": 1.0, "b": 0.5}, np.zeros((2, 0), dtype=bool), 2.5)) == ["a", "b"]
