"""The likeliest answer of a question over tables, with its cells and how it is computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hopline.nlp.question_terms import asks_yes_or_no, find_unmatched
from hopline.results import Evidence
from hopline.tables.grid import Cell, TableRow, read_grid
from hopline.tables.programs import Program, enumerate_programs
from hopline.tables.questions import CellReading, TableQuestion, analyse_question
from hopline.tables.ranking import load_weights, rank_programs
from hopline.tables.typed_table import TypedTable, build_typed_table, split_words

NAMED: Final = 0.9  # probability of a cell whose row and column the question names, and nothing else
UNNAMED: Final = 0.5  # of the probability, if what the question names is not in the table
_VERBS: Final = frozenset(split_words("win won score earn receive get hold take make play"))  # need not be in the table
MAX_CITED: Final = 12  # rows
RIVAL: Final = 0.5  # probability of another table's answer, as a share of the best one's, from which neither is given
SUPERLATIVES: Final = frozenset({"largest", "smallest"})


@dataclass(frozen=True, slots=True)
class TableSource:
    """A table with its heading, and what the reader found in it."""

    table: Evidence
    heading: str
    reading: CellReading | None = None


@dataclass(frozen=True, slots=True)
class CitedCell:
    """A cell that an answer is computed from or found in, with its row."""

    row: TableRow
    cell: Cell


@dataclass(frozen=True, slots=True)
class TableResult:
    """What a program gives over a table, and its probability, in [0, 1].

    ``values`` are the answer, ``text`` says in words which cells it is from, ``cells`` are these cells. ``computed`` is
    the probability that the question asks for more than a cell that is looked up; ``named``: see `is_named`.
    """

    table: Evidence
    program: Program
    probability: float
    values: tuple[str, ...]
    text: str
    cells: tuple[CitedCell, ...]
    computed: float
    named: bool = False

    @property
    def compares(self) -> bool:
        """Whether it is the row of the largest or smallest value."""
        return self.program.selection.choice in SUPERLATIVES

    @property
    def short(self) -> str:
        """The values in one line."""
        return "; ".join(self.values)


def answer_over_tables(question: str, tables: Sequence[TableSource]) -> TableResult | None:
    """Return the likeliest answer over tables.

    None for a question for yes or no, if a name or number of it is neither in the table nor in its heading, and if two
    tables give different answers that are about equally likely.
    """
    if asks_yes_or_no(question):
        return None
    results = [result for source in tables if (result := _answer(question, source))]
    ranked = sorted(results, key=lambda result: -result.probability)
    if not ranked:
        return None
    rivals = [result for result in ranked[1:] if sorted(result.values) != sorted(ranked[0].values)]
    if rivals and rivals[0].probability >= RIVAL * ranked[0].probability:
        return None
    return ranked[0]


def _answer(question: str, source: TableSource) -> TableResult | None:
    table = build_typed_table(read_grid(source.table.text))
    analysed = analyse_question(question, table, context=source.heading, reading=source.reading)
    bounds = {word for bound in analysed.bounds for word in analysed.words[bound.start : bound.end]}
    unmatched = find_unmatched(question, (source.heading, source.table.text))
    if {name.replace(",", "") for name in unmatched} - bounds:
        return None
    if not analysed.matches and not any(column.words & frozenset(analysed.words) for column in table.columns):
        return None
    ranking = rank_programs(analysed, enumerate_programs(analysed, table), table, load_weights())
    if not ranking.programs:
        return None
    program, probability = ranking.programs[0].program, ranking.programs[0].probability
    cells = tuple(_list_cells(program, table))
    description = describe_result(program, table)
    named = is_named(analysed, program, table)
    probability = NAMED if named else probability * _rate_words(analysed, program, table)
    return TableResult(source.table, program, probability, program.values, description, cells, ranking.computed, named)


def is_named(question: TableQuestion, program: Program, table: TypedTable) -> bool:
    """Return whether the question names the row by its whole label, the column by its whole header, and nothing else.

    No other row has this label, and no other column a header whose words are all in the question.
    """
    selection, column = program.selection, program.column
    if program.operation != "value" or column is None or len(selection.matches) != 1 or len(selection.rows) != 1:
        return False
    [match] = selection.matches
    words = frozenset(question.words)
    headed = [other for other in table.columns if other.words and other.words <= words]
    in_column = {position for position, word in enumerate(question.words) if word in column.words}
    covered = in_column.union(range(match.start, match.end))
    return match.exact and len(match.rows) == 1 and headed == [column] and question.content <= covered


def _rate_words(question: TableQuestion, program: Program, table: TypedTable) -> float:
    """The share of the probability that remains if words of the question are not in the table.

    Nothing remains of a superlative whose measure is not in it; other words of a superlative have to be in it, too.
    """
    absent = {question.words[n] for n in question.absent} - _VERBS
    if program.selection.choice not in SUPERLATIVES:
        return UNNAMED if len(absent) > 1 else 1.0
    if question.measure and not question.measure & table.vocabulary:
        return 0.0
    return UNNAMED if absent else 1.0


def _list_cells(program: Program, table: TypedTable) -> Iterator[CitedCell]:
    """The cells of the column in the selected rows; for a count, the cells by which the rows were selected."""
    columns = [program.column or program.selection.order]
    columns += [table.columns[match.column] for match in program.selection.matches]
    index = next((column.index for column in columns if column), 0)
    for row in (table.rows[row] for row in program.selection.rows[:MAX_CITED]):
        cell = row.cells[index]
        in_row = cell.text and row.start <= cell.start < row.end  # the label of a group is above its rows
        yield CitedCell(row, cell if in_row else next((other for other in row.cells if other.text), cell))


def describe_result(program: Program, table: TypedTable) -> str:
    """Describe the cells of a result: the labels of their rows, the header of their column, and the formula."""
    rows = program.selection.rows
    labels = list(dict.fromkeys(_find_label(row, program, table) for row in rows[:MAX_CITED]))
    labels += ["…"] if len(rows) > MAX_CITED else []
    header = program.column.header if program.column else ""
    if program.operation in {"value", "list"}:
        shown = f"{header}: {'; '.join(program.values)}" if header else "; ".join(program.values)
        parts = [", ".join(label for label in labels if label not in program.values), shown]
    else:
        parts = [", ".join(labels), f"{header}: {program.formula}" if header else program.formula]
    return " — ".join(part for part in parts if part) + _describe_order(program)


def _find_label(row: int, program: Program, table: TypedTable) -> str:
    """The first text of a row that is not in the column of the result."""
    indices = [column.index for column in table.columns if column != program.column]
    return next((text for index in indices if (text := table.get_text(row, index))), "")


def _describe_order(program: Program) -> str:
    order, kind = program.selection.order, program.selection.choice
    if order is None or kind not in SUPERLATIVES:
        return ""
    return f" (the {kind} {order.header})" if order.header else f" (the {kind})"
