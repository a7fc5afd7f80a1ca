"""Programs over a table: a selection of rows, an operation, and a column, with what they give."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import Final

from hopline.tables.question import BoundMatch, CellMatch
from hopline.tables.typed_table import Column, TypedTable
from hopline.text.values import find_leading_number, format_number, is_year

MAX_TERMS: Final = 12  # of a formula
LOOKUPS: Final = frozenset({"value", "list", "fall"})  # operations that give cells; of a fall, without its sign
_LOOKUPS: Final = frozenset({"filter", "both", "total", "selected"})
_SIGN: Final = re.compile(r"^(?P<currency>[$€£]?)[-−–]\s*|^\((?=[^()]*\)%?$)")

Operand = tuple[str, Decimal]  # the text of a cell and its number
Result = tuple[str, str, str]  # an operation, what it gives and the formula


@dataclass(frozen=True, slots=True)
class Selection:
    """Rows of a table, in the order in which they are meant; ``order`` is the column of a superlative or comparison."""

    kind: str
    rows: tuple[int, ...]
    matches: tuple[CellMatch, ...] = ()
    order: Column | None = None
    bound: BoundMatch | None = None

    @property
    def choice(self) -> str:
        """How rows are chosen last: "largest" of "filtered largest"."""
        return self.kind.rpartition(" ")[2]


@dataclass(frozen=True, slots=True)
class Program:
    """An operation over a column of a selection; ``values`` is what it gives, ``formula`` how it is computed.

    ``others`` are the columns of further operands.
    """

    operation: str
    selection: Selection
    column: Column | None
    values: tuple[str, ...]
    formula: str = ""
    others: tuple[Column, ...] = ()

    @property
    def columns(self) -> tuple[Column, ...]:
        """Its column and those of further operands."""
        return (self.column, *self.others) if self.column else self.others

    @property
    def computed(self) -> bool:
        """Whether it is more than a cell that is looked up by the words of its row and column."""
        return self.selection.kind not in _LOOKUPS or self.operation not in LOOKUPS


# the table does not answer the question
NOTHING: Final = Program("none", Selection("none", ()), None, ())


def aggregate(operands: Sequence[Operand]) -> Iterator[Result]:
    """Yield the sum and the average of two numbers or more, and their difference or range."""
    keys = [key for _, key in operands]
    high, low = max(operands, key=_get_key), min(operands, key=_get_key)
    texts = [text for text, _ in operands]
    total = " + ".join(texts if len(texts) <= MAX_TERMS else (*texts[: MAX_TERMS - 1], "…", texts[-1]))
    results = [("sum", sum(keys, Decimal()), total), ("average", sum(keys) / len(keys), f"({total}) / {len(keys)}")]
    results.append(("difference" if len(keys) == 2 else "range", high[1] - low[1], f"{high[0]} − {low[0]}"))
    for operation, number, formula in results:
        yield operation, format_number(number), f"{formula} = {format_number(number)}"


def divide(first: Operand, second: Operand, *, is_fall: bool = False) -> Iterator[Result]:
    """Yield the ratio of one number to another, a share in per cent, and the change from the second to the first.

    Of a fall (``is_fall``) the change is stated without its sign: "by how many per cent did it fall?".
    """
    (left, a), (right, b) = first, second
    if not b:
        return
    ratio, change = format_number(a / b), 100 * (a - b) / abs(b)
    yield "ratio", ratio, f"{left} / {right} = {ratio}"
    if abs(a) <= abs(b):
        share = f"{format_number(100 * a / b)}%"
        yield "share", share, f"{left} / {right} = {share}"
    stated = f"{format_number(-change if is_fall and change < 0 else change)}%"
    yield "percent change", stated, f"({left} − {right}) / {right} = {format_number(change)}%"


def drop_sign(text: str) -> str:
    """Return a negative number without its sign, "" for other texts: "−4.8%" and "(4.8)%" are a fall of 4.8%."""
    number = find_leading_number(text)
    is_signed = number is not None and number.amount < 0
    return _SIGN.sub(lambda match: match["currency"] or "", text).replace(")", "") if is_signed else ""


def list_operands(rows: Sequence[int], columns: Sequence[Column], table: TypedTable) -> list[Operand]:
    """Return the cells with numbers in rows and columns, row by row; of dates, only years alone."""
    operands = []
    for row, column in product(rows, columns):
        text, key = table.get_text(row, column.index), column.keys[row]
        if column.kind == "date":
            key = Decimal(text) if text.isdecimal() and is_year(text) else None
        if key is not None:
            operands.append((text, key))
    return operands


def _get_key(operand: Operand) -> Decimal:
    return operand[1]
