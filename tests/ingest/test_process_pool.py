"""`eval` is the work: it is importable in a spawned process, and its input can raise or die."""

import pytest

from hopline_ingest.process_pool import ResilientExecutor, create_process_pool

DEATH = "__import__('os')._exit(1)"


@pytest.fixture
def pool():
    executor = ResilientExecutor(lambda: create_process_pool(2))
    yield executor
    executor.close()


def test_results_come_with_their_inputs(pool):
    assert sorted(pool.map_unordered(eval, ["1 + 1", "2 * 3"])) == [("1 + 1", 2), ("2 * 3", 6)]


def test_an_input_that_raises_has_its_error_and_does_not_affect_others(pool):
    results = dict(pool.map_unordered(eval, ["1 + 1", "int('x')"]))
    assert results["1 + 1"] == 2
    assert isinstance(results["int('x')"], ValueError)


def test_a_process_that_crashes_fails_its_own_input_only(pool):
    results = dict(pool.map_unordered(eval, ["1 + 1", DEATH, "2 * 3"]))
    assert (results["1 + 1"], results["2 * 3"]) == (2, 6)
    assert "crashed" in str(results[DEATH])
