"""Retrieval strategies, one module each; the folder is the list.

A strategy is a module with ``rank(question, k, *, option=default, …) -> Flow[Ranking]``; the first
line of its docstring is its summary, ``NEEDS_MODEL = True`` says that it cannot work without a
model; ``UNAIDED`` and ``NEEDS_GOLD`` mark the two that bound answers (`hopline.ranking.Strategy`).
Others' strategies are found through the entry-point group ``hopline.strategies``.
A strategy with options is written ``gnn_ret:base=hybrid,nodes=10``.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from hopline.errors import UnknownName, UsageError
from hopline.ranking import Strategy


@cache
def _others() -> Mapping[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group="hopline.strategies")}


def strategy_names() -> tuple[str, ...]:
    """Names of all strategies, sorted."""
    ours = {module.name for module in iter_modules(__path__)}
    return tuple(sorted(ours | set(_others())))


def load_strategy(spec: str) -> Strategy:
    """The strategy of ``name`` or ``name:option=value,option=value``.

    Raises:
        UnknownName: no such strategy or option; lists what there is.
        UsageError: a value does not fit its option.
    """
    name, _, written = spec.partition(":")
    if name not in strategy_names():
        raise UnknownName("strategy", name, strategy_names())
    module = _others()[name].load() if name in _others() else import_module(f"{__name__}.{name}")
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


def _options(name: str, module: ModuleType, written: str) -> dict[str, Any]:
    kinds = typing.get_type_hints(module.rank)
    known = {
        p.name: kinds[p.name] for p in inspect.signature(module.rank).parameters.values() if p.kind is p.KEYWORD_ONLY
    }
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
