"""The values that things have by a measure, from all evidence: tables, sentences about one thing or about several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hopline.answers.measure_senses import NUMBER
from hopline.answers.measured_values import MeasuredValue, find_in_table, list_text_values, names_thing
from hopline.answers.paired_values import list_numbers, list_paired_values
from hopline.reader.input import format_heading
from hopline.results import Evidence
from hopline.tables.grid import TableRow
from hopline.text.measures import Measure, list_stems
from hopline.text.values import FIRST_HEADER_YEAR, find_years


def find_values(
    subject: str,
    measure: Measure,
    evidence: Sequence[Evidence],
    *,
    others: Sequence[str] = (),
    years: Sequence[str] = (),
    context: Iterable[str] = (),
) -> list[MeasuredValue]:
    """Find the values that a thing has by a measure, in the order of the evidence.

    ``others`` are things that it is compared with, whose values are not its own. ``years``: those of the question; a
    value of another year is left out. ``context`` are stems that the sentence or row has to have, or the heading above
    it.
    """
    values: list[MeasuredValue] = []
    subjects = list(dict.fromkeys((subject, *others)))
    for item in evidence:
        if measure == NUMBER:
            values += list_numbers(item, subject) if item.grid is None else []
            continue
        if item.grid is not None:
            values += find_in_table(subject, measure, item, item.grid, years)
            continue
        paired = list(list_paired_values(measure, item, subjects))
        spans = {value.span for value in paired}
        values += [value for value in paired if value.name == subject]
        values += [
            value
            for value in list_text_values(measure, item, subjects)
            if names_thing(value.name, subject) and value.span not in spans
        ]
    wanted = frozenset(context)
    values = [value for value in values if _fits(value, wanted, years)]
    labelled = [value for value in values if value.cell is not None or measure.words & list_stated(value)]
    return labelled or values


def _fits(value: MeasuredValue, context: frozenset[str], years: Sequence[str]) -> bool:
    text = value.evidence.text[slice(*value.span)]
    stated = find_years(text, since=FIRST_HEADER_YEAR) if value.cell is None else []
    of_other_year = bool(years and stated and not set(years) & set(stated))
    return context <= list_stated(value) and not of_other_year


def list_stated(value: MeasuredValue) -> frozenset[str]:
    """Return the stems of the sentence or row of a value, of the header of its table, and of its heading."""
    text = value.evidence.text[slice(*value.span)]
    header = " ".join(_join_cells(row) for row in value.evidence.grid.head) if value.evidence.grid else ""
    return frozenset(list_stems(f"{format_heading(value.evidence)} {header} {text}".replace("-", " ")))


def _join_cells(row: TableRow) -> str:
    return " ".join(cell.text for cell in row.cells)
