"""Minimums of metrics, below which an evaluation fails: a check for continuous integration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hopline.errors import UsageError
from hopline.evaluation.statistics import Evaluation


def parse_minimums(text: str) -> dict[str, float]:
    """Parse "R@5=0.9,F1=0.6" to the minimum of each metric, a mean in [0, 1]; "" has none.

    Raises:
        UsageError: a part is no metric with a number in [0, 1].
    """
    minimums = {}
    for part in filter(None, map(str.strip, text.split(","))):
        metric, _, value = map(str.strip, part.rpartition("="))
        try:
            minimum = float(value)
        except ValueError:
            minimum = -1.0
        if not metric or not 0 <= minimum <= 1:
            raise UsageError(f"a minimum is a metric and a mean in [0, 1], such as R@5=0.9 (got {part!r})")
        minimums[metric] = minimum
    return minimums


def find_failures(evaluation: Evaluation, minimums: Mapping[str, float]) -> Iterator[str]:
    """Yield a message for each strategy whose mean of a metric is below its minimum; case does not matter in names.

    Raises:
        UsageError: a metric was not measured; lists those that were.
    """
    for row in evaluation.strategies:
        figures = {name.casefold(): (name, figure) for name, figure in row.scores.items()}
        for metric, minimum in minimums.items():
            if metric.casefold() not in figures:
                known = ", ".join(name for name, _ in figures.values())
                raise UsageError(f"{metric} was not measured on these questions; measured were: {known}")
            name, figure = figures[metric.casefold()]
            if figure.mean < minimum:
                yield f"{name} of {row.strategy} is {figure.mean:.3f} with k = {evaluation.k}, below {minimum:g}"
