"""Columns of tables that give a measure: by the words of their header, or by its unit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from hopline.text.measures import Measure, Unit, find_quantities, find_unit, list_stems
from hopline.text.values import FIRST_HEADER_YEAR, find_years

ANY: Final = "*"  # the dimension of a measure whose words say what it is, whatever the unit
# a length, a time or an amount of money may be of many measures: a word has to say of which
UNCLEAR: Final = frozenset({"length", "time", "year", "money"})


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
    if named:
        exact = [n for n in named if len(set(list_stems(_remove_unit(headers[n]))) - measure.words) == 0]
        return exact if len(exact) == 1 else named
    if measure.dimensions & UNCLEAR - {"money"}:
        return []
    units = {n: find_unit(headers[n]) or _find_cell_unit(samples[n]) for n in columns}
    return [n for n in columns if any(measure.includes(dimension) for dimension, _ in units[n])]


def _remove_unit(header: str) -> str:
    return re.sub(r"\([^()]*\)", "", " ".join(word for word in header.split() if not find_unit(word)))


def _allows(measure: Measure, header: str, sample: str) -> bool:
    units = find_unit(header) or _find_cell_unit(sample)
    return not units or ANY in measure.dimensions or any(measure.includes(dimension) for dimension, _ in units)


def _find_cell_unit(text: str) -> tuple[Unit, ...]:
    quantity = next(iter(find_quantities(text)), None)
    return quantity.units if quantity else ()
