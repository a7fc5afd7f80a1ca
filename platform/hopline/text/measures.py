"""Measures: quantities with their units in texts, and the adjectives by which things are compared.

Units and adjectives are lists (``units.txt``, ``measures.txt``). The library pint was compared: it converts units, but
does not locate them in running text, knows no currencies and no counted things, and takes 0.3 seconds to import.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Final, Literal

from hopline.text.values import Number, find_dates, find_numbers, parse_number_word
from hopline.text.words import normalize_word, stem

Degree = Literal["positive", "comparative", "superlative"]
Unit = tuple[str, Decimal]  # a dimension, and the factor to the unit of this dimension

INFINITY: Final = Decimal("Infinity")
_EXACT_LETTERS: Final = 3  # names of units with more letters are read in any case
_SYMBOLS: Final = "°℃℉€$£¥₹²³"
_IRREGULAR: Final = {
    "well-paid": (("better paid", "higher paid", "better-paid"), ("best paid", "highest paid", "best-paid")),
    "ill-paid": (("worse paid", "lower paid", "less well paid"), ("worst paid", "lowest paid", "least well paid")),
    "far": (("farther", "further"), ("farthest", "furthest")),
    "late": (("later",), ("latest",)),
    "old": (("older", "elder"), ("oldest", "eldest")),
}
_NUMBER_WORD: Final = re.compile(
    r"(?<![\w-])[a-z]+(?:-(?:one|two|three|four|five|six|seven|eight|nine)\b)?(?!\w)", re.IGNORECASE
)
_JOINED: Final = re.compile(r"\s*(?:[-–—]|to|and)\s*")
_ADDED: Final = re.compile(r"[\s,]*(?:and\s+)?")
_BETWEEN: Final = re.compile(r"\bbetween\s+(?:[$€£]\s*)?$", re.IGNORECASE)
_BRACKET: Final = re.compile(r"\s*\((?:or |about |ca\. )?")
_BOUNDS: Final = (
    (re.compile(r"\b(?:more than|over|above|at least|exceed\w*|a minimum of)\s+$", re.IGNORECASE), "low"),
    (re.compile(r"\b(?:(?:less|fewer) than|under|below|at most|up to|a maximum of)\s+$", re.IGNORECASE), "high"),
)
_FRACTIONS: Final = {"½": "0.5", "¼": "0.25", "¾": "0.75", "half": "0.5", "quarter": "0.25", "quarters": "0.75"}
_FRACTION: Final = re.compile(
    r"\s?(?P<sign>[½¼¾])|\s+and\s+(?:an?|one|three)\s+(?P<word>half|quarters?)\b", re.IGNORECASE
)
_HALF: Final = re.compile(r"\bhalf\s+an?\s+(?=[a-z])", re.IGNORECASE)
_AGED: Final = re.compile(r"\b(?:aged?|age of)\s+$", re.IGNORECASE)
MAX_BOUND: Final = 20  # characters before a number that may state that it is a bound


@dataclass(frozen=True, slots=True)
class Measure:
    """What things are compared by; ``words`` are the stems by which a header or sentence says it.

    ``dimensions`` are those of the units, with "#" before the stem of what is counted; "money" is any currency.
    """

    dimensions: frozenset[str]
    words: frozenset[str]

    def includes(self, dimension: str) -> bool:
        """Return whether a quantity of a dimension may be of this measure."""
        return dimension.partition(":")[0] in self.dimensions


@dataclass(frozen=True, slots=True)
class Sense:
    """What an adjective means: more (``sign`` 1) or less (−1) of a measure."""

    measure: Measure
    sign: int
    degree: Degree = "positive"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit in a text: the values it may have in each dimension that the unit may be of.

    ``units`` is empty without a unit. A range and a bound ("over 30") have a lowest and a highest value.
    """

    low: Decimal
    high: Decimal
    start: int
    end: int
    units: tuple[Unit, ...] = ()

    def convert(self, dimension: str) -> tuple[Decimal, Decimal] | None:
        """Return the lowest and highest value in the unit of a dimension; None if it is of another one."""
        factor = next((factor for name, factor in self.units if name == dimension), None)
        return None if factor is None else (self.low * factor, self.high * factor)


