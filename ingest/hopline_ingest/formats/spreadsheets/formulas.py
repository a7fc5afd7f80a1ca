"""Formulas of cells without a stored value, as programs that write spreadsheets leave them.

Computed are arithmetic, percentages, and the functions SUM, AVERAGE, MIN, MAX, COUNT, ROUND and ABS over cells and
ranges of the workbook. The known evaluators have licences that exclude them (GPL, EUPL); openpyxl splits a formula into
tokens.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Final

from openpyxl.cell.cell import ERROR_CODES
from openpyxl.formula.tokenizer import Token, Tokenizer, TokenizerError
from openpyxl.utils.cell import range_boundaries

Position = tuple[str, int, int]  # name of the sheet, row and column from 0
Value = float | str | None

MAX_CELLS: Final = 1_000_000  # of a range
MAX_READ: Final = 10_000_000  # cells that the formulas of a workbook read together
_PRECEDENCE: Final = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}
_REFERENCE: Final = re.compile(
    r"(?:'(?P<quoted>(?:[^']|'')+)'!|(?P<sheet>[^'!\s]+)!)?(?P<range>\$?[A-Za-z]{1,3}\$?\d+(?::\$?[A-Za-z]{1,3}\$?\d+)?)"
)
_FUNCTIONS: Final[Mapping[str, Callable[[list[float]], float]]] = {
    "SUM": lambda values: float(sum(values)),
    "AVERAGE": fmean,
    "MIN": lambda values: min(values, default=0.0),
    "MAX": lambda values: max(values, default=0.0),
    "COUNT": lambda values: float(len(values)),
}


class FormulaError(Exception):
    """A formula that is not computed."""


@dataclass(slots=True)
class FormulaEvaluator:
    """Computes the formulas of a workbook from the values of its cells; each is computed once."""

    values: Mapping[Position, object]
    formulas: Mapping[Position, str]
    _results: dict[Position, Value | FormulaError] = field(default_factory=dict)
    _read: int = 0

    def evaluate(self, position: Position) -> Value:
        """Return the value of a cell: a number or a text; None for an empty cell.

        Raises:
            FormulaError: its formula, or one that it refers to, is not computed.
        """
        if position not in self.formulas:
            return _convert(self.values.get(position))
        if position not in self._results:
            self._compute_in_order(position)
        result = self._results[position]
        if isinstance(result, FormulaError):
            raise result
        return result

    def _compute_in_order(self, position: Position) -> None:
        """Compute a formula after those that it refers to, however long the chain is (depth-first search)."""
        ancestors: dict[Position, Iterator[Position]] = {position: self._list_references(position)}
        while ancestors:
            current, references = next(reversed(ancestors.items()))
            try:
                following = next((cell for cell in references if cell not in self._results), None)
                if following is None:
                    self._results[current] = self._compute(self.formulas[current], current[0])
                elif following in ancestors:
                    self._results[current] = FormulaError("the formula refers to itself")
                else:
                    ancestors[following] = self._list_references(following)
            except FormulaError as error:
                self._results[current] = error
            if current in self._results:
                del ancestors[current]

    def _list_references(self, position: Position) -> Iterator[Position]:
        """Yield the cells with formulas that a formula refers to."""
        for token in _split_formula(self.formulas[position]):
            if token.type == Token.OPERAND and token.subtype == Token.RANGE:
                yield from (cell for cell in self._list_cells(token.value, position[0]) if cell in self.formulas)

    def _list_cells(self, reference: str, sheet: str) -> Sequence[Position]:
        positions = list(_list_positions(reference, sheet))
        self._read += len(positions)
        if self._read > MAX_READ:
            raise FormulaError("the formulas of the workbook read too many cells")
        return positions

    def _compute(self, formula: str, sheet: str) -> float:
        parser = _FormulaParser(self, _split_formula(formula), sheet)
        try:
            value = parser.parse_expression()
        except (ArithmeticError, ValueError, RecursionError) as error:
            raise FormulaError(str(error)) from error
        if parser.rest or isinstance(value, complex):
            raise FormulaError("the formula has a part that is not computed")
        return value

    def list_numbers(self, reference: str, sheet: str) -> Iterator[float]:
        """Yield the numbers of a cell or range, as "B2:B9" or "'Costs 2023'!B2"; texts and empty cells are left out.

        Raises:
            FormulaError: it is no reference, or a cell of it is not computed or an error.
        """
        for position in self._list_cells(reference, sheet):
            value = self.evaluate(position)
            if isinstance(value, float):
                yield value
            elif value in ERROR_CODES:
                raise FormulaError(f"{reference} has an error")


class _FormulaParser:
    """A parser by precedence of operators (precedence climbing)."""

    def __init__(self, evaluator: FormulaEvaluator, tokens: list[Token], sheet: str) -> None:
        self._evaluator = evaluator
        self._sheet = sheet
        self.rest = tokens

    def parse_expression(self, least: int = 0) -> float:
        value = self._parse_operand()
        while self.rest:
            token = self.rest[0]
            if token.type == Token.OP_POST:
                self.rest.pop(0)
                value /= 100
                continue
            precedence = _PRECEDENCE.get(token.value, 0) if token.type == Token.OP_IN else 0
            if precedence <= least:
                if token.type == Token.OP_IN and not precedence:
                    raise FormulaError(f"the operator {token.value} is not computed")
                break
            self.rest.pop(0)
            value = _apply(token.value, value, self.parse_expression(precedence))
        return value

    def _parse_operand(self) -> float:
        if not self.rest:
            raise FormulaError("the formula ends too early")
        token = self.rest.pop(0)
        if token.type == Token.OP_PRE:
            value = self.parse_expression(_PRECEDENCE["^"])  # "-2^2" is 4 in spreadsheets
            return -value if token.value == "-" else value
        if token.type == Token.PAREN and token.subtype == Token.OPEN:
            value = self.parse_expression()
            self._expect_close()
            return value
        if token.type == Token.FUNC and token.subtype == Token.OPEN:
            return self._parse_function(token.value.rstrip("(").upper().removeprefix("_XLFN."))
        if token.type == Token.OPERAND and token.subtype == Token.NUMBER:
            return float(token.value)
        if token.type == Token.OPERAND and token.subtype == Token.RANGE:
            return self._read_cell(token.value)
        raise FormulaError(f"{token.value} is not computed")

    def _read_cell(self, reference: str) -> float:
        positions = list(_list_positions(reference, self._sheet))
        if len(positions) != 1:
            raise FormulaError(f"{reference} is no single cell")
        value = self._evaluator.evaluate(positions[0])
        if isinstance(value, str):
            raise FormulaError(f"{reference} is a text")
        return value or 0.0

    def _parse_function(self, name: str) -> float:
        arguments: list[list[float]] = []
        while self.rest and not (self.rest[0].type == Token.FUNC and self.rest[0].subtype == Token.CLOSE):
            arguments.append(self._parse_argument())
            if self.rest and self.rest[0].type == Token.SEP:
                self.rest.pop(0)
        self._expect_close()
        if name in _FUNCTIONS:
            return _FUNCTIONS[name]([value for values in arguments for value in values])
        if name == "ROUND" and [len(values) for values in arguments] == [1, 1]:
            return _round(arguments[0][0], int(arguments[1][0]))
        if name == "ABS" and [len(values) for values in arguments] == [1]:
            return abs(arguments[0][0])
        raise FormulaError(f"the function {name} is not computed")

    def _parse_argument(self) -> list[float]:
        """Return the numbers of an argument: of a range or cell those it has, else the value of the expression."""
        token, following = self.rest[0], self.rest[1:2]
        is_last = not following or following[0].type in {Token.SEP, Token.FUNC}
        if token.type == Token.OPERAND and token.subtype == Token.RANGE and is_last:
            self.rest.pop(0)
            return list(self._evaluator.list_numbers(token.value, self._sheet))
        return [self.parse_expression()]

    def _expect_close(self) -> None:
        if not self.rest or self.rest.pop(0).subtype != Token.CLOSE:
            raise FormulaError("a bracket is not closed")


def _split_formula(formula: str) -> list[Token]:
    """Return the tokens of a formula without blanks.

    Raises:
        FormulaError: it is no formula.
    """
    try:
        return [token for token in Tokenizer(formula).items if token.type != Token.WSPACE]
    except (TokenizerError, IndexError) as error:
        raise FormulaError(str(error)) from error


def _apply(operator: str, left: float, right: float) -> float:
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*":
        return left * right
    if operator == "/":
        return left / right
    power = left**right
    if isinstance(power, complex):
        raise FormulaError("the root of a negative number")
    return float(power)


def _round(value: float, digits: int) -> float:
    """Round half away from zero, as spreadsheets do; ``digits`` may be negative."""
    scale = 10.0**digits
    return (1 if value >= 0 else -1) * int(abs(value) * scale + 0.5) / scale


def _list_positions(reference: str, sheet: str) -> Iterator[Position]:
    match = _REFERENCE.fullmatch(reference)
    if match is None:
        raise FormulaError(f"{reference} is no range of cells")
    name = (match["quoted"] or "").replace("''", "'") or match["sheet"] or sheet
    left, top, right, bottom = range_boundaries(match["range"].replace("$", "").upper())
    if (bottom - top + 1) * (right - left + 1) > MAX_CELLS:
        raise FormulaError(f"{reference} has too many cells")
    for row in range(top - 1, bottom):
        for column in range(left - 1, right):
            yield name, row, column


def _convert(value: object) -> Value:
    """Return a stored value: numbers as float, texts as they are, and None for truth values and empty cells."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return float(value)
    return str(value)
