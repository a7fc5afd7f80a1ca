"""Ranking of programs by a log-linear model.

After Pasupat and Liang 2015, "Compositional Semantic Parsing on Semi-Structured Tables"; programs and features are
our own.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp

from hopline.tables.features import describe_program, describe_words
from hopline.tables.programs import Program
from hopline.tables.questions import TableQuestion
from hopline.tables.typed_table import TypedTable


@dataclass(frozen=True, slots=True)
class RankedProgram:
    """The best program of those that give the same values, and the probability of these values, in [0, 1]."""

    program: Program
    probability: float


def rank_programs(
    question: TableQuestion, programs: Sequence[Program], table: TypedTable, weights: Mapping[str, float]
) -> list[RankedProgram]:
    """Rank what programs give by its probability, the likeliest first.

    The probability that the table does not answer the question is what is missing to 1.
    """
    if not programs:
        return []
    parts = {part for program in programs for part in (program.selection.choice, program.operation)}
    words = {part: sum(weights.get(name, 0.0) for name in describe_words(question.grams, part)) for part in parts}
    scores = [
        words[program.selection.choice] + words[program.operation] + _score_program(question, program, table, weights)
        for program in programs
    ]
    highest = max(scores)
    groups: dict[tuple[str, ...], list[tuple[float, int]]] = defaultdict(list)
    for index, (program, score) in enumerate(zip(programs, scores, strict=True)):
        groups[tuple(sorted(program.values))].append((exp(score - highest), index))
    total = sum(weight for group in groups.values() for weight, _ in group)
    ranked = [
        RankedProgram(programs[max(group)[1]], sum(weight for weight, _ in group) / total)
        for values, group in groups.items()
        if values
    ]
    return sorted(ranked, key=lambda item: -item.probability)


def _score_program(question: TableQuestion, program: Program, table: TypedTable, weights: Mapping[str, float]) -> float:
    return sum(weights.get(name, 0.0) * value for name, value in describe_program(question, program, table))


@cache
def load_weights() -> dict[str, float]:
    """Load the weights of the features that are included."""
    weights: dict[str, float] = json.loads(files(__package__).joinpath("weights.json").read_text("utf-8"))
    return weights
