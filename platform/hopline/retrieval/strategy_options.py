"""Options of strategies: their types and ranges, and the parsing of their values.

An option is a keyword argument of ``rank``. A number declares its range in its type, ``Annotated[int, Range(1, 20)]``,
where the upper limit bounds the cost of one question. An option whose default depends on others is ``… | None``, and
None is its default only. `parse_options` checks every value.
"""

from __future__ import annotations

import inspect
import math
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from hopline.errors import UnknownName, UsageError


@dataclass(frozen=True, slots=True)
class Range:
    """The least and the largest value of an option; both are allowed."""

    minimum: float
    maximum: float

    def __contains__(self, value: float) -> bool:
        return self.minimum <= value <= self.maximum

    def __str__(self) -> str:
        return f"from {self.minimum} to {self.maximum}"


StepCount = Annotated[int, Range(1, 20)]  # of a loop with calls of a language model
BeamLength = Annotated[int, Range(1, 5)]  # triples of a beam
ListSize = Annotated[int, Range(1, 100)]  # evidence, paths or beams that are each read, encoded or extended
SearchDepth = Annotated[int, Range(1, 1000)]  # results of one search, or neighbours of one node
HubDegree = Annotated[int, Range(1, 10_000)]  # edges of a node that is still followed
Fraction = Annotated[float, Range(0, 1)]
ScoreWeight = Annotated[float, Range(0, 100)]

RERANK: Final = "rerank"  # option of every strategy
_RERANK_DEPTH: Final = Annotated[int, Range(0, 200)]


def read_option_types(rank: Callable[..., Any]) -> dict[str, tuple[Any, Range | None]]:
    """Return the options of ``rank`` with their types and, where declared, their ranges."""
    hints = typing.get_type_hints(rank, include_extras=True)
    parameters = inspect.signature(rank).parameters.values()
    return {
        parameter.name: _split_annotation(hints[parameter.name])
        for parameter in parameters
        if parameter.kind is parameter.KEYWORD_ONLY
    }


def _split_annotation(annotation: Any) -> tuple[Any, Range | None]:
    if isinstance(annotation, types.UnionType) or typing.get_origin(annotation) is typing.Union:
        [annotation] = [kind for kind in typing.get_args(annotation) if kind is not type(None)]
    if typing.get_origin(annotation) is not Annotated:
        return annotation, None
    kind, *metadata = typing.get_args(annotation)
    return kind, next((item for item in metadata if isinstance(item, Range)), None)


def parse_options(name: str, rank: Callable[..., Any], text: str) -> dict[str, Any]:
    """Parse ``option=value,option=value`` for the strategy ``name``.

    Raises:
        UnknownName: no such option; lists the existing ones.
        UsageError: a value has the wrong type or is outside its range; names what is allowed.
    """
    option_types: Mapping[str, tuple[Any, Range | None]] = {
        RERANK: _split_annotation(_RERANK_DEPTH),
        **read_option_types(rank),
    }
    options = {}
    for pair in filter(None, text.split(",")):
        option, _, value = pair.partition("=")
        if option not in option_types:
            raise UnknownName(f"option of {name}", option, option_types)
        kind, bounds = option_types[option]
        try:
            options[option] = _parse_value(value, kind, bounds)
        except ValueError as error:
            expected = describe_values(kind, bounds)
            raise UsageError(f"{name}:{option} must be {expected} (got {value!r})") from error
    return options


def _parse_value(text: str, kind: Any, bounds: Range | None) -> Any:
    """Return the value of a text.

    Raises:
        ValueError: it is not of this type, or outside ``bounds``.
    """
    if typing.get_origin(kind) is typing.Literal:
        return _find_choice(text, {choice: choice for choice in typing.get_args(kind)})
    if kind is bool:
        return _find_choice(text, {"true": True, "false": False})
    value = kind(text)
    is_number = isinstance(value, int | float)
    if is_number and (not math.isfinite(value) or (bounds is not None and value not in bounds)):
        raise ValueError(text)
    return value


def _find_choice(text: str, choices: Mapping[str, Any]) -> Any:
    if text not in choices:
        raise ValueError(text)
    return choices[text]


def describe_values(kind: Any, bounds: Range | None) -> str:
    """Return the values of an option in words, for errors and the reference."""
    if typing.get_origin(kind) is typing.Literal:
        return f"one of {', '.join(map(str, typing.get_args(kind)))}"
    if kind is bool:
        return "true or false"
    if kind not in (int, float):
        return "text" if kind is str else str(getattr(kind, "__name__", kind))
    noun = "whole number" if kind is int else "number" if bounds is not None else "finite number"
    return f"a {noun}" if bounds is None else f"a {noun} {bounds}"
