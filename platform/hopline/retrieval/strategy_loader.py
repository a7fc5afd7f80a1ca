"""Loading strategies by name: modules of `hopline.strategies`, and entry points of other packages."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import Final

from hopline.errors import UnknownName, UsageError
from hopline.retrieval.ranking import Rank, Strategy
from hopline.retrieval.reader_reranker import rank_with_reader
from hopline.retrieval.strategy_options import RERANK, parse_options, read_option_types

log = logging.getLogger(__name__)

_PACKAGE: Final = "hopline.strategies"


def _find_folders() -> list[str]:
    """Return the folders of the package without importing a strategy."""
    spec = find_spec(_PACKAGE)
    return list(spec.submodule_search_locations or ()) if spec else []


@cache
def _list_own_names() -> frozenset[str]:
    return frozenset(module.name for module in iter_modules(_find_folders()))


@cache
def _list_entry_points() -> Mapping[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group="hopline.strategies")}


def list_strategy_names() -> tuple[str, ...]:
    """Return the names of all strategies, sorted, including those that cannot be loaded."""
    return tuple(sorted(_list_own_names() | set(_list_entry_points())))


def check_strategy(spec: str) -> None:
    """Validate a strategy as `load_strategy` does, without importing it if ``spec`` has no options.

    Raises:
        UnknownName: no such strategy or option; lists the existing ones.
        UsageError: the value of an option is invalid.
    """
    name, _, options = spec.partition(":")
    if options:
        load_strategy(spec)
    elif name not in _list_own_names() and name not in _list_entry_points():
        raise UnknownName("strategy", name, list_strategy_names())


def load_strategy(spec: str | Strategy) -> Strategy:
    """Load the strategy ``name`` or ``name:option=value,option=value``; a `Strategy` is returned as it is.

    Every strategy has the option ``rerank=N``: its first N evidence are reranked by the reader.

    Raises:
        UnknownName: no such strategy or option; lists the existing ones.
        UsageError: the value of an option is invalid, or the package of the strategy cannot be imported.
    """
    if isinstance(spec, Strategy):
        return spec
    name, _, options = spec.partition(":")
    check_strategy(name)
    module = (
        import_module(f"{_PACKAGE}.{name}") if name in _list_own_names() else _load_plugin(_list_entry_points()[name])
    )
    summary = (module.__doc__ or "").strip().partition("\n")[0]
    parsed = parse_options(name, module.rank, options)
    depth = parsed.pop(RERANK, 0)
    rank: Rank = module.rank
    if depth:
        rank, parsed = rank_with_reader, {"rank": module.rank, "depth": depth, "options": parsed}
    return Strategy(
        name,
        rank,
        summary,
        needs_model=getattr(module, "NEEDS_MODEL", False),
        closed_book=getattr(module, "CLOSED_BOOK", False),
        needs_gold=getattr(module, "NEEDS_GOLD", False),
        options=parsed,
        spec=spec,
    )


def load_strategies() -> tuple[dict[str, Strategy], dict[str, str]]:
    """Load every strategy; returns the strategies by name, and the reason for each that cannot be loaded."""
    loaded: dict[str, Strategy] = {}
    broken: dict[str, str] = {}
    for name in list_strategy_names():
        try:
            loaded[name] = load_strategy(name)
        except UsageError as error:
            broken[name] = str(error)
    return loaded, broken


def load_working_strategies() -> list[Strategy]:
    """Load every strategy that works; log a warning for each of the others."""
    loaded, broken = load_strategies()
    for reason in broken.values():
        log.warning("%s", reason)
    return list(loaded.values())


def _load_plugin(entry: EntryPoint) -> ModuleType:
    """Import the strategy of another package.

    Raises:
        UsageError: it cannot be imported, or is no strategy.
    """
    try:
        module: ModuleType = entry.load()
        read_option_types(module.rank)
    except Exception as error:
        package = entry.dist.name if entry.dist else entry.value
        raise UsageError(
            f"the strategy {entry.name!r} of the package {package} cannot be loaded ({type(error).__name__}: {error}); "
            "repair or uninstall that package"
        ) from error
    return module