def _read_lines(name: str) -> list[str]:
    text = (files(__package__) / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("//")]


@cache
def load_units() -> dict[str, tuple[Unit, ...]]:
    """Map the name of each unit to what it may be; long names are in lower case."""
    units: dict[str, tuple[Unit, ...]] = {}
    for line in _read_lines("units.txt"):
        head, _, names = line.partition(" : ")
        dimension, factor = head.split()
        for name in names.split():
            units[name] = (*units.get(name, ()), (dimension, Decimal(factor)))
    return units


@cache
def _compile_unit() -> re.Pattern[str]:
    names = sorted(load_units(), key=len, reverse=True)
    exact = "|".join(re.escape(name) for name in names if len(name) <= _EXACT_LETTERS or "/" in name)
    words = "|".join(re.escape(name) for name in names if len(name) > _EXACT_LETTERS and "/" not in name)
    return re.compile(rf"(?:(?i:{words})|{exact})(?![\w{_SYMBOLS}/])")


def find_unit(text: str) -> tuple[Unit, ...]:
    """Return what the last unit that a header of a column names may be: "Weight kg", "price_EUR"; () without one."""
    text = text.replace("_", " ")
    names = [
        match[0]
        for match in _compile_unit().finditer(text)
        if match.start() == 0 or not re.match(r"[\w/]", text[match.start() - 1])
    ]
    return _get_units(names[-1]) if names else ()


def _get_units(name: str) -> tuple[Unit, ...]:
    return load_units().get(name) or load_units().get(name.lower(), ())


@cache
def load_measures() -> tuple[Measure, ...]:
    """Load the measures, in the order of the list."""
    return tuple(measure for measure, _, _ in _load_lines())


@cache
def _load_lines() -> tuple[tuple[Measure, tuple[str, ...], tuple[str, ...]], ...]:
    lines = []
    for line in _read_lines("measures.txt"):
        dimensions, more, less, words = (part.split() for part in line.split("|"))
        names = frozenset(f"#{stem(name[1:])}" if name[0] == "#" else name for name in dimensions)
        forms = [form for adjective in (*more, *less) for form, _, _ in _inflect(adjective) if " " not in form]
        stems = frozenset(stem(word) for word in (*words, *forms))
        lines.append((Measure(names, stems), tuple(more), tuple(less)))
    return tuple(lines)


@cache
def load_senses() -> dict[str, tuple[Sense, ...]]:
    """Map each adjective in each degree ("heavy", "heavier", "heaviest", "more expensive") to what it may mean."""
    senses: dict[str, tuple[Sense, ...]] = {}
    for measure, more, less in _load_lines():
        for sign, adjectives in ((1, more), (-1, less)):
            for adjective in adjectives:
                for form, turned, degree in _inflect(adjective):
                    senses[form] = (*senses.get(form, ()), Sense(measure, sign * turned, degree))
    return senses


def _inflect(adjective: str) -> Iterator[tuple[str, int, Degree]]:
    """Yield the forms of an adjective, each with −1 if it means less of what the adjective does, and its degree."""
    yield adjective, 1, "positive"
    for more, degree in (("more", "comparative"), ("most", "superlative")):
        yield f"{more} {adjective}", 1, degree  # type: ignore[misc]
    for less, degree in (("less", "comparative"), ("least", "superlative")):
        yield f"{less} {adjective}", -1, degree  # type: ignore[misc]
    comparatives, superlatives = _IRREGULAR.get(adjective) or _add_endings(adjective)
    yield from ((form, 1, "comparative") for form in comparatives)
    yield from ((form, 1, "superlative") for form in superlatives)


