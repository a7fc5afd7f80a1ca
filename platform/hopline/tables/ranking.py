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


@dataclass(frozen=True, slots=True)
class ProgramRanking:
    """What programs give, the likeliest first, and the probability that an answer is computed, in [0, 1].

    The probability that the table does not answer the question is what the programs' probabilities lack to 1.
    """

    programs: tuple[RankedProgram, ...]
    computed: float


def rank_programs(
    question: TableQuestion, programs: Sequence[Program], table: TypedTable, weights: Mapping[str, float]
) -> ProgramRanking:
    """Rank what programs give by its probability; there is one program at least."""
    scores = _score_programs(question, programs, table, weights)
    highest = max(scores)
    shares = [exp(score - highest) for score in scores]
    total = sum(shares)
    groups: dict[tuple[str, ...], list[tuple[float, int]]] = defaultdict(list)
    for index, (program, share) in enumerate(zip(programs, shares, strict=True)):
        if program.values:
            groups[tuple(sorted(program.values))].append((share / total, index))
    ranked = [RankedProgram(programs[max(group)[1]], sum(share for share, _ in group)) for group in groups.values()]
    pairs = list(zip(shares, programs, strict=True))
    answering = sum(share for share, program in pairs if program.values)
    computed = sum(share for share, program in pairs if program.values and program.computed)
    by_probability = sorted(ranked, key=lambda item: -item.probability)
    return ProgramRanking(tuple(by_probability), computed / answering if answering else 0.0)


def _score_programs(
    question: TableQuestion, programs: Sequence[Program], table: TypedTable, weights: Mapping[str, float]
) -> list[float]:
    parts = {part for program in programs for part in (program.selection.choice, program.operation)}
    words = {part: sum(weights.get(name, 0.0) for name in describe_words(question.grams, part)) for part in parts}
    return [
        words[program.selection.choice] + words[program.operation] + _score_program(question, program, table, weights)
        for program in programs
    ]


def _score_program(question: TableQuestion, program: Program, table: TypedTable, weights: Mapping[str, float]) -> float:
    return sum(weights.get(name, 0.0) * value for name, value in describe_program(question, program, table))


@cache
def load_weights() -> dict[str, float]:
    """Load the weights of the features that are included."""
    weights: dict[str, float] = json.loads(files(__package__).joinpath("weights.json").read_text("utf-8"))
    return weights
