"""Strategies by name: modules of `hopline.strategies`, and those of other packages by entry point."""

from __future__ import annotations

import inspect
import logging
import typing
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, Final

from hopline.errors import UnknownName, UsageError
from hopline.retrieval.ranking import Strategy

log = logging.getLogger(__name__)


_PACKAGE: Final = "hopline.strategies"


def _folders() -> list[str]:
    """The folders of the package, found without importing a strategy."""
    spec = find_spec(_PACKAGE)
    return list(spec.submodule_search_locations or ()) if spec else []


@cache
def _ours() -> frozenset[str]:
    return frozenset(module.name for module in iter_modules(_folders()))


@cache
def _others() -> Mapping[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group="hopline.strategies")}


def strategy_names() -> tuple[str, ...]:
    """Names of all strategies, sorted; also of those whose package is broken."""
    return tuple(sorted(_ours() | set(_others())))


def check_strategy(spec: str) -> None:
    """Refuse a strategy that `load_strategy` would; loads none that is written without options.

    Raises:
        UnknownName: no such strategy or option; lists what there is.
        UsageError: a value does not fit its option.
    """
    name, _, written = spec.partition(":")
    if written:
        load_strategy(spec)
    elif name not in _ours() and name not in _others():
        raise UnknownName("strategy", name, strategy_names())


def load_strategy(spec: str) -> Strategy:
    """The strategy of ``name`` or ``name:option=value,option=value``.

    Raises:
        UnknownName: no such strategy or option; lists what there is.
        UsageError: a value does not fit its option, or the package that the strategy comes from is broken.
    """
    name, _, written = spec.partition(":")
    check_strategy(name)
    module = import_module(f"{_PACKAGE}.{name}") if name in _ours() else _plugin(_others()[name])
    summary = (module.__doc__ or "").strip().partition("\n")[0]
    return Strategy(
        name,
        module.rank,
        summary,
        needs_model=getattr(module, "NEEDS_MODEL", False),
        unaided=getattr(module, "UNAIDED", False),
        needs_gold=getattr(module, "NEEDS_GOLD", False),
        options=_options(name, module, written),
    )


def load_strategies() -> tuple[dict[str, Strategy], dict[str, str]]:
    """Every strategy by its name, and for each that cannot be loaded, why."""
    found: dict[str, Strategy] = {}
    broken: dict[str, str] = {}
    for name in strategy_names():
        try:
            found[name] = load_strategy(name)
        except UsageError as error:
            broken[name] = str(error)
    return found, broken


def working_strategies() -> list[Strategy]:
    """Every strategy that can be loaded; the others are warnings in the log."""
    found, broken = load_strategies()
    for reason in broken.values():
        log.warning("%s", reason)
    return list(found.values())


def _plugin(entry: EntryPoint) -> ModuleType:
    """The module of somebody else's strategy.

    Raises:
        UsageError: it cannot be loaded, or is no strategy.
    """
    try:
        module: ModuleType = entry.load()
        _known_options(module)
    except Exception as error:
        package = entry.dist.name if entry.dist else entry.value
        raise UsageError(
            f"the strategy {entry.name!r} of the package {package} cannot be loaded ({type(error).__name__}: {error}); "
            "mend or uninstall that package"
        ) from error
    return module


def _known_options(module: ModuleType) -> dict[str, Any]:
    """The options of a strategy's ``rank`` with their types."""
    kinds = typing.get_type_hints(module.rank)
    parameters = inspect.signature(module.rank).parameters.values()
    return {one.name: kinds[one.name] for one in parameters if one.kind is one.KEYWORD_ONLY}


def _options(name: str, module: ModuleType, written: str) -> dict[str, Any]:
    known = _known_options(module)
    options = {}
    for pair in filter(None, written.split(",")):
        option, _, value = pair.partition("=")
        if option not in known:
            raise UnknownName(f"option of {name}", option, known)
        options[option] = _value(name, option, value, known[option])
    return options


def _value(name: str, option: str, value: str, kind: Any) -> Any:
    choices = typing.get_args(kind) if typing.get_origin(kind) is typing.Literal else ()
    if choices:
        if value not in choices:
            raise UsageError(f"{name}:{option} must be one of {', '.join(choices)} (got {value!r})")
        return value
    if kind is bool:
        if value not in {"true", "false"}:
            raise UsageError(f"{name}:{option} must be true or false (got {value!r})")
        return value == "true"
    try:
        return kind(value)
    except ValueError as error:
        raise UsageError(f"{name}:{option} must be {kind.__name__} (got {value!r})") from error
