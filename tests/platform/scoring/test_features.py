"""Features of three candidates that can be counted by hand."""

import numpy as np
import pytest

from hopline.retrieval.reranking.features import ALONE, BESIDE, Link, Look, alone, beside
from hopline.scoring.mmr import said

QUESTION = "Who directed the film that Ada Wong wrote in 1998?"
TEXTS = ["Ada Wong wrote Blind Shaft in 1998.", "Blind Shaft was directed by Li Yang.", "Nothing of the kind."]


LINKS = (Link(0, 1, 0.5, 4), Link(1, 0, 2.0, 1))


def look(*, texts=TEXTS, links=LINKS, sums=(3.0, 1.0, 2.0)):
    count = len(texts)
    vectors = np.eye(3)[:count]
    return Look(
        ids=tuple("abc"[:count]),
        sums=np.array(sums[:count]),
        parts=np.zeros((count, 4)),
        cosines=np.array([0.8, 0.6, 0.0][:count]),
        words=np.array([1.0, 0.5, 0.0][:count]),
        named=np.zeros(count),
        lengths=np.ones(count),
        vectors=vectors,
        question=np.array([0.8, 0.6, 0.0]),
        says=said(QUESTION, texts),
        links=links,
    )


def named(rows, names, name):
    return rows[:, names.index(name)].tolist()


def test_each_candidate_by_itself():
    rows = alone(look())
    assert rows.shape == (3, len(ALONE))
    assert named(rows, ALONE, "rank") == [0, 2, 1]
    assert named(rows, ALONE, "of_best") == pytest.approx([1, 1 / 3, 2 / 3])
    assert named(rows, ALONE, "gap") == [0, 2, 1]
    assert named(rows, ALONE, "cosine_gap") == pytest.approx([0, -0.2, -0.8])
    assert named(rows, ALONE, "asked") == [6, 6, 6]
    covered = named(rows, ALONE, "covered")
    assert covered[0] > covered[1] > covered[2] == 0


def test_each_candidate_beside_the_best():
    rows = beside(look(), np.array([0.9, 0.2, 0.4]))
    assert rows.shape == (3, len(BESIDE))
    assert named(rows, BESIDE, "link") == pytest.approx([0.2 * 2.0, 0.9 * 0.5, 0])
    assert named(rows, BESIDE, "link_in_crowd") == pytest.approx([0.4, 0.45 * 4**-0.3, 0])
    assert named(rows, BESIDE, "from") == pytest.approx([0.2, 0.9, -1])  # the last: none links to it
    assert named(rows, BESIDE, "from_rank") == [2, 0, 99]
    assert named(rows, BESIDE, "back") == pytest.approx([0.2 * 0.5, 0.9 * 2.0, 0])
    # b is linked from a: what of the question a leaves open lies along b
    assert named(rows, BESIDE, "rest")[1] == pytest.approx(1)
    assert named(rows, BESIDE, "alike") == pytest.approx([0, 0, 0])
    # "directed" is what b adds to a; "film" is said nowhere
    adds, together = named(rows, BESIDE, "adds"), named(rows, BESIDE, "together")
    assert adds[1] > adds[2] == 0
    assert together[0] == together[1] > together[2]
    assert named(rows, BESIDE, "adds_to_best") == pytest.approx([0, adds[1], 0])
    assert named(rows, BESIDE, "adds_to_above")[1] == pytest.approx(adds[1])


def test_one_candidate_a_question_of_small_words_and_scores_of_nothing_break_nothing():
    for one in (look(texts=TEXTS[:1], links=()), look(sums=(0.0, 0.0, 0.0), links=())):
        assert np.isfinite(alone(one)).all()
        assert np.isfinite(beside(one, np.zeros(len(one.ids)))).all()
    wordless = look()
    wordless = Look(**{name: getattr(wordless, name) for name in Look.__slots__} | {"says": said("Who is it?", TEXTS)})
    assert np.isfinite(beside(wordless, alone(wordless)[:, 0])).all()
