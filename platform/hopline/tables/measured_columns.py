"""Columns of tables that give a measure: by the words of their header, or by its unit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from hopline.text.measures import Measure, Unit, find_quantities, find_unit, list_stems
from hopline.text.values import FIRST_HEADER_YEAR, find_dates, find_years, is_year

ANY: Final = "*"  # the dimension of a measure whose words say what it is, whatever the unit
# a length, a time or an amount of money may be of many measures: a word has to say of which
UNCLEAR: Final = frozenset({"length", "time", "year", "money"})


YEAR: Final = "year"  # the dimension of dates
RATE_WORD: Final = "per"  # of a measure that is named by a quotient: "yield per hectare"
RATE: Final = re.compile(r"\s*(?:\b(?:per|an?|each|every)\s+|/\s?)(?P<per>[a-z]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CellMeasure:
    """How much a cell states: the lowest and the highest value, the dimension, and the unit as it is written.

    Without a unit, the dimension is that of its column.
    """

    low: Decimal
    high: Decimal
    dimension: str
    unit: str = ""


def find_columns(measure: Measure, headers: Sequence[str], samples: Sequence[str], years: Sequence[str]) -> list[int]:
    """Return the columns of a measure: those whose header says it, else those with its unit; the first has the labels.

    ``samples`` are the texts of a row. A column of another year than the question's is left out.
    """
    columns = []
    for index, header in enumerate(headers):
        of_years = find_years(header, since=FIRST_HEADER_YEAR)
        if index and not (years and of_years and not set(years) & set(of_years)):
            columns.append(index)
    named = [
        n for n in columns if measure.words & set(list_stems(headers[n])) and _allows(measure, headers[n], samples[n])
    ]
    if RATE_WORD in measure.words:
        return [n for n in named if measure.words <= set(list_stems(headers[n]))]
    if named:
        exact = [n for n in named if len(set(list_stems(remove_unit(headers[n]))) - measure.words) == 0]
        return exact if len(exact) == 1 else named
    if measure.words and measure.dimensions & UNCLEAR - {"money"}:
        return []
    units = {n: _find_cell_unit(samples[n]) or _find_header_unit(headers[n], samples[n]) for n in columns}
    return [n for n in columns if any(measure.includes(dimension) for dimension, _ in units[n])]


def remove_unit(header: str) -> str:
    """Return a header without its unit and without what is in brackets."""
    words = header.replace("_", " ").split()
    return re.sub(r"\([^()]*\)", "", " ".join(word for word in words if not find_unit(word)))


def _allows(measure: Measure, header: str, sample: str) -> bool:
    if YEAR in measure.dimensions:  # the header "Year" names a unit of time
        return any(span.date.year is not None for span in find_dates(sample))
    units = find_unit(header) or _find_cell_unit(sample)
    return not units or ANY in measure.dimensions or any(measure.includes(dimension) for dimension, _ in units)


def _find_header_unit(header: str, sample: str) -> tuple[Unit, ...]:
    """The unit of a header; none of "Year" above a year."""
    return () if is_year(sample.strip()) else find_unit(header)


def _find_cell_unit(text: str) -> tuple[Unit, ...]:
    quantity = next(iter(find_quantities(text)), None)
    return quantity.units if quantity else ()


def measure_cell(measure: Measure, text: str, header: str) -> CellMeasure | None:
    """Return how much of a measure a cell states; None if it begins with no number, or is of another measure."""
    if YEAR in measure.dimensions:
        dates = find_dates(text)
        days = dates[0].date.days if dates and dates[0].date.year is not None else None
        return CellMeasure(Decimal(days.first), Decimal(days.last), YEAR) if days else None
    quantity = next(iter(find_quantities(text)), None)
    before = text[: quantity.start] if quantity else ""
    if quantity is None or (re.search(r"\w", before) and not find_unit(before)):
        return None
    units = quantity.units or find_unit(header) or ((f"column {header}", Decimal(1)),)
    dimension, factor = next((unit for unit in units if measure.includes(unit[0])), units[0])
    if quantity.units and not measure.includes(dimension) and ANY not in measure.dimensions:
        return None
    rate = RATE.match(text, quantity.end) or RATE.search(header)
    per = f" per {rate['per'].lower()}" if rate else ""
    unit = write_unit(text[quantity.start : quantity.end] if quantity.units else header)
    return CellMeasure(quantity.low * factor, quantity.high * factor, dimension + per, unit)


def write_unit(text: str) -> str:
    """Return the unit of a quantity or header as it is written, without its number; "" if it has none."""
    words = [word.strip("()[],") for word in re.sub(r"[-−]?\d[\d.,\s]*|_", " ", text).split()]
    return next((word for word in reversed(words) if find_unit(word)), "")
