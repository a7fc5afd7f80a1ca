"""Features of three candidates, computed by hand."""

import numpy as np
import pytest

from hopline.retrieval.reranking.features import (
    CANDIDATE_COLUMNS,
    CONTEXT_COLUMNS,
    CandidateFeatures,
    CandidateLink,
    compute_candidate_columns,
    compute_context_columns,
)
from hopline.scoring.query_coverage import match_terms

QUESTION = "Who directed the film that Ada Wong wrote in 1998?"
TEXTS = ["Ada Wong wrote Blind Shaft in 1998.", "Blind Shaft was directed by Li Yang.", "Nothing of the kind."]


LINKS = (CandidateLink(0, 1, 0.5, 4), CandidateLink(1, 0, 2.0, 1))


def build_features(*, texts=TEXTS, links=LINKS, sums=(3.0, 1.0, 2.0)):
    count = len(texts)
    vectors = np.eye(3)[:count]
    return CandidateFeatures(
        ids=tuple("abc"[:count]),
        sums=np.array(sums[:count]),
        parts=np.zeros((count, 4)),
        cosines=np.array([0.8, 0.6, 0.0][:count]),
        bm25=np.array([1.0, 0.5, 0.0][:count]),
        name_boosts=np.zeros(count),
        lengths=np.ones(count),
        vectors=vectors,
        question=np.array([0.8, 0.6, 0.0]),
        term_matches=match_terms(QUESTION, texts),
        links=links,
    )


def column(rows, names, name):
    return rows[:, names.index(name)].tolist()


def test_candidate_columns_match_values_computed_by_hand():
    rows = compute_candidate_columns(build_features())
    assert rows.shape == (3, len(CANDIDATE_COLUMNS))
    assert column(rows, CANDIDATE_COLUMNS, "rank") == [0, 2, 1]
    assert column(rows, CANDIDATE_COLUMNS, "of_best") == pytest.approx([1, 1 / 3, 2 / 3])
    assert column(rows, CANDIDATE_COLUMNS, "gap") == [0, 2, 1]
    assert column(rows, CANDIDATE_COLUMNS, "cosine_gap") == pytest.approx([0, -0.2, -0.8])
    assert column(rows, CANDIDATE_COLUMNS, "asked") == [6, 6, 6]
    covered = column(rows, CANDIDATE_COLUMNS, "covered")
    assert covered[0] > covered[1] > covered[2] == 0


def test_context_columns_match_values_computed_by_hand():
    rows = compute_context_columns(build_features(), np.array([0.9, 0.2, 0.4]))
    assert rows.shape == (3, len(CONTEXT_COLUMNS))
    assert column(rows, CONTEXT_COLUMNS, "link") == pytest.approx([0.2 * 2.0, 0.9 * 0.5, 0])
    assert column(rows, CONTEXT_COLUMNS, "link_in_crowd") == pytest.approx([0.4, 0.45 * 4**-0.3, 0])
    assert column(rows, CONTEXT_COLUMNS, "from") == pytest.approx([0.2, 0.9, -1])  # the last: none links to it
    assert column(rows, CONTEXT_COLUMNS, "from_rank") == [2, 0, 99]
    assert column(rows, CONTEXT_COLUMNS, "back") == pytest.approx([0.2 * 0.5, 0.9 * 2.0, 0])
    # b is linked from a: the part of the question that a does not cover is parallel to b
    assert column(rows, CONTEXT_COLUMNS, "rest")[1] == pytest.approx(1)
    assert column(rows, CONTEXT_COLUMNS, "alike") == pytest.approx([0, 0, 0])
    # "directed" is what b adds to a; "film" occurs nowhere
    adds, together = column(rows, CONTEXT_COLUMNS, "adds"), column(rows, CONTEXT_COLUMNS, "together")
    assert adds[1] > adds[2] == 0
    assert together[0] == together[1] > together[2]
    assert column(rows, CONTEXT_COLUMNS, "adds_to_best") == pytest.approx([0, adds[1], 0])
    assert column(rows, CONTEXT_COLUMNS, "adds_to_above")[1] == pytest.approx(adds[1])


def test_a_single_candidate_zero_scores_and_a_question_of_stop_words_give_finite_features():
    for item in (build_features(texts=TEXTS[:1], links=()), build_features(sums=(0.0, 0.0, 0.0), links=())):
        assert np.isfinite(compute_candidate_columns(item)).all()
        assert np.isfinite(compute_context_columns(item, np.zeros(len(item.ids)))).all()
    wordless = build_features()
    wordless = CandidateFeatures(
        **{name: getattr(wordless, name) for name in CandidateFeatures.__slots__}
        | {"term_matches": match_terms("Who is it?", TEXTS)}
    )
    assert np.isfinite(compute_context_columns(wordless, compute_candidate_columns(wordless)[:, 0])).all()
