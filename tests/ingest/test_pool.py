"""`eval` is the work: it is importable in a spawned process, and its input can raise or die."""

import pytest

from hopline_ingest.process_pool import Pool, process_pool

DEATH = "__import__('os')._exit(1)"


@pytest.fixture
def pool():
    made = Pool(lambda: process_pool(2))
    yield made
    made.close()


def test_results_come_with_their_inputs(pool):
    assert sorted(pool.results(eval, ["1 + 1", "2 * 3"])) == [("1 + 1", 2), ("2 * 3", 6)]


def test_an_input_whose_work_raises_has_its_error_and_costs_no_other(pool):
    found = dict(pool.results(eval, ["1 + 1", "int('x')"]))
    assert found["1 + 1"] == 2
    assert isinstance(found["int('x')"], ValueError)


def test_a_process_that_dies_costs_its_own_input_only(pool):
    found = dict(pool.results(eval, ["1 + 1", DEATH, "2 * 3"]))
    assert (found["1 + 1"], found["2 * 3"]) == (2, 6)
    assert "died" in str(found[DEATH])
