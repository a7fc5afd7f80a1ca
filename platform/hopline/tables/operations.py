"""Operations over the cells of a calculation, each with its formula."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from hopline.tables.operands import Operand
from hopline.tables.values import format_number

Operation = Literal[
    "percentage change", "change", "average", "sum", "difference", "ratio", "percentage",
    "increase", "decrease", "largest", "smallest",
]  # fmt: skip

PERCENT: Final = frozenset({"percentage", "percentage change"})
PAIRED: Final = frozenset({"change", "percentage change", "difference"})  # of exactly two operands
# results with the scale or unit of the numbers
SCALED: Final = frozenset({"change", "average", "sum", "difference"})


def calculate(operation: Operation, numbers: Sequence[float]) -> float | None:
    """Apply an operation to numbers, those of years in ascending order; None for a division by zero.

    A difference of two things has no sign, a change from year to year has one. The number of a comparison is the
    difference of the last and the first.
    """
    first, last = numbers[0], numbers[-1]
    divisors = {"percentage change": first, "ratio": last, "percentage": last}
    if not divisors.get(operation, 1.0):
        return None
    results = {
        "average": sum(numbers) / len(numbers),
        "sum": sum(numbers),
        "difference": abs(first - last),
        "ratio": first / (last or 1.0),
        "percentage": 100 * first / (last or 1.0),
        "percentage change": 100 * (last - first) / (abs(first) or 1.0),
    }
    return results.get(operation, last - first)


def describe_operation(operation: Operation, operands: Sequence[Operand]) -> tuple[str, str] | None:
    """Return the result of an operation as a text, and its formula over the texts of the cells.

    None if there is no result: a division by zero, a tie of the largest values, or a difference of more than two cells.
    """
    if operation in PAIRED and len(operands) != 2:
        return None
    return describe_comparison(operation, operands) or describe_calculation(operation, operands)


def describe_calculation(operation: Operation, operands: Sequence[Operand]) -> tuple[str, str] | None:
    """Return the result as a text, and the formula over the texts of the cells; None if there is no result."""
    result = calculate(operation, [operand.number for operand in operands])
    if result is None:
        return None
    texts = [operand.text for operand in operands]
    first, last = texts[0], texts[-1]
    in_percent = operation in PERCENT or (operation in SCALED and all(operand.percent for operand in operands))
    short = format_number(result) + ("%" if in_percent else "")
    formulas = {
        "percentage change": f"({last} − {first}) / {first}",
        "percentage": f"{first} / {last}",
        "ratio": f"{first} / {last}",
        "average": f"({' + '.join(texts)}) / {len(texts)}",
        "sum": " + ".join(texts),
        "difference": f"{first} − {last}" if operands[0].number >= operands[-1].number else f"{last} − {first}",
    }
    return short, f"{formulas.get(operation, f'{last} − {first}')} = {short}"


def describe_comparison(operation: Operation, operands: Sequence[Operand]) -> tuple[str, str] | None:
    """Return the verdict or year of a comparison, and the compared cells; None for other operations and for ties."""
    first, last = operands[0], operands[-1]
    if operation in {"increase", "decrease"}:
        difference = last.number - first.number
        sign = ">" if difference > 0 else "<" if difference < 0 else "="
        verdict = "yes" if sign == (">" if operation == "increase" else "<") else "no"
        return verdict, f"{last.text} in {last.name} {sign} {first.text} in {first.name}"
    if operation in {"largest", "smallest"}:
        ranked = sorted(operands, key=lambda operand: operand.number, reverse=operation == "largest")
        if ranked[0].number == ranked[1].number:
            return None
        sign = " > " if operation == "largest" else " < "
        return ranked[0].name, sign.join(f"{operand.text} in {operand.name}" for operand in ranked)
    return None
