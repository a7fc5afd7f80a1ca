"""The guess of the seconds that are left, on a clock turned by hand."""

import pytest

from hopline.documents import progress


@pytest.fixture
def turned(monkeypatch):
    """A clock, and a list whose last entry is the time."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[-1])
    return progress.Clock(), now


def test_the_pace_counts_from_the_first_work_not_from_the_start(turned):
    clock, now = turned
    now.append(130.0)
    assert clock.left(100.0) is None  # 30 s in which the models were loaded
    now.append(140.0)
    assert clock.left(80.0) == pytest.approx(40.0)  # 20 of 100 in 10 s


def test_nothing_is_guessed_before_a_tenth_is_done_nor_in_the_first_seconds(turned):
    clock, now = turned
    assert clock.left(100.0) is None
    now.append(104.0)
    assert clock.left(50.0) is None
    now.append(120.0)
    assert clock.left(95.0) is None


def test_work_that_turns_up_later_lengthens_it(turned):
    clock, now = turned
    clock.left(100.0)
    now.append(120.0)
    first = clock.left(50.0)
    clock.left(400.0)
    now.append(125.0)
    assert clock.left(300.0) > first


def test_no_work_is_no_time(turned):
    clock, _ = turned
    assert clock.left(0.0) == 0.0
