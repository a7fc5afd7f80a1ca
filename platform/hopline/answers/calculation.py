"""Calculations over the cells of a table: over the years of a row, or over two rows.

"What was the percentage change in revenue from 2018 to 2019?" names one row and two years, "What is the ratio of
revenue to costs in 2019?" two rows and one year, "In which year was revenue larger?" one row, whose years are compared.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hopline.answers.amounts import find_table_scale
from hopline.answers.answerer import EvidenceReader
from hopline.answers.cells import CitedCell, cite_cells, join_parts
from hopline.answers.composition import compose_answer
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis, analyse_question
from hopline.reader.confidence import read_with_confidence
from hopline.reader.input import format_with_heading
from hopline.results import READER, Answer, Evidence, Retrieval, Sentence
from hopline.tables.grid import TableRow, has_value
from hopline.tables.named_programs import NO_VALUE
from hopline.tables.operations import (
    MAX_YEARS,
    SCALED,
    Operand,
    Operation,
    describe_operation,
    find_all_years,
    find_row,
    find_row_operands,
    find_year_operands,
)
from hopline.text.values import YEAR, find_years, parse_number

LABEL_CONFIDENCE: Final = 0.9  # in the only row that is labelled with the subject: of 69 on dev, 68 were right
_PERCENTAGE_CHANGE: Final = (
    r"\b(?:percent(?:age)?\s+(?:change|increase|decrease|growth|difference|decline)|growth\s+rate)\b"
    r"|^by\s+(?:what|how\s+many)\s+percent(?:age)?\b"
)
_OPERATIONS: Final[tuple[tuple[Operation, re.Pattern[str]], ...]] = (
    ("percentage change", re.compile(_PERCENTAGE_CHANGE, re.IGNORECASE)),
    ("average", re.compile(r"\b(?:average|mean)\b", re.IGNORECASE)),
    ("sum", re.compile(r"\b(?:sum|combined(?:\s+total)?|total(?:\s+(?:amount|number|value))?)\b", re.IGNORECASE)),
    ("change", re.compile(r"\b(?:change|increase|decrease|decline)\b|^by\s+how\s+much\b", re.IGNORECASE)),
    ("difference", re.compile(r"\bdifference\b", re.IGNORECASE)),
)
# "Were sales higher in 2019 than in 2018?" and "Did sales increase from 2018 to 2019?": is it an increase?
_COMPARED: Final = re.compile(
    r"\b(?:(?P<more>more|higher|larger|greater|bigger|longer|above)|(?P<less>less|lower|fewer|smaller|shorter|below))\b"
    rf"(?P<middle>.*?)\b(?P<first>{YEAR})\b.*?\bthan\b.*?\b(?P<second>{YEAR})\b",
    re.IGNORECASE,
)
_CHANGED: Final = re.compile(
    r"\b(?:(?P<up>increased?|rise|rose|risen|grow|grew|grown|gone\s+up|go\s+up|improved?)|"
    r"(?P<down>decreased?|fall|fell|fallen|declined?|drop|dropped|shrink|shrank|gone\s+down|go\s+down))\b",
    re.IGNORECASE,
)
_LARGEST: Final = r"largest|larger|highest|higher|greatest|greater|biggest|most|maximum"
_SMALLEST: Final = r"smallest|smaller|lowest|lower|least|minimum"
_YEAR_SOUGHT: Final = re.compile(
    r"^(?:in\s+)?(?:which|what)\s+(?:fiscal\s+|financial\s+)?(?:year|fy|period)\s+"
    r"(?:(?:is|was|are|were|did|does)\s+(?P<subject>.+?)\s+(?:the\s+)?(?:reach\s+(?:its|their)\s+)?"
    rf"(?:(?P<large>{_LARGEST})|(?P<small>{_SMALLEST}))"
    rf"|(?:has|had)\s+(?:the|a)\s+(?:(?P<most>{_LARGEST})|(?P<least>{_SMALLEST}))\s+(?P<object>.+?))\s*\?*$",
    re.IGNORECASE,
)
_PAIR_PATTERNS: Final[tuple[tuple[Operation, str], ...]] = (
    ("difference", r"the\s+difference\s+(?:in\s+(?P<common>.+?)\s+)?between\s+(?P<a>.+?)\s+and\s+(?P<b>.+?)"),
    ("ratio", r"the\s+ratio\s+of\s+(?P<a>.+?)\s+to\s+(?P<b>.+?)"),
    ("ratio", r"(?:the\s+)?(?P<a>.+?)\s+as\s+a\s+(?:proportion|ratio|share)\s+of\s+(?P<b>.+?)"),
    ("ratio", r"the\s+proportion\s+of\s+(?P<a>.+?)\s+(?:over|to|in|out\s+of)\s+(?P<b>.+?)"),
    ("percentage", r"(?:the\s+)?(?P<a>.+?)\s+as\s+a\s+percent(?:age)?\s+of\s+(?P<b>.+?)"),
    ("percentage", r"the\s+percent(?:age)?(?:\s+\w+)?\s+of\s+(?P<a>.+?)\s+(?:over|in|out\s+of|among|to)\s+(?P<b>.+?)"),
    ("sum", r"the\s+(?:sum|total|combined\s+total)\s+of\s+(?P<a>.+?)\s+and\s+(?P<b>.+?)"),
    ("average", r"the\s+average\s+of\s+(?P<a>.+?)\s+and\s+(?P<b>.+?)"),
)
_PAIRS: Final = tuple(
    (operation, re.compile(rf"^(?:what|how\s+much)\s+(?:is|was|are|were)\s+{pattern}\s*\?*$", re.IGNORECASE))
    for operation, pattern in _PAIR_PATTERNS
)
_VERB: Final = re.compile(r"^(?:is|are|was|were|do|does|did|has|have|had)\s+(?:there\s+)?(?:the\s+)?", re.IGNORECASE)
_RANGE: Final = re.compile(rf"\b({YEAR})\s*(?:-|–|to|through)\s*({YEAR})\b", re.IGNORECASE)
_WORDS_OF_TIME: Final = r"from|between|in|for|during|over|of|as\s+of|as\s+at|at|fiscal|the|years?|ended|end|both"
_TIME: Final = re.compile(rf"\s*,?\s*(?:\b(?:{_WORDS_OF_TIME})\b\s*)*(?:[A-Z][a-z]+\s+\d{{1,2}},\s*)?\b{YEAR}\b.*$")
_LEADING_TIME: Final = re.compile(rf"^(?:(?:{_WORDS_OF_TIME})\s+)*{YEAR}\s*,?\s+", re.IGNORECASE)
_ALL_YEARS: Final = re.compile(
    r"\s*,?\s*(?:for|between|in|over|across|from)\s+(?:both|all|the)\s+(?:\w+\s+)?(?:fys|years?|periods?)\b.*$",
    re.IGNORECASE,
)
_ASKING: Final = re.compile(r"^(?:what|how\s+much)\s+(?:is|was|were|are|did)\s+(?:the\s+)?", re.IGNORECASE)
_LINK: Final = re.compile(
    r"^\s*(?:/\s*\(?\w+\)?\s*)?(?:in|of|for)?\s*(?:the\s+)?(?:(?:amount|value|number)\s+(?:of|for)\s+)?(?:the\s+)?",
    re.IGNORECASE,
)
_LINKED: Final = re.compile(r"\s*(?:/\s*\(?\w+\)?\s*)?(?:in|of|for)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Calculation:
    """An operation over the values of ``subjects`` in ``years``, which are in ascending order.

    There is one subject, whose years are computed with, or two subjects and at most one year. One subject without years
    stands for all years of its row.
    """

    operation: Operation
    subjects: tuple[str, ...]
    years: tuple[str, ...] = ()

    def ask(self, subject: str, year: str) -> QuestionAnalysis:
        """The question for one value."""
        return analyse_question(f"What was the {subject} in {year}?" if year else f"What was the {subject}?")


@dataclass(frozen=True, slots=True)
class LocatedCell:
    """The cell of a table for a subject and a year, "" for any, and the confidence, in [0, 1], that it is this cell."""

    confidence: float
    table: Evidence
    start: int
    year: str


def answer_calculation(question: QuestionAnalysis, retrieval: Retrieval, reader: EvidenceReader) -> Flow[Answer | None]:
    """Answer a question for a calculation over cells of one table, for example for a change from year to year.

    None if the question asks for something else, if a cell is missing or is less sure than the threshold of the
    reader, if the cells are of several tables, and if there is no result.
    """
    calculation = parse_calculation(question) if reader.enabled else None
    if calculation is None:
        return None
    # the document has to have the names of all parts of the question: of the whole one, not of this part
    whole = question.whole or question
    missing = find_missing_cell(calculation, whole, retrieval.evidence)
    if missing:
        return _answer_missing(retrieval, *missing)
    cells = yield from locate_cells(calculation, whole, retrieval.evidence, threshold=reader.threshold)
    operands = find_operands(calculation, cells) if cells else None
    computed = describe_operation(calculation.operation, operands) if operands else None
    if not operands or not computed:
        return None
    short, formula = computed
    table = cells[0].table
    has_scale = calculation.operation in SCALED and not operands[0].percent
    scale = find_table_scale(table, retrieval.evidence) if has_scale else ""
    label = operands[0].row.cells[0].text if len(calculation.subjects) == 1 else ""
    text = f"{formula} {scale}".strip()
    head = join_parts(table.caption, label, ", ".join(operand.name for operand in operands))
    cited = cite_cells(retrieval, table, [CitedCell(operand.row, operand.cell) for operand in operands])
    confidence = min(cell.confidence for cell in cells)
    return compose_answer(
        retrieval,
        (Sentence(f"{head}: {text}", cited),),
        short=f"{short} {scale}".strip(),
        confidence=confidence,
        written_by=READER,
    )


def find_missing_cell(
    calculation: Calculation, question: QuestionAnalysis, evidence: Sequence[Evidence]
) -> tuple[Evidence, TableRow, int] | None:
    """Find a cell without a value that a calculation needs: its table, the row of a subject, the column of a year.

    The subject labels one row, and one column is of the year; the document has all names of the question.
    """
    for table in evidence:
        texts = [format_with_heading(item) for item in evidence if item.document == table.document]
        grid = table.grid
        if grid is None or question.find_unmatched(texts):
            continue
        for subject in calculation.subjects:
            row = find_row(grid, subject)
            for year in calculation.years if row else ():
                columns = [n for n in range(1, len(row.cells)) if year in grid.column(n)] if row else []
                if row and len(columns) == 1 and not has_value(row.cells[columns[0]].text):
                    return table, row, columns[0]
    return None


def _answer_missing(retrieval: Retrieval, table: Evidence, row: TableRow, column: int) -> Answer:
    header = table.grid.column(column) if table.grid else ""
    text = join_parts(table.caption, row.cells[0].text, f"{header}: {NO_VALUE}")
    cited = cite_cells(retrieval, table, [CitedCell(row, row.cells[column])])
    return compose_answer(retrieval, (Sentence(text, cited),), short=NO_VALUE, confidence=LABEL_CONFIDENCE)


def parse_calculation(question: QuestionAnalysis) -> Calculation | None:
    """Parse a question for a calculation; None if it asks for something else."""
    text = question.text
    if question.asks_for_verdict:
        return _parse_comparison(text)
    calculation = _parse_sought_year(text) or _parse_years(text) or _parse_pair(text)
    if calculation is None or not all(re.search(r"[A-Za-z]{3}", subject) for subject in calculation.subjects):
        return None
    return calculation


def _parse_sought_year(question: str) -> Calculation | None:
    match = _YEAR_SOUGHT.match(question)
    if match is None:
        return None
    operation: Operation = "largest" if match["large"] or match["most"] else "smallest"
    return Calculation(operation, (_clean(match["subject"] or match["object"]),))


def _parse_years(question: str) -> Calculation | None:
    """Parse an operation over the years that a question names, or over all years of a row."""
    years = set(find_years(question))
    stated = next(((name, match) for name, pattern in _OPERATIONS if (match := pattern.search(question))), None)
    if stated is None or len(years) == 1 or len(years) > MAX_YEARS:
        return None
    operation, match = stated
    if not years and (operation == "sum" or not (operation == "average" or _ALL_YEARS.search(question))):
        return None
    if operation in {"average", "sum"} and (span := _RANGE.search(question)):
        years |= {str(year) for year in range(int(span[1]), int(span[2]) + 1)}
    if operation in {"change", "percentage change", "difference"} and len(years) not in {0, 2}:
        return None
    behind = _TIME.sub("", _ALL_YEARS.sub("", question[match.end() :]))
    before = "" if _LINKED.match(behind) else _ASKING.sub("", question[: match.start()]).strip()
    subject = f"{before} {_LINK.sub('', behind, count=1)}".strip(" ?.,")
    if not years and re.search(r"\bbetween\b", subject):
        return None
    return Calculation(operation, (subject,), tuple(sorted(years)))


def _parse_pair(question: str) -> Calculation | None:
    """Parse an operation over two rows, of one year or of the only column."""
    years = sorted(set(find_years(question)))
    if len(years) > 1:
        return None
    bare = re.sub(rf"^In\s+{years[0]},\s+", "", question) if years else question
    for operation, pattern in _PAIRS:
        if match := pattern.match(bare):
            common = f" {match['common']}" if "common" in match.groupdict() and match["common"] else ""
            return Calculation(operation, (_clean(match["a"]) + common, _clean(match["b"]) + common), tuple(years))
    return None


def _clean(subject: str) -> str:
    """A subject without its time and article."""
    subject = _TIME.sub("", _LEADING_TIME.sub("", subject.strip(" ?.,")))
    return _LINK.sub("", subject, count=1).strip(" ?.,")


def _parse_comparison(question: str) -> Calculation | None:
    """Parse a yes-or-no question that compares the values of two years."""
    verb = _VERB.match(question)
    years = tuple(sorted(set(find_years(question))))
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
    return Calculation("increase" if increases else "decrease", (subject,), years)


def locate_cells(
    calculation: Calculation, question: QuestionAnalysis, evidence: Sequence[Evidence], *, threshold: float
) -> Flow[list[LocatedCell]]:
    """Locate one cell for each subject of a calculation: by the label of its row, or else by the reader.

    Empty if a subject has no cell with at least the confidence ``threshold``, or if the cells are in several tables.
    """
    cells: list[LocatedCell] = []
    for subject in calculation.subjects:
        cell = _locate_by_label(calculation, subject, question, evidence)
        cell = cell or (yield from _locate_by_reader(calculation, subject, evidence))
        if cell is None or cell.confidence < threshold:
            return []
        cells.append(cell)
    return cells if len({cell.table.id for cell in cells}) == 1 else []


def _locate_by_label(
    calculation: Calculation, subject: str, question: QuestionAnalysis, evidence: Sequence[Evidence]
) -> LocatedCell | None:
    """Locate a cell in the only row that is labelled with the subject; its document has all names of the question."""
    located = []
    year = calculation.years[-1] if calculation.years else ""
    for table in evidence:
        grid = table.grid
        row = find_row(grid, subject) if grid else None
        texts = [format_with_heading(item) for item in evidence if item.document == table.document]
        if grid is None or row is None or question.find_unmatched(texts):
            continue
        numbers = [n for n, cell in enumerate(row.cells) if n and parse_number(cell.text) is not None]
        columns = [n for n in numbers if year in grid.column(n)]
        any_column = not year and len(calculation.subjects) == 1
        if len(columns) == 1 or (columns and any_column):
            located.append(LocatedCell(LABEL_CONFIDENCE, table, row.cells[columns[0]].start, year))
    return located[0] if len(located) == 1 else None


def _locate_by_reader(calculation: Calculation, subject: str, evidence: Sequence[Evidence]) -> Flow[LocatedCell | None]:
    """Locate the cell in which the reader has the highest confidence, for any of the years."""
    tables = [item for item in evidence if item.kind == "table"]
    located = []
    for year in reversed(calculation.years or ("",)):
        readings = yield from read_with_confidence(calculation.ask(subject, year), tables)
        located += [LocatedCell(item.confidence, item.reading.evidence, item.reading.start, year) for item in readings]
    return max(located, key=lambda cell: cell.confidence, default=None)


def find_operands(calculation: Calculation, cells: Sequence[LocatedCell]) -> list[Operand] | None:
    """Find all cells that a calculation needs, from those that were located; None if there are other or no numbers."""
    grid, first = cells[0].table.grid, cells[0]
    if grid is None:
        return None
    if len(cells) > 1:
        return find_row_operands(grid, [cell.start for cell in cells], first.year)
    if not calculation.years:
        return find_all_years(grid, first.start)
    return find_year_operands(grid, first.start, first.year, calculation.years)