def _add_endings(adjective: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    base = adjective.removesuffix("e")
    if re.fullmatch(r"[^aeiou]*[aeiou][bdgmnpt]", adjective):  # "big", "hot", "thin"
        base += adjective[-1]
    elif adjective.endswith("y"):
        base = f"{adjective[:-1]}i"
    return (f"{base}er",), (f"{base}est",)


def find_quantities(text: str) -> list[Quantity]:
    """Find the numbers of a text with their units, in order; those of dates are left out, those of names are not.

    "30–45 kg" is one quantity, and so are "2 h 15 min", "two and a half hours" and "half an hour". The same in another
    unit in brackets is left out.
    """
    days = [(span.start, span.end) for span in find_dates(text) if span.has_month]
    quantities = [
        _build_quantity(number, text)
        for number in find_numbers(text)
        if not any(start <= number.start < end for start, end in days)
    ]
    covered = [(item.start, item.end) for item in quantities]
    for match in _NUMBER_WORD.finditer(text):
        number = parse_number_word(match[0])
        endings = ("th", "first", "second", "third", *(() if _FRACTION.match(text, match.end()) else ("one",)))
        is_count = number is not None and not match[0].lower().endswith(endings)
        if is_count and not any(start < match.end() and match.start() < end for start, end in covered):
            value = Number(Decimal(number or 0), *match.span())
            quantities.append(_build_quantity(value, text))
    halves = (Number(Decimal("0.5"), *match.span()) for match in _HALF.finditer(text))
    quantities += [half for half in (_build_quantity(number, text) for number in halves) if half.units]
    return _join(_drop_conversions(sorted(quantities, key=lambda item: item.start), text), text)


def _build_quantity(number: Number, text: str) -> Quantity:
    start = number.end - len(text[number.start : number.end].lstrip(" \u00a0("))
    units, end = _get_units(number.unit) if number.unit not in {"", "%"} else (), number.end
    amount = number.amount
    if not units and (fraction := _FRACTION.match(text, end)):
        amount += Decimal(_FRACTIONS[(fraction["sign"] or fraction["word"]).lower()])
        end = fraction.end()
    if number.unit == "%":
        units = (("%", Decimal(1)),)
    elif not units and (match := re.compile(r"[\s\u00a0-]?").match(text, end)):
        unit = _compile_unit().match(text, match.end())
        units, end = (_get_units(unit[0]), unit.end()) if unit else ((), end)
    if not units and _AGED.search(text[max(0, start - MAX_BOUND) : start]):
        units = _get_units("years")
    for pattern, side in _BOUNDS:
        if pattern.search(text[max(0, start - MAX_BOUND) : start]):
            limits = (amount, INFINITY) if side == "low" else (-INFINITY, amount)
            return Quantity(*limits, start, end, units)
    return Quantity(amount, amount, start, end, units)


def _join(quantities: Sequence[Quantity], text: str) -> list[Quantity]:
    """Join the ends of ranges ("30–45 kg"), and quantities that are added up ("2 h 15 min")."""
    united: list[Quantity] = []
    for item in quantities:
        last = united[-1] if united else None
        if last and _is_range(last, item, text):
            united[-1] = replace(item, low=min(last.low, item.low), high=max(last.high, item.high), start=last.start)
        elif last and (total := _add(last, item, text)):
            united[-1] = total
        else:
            united.append(item)
    return united


def _is_range(first: Quantity, last: Quantity, text: str) -> bool:
    between = text[first.end : last.start]
    if not _JOINED.fullmatch(between) or not (first.units == last.units or not first.units):
        return False
    return between.strip() != "and" or bool(_BETWEEN.search(text[: first.start]))


def _add(first: Quantity, last: Quantity, text: str) -> Quantity | None:
    if not (first.units and last.units and _ADDED.fullmatch(text, first.end, last.start)):
        return None
    (dimension, factor), (other, smaller) = first.units[0], last.units[0]
    if dimension != other or smaller >= factor:
        return None
    low, high = (a * factor + b * smaller for a, b in ((first.low, last.low), (first.high, last.high)))
    return Quantity(low, high, first.start, last.end, ((dimension, Decimal(1)),))


def _drop_conversions(quantities: Sequence[Quantity], text: str) -> list[Quantity]:
    converted = {
        last.start
        for first, last in pairwise(quantities)
        if first.units and last.units and _BRACKET.fullmatch(text, first.end, last.start)
    }
    return [item for item in quantities if item.start not in converted]


def list_stems(text: str) -> list[str]:
    """Return the stems of the words of a text, in order."""
    return [stem(normalize_word(word)) for word in re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", text)]
