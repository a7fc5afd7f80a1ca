"""Features of three candidates, computed by hand."""

import numpy as np
import pytest

from hopline.retrieval.candidates import Candidates
from hopline.retrieval.entity_links import EntityLink
from hopline.retrieval.reranking.context import CONTEXT_COLUMNS, compute_context_columns
from hopline.retrieval.reranking.features import CANDIDATE_COLUMNS, build_features

QUESTION = "Who directed the film that Ada Wong wrote in 1998?"
TEXTS = ["Ada Wong wrote Blind Shaft in 1998.", "Blind Shaft was directed by Li Yang.", "Nothing of the kind."]
LINKS = [EntityLink(0.5, "wong", "Ada Wong", "a", target, ()) for target in ("b", "x", "y", "z")]  # a crowd of four
LINKS.append(EntityLink(2.0, "shaft", "Blind Shaft", "b", "a", ()))


def compute(*, texts=TEXTS, links=LINKS, scores=(3.0, 1.0, 2.0), question=QUESTION):
    ids = "abc"[: len(texts)]
    candidates = Candidates(question, np.array([0.8, 0.6, 0.0], dtype=np.float32))
    candidates = candidates.with_scores("score", dict(zip(ids, scores, strict=False)))
    candidates = candidates.with_scores("links", {"x": 3.0, "b": 2.0, "a": 1.0}).with_scores("bm25", {"a": 8, "b": 4})
    return build_features(candidates, dict(zip(ids, texts, strict=True)), np.eye(3)[: len(texts)], links)


def column(rows, names, name):
    return rows[:, names.index(name)].tolist()


def test_candidate_columns_match_values_computed_by_hand():
    features = compute()
    rows = features.to_matrix()
    assert features.ids == ("a", "b", "c")
    assert rows.shape == (3, len(CANDIDATE_COLUMNS))
    assert column(rows, CANDIDATE_COLUMNS, "score_rank") == [0, 2, 1]
    assert column(rows, CANDIDATE_COLUMNS, "score_of_best") == pytest.approx([1, 1 / 3, 2 / 3])
    assert column(rows, CANDIDATE_COLUMNS, "score_gap") == [0, 2, 1]
    assert column(rows, CANDIDATE_COLUMNS, "cosine_gap") == pytest.approx([0, -0.2, -0.8])
    assert column(rows, CANDIDATE_COLUMNS, "terms") == [6, 6, 6]
    assert column(rows, CANDIDATE_COLUMNS, "links") == [0, 0.5, 0]  # scaled over all candidates, also x
    assert column(rows, CANDIDATE_COLUMNS, "bm25") == [1, 0.5, 0]
    coverage = column(rows, CANDIDATE_COLUMNS, "coverage")
    assert coverage[0] > coverage[1] > coverage[2] == 0


def test_context_columns_match_values_computed_by_hand():
    rows = compute_context_columns(compute(), np.array([0.9, 0.2, 0.4]))
    assert rows.shape == (3, len(CONTEXT_COLUMNS))
    assert column(rows, CONTEXT_COLUMNS, "link") == pytest.approx([0.2 * 2.0, 0.9 * 0.5, 0])
    assert column(rows, CONTEXT_COLUMNS, "link_fan_out") == pytest.approx([0.4, 0.45 * 4**-0.3, 0])
    assert column(rows, CONTEXT_COLUMNS, "link_probability") == pytest.approx(
        [0.2, 0.9, -1]
    )  # the last: none links to it
    assert column(rows, CONTEXT_COLUMNS, "link_rank") == [2, 0, 99]
    assert column(rows, CONTEXT_COLUMNS, "link_back") == pytest.approx([0.2 * 0.5, 0.9 * 2.0, 0])
    # b is linked from a: the part of the question that a does not cover is parallel to b
    assert column(rows, CONTEXT_COLUMNS, "rest_cosine")[1] == pytest.approx(1)
    assert column(rows, CONTEXT_COLUMNS, "parent_cosine") == pytest.approx([0, 0, 0])
    # "directed" is what b adds to a; "film" occurs nowhere
    adds, together = column(rows, CONTEXT_COLUMNS, "terms_new"), column(rows, CONTEXT_COLUMNS, "terms_with_parent")
    assert adds[1] > adds[2] == 0
    assert together[0] == together[1] > together[2]
    assert column(rows, CONTEXT_COLUMNS, "terms_new_to_best") == pytest.approx([0, adds[1], 0])
    assert column(rows, CONTEXT_COLUMNS, "terms_new_to_above")[1] == pytest.approx(adds[1])


def test_a_single_candidate_zero_scores_and_a_question_of_stop_words_give_finite_features():
    for features in (
        compute(texts=TEXTS[:1], links=()),
        compute(scores=(0.0, 0.0, 0.0), links=()),
        compute(question="Who is it?"),
    ):
        assert np.isfinite(features.to_matrix()).all()
        assert np.isfinite(compute_context_columns(features, np.zeros(len(features.ids)))).all()
