"""Minimums of metrics, and nDCG."""

from math import log2

import pytest

from hopline.errors import UsageError
from hopline.evaluation.minimums import find_failures, parse_minimums
from hopline.evaluation.ranking_metrics import ndcg
from hopline.evaluation.statistics import Evaluation, Figure, StrategyFigures


def test_minimums_are_parsed():
    assert parse_minimums("R@5=0.9, f1=.6,") == {"R@5": 0.9, "f1": 0.6}
    assert parse_minimums("") == {}


@pytest.mark.parametrize("text", ["R@5", "R@5=high", "=0.5", "R@5=90", "R@5=-1", "R@5=nan"])
def test_what_is_no_minimum_is_reported(text):
    with pytest.raises(UsageError, match="a minimum is a metric and a mean"):
        parse_minimums(text)


def test_a_mean_below_its_minimum_is_a_failure():
    scores = {"R@5": Figure(0.8, 0.7, 0.9, 10), "F1": Figure(0.6, 0.5, 0.7, 10)}
    evaluation = Evaluation("loans", 10, 5, (StrategyFigures(strategy="hopline", scores=scores),))
    assert list(find_failures(evaluation, {"r@5": 0.8, "F1": 0.6})) == []
    assert list(find_failures(evaluation, {"r@5": 0.9, "F1": 0.1})) == ["R@5 of hopline is 0.800 with k = 5, below 0.9"]
    with pytest.raises(UsageError, match=r"accuracy was not measured.*R@5, F1"):
        list(find_failures(evaluation, {"accuracy": 0.5}))


def test_ndcg_discounts_by_rank():
    ranked = [{"a"}, {"b"}, {"c"}]
    assert ndcg(ranked, ["a", "b"], 10) == 1.0
    assert ndcg(ranked, ["c"], 10) == pytest.approx(1 / log2(4))
    assert ndcg(ranked, ["b", "x"], 10) == pytest.approx((1 / log2(3)) / (1 + 1 / log2(3)))
    assert ndcg(ranked, ["c"], 2) == 0.0
    assert ndcg([], ["c"], 2) == 0.0
    assert ndcg([{"a", "b"}], ["a", "b"], 5) < 1.0
