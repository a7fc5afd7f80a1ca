"""The estimate of the remaining time, with a fake estimator."""

import pytest

from hopline.documents import remaining_time


@pytest.fixture
def estimator_and_time(monkeypatch):
    """An estimator, and a list whose last entry is the time."""
    now = [100.0]
    monkeypatch.setattr(remaining_time.time, "monotonic", lambda: now[-1])  # type: ignore[attr-defined]
    return remaining_time.RemainingTimeEstimator(), now


def test_the_rate_is_measured_from_the_first_work_not_from_the_start(estimator_and_time):
    estimator, now = estimator_and_time
    now.append(130.0)
    assert estimator.estimate_left(100.0) is None  # 30 s in which the models were loaded
    now.append(140.0)
    assert estimator.estimate_left(80.0) == pytest.approx(40.0)  # 20 of 100 in 10 s


def test_there_is_no_estimate_before_a_tenth_is_done_or_in_the_first_seconds(estimator_and_time):
    estimator, now = estimator_and_time
    assert estimator.estimate_left(100.0) is None
    now.append(104.0)
    assert estimator.estimate_left(50.0) is None
    now.append(120.0)
    assert estimator.estimate_left(95.0) is None


def test_work_that_is_added_later_increases_the_estimate(estimator_and_time):
    estimator, now = estimator_and_time
    estimator.estimate_left(100.0)
    now.append(120.0)
    first = estimator.estimate_left(50.0)
    estimator.estimate_left(400.0)
    now.append(125.0)
    assert estimator.estimate_left(300.0) > first


def test_without_remaining_work_the_estimate_is_zero(estimator_and_time):
    estimator, _ = estimator_and_time
    assert estimator.estimate_left(0.0) == 0.0


def test_the_passages_of_pages_that_wait_are_part_of_the_work():
    nothing = dict.fromkeys(("pages", "unread", "unembedded", "unrelated", "triples", "entities"), 0)
    page = {**nothing, "pages": 1}
    passages = {**nothing, "unread": 4, "unembedded": 4}
    assert remaining_time.compute_work(nothing) == 0
    assert remaining_time.compute_work(page) == pytest.approx(1 + remaining_time.compute_work(passages))
