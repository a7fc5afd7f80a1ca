"""Statistics over many questions: means with bootstrap intervals, and the results of an evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Figure:
    """The mean over ``questions`` of a score in [0, 1], with its 95 % interval."""

    mean: float
    low: float
    high: float
    questions: int

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain data, rounded to four digits."""
        values = {"mean": self.mean, "low": self.low, "high": self.high}
        return {name: round(value, 4) for name, value in values.items()} | {"questions": self.questions}


@dataclass(frozen=True, slots=True)
class StrategyFigures:
    """The results of one strategy.

    ``scores`` maps a metric to its `Figure`. ``p50`` and ``p95`` are milliseconds of wall time over
    ``timed`` questions that were asked one after another. ``calls`` and ``tokens`` of the model are totals, ``cost``
    is their price, as if no reply had been cached; ``cached_calls`` of the calls were not charged, as their replies
    were cached or shared by equal prompts of one batch. ``failed`` questions count as wrong in every score; ``errors``
    counts the reasons, including those for extractive answers where the model should have generated one. ``against``
    has the mean differences to the baseline, paired by question.
    """

    strategy: str
    scores: Mapping[str, Figure]
    p50: float = 0.0
    p95: float = 0.0
    timed: int = 0
    calls: int = 0
    tokens: int = 0
    cost: float = 0.0
    cached_calls: int = 0
    failed: int = 0
    errors: Mapping[str, int] = field(default_factory=dict)
    against: Mapping[str, Figure] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Convert to one row of ``hopline evaluate --json``."""
        return {
            "strategy": self.strategy,
            "scores": {name: figure.to_dict() for name, figure in self.scores.items()},
            "latency_ms": {"p50": round(self.p50, 1), "p95": round(self.p95, 1), "questions": self.timed},
            "calls": self.calls,
            "tokens": self.tokens,
            "cost": round(self.cost, 6),
            "cached_calls": self.cached_calls,
            "failed": self.failed,
            "errors": dict(self.errors),
            "against": {name: figure.to_dict() for name, figure in self.against.items()},
        }


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The results of one or more strategies on a question set, over one collection.

    ``answers`` is the kind of answers that was evaluated, "product" or "paper", "" if only retrieval was;
    ``answer_tokens`` is the limit on the evidence of an answer, None if there was none. ``own_documents``: each
    question was asked of its own documents only; ``filter``: of the documents that match it.
    """

    collection: str
    questions: int
    k: int
    strategies: tuple[StrategyFigures, ...] = ()
    baseline: str = ""
    answers: str = ""
    answer_tokens: int | None = None
    own_documents: bool = False
    filter: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Convert to what ``hopline evaluate --json FILE`` writes."""
        rows = [row.to_dict() for row in self.strategies]
        return {
            "collection": self.collection,
            "questions": self.questions,
            "k": self.k,
            "answers": self.answers,
            "answer_tokens": self.answer_tokens,
            "own_documents": self.own_documents,
            "filter": self.filter,
            "baseline": self.baseline,
            "strategies": rows,
        }


def bootstrap_mean(scores: Sequence[float], *, seed: int = 0, samples: int = 1000) -> Figure:
    """Compute the mean of ``scores`` with its 95 % percentile interval over ``samples`` bootstrap draws.

    Raises:
        ValueError: there are no scores.
    """
    if not scores:
        raise ValueError("a mean needs at least one score (got none)")
    values = np.asarray(scores, dtype=np.float64)
    draws = np.random.default_rng(seed).integers(0, len(values), (samples, len(values)))
    low, high = np.percentile(values[draws].mean(axis=1), [2.5, 97.5])
    return Figure(float(values.mean()), float(low), float(high), len(values))


def summarize_scores(rows: Iterable[Mapping[str, float]], *, seed: int = 0) -> dict[str, Figure]:
    """Compute one `Figure` for each metric, over the questions that have it; metrics in order of appearance."""
    columns: dict[str, list[float]] = {}
    for row in rows:
        for name, score in row.items():
            columns.setdefault(name, []).append(score)
    return {name: bootstrap_mean(scores, seed=seed) for name, scores in columns.items()}


def compute_paired_differences(
    rows: Sequence[Mapping[str, float]], base: Sequence[Mapping[str, float]], *, seed: int = 0
) -> dict[str, Figure]:
    """Compute the mean difference of each metric to a baseline on the same questions, in [−1, 1], with its interval.

    Differences are paired, so that a question that is hard for both does not widen the interval.
    """
    paired = [
        {name: score - base_row[name] for name, score in row.items() if name in base_row}
        for row, base_row in zip(rows, base, strict=True)
    ]
    return summarize_scores(paired, seed=seed)


def percentile(values: Sequence[float], share: float) -> float:
    """Percentile ``share`` (0 to 100) of the values, interpolated; 0 for no values."""
    return float(np.percentile(values, share)) if values else 0.0
