"""Cells of tables: those that a question names, and results of operations over rows, whichever is likeliest.

A result over a table competes with what the reader finds: see `weigh_results`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from hopline.answers.amounts import add_scale, find_table_scale, write_amount
from hopline.answers.answerer import MAX_EVIDENCE, EvidenceReader
from hopline.answers.comparison import parse_comparison
from hopline.answers.composition import cite, compose_answer, demote_to_possible, find_missing
from hopline.answers.expansion import UnitedTable, insert_seeds
from hopline.answers.list_question import ListQuestion, parse_list_question
from hopline.answers.measure_question import parse_measure_question
from hopline.answers.unfitting_readings import UNFITTING_FACTOR
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.confidence import RatedReading, normalize_short, repeats_question
from hopline.reader.identifiers import is_about_other_identifier
from hopline.reader.input import format_heading, format_with_heading
from hopline.reader.reading import SpanReading
from hopline.results import POSSIBLE, Answer, Citation, Evidence, Retrieval, Sentence
from hopline.tables.cell_selection import CellSelection
from hopline.tables.enumeration import enumerate_programs
from hopline.tables.grid import Cell, TableRow
from hopline.tables.measured_columns import remove_unit
from hopline.tables.named_lists import find_named_list
from hopline.tables.named_programs import find_missing_value, find_named_program
from hopline.tables.parts import parse_row_range
from hopline.tables.programs import LOOKUPS, Program
from hopline.tables.question import CellReading, TableQuestion, analyse_table_question
from hopline.tables.ranking import RankedProgram, load_weights, rank_programs
from hopline.tables.row_bounds import locate_bound
from hopline.tables.series import EXTREMES, HIGHEST
from hopline.tables.typed_table import Column, TypedTable, build_typed_table, split_words
from hopline.text.measures import Sense, find_unit
from hopline.text.values import read_count
from hopline.text.words import contains_name, read_stem_list, stem

MAX_SEARCHED: Final = 4  # tables that are searched
# factor of the odds of the ranking: its training has more tables that do not answer the question; of 412 questions of
# `hitab-dev`, of those with a probability of 0.4 to 0.5, 71 % were right
ANSWERING: Final = 1.5
MIN_COMPUTED: Final = 0.6  # probability of a computed answer from which it limits cells that were read
MAX_LOOKED_UP: Final = (
    0.5  # confidence in a cell that is found by words alone, and in what may not be computed over the rows meant
)
NAMED: Final = 0.9  # probability of a cell whose row and column the question names, and nothing else
NAMED_IN_PART: Final = 0.4  # probability of rows of a list, if a word of the question is not explained
UNNAMED: Final = 0.5  # of the probability, if what the question names is not in the table
UNMEASURED: Final = 0.2  # likewise, if it is the measure of a superlative
_TOGETHER: Final = re.compile(r"\b(?:al)?together\b|\bcombined\b", re.IGNORECASE)  # of several cells
# of rows and columns whose numbers need not have the scale that the table states
_RATE: Final = re.compile(
    r"\b(?:per|percent|percentages?|ratios?|rates?|margins?|numbers?|counts?|headcount|shares|employees)\b|%",
    re.IGNORECASE,
)
_SHARE: Final = re.compile(r"\b(?:what|which)\s+(?:percentage|per\s?cent|proportion|share of|%)", re.IGNORECASE)
_SHARE_UNIT: Final = re.compile(
    r"%|\b(?:per\s?cent|percentages?|pct|proportions?|shares?|rates?|ratios?)\b", re.IGNORECASE
)
_VERBS: Final = frozenset(split_words("win won score earn receive get hold take make play"))  # need not be in the table
MAX_CITED: Final = 12  # rows
MAX_OTHERS: Final = 3  # rows or columns beside those with the largest or smallest value
MAX_LISTED: Final = 50  # rows of a list
MAX_UNEXPLAINED: Final = 2  # words of a question for several things that neither a cell nor a header has
MOST: Final = 0.99  # probability of a result, at most
SUPERLATIVES: Final = frozenset({"largest", "smallest"})
# operations whose values have the unit of their column
_AMOUNTS: Final = frozenset(
    {"value", "list", "fall", "list columns", "sum", "average", "difference", "range", "highest value", "lowest value"}
)
# no program leaves rows out
_EXCLUDING: Final = re.compile(r"\b(?:not|no|without|except|excluding|other than|never)\b|n['’]t\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TableSource:
    """A table with its heading, and what the reader found in it.

    ``senses``: by which measure the question asks for most or least. ``wanted``: the several things that it asks for.
    ``selection``: how likely each row and column is asked for. ``surroundings``: what else is known of the document:
    its name, its headings and its passages.
    """

    table: Evidence
    heading: str
    reading: CellReading | None = None
    senses: tuple[Sense, ...] = ()
    wanted: ListQuestion | None = None
    selection: CellSelection | None = field(default=None, compare=False)
    surroundings: str = ""

    @property
    def nearest_heading(self) -> frozenset[str]:
        """The stems of the heading that is nearest to the table: its caption, its section, or else its document."""
        table = self.table
        headings = (table.caption, *table.section[::-1], table.title, table.document)
        return frozenset(split_words(next(filter(None, headings), "")))


@dataclass(frozen=True, slots=True)
class CitedCell:
    """A cell that an answer is computed from or found in, with its row."""

    row: TableRow
    cell: Cell

    def shift(self, distance: int) -> CitedCell:
        """Return the cell in a text in which its row begins by ``distance`` characters later."""
        row = replace(self.row, start=self.row.start + distance, end=self.row.end + distance)
        return CitedCell(row, replace(self.cell, start=self.cell.start + distance, end=self.cell.end + distance))


@dataclass(frozen=True, slots=True)
class TableResult:
    """What a program gives over a table, and its probability, in [0, 1].

    ``values`` are the answer, ``text`` says in words which cells it is from, ``cells`` are these cells. ``computed`` is
    the probability that the question asks for more than a cell that is looked up; ``named``: see `is_named`.
    ``unexplained``: the words of a question for several things that the table does not have. ``units``: the unit and
    the scale of each value, if they are amounts of the table. ``ranked``: what all programs give, if the rows and
    columns of the table were scored; ``elsewhere``: the probability of the results over other tables, by their short
    form.
    """

    table: Evidence
    program: Program
    probability: float
    values: tuple[str, ...]
    text: str
    cells: tuple[CitedCell, ...]
    computed: float
    named: bool = False
    unexplained: tuple[str, ...] = ()
    units: tuple[tuple[str, str | None], ...] = ()
    ranked: tuple[RankedProgram, ...] = field(default=(), compare=False)
    elsewhere: Mapping[str, float] = field(default_factory=dict, compare=False)

    @property
    def compares(self) -> bool:
        """Whether it is the row or column of the largest or smallest value."""
        return self.program.selection.choice in SUPERLATIVES or self.program.operation in EXTREMES

    @property
    def short(self) -> str:
        """The values in one line."""
        return "; ".join(self.values)

    def rate(self, short: str) -> float:
        """Return the lowest probability of values with this normalized form in the ranking; 1 if it has none."""
        rates = (item.probability for item in self.ranked if normalize_short("; ".join(item.program.values)) == short)
        return min(rates, default=1.0)

    def write_short(self, scale: str) -> str:
        """Return the values in one line, amounts with their units and with the scale of their column or the table."""
        if not self.units:
            return self.short
        pairs = zip(self.values, self.units, strict=True)
        return "; ".join(write_amount(value, unit, "" if own is None else own or scale) for value, (unit, own) in pairs)


def answer_cell(
    question: QuestionAnalysis, retrieval: Retrieval, reader: EvidenceReader, *, computed_only: bool = False
) -> Flow[Answer | None]:
    """Answer with the likeliest result over a table; None if what the reader finds is likelier.

    A result that is less sure than the threshold of the reader is a possible answer. With ``computed_only``, a cell
    that is looked up is no answer, only what is computed or compared.
    """
    retrieval, readings = yield from reader.read(question, retrieval)
    united = yield from reader.unite_tables(retrieval)
    result, readings = yield from weigh_results(question, retrieval, readings, reader, united)
    if result is None or result.probability <= max((POSSIBLE, *(item.confidence for item in readings))):
        return None
    if computed_only and not result.program.computed:
        return None
    table = result.table
    scale = find_table_scale(table, retrieval.evidence)
    retrieval, citations = cite_result(retrieval, result, united)
    text = join_parts(table.caption, result.text)
    if not result.program.formula:
        text = add_scale(text, result.values[0], scale)
    answer = compose_answer(retrieval, (Sentence(text, citations),), short=result.short, confidence=result.probability)
    answer = replace(answer, short=result.write_short(scale))  # quoted if its numbers are
    if result.probability >= reader.threshold:
        return answer
    return demote_to_possible(answer, missing=find_missing(question, retrieval))


def cite_result(
    retrieval: Retrieval, result: TableResult, united: Sequence[UnitedTable]
) -> tuple[Retrieval, tuple[Citation, ...]]:
    """Cite the cells of a result; those of a united table in its parts, which are added to the retrieval."""
    whole = next((item for item in united if item.table == result.table), None)
    if whole is None:
        return retrieval, cite_cells(retrieval, result.table, result.cells)
    located = [(cell, *whole.locate(cell.row.start, cell.row.end)) for cell in result.cells]
    known = {item.id for item in retrieval.evidence}
    added = {part.id: part for _, part, _ in located if part.id not in known}
    retrieval = insert_seeds(retrieval, tuple(added.values()))
    cited = [cite_cells(retrieval, part, [cell.shift(distance)]) for cell, part, distance in located]
    return retrieval, tuple(citation for citations in cited for citation in citations)


def weigh_results(
    question: QuestionAnalysis,
    retrieval: Retrieval,
    readings: Sequence[RatedReading],
    reader: EvidenceReader,
    united: Sequence[UnitedTable] = (),
) -> Flow[tuple[TableResult | None, list[RatedReading]]]:
    """Return the likeliest result over the tables, and the readings with the confidence that it leaves to them.

    The reader does not compare: its readings of a question for a comparison have no confidence. ``united`` are the
    long tables that are searched in place of their parts.
    """
    if parse_comparison(question):
        readings = [replace(item, confidence=0.0) for item in readings]
    result = yield from find_table_result(question, retrieval, readings, reader, united)
    return result, limit_table_readings(question, readings, result)


def find_table_result(
    question: QuestionAnalysis,
    retrieval: Retrieval,
    readings: Sequence[RatedReading],
    reader: EvidenceReader,
    united: Sequence[UnitedTable] = (),
) -> Flow[TableResult | None]:
    """Find the likeliest answer over the tables among the first evidence.

    The probability of a cell that is only looked up, in a table without scores, and is not what the reader finds is
    limited to `MAX_LOOKED_UP`; and so is that of a cell that repeats the question, or compares nothing though the
    question does. That of a cell of another kind than the question asks for is lowered.
    """
    direct = [item.reading for item in readings if not item.bridges]
    cells = {reading.evidence.id: CellReading(reading.short, reading.score) for reading in direct}
    parts = {part.id for item in united for part in item.parts}
    searched = [item for item in retrieval.evidence[:MAX_EVIDENCE] if item.kind == "table" and item.id not in parts]
    comparison = parse_measure_question(question)
    senses = comparison.senses if comparison and comparison.form == "superlative" else ()
    wanted = parse_list_question(question)
    order = {item.id: n for n, item in enumerate(retrieval.evidence)}
    positions = [(order[item.id], item) for item in searched[:MAX_SEARCHED]]
    positions += [(min(order.get(part.id, len(order)) for part in item.parts), item.table) for item in united]
    tables = tuple(item for _, item in sorted(positions, key=lambda pair: pair[0]))
    selections = yield from reader.select_cells(question, tables)
    sources = [
        TableSource(
            table,
            format_heading(table),
            cells.get(table.id),
            senses,
            wanted,
            selections.get(table.id),
            _join_surroundings(table, retrieval.evidence),
        )
        for table in tables
    ]
    result = answer_over_tables(question, tuple(sources))
    if result and not result.program.computed and not any(map(question.fits_answer_type, result.values)):
        result = replace(result, probability=result.probability * UNFITTING_FACTOR)
    if result is None:
        return None
    is_scored = result.table.id in selections
    is_confirmed = (
        is_scored or result.program.computed or result.named or any(_agree(item, result) for item in readings)
    )
    if is_confirmed and not _is_doubtful(question, result):
        return result
    return replace(result, probability=min(result.probability, MAX_LOOKED_UP))


def _join_surroundings(table: Evidence, evidence: Sequence[Evidence]) -> str:
    """Join the name of the document of a table, its headings and passages, but no cells: they are of other tables."""
    name = re.sub(r"[\W_]+", " ", table.document)
    others = (item for item in evidence if item.document_id == table.document_id)
    texts = (format_heading(item) if item.kind == "table" else format_with_heading(item) for item in others)
    return "\n".join((name, *texts))


def _is_doubtful(question: QuestionAnalysis, result: TableResult) -> bool:
    """Return whether cells only repeat words of the question, or are of one of the things that it compares."""
    if result.program.computed:
        return False
    repeats = bool(result.values) and all(repeats_question(question, value) for value in result.values)
    return repeats or (bool(question.comparatives) and not result.named)


def limit_table_readings(
    question: QuestionAnalysis, readings: Sequence[RatedReading], result: TableResult | None
) -> list[RatedReading]:
    """Limit the confidence of what was read in tables, because the reader does not compute.

    No reading of a table is an answer if the likeliest result is computed, or if the question asks for a number and it
    is none. In the table of the result, the confidence is at most the probability that the question asks for a cell,
    and in another cell than that of the result at most the probability that the result is wrong, and that of this cell
    if it was ranked. In another table, it is at most that of the result over this table, if it is the same. The
    confidence of a sentence is at most the probability that the result is wrong if it lacks a name or number of the
    question that the cells of the result have.
    """
    return [
        replace(item, confidence=min(item.confidence, _compute_limit(question, item, result)))
        if item.reading.evidence.kind == "table"
        else replace(item, confidence=min(item.confidence, _limit_sentence(question, item, result)))
        for item in readings
    ]


def _limit_sentence(question: QuestionAnalysis, item: RatedReading, result: TableResult | None) -> float:
    if result is None or result.probability < POSSIBLE or item.bridges or _agree(item, result):
        return 1.0
    lacking = question.find_unmatched((item.reading.quote, format_heading(item.reading.evidence)))
    is_named = any(contains_name(result.text, name) for name in lacking)
    return 1.0 - result.probability if is_named else 1.0


def _compute_limit(question: QuestionAnalysis, item: RatedReading, result: TableResult | None) -> float:
    if not question.fits_answer_type(item.reading.short):
        return 0.0
    if result is None:
        return 1.0
    if result.program.computed and (result.compares or result.probability >= POSSIBLE):
        return 0.0
    short = normalize_short(item.reading.short)
    if item.reading.evidence.id != result.table.id:
        return 1.0 if _agree(item, result) else result.elsewhere.get(short, 1.0)
    limit = 1.0 if result.computed < MIN_COMPUTED else 1.0 - result.computed
    if _agree(item, result):
        return limit
    return min(limit, 1.0 - result.probability, result.rate(short))


def _agree(item: RatedReading, result: TableResult) -> bool:
    return normalize_short(item.reading.short) == normalize_short(result.short)


@lru_cache(maxsize=8)
def answer_over_tables(question: QuestionAnalysis, tables: tuple[TableSource, ...]) -> TableResult | None:
    """Return the likeliest answer over tables, which are in the order of the retrieval.

    Its probability is that its table gives the right answer and no other one does: one table at most has another
    answer, and the odds of the second table are divided by 2, those of the third by 3: of 36 development questions over
    PDFs, the right table was the first one for 28, the second for 6. None if a name or number of the question is
    neither in the table nor in its heading.
    """
    results = [(n, result) for n, source in enumerate(tables, 1) if (result := _answer(question, source))]
    by_values: dict[tuple[str, ...], list[tuple[float, TableResult]]] = defaultdict(list)
    for n, result in results:
        probability = min(result.probability, MOST)
        by_values[tuple(sorted(result.values))].append((probability / (1 - probability) / n, result))
    best = [max(group, key=lambda item: item[0]) for group in by_values.values()]
    if not best:
        return None
    total = 1 + sum(odds for odds, _ in best)
    odds, likeliest = max(best, key=lambda item: item[0])
    others = {normalize_short(other.short): odds / total for odds, other in best if other is not likeliest}
    return replace(likeliest, probability=odds / total, elsewhere=others)


def _answer(question: QuestionAnalysis, source: TableSource) -> TableResult | None:
    if source.table.grid is None:
        return None
    table = build_typed_table(source.table.grid)
    analysed = analyse_table_question(
        question.text, table, context=source.heading, reading=source.reading, selection=source.selection
    )
    if question.asks_for_verdict != analysed.asks_for_verdict or question.asks_for_explanation:
        return None
    share = _rate_absent_names(question, analysed, source)
    named_columns = any(column.words & frozenset(analysed.words) for column in table.columns)
    if not share or not (source.wanted or source.selection or analysed.matches or named_columns):
        return None
    named = None if question.asks_for_verdict else _find_named(analysed, table, source)
    result = named or _find_ranked(analysed, table, source)
    looked_up = result.cells if result and result.program.operation in LOOKUPS else ()
    if any(is_about_other_identifier(question, source.table, item.cell.start, item.cell.end) for item in looked_up):
        return None
    if result and _SHARE.search(question.text) and not _may_be_share(result):
        result = replace(result, probability=result.probability * UNFITTING_FACTOR)
    return replace(result, probability=share * result.probability) if result else None


def _may_be_share(result: TableResult) -> bool:
    """Return whether the values of a result may be in per cent: they are computed, or they or their labels say so."""
    return result.program.computed or bool(_SHARE_UNIT.search(f"{result.table.caption} {result.text}"))


def _rate_absent_names(question: QuestionAnalysis, analysed: TableQuestion, source: TableSource) -> float:
    """Return the share of the probability that remains for the names and numbers of the question that are not there.

    They are sought in the table and its heading. Nothing remains without one of them; but if the cell selector scored
    the table, names may be in the headings and passages of its document, and each that is nowhere halves it.
    """
    bound = locate_bound(question.text)
    stated = question.text[slice(*bound)] if bound else ""
    dated = frozenset(word for match in analysed.dates for word in analysed.words[match.start : match.end])
    unmatched = [
        name
        for name in question.find_unmatched((source.heading, source.table.text))
        if not dated.issuperset(split_words(name))
        and name not in stated
        and stem(name.lower()) not in read_stem_list("listing")
    ]
    if source.selection is None:
        return 0.0 if unmatched else 1.0
    words = [name for name in unmatched if not contains_name(source.surroundings, name)]
    if any(word[0].isdigit() and contains_name(question.text, word) for word in words):
        return 0.0
    return UNNAMED ** sum(not word[0].isdigit() for word in words)


def _find_named(question: TableQuestion, table: TypedTable, source: TableSource) -> TableResult | None:
    """The result that a question names completely, of the whole table, or its cell without a value."""
    missing = find_missing_value(question, table) if not source.senses else None
    if missing is not None:
        program, is_complete = missing
        probability = NAMED if is_complete else MAX_LOOKED_UP
        return _make_result(source, table, program, probability=probability, computed=0.0, named=True)
    if parse_row_range(source.table.caption) is not None:
        return None
    if source.wanted:
        return _find_list(question, table, source, source.wanted)
    named = find_named_program(question, table, source.senses)
    return _make_result(source, table, named, probability=NAMED, computed=1.0, named=True) if named else None


def _find_list(
    question: TableQuestion, table: TypedTable, source: TableSource, wanted: ListQuestion
) -> TableResult | None:
    """The rows that a question for several things asks for; less sure if a word of the question is not explained."""
    rows = find_named_list(question, table, wanted.words, source.nearest_heading)
    if rows is None:
        return None
    unexplained = tuple(word for word in rows.unexplained if wanted.count is None or read_count(word) != wanted.count)
    if len(unexplained) > MAX_UNEXPLAINED:
        return None
    is_complete = not unexplained and wanted.count in (None, len(rows.program.values))
    probability = NAMED if is_complete else NAMED_IN_PART
    result = _make_result(source, table, rows.program, probability=probability, computed=1.0, named=True)
    return replace(result, unexplained=unexplained)


def _find_ranked(question: TableQuestion, table: TypedTable, source: TableSource) -> TableResult | None:
    """The likeliest result of all programs."""
    programs = enumerate_programs(question, table)
    if source.wanted:  # no number that is computed is an answer
        programs = [program for program in programs if program.operation in LOOKUPS | {"none", "list columns"}]
    ranking = rank_programs(question, programs, table, load_weights())
    if not ranking.programs:
        return None
    program, probability = ranking.programs[0].program, _calibrate(ranking.programs[0].probability)
    named = is_named(question, program, table)
    probability = NAMED if named else probability * _rate_words(question, program, table)
    if _is_bounded(question, program):
        probability = max(probability, NAMED_IN_PART)
    is_part = parse_row_range(source.table.caption) is not None
    is_doubtful = is_part or _EXCLUDING.search(question.text) or _leaves_condition(question, program)
    asks_for_several = bool(source.wanted or _TOGETHER.search(question.text))
    is_guess = asks_for_several and program.operation == "value"
    if is_guess or (program.computed and is_doubtful):
        probability = min(probability, MAX_LOOKED_UP)
    result = _make_result(source, table, program, probability=probability, computed=ranking.computed, named=named)
    return result if question.selection is None else replace(result, ranked=ranking.programs)


def _is_bounded(question: TableQuestion, program: Program) -> bool:
    """Return whether a bound that the question states selects the rows, and headers explain the rest of it."""
    match, order = program.selection.bound, program.selection.order
    if match is None or order is None or program.operation not in LOOKUPS:
        return False
    named = order.words | (program.column.words if program.column else frozenset())
    return all(match.start <= n < match.end or question.words[n] in named for n in question.content)


def _calibrate(probability: float) -> float:
    """Return a probability of the ranking as that of an answer over a table that was retrieved."""
    return ANSWERING * probability / (1 + (ANSWERING - 1) * probability)


def _leaves_condition(question: TableQuestion, program: Program) -> bool:
    """Return whether the question has a date within those of some rows that did not select the rows of a program."""
    rows = set(program.selection.rows)
    return any(not rows <= match.rows for match in question.dates)


def _make_result(
    source: TableSource, table: TypedTable, program: Program, *, probability: float, computed: float, named: bool
) -> TableResult:
    cells, text = tuple(_list_cells(program, table)), describe_result(program, table)
    units = tuple(_list_units(program, table))
    return TableResult(source.table, program, probability, program.values, text, cells, computed, named, units=units)


def _list_units(program: Program, table: TypedTable) -> Iterator[tuple[str, str | None]]:
    """The unit and scale of each value of a program, nothing for one that gives no amounts of the table.

    The scale is None for numbers that may be without that of the table, as rates and counts are.
    """
    if program.operation not in _AMOUNTS or program.column is None or not program.selection.rows:
        return
    columns = [program.column] * len(program.values)
    if program.operation == "list columns":
        columns = [program.column, *program.others]
    labels = [_find_label(row, program, table) for row in program.selection.rows]
    is_rate = any(_RATE.search(text) for text in (*labels, *(column.header for column in columns)))
    units = {table.rows[row].unit for row in program.selection.rows}
    of_row = units.pop() if len(units) == 1 else ""
    for column in columns:
        of_column = "" if any(name == "time" for name, _ in find_unit(column.unit)) else column.unit  # of a period
        yield of_row or of_column, None if is_rate else column.scale


def is_named(question: TableQuestion, program: Program, table: TypedTable) -> bool:
    """Return whether the question names the row by its whole label, the column by its whole header, and nothing else.

    No other row has this label, and no other column a header whose words are all in the question.
    """
    selection, column = program.selection, program.column
    if program.operation != "value" or column is None or len(selection.matches) != 1 or len(selection.rows) != 1:
        return False
    [match] = selection.matches
    words = frozenset(question.words)
    headers = {other.index: frozenset(split_words(remove_unit(other.header))) for other in table.columns}
    headed = [other for other in table.columns if headers[other.index] and headers[other.index] <= words]
    in_column = {position for position, word in enumerate(question.words) if word in column.words}
    covered = in_column.union(range(match.start, match.end))
    return match.exact and len(match.rows) == 1 and headed == [column] and question.content <= covered


def _rate_words(question: TableQuestion, program: Program, table: TypedTable) -> float:
    """The share of the probability that remains if words of the question are not in the table.

    Nothing remains of a superlative whose measure is not in it; other words of a superlative have to be in it, too.
    Rows and columns that the cell selector scored may be named by other words, but a measure hardly is.
    """
    absent = {question.words[n] for n in question.absent} - _VERBS
    is_scored = question.selection is not None
    if program.selection.choice not in SUPERLATIVES and program.operation not in EXTREMES:
        return UNNAMED if len(absent) > 1 and not is_scored else 1.0
    if question.measure and not question.measure & table.vocabulary:
        return UNMEASURED if is_scored else 0.0
    return UNNAMED if absent and not is_scored else 1.0


def _list_cells(program: Program, table: TypedTable) -> Iterator[CitedCell]:
    """The cells of the column in the selected rows; for a count, the cells by which the rows were selected."""
    columns = [program.column or program.selection.order]
    columns += [table.columns[match.column] for match in program.selection.matches]
    index = next((column.index for column in columns if column), 0)
    for row in (table.rows[row] for row in _list_shown_rows(program)):
        for cell in (row.cells[index], *(row.cells[column.index] for column in _list_shown_columns(program)[1:])):
            in_row = cell.text and row.start <= cell.start < row.end  # the label of a group is above its rows
            yield CitedCell(row, cell if in_row else next((other for other in row.cells if other.text), cell))


def _list_shown_rows(program: Program) -> tuple[int, ...]:
    """The rows of a program that are shown and cited; of an extreme, a few others."""
    limit = MAX_LISTED if program.operation == "list" else MAX_CITED
    if program.operation in EXTREMES | HIGHEST:
        limit = len(program.values) + MAX_OTHERS
    return program.selection.rows[:limit]


def _list_shown_columns(program: Program) -> list[Column]:
    """The columns of a program that are shown and cited; of an extreme, a few others."""
    limit = len(program.values) + MAX_OTHERS if program.operation in EXTREMES | HIGHEST else None
    return list(program.columns[:limit])


def describe_result(program: Program, table: TypedTable) -> str:
    """Describe the cells of a result: the labels of their rows, the header of their column, and the formula."""
    rows = _list_shown_rows(program)
    labels = list(dict.fromkeys(_find_label(row, program, table) for row in rows))
    labels += ["…"] if len(program.selection.rows) > MAX_CITED else []
    header = program.column.header if program.column else ""
    columns = _list_shown_columns(program)
    if program.operation == "list columns":
        pairs = zip(columns, program.values, strict=True)
        parts = [", ".join(labels), "; ".join(join_header(column.header, value) for column, value in pairs)]
    elif len(rows) > 1 and (program.operation == "compare" or program.operation in EXTREMES | HIGHEST):
        texts = [join_header(_find_label(row, program, table), table.get_text(row, columns[0].index)) for row in rows]
        parts = [header, "; ".join(texts)]
    elif program.operation == "compare" or program.operation in EXTREMES | HIGHEST:
        texts = [join_header(column.header, table.get_text(rows[0], column.index)) for column in columns]
        parts = [", ".join(labels), "; ".join(texts)]
    elif program.operation == "fall":
        parts = [", ".join(labels), join_header(header, table.get_text(rows[0], columns[0].index))]
    elif program.operation in {"value", "list"}:
        parts = [", ".join(label for label in labels if label not in program.values)]
        parts.append(join_header(header, "; ".join(program.values)))
    elif program.others:
        parts = [", ".join(labels), join_header(", ".join(column.header for column in columns), program.formula)]
    else:
        parts = [", ".join(labels), join_header(header, program.formula)]
    return " — ".join(part for part in parts if part) + _describe_order(program, table)


def _find_label(row: int, program: Program, table: TypedTable) -> str:
    """The path of a row; if its label is the result, the cell by which the row was found, or else another one."""
    path = [label for label in table.get_path(row) if label]
    result = table.get_text(row, program.column.index) if program.column else ""
    if path and path[-1] != result:
        return " › ".join(dict.fromkeys(path))
    if program.selection.order not in {None, program.column}:
        return ""  # it is described by its order
    columns = [*(table.columns[match.column] for match in program.selection.matches), *table.columns]
    texts = (join_header(item.header, table.get_text(row, item.index)) for item in columns if item != program.column)
    return next((text for text in texts if text), "")


def _describe_order(program: Program, table: TypedTable) -> str:
    order, kind = program.selection.order, program.selection.choice
    if order is None or kind not in SUPERLATIVES:
        return ""
    texts = list(dict.fromkeys(table.get_text(row, order.index) for row in program.selection.rows))
    stated = " ".join(part for part in (kind, order.header) if part)
    is_shown = order != program.column and len(texts) == 1
    return f" (the {stated}: {texts[0]})" if is_shown else f" (the {stated})"


def cite_cells(retrieval: Retrieval, table: Evidence, cells: Iterable[CitedCell]) -> tuple[Citation, ...]:
    """Cite the row of each cell, with the cell as the answer, unless it is empty."""
    return tuple(
        cite(
            retrieval,
            table,
            (item.row.start, item.row.end),
            answer=(item.cell.start, item.cell.end) if item.cell.text else None,
        )
        for item in cells
    )


def join_parts(*parts: str) -> str:
    """Join the parts of a sentence about a table; empty ones are left out."""
    return " — ".join(part for part in parts if part)


def describe_cell(reading: SpanReading, *, whole_row: bool = False) -> str:
    """Describe a cell that was read: caption of its table, label of its row, header of its column, and its text.

    The label itself is described with the other cells of its row, and so is a cell of a ``whole_row``.
    """
    grid = reading.evidence.grid
    row = grid.find_row(reading.start) if grid else None
    if grid is None or row is None:
        return " ".join(reading.quote.split())
    label = next((cell.text for cell in row.cells if cell.text), "")
    shown = [cell for cell in row.cells if cell.start < reading.end and reading.start < cell.end]
    if whole_row or [cell.text for cell in shown] == [label]:
        shown = [cell for cell in row.cells if cell.text != label]
    values = [
        join_header(grid.column(index), cell.text)
        for index, cell in enumerate(row.cells)
        if cell.text and cell in shown
    ]
    return join_parts(*dict.fromkeys((reading.evidence.caption, label, "; ".join(values))))


def join_header(header: str, text: str) -> str:
    """Return a cell behind the header of its column, if it has one."""
    return f"{header}: {text}" if header else text
