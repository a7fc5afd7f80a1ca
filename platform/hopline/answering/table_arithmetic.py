"""Calculations over a table: changes, percentage changes, averages and sums over years, with the cells cited.

"What was the percentage change in revenue from 2018 to 2019?": the reader finds the cell for "What was the revenue in
2019?"; the cells of the other years are in the same row, under their years, or in the same column, beside them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from hopline.answering.answer_evidence import AnswerEvidence
from hopline.flow.requests import Flow
from hopline.nlp.question_terms import asks_yes_or_no
from hopline.reading.confidence import rate_readings
from hopline.reading.span_reading import SpanReading, read_evidence
from hopline.reading.table_grid import Cell, ParsedTable, TableRow, read_grid, read_number
from hopline.types import READER, Answer, Citation, Sentence

Operation = Literal["percentage change", "change", "average", "sum", "increase", "decrease"]

MAX_YEARS: Final = 6
_PERCENTAGE_CHANGE: Final = (
    r"\b(?:percent(?:age)?\s+(?:change|increase|decrease|growth|difference|decline)|growth\s+rate)\b"
    r"|^by\s+(?:what|how\s+many)\s+percent(?:age)?\b"
)
_OPERATIONS: Final[tuple[tuple[Operation, re.Pattern[str]], ...]] = (
    ("percentage change", re.compile(_PERCENTAGE_CHANGE, re.IGNORECASE)),
    ("average", re.compile(r"\b(?:average|mean)\b", re.IGNORECASE)),
    ("sum", re.compile(r"\b(?:sum|combined(?:\s+total)?)\b", re.IGNORECASE)),
    ("change", re.compile(r"\b(?:change|increase|decrease|difference|decline)\b|^by\s+how\s+much\b", re.IGNORECASE)),
)
# "Were sales higher in 2019 than in 2018?" and "Did sales increase from 2018 to 2019?": is it an increase?
_COMPARED: Final = re.compile(
    r"\b(?:(?P<more>more|higher|larger|greater|bigger|longer|above)|(?P<less>less|lower|fewer|smaller|shorter|below))\b"
    r"(?P<middle>.*?)\b(?P<first>(?:19|20)\d\d)\b.*?\bthan\b.*?\b(?P<second>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_CHANGED: Final = re.compile(
    r"\b(?:(?P<up>increased?|rise|rose|risen|grow|grew|grown|gone\s+up|go\s+up|improved?)|"
    r"(?P<down>decreased?|fall|fell|fallen|declined?|drop|dropped|shrink|shrank|gone\s+down|go\s+down))\b",
    re.IGNORECASE,
)
_VERB: Final = re.compile(r"^(?:is|are|was|were|do|does|did|has|have|had)\s+(?:there\s+)?(?:the\s+)?", re.IGNORECASE)
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_RANGE: Final = re.compile(r"\b((?:19|20)\d\d)\s*(?:-|–|to|through)\s*((?:19|20)\d\d)\b", re.IGNORECASE)
_TIME: Final = re.compile(
    r"\s*,?\s*(?:\b(?:from|between|in|for|during|over|of|as\s+of|at|fiscal|the|years?|ended|both)\b\s*)*"
    r"(?:[A-Z][a-z]+\s+\d{1,2},\s*)?\b(?:19|20)\d\d\b.*$"
)
_ASKING: Final = re.compile(r"^(?:what|how\s+much)\s+(?:is|was|were|are|did)\s+(?:the\s+)?", re.IGNORECASE)
_LINK: Final = re.compile(r"^\s*(?:/\s*\(?\w+\)?\s*)?(?:in|of|for)?\s*(?:the\s+)?", re.IGNORECASE)
_LINKED: Final = re.compile(r"\s*(?:/\s*\(?\w+\)?\s*)?(?:in|of|for)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Calculation:
    """An operation over the values of ``subject`` in ``years``, which are in ascending order."""

    operation: Operation
    subject: str
    years: tuple[str, ...]

    def ask(self, year: str) -> str:
        """The question for the value of one year."""
        return f"What was the {self.subject} in {year}?"


@dataclass(frozen=True, slots=True)
class _Value:
    """A cell with its number."""

    year: str
    row: TableRow
    cell: Cell
    number: float


def parse_calculation(question: str) -> Calculation | None:
    """Parse a question for a calculation over two or more years; None if it asks for something else."""
    question = " ".join(question.split())
    if asks_yes_or_no(question):
        return _parse_comparison(question)
    years = set(_YEAR.findall(question))
    found = next(((name, match) for name, pattern in _OPERATIONS if (match := pattern.search(question))), None)
    if found is None or len(years) < 2:
        return None
    operation, match = found
    if operation in {"average", "sum"} and (span := _RANGE.search(question)):
        years |= {str(year) for year in range(int(span[1]), int(span[2]) + 1)}
    behind = _TIME.sub("", question[match.end() :])
    before = "" if _LINKED.match(behind) else _ASKING.sub("", question[: match.start()]).strip()
    subject = f"{before} {_LINK.sub('', behind)}".strip(" ?.,")
    if not re.search(r"[A-Za-z]{3}", subject) or len(years) > MAX_YEARS:
        return None
    if operation in {"change", "percentage change"} and len(years) != 2:
        return None
    return Calculation(operation, subject, tuple(sorted(years)))


def _parse_comparison(question: str) -> Calculation | None:
    """Parse a yes-or-no question that compares the values of two years."""
    verb = _VERB.match(question)
    years = tuple(sorted(set(_YEAR.findall(question))))
    if verb is None or len(years) != 2:
        return None
    rest = question[verb.end() :]
    if compared := _COMPARED.search(rest):
        increases = bool(compared["more"]) == (compared["first"] == years[1])
        subject = f"{rest[: compared.start()]} {compared['middle']}"
    elif (changed := _CHANGED.search(rest)) and not re.search(r"\bthan\b", rest):
        increases = bool(changed["up"])
        subject = rest[: changed.start()]
    else:
        return None
    subject = " ".join(re.sub(r"\b(?:in|during|for|of|fiscal|the\s+year|year)\s*$", "", subject.strip(" ,")).split())
    if not re.search(r"[A-Za-z]{3}", subject):
        return None
    return Calculation("increase" if increases else "decrease", subject, years)


def compute_from_table(calculation: Calculation, given: AnswerEvidence, *, threshold: float) -> Flow[Answer | None]:
    """Compute over the cells of the table that the reader is most sure of; None if a cell is missing or too unsure."""
    tables = [evidence for evidence in given.evidence if evidence.kind == "table"]
    best: tuple[float, SpanReading, str] | None = None
    for year in reversed(calculation.years):
        question = calculation.ask(year)
        readings = yield from read_evidence(question, tables)
        for reading, confidence in zip(readings, rate_readings(question, readings), strict=True):
            if best is None or confidence > best[0]:
                best = confidence, reading, year
    if best is None or best[0] < threshold:
        return None
    confidence, reading, year = best
    values = _find_values(reading, year, calculation.years)
    if values is None:
        return None
    return _compose(calculation, values, reading, confidence, given)


def _find_values(reading: SpanReading, year: str, years: Sequence[str]) -> list[_Value] | None:
    """The cells of all years: under their years in the row of the reading, or beside them in its column."""
    table = read_grid(reading.evidence.text)
    row = next((row for row in table.body if row.start <= reading.start < row.end), None)
    if row is None:
        return None
    place = next((n for n, cell in enumerate(row.cells) if cell.start <= reading.start < cell.end), None)
    if place is None:
        return None
    if year in table.column(place):
        return _find_in_row(table, row, place, year, years)
    return _find_in_column(table, row, place, year, years)


def _find_in_row(table: ParsedTable, row: TableRow, place: int, year: str, years: Sequence[str]) -> list[_Value] | None:
    header = table.column(place)
    values = []
    for wanted in years:
        places = [
            n for n in range(len(row.cells)) if wanted in table.column(n) and read_number(row.cells[n]) is not None
        ]
        same = [n for n in places if table.column(n) == header.replace(year, wanted)]
        if not places or (len(places) > 1 and len(same) != 1):
            return None
        cell = row.cells[(same or places)[0]]
        values.append(_Value(wanted, row, cell, read_number(cell) or 0.0))
    return values


def _find_in_column(
    table: ParsedTable, row: TableRow, place: int, year: str, years: Sequence[str]
) -> list[_Value] | None:
    label = row.cells[0].text
    if place == 0 or year not in label:
        return None
    values = []
    for wanted in years:
        rows = [
            other
            for other in table.body
            if other.cells and other.cells[0].text == label.replace(year, wanted) and place < len(other.cells)
        ]
        number = read_number(rows[0].cells[place]) if len(rows) == 1 else None
        if number is None:
            return None
        values.append(_Value(wanted, rows[0], rows[0].cells[place], number))
    return values


def calculate(operation: Operation, numbers: Sequence[float]) -> float | None:
    """Apply an operation to numbers in the order of their years; None for a change from zero."""
    if operation == "average":
        return sum(numbers) / len(numbers)
    if operation == "sum":
        return sum(numbers)
    first, last = numbers[0], numbers[-1]
    if operation in {"change", "increase", "decrease"}:
        return last - first
    return 100 * (last - first) / abs(first) if first else None


def _compose(
    calculation: Calculation, values: Sequence[_Value], reading: SpanReading, confidence: float, given: AnswerEvidence
) -> Answer | None:
    result = calculate(calculation.operation, [value.number for value in values])
    if result is None:
        return None
    texts = [" ".join(value.cell.text.split()) for value in values]
    short = _format_number(result)
    match calculation.operation:
        case "increase" | "decrease":
            short = "yes" if (result > 0 if calculation.operation == "increase" else result < 0) else "no"
            sign = ">" if result > 0 else "<" if result < 0 else "="
            formula = f"{texts[-1]} in {values[-1].year} {sign} {texts[0]} in {values[0].year}"
        case "change":
            formula = f"{texts[-1]} − {texts[0]} = {short}"
        case "percentage change":
            short += "%"
            formula = f"({texts[-1]} − {texts[0]}) / {texts[0]} = {short}"
        case "average":
            formula = f"({' + '.join(texts)}) / {len(texts)} = {short}"
        case "sum":
            formula = f"{' + '.join(texts)} = {short}"
    evidence = reading.evidence
    label = values[0].row.cells[0].text
    head = " — ".join(part for part in (evidence.caption, label, ", ".join(value.year for value in values)) if part)
    rows = {(value.row.start, value.row.end) for value in values}
    path = given.find_path(evidence.id)
    citations = tuple(Citation(evidence, evidence.text[a:b], a, b, path) for a, b in sorted(rows))
    sentence = Sentence(f"{head}: {formula}", citations)
    return given.answer((sentence,), short=short, confidence=confidence, written_by=READER)


def _format_number(number: float) -> str:
    text = f"{number:,.2f}".rstrip("0").rstrip(".")
    return text.replace("-", "−") if text != "-0" else "0"
