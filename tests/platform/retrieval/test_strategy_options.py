"""Options of strategies: every number has a range, and values outside it are errors that name it."""

from typing import Annotated

import pytest

from hopline.errors import UsageError
from hopline.retrieval.strategy_options import Range, parse_options, read_option_types
from hopline.strategies import list_strategy_names, load_strategy


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("kgp:branching=0", r"kgp:branching must be a whole number from 1 to 100 \(got '0'\)"),
        ("gnn_ret:nodes=-1", r"gnn_ret:nodes must be a whole number from 1 to 100 \(got '-1'\)"),
        ("gnn_ret:nodes=2.5", r"gnn_ret:nodes must be a whole number from 1 to 100 \(got '2.5'\)"),
        ("gnn_ret:alpha=nan", r"gnn_ret:alpha must be a number from 0 to 1 \(got 'nan'\)"),
        ("gnn_ret:alpha=inf", r"gnn_ret:alpha must be a number from 0 to 1 \(got 'inf'\)"),
        ("hipporag:damping=1", r"hipporag:damping must be a number from 0 to 0.99 \(got '1'\)"),
        ("gear:steps=100000", r"gear:steps must be a whole number from 1 to 20 \(got '100000'\)"),
        ("bm25:rerank=-1", r"bm25:rerank must be a whole number from 0 to 200 \(got '-1'\)"),
        ("bm25:rerank=100000", r"bm25:rerank must be a whole number from 0 to 200 \(got '100000'\)"),
    ],
)
def test_a_number_outside_its_range_is_an_error_that_names_the_range(spec, message):
    with pytest.raises(UsageError, match=message):
        load_strategy(spec)


def list_ranges(name):
    """Return the options of a strategy that are numbers, with their type, range and default."""
    strategy = load_strategy(name)
    defaults = strategy.rank.__kwdefaults__ or {}
    return [
        (option, kind, bounds, defaults[option])
        for option, (kind, bounds) in read_option_types(strategy.rank).items()
        if kind in (int, float)
    ]


NUMBERS = [(name, *option) for name in list_strategy_names() for option in list_ranges(name)]


@pytest.mark.parametrize(
    ("name", "option", "kind", "bounds", "default"), NUMBERS, ids=[f"{name}:{option}" for name, option, *_ in NUMBERS]
)
def test_every_number_has_a_range_that_contains_its_default(name, option, kind, bounds, default):
    assert bounds is not None, "declare it as Annotated[int, Range(1, 100)]"
    assert default is None or default in bounds
    for value in (bounds.minimum, bounds.maximum):
        assert load_strategy(f"{name}:{option}={value}").options == {option: kind(value)}
    for value in (bounds.minimum - 1, bounds.maximum + 1):
        with pytest.raises(UsageError, match=str(bounds)):
            load_strategy(f"{name}:{option}={value}")


@pytest.mark.parametrize("end", ["minimum", "maximum"])
@pytest.mark.parametrize("name", [name for name in list_strategy_names() if list_ranges(name)])
def test_a_strategy_runs_with_every_number_at_the_end_of_its_range(tiny, schema_chat, name, end):
    graph = tiny()
    graph.passage("a", "Ingrid Vale drew the Skarv Bridge.", [1, 0, 0, 0])
    graph.passage("b", "Ingrid Vale studied in Trondheim.", [0, 1, 0, 0])
    graph.entity("Ingrid Vale", "a", "b")
    graph.triple("a", "Ingrid Vale", "drew", "Skarv Bridge", [1, 0, 0, 0])
    graph.triple("b", "Ingrid Vale", "studied in", "Trondheim", [0, 1, 0, 0])
    options = ",".join(f"{option}={getattr(bounds, end)}" for option, _, bounds, _ in list_ranges(name))
    ranking = graph.rank(f"{name}:{options}", "Where did Ingrid Vale study?", [1, 0, 0, 0], 2, chat=schema_chat)
    assert 1 <= len(ranking.ids) <= 2


def test_an_option_that_may_be_missing_has_the_type_and_range_of_its_values():
    def rank(question, k, *, gamma: Annotated[float, Range(0, 1)] | None = None):
        yield

    assert parse_options("mine", rank, "") == {}
    assert parse_options("mine", rank, "gamma=0.3") == {"gamma": 0.3}
    for value in ("2", "None"):
        with pytest.raises(UsageError, match="mine:gamma must be a number from 0 to 1"):
            parse_options("mine", rank, f"gamma={value}")


def test_a_number_of_another_package_needs_no_range_but_must_be_finite():
    def rank(question, k, *, depth: int = 1, weight: float = 0.5, limit: Annotated[float, Range(-1, 1)] = 0.0):
        yield

    assert parse_options("mine", rank, "depth=-3,weight=2.5,limit=-0.5") == {"depth": -3, "weight": 2.5, "limit": -0.5}
    with pytest.raises(UsageError, match=r"mine:weight must be a finite number \(got 'nan'\)"):
        parse_options("mine", rank, "weight=nan")
