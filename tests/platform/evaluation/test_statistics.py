"""Paired differences."""

from hopline.evaluation.statistics import bootstrap_mean, compute_paired_differences


def test_a_question_that_is_hard_for_both_does_not_widen_the_interval() -> None:
    base = [{"R@5": score} for score in (0.0, 1.0, 0.0, 1.0, 0.2)]
    better = [{"R@5": row["R@5"] + 0.1, "all@5": 1.0} for row in base]
    differences = compute_paired_differences(better, base)
    assert set(differences) == {"R@5"}
    assert abs(differences["R@5"].mean - 0.1) < 1e-9
    assert differences["R@5"].high - differences["R@5"].low < 1e-9
    wide = bootstrap_mean([row["R@5"] for row in better])
    assert wide.high - wide.low > 0.3
