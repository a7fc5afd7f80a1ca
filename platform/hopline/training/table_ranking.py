"""Training of the ranking of programs over tables, from questions with their answers only.

The probability of all programs that give the right answer is raised, with adaptive steps (Duchi et al. 2011, AdaGrad);
which of them is meant is not known. Weights near zero are dropped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hopline.evaluation.table_values import match_computed, match_values
from hopline.tables.cell_selection import CellSelection
from hopline.tables.enumeration import enumerate_programs
from hopline.tables.grid import TableGrid
from hopline.tables.programs import Program
from hopline.tables.question import CellReading, TableQuestion, analyse_table_question
from hopline.tables.ranking import describe_program, describe_words
from hopline.tables.typed_table import TypedTable, build_typed_table

EPOCHS: Final = 5
RATE: Final = 0.1
PENALTY: Final = 5e-3  # of the squared weights, for each sample that has the feature
MIN_SHARE: Final = 0.004  # of the questions, that have a word or pair of words which gets weights
MIN_WEIGHT: Final = 0.05


@dataclass(frozen=True, slots=True)
class TableSample:
    """A question, the grid of a table, what the reader finds, and the scores of the rows and columns.

    Without ``golds``, the table does not answer it.
    """

    question: str
    table: TableGrid
    golds: tuple[str, ...]
    reading: CellReading | None = None
    selection: CellSelection | None = None


@dataclass(frozen=True, slots=True)
class EncodedSample:
    """The features of all programs of a sample as a sparse matrix, and which programs are right, (n,)."""

    features: NDArray[np.int32]
    values: NDArray[np.float32]
    starts: NDArray[np.int32]
    right: NDArray[np.bool_]

    def score(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Compute the scores of the programs, (n,)."""
        scores: NDArray[np.float64] = np.add.reduceat(weights[self.features] * self.values, self.starts)
        return scores


def train_table_ranking(samples: Sequence[TableSample], *, epochs: int = EPOCHS, seed: int = 0) -> dict[str, float]:
    """Return the weights of the features; samples without a right program are left out."""
    counts = Counter(gram for sample in samples for gram in _parse(sample)[0].grams)
    grams = frozenset(gram for gram, count in counts.items() if count >= MIN_SHARE * len(samples))
    names: dict[str, int] = {}
    encoded = [item for sample in samples if (item := encode_sample(sample, names, grams)).right.any()]
    weights = fit_weights(encoded, len(names), epochs=epochs, seed=seed)
    return {name: round(float(weights[n]), 2) for name, n in names.items() if abs(weights[n]) >= MIN_WEIGHT}


def _parse(sample: TableSample) -> tuple[TableQuestion, TypedTable]:
    table = build_typed_table(sample.table)
    return analyse_table_question(sample.question, table, reading=sample.reading, selection=sample.selection), table


def encode_sample(sample: TableSample, names: dict[str, int], grams: frozenset[str]) -> EncodedSample:
    """Encode the programs of a sample; new features are added to ``names``."""
    question, table = _parse(sample)
    programs = enumerate_programs(question, table)
    features: list[int] = []
    values: list[float] = []
    starts: list[int] = []
    for program in programs:
        starts.append(len(features))
        for name, value in _describe(question, program, table, question.grams & grams):
            features.append(names.setdefault(name, len(names)))
            values.append(value)
    right = [is_right(sample.golds, program) for program in programs]
    return EncodedSample(
        np.array(features, np.int32), np.array(values, np.float32), np.array(starts, np.int32), np.array(right)
    )


def is_right(golds: Sequence[str], program: Program) -> bool:
    """Whether a program gives the gold answers; without them, `NOTHING` is right."""
    if program.formula and len(golds) == len(program.values) == 1 and match_computed(golds[0], program.values[0]):
        return True
    return match_values(golds, program.values)


def _describe(
    question: TableQuestion, program: Program, table: TypedTable, grams: frozenset[str]
) -> Iterator[tuple[str, float]]:
    for part in (program.selection.choice, program.operation):
        yield from ((name, 1.0) for name in describe_words(grams, part))
    yield from describe_program(question, program, table)


def fit_weights(samples: Sequence[EncodedSample], size: int, *, epochs: int, seed: int) -> NDArray[np.float64]:
    """Fit the weights of ``size`` features to samples that each have a right program."""
    weights, squares = np.zeros(size), np.full(size, 1e-2)
    order = np.random.default_rng(seed)
    for _ in range(epochs):
        for index in order.permutation(len(samples)):
            features, gradient = compute_gradient(samples[index], weights)
            squares[features] += gradient**2
            weights[features] += RATE * gradient / np.sqrt(squares[features])
    return weights


def compute_gradient(
    sample: EncodedSample, weights: NDArray[np.float64]
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Compute the gradient of the log-probability of the right programs, of the features of a sample."""
    scores = sample.score(weights)
    probabilities = np.exp(scores - scores.max())
    probabilities /= probabilities.sum()
    right = np.where(sample.right, probabilities, 0.0)
    difference = right / max(right.sum(), 1e-12) - probabilities
    lengths = np.diff(np.append(sample.starts, len(sample.features)))
    features, inverse = np.unique(sample.features, return_inverse=True)
    gradient = np.bincount(inverse, weights=np.repeat(difference, lengths) * sample.values)
    return features, gradient - PENALTY * weights[features]
