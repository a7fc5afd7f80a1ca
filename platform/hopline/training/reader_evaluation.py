"""Figures of a reader on samples with gold spans: exact match and F1 of SQuAD 2.0, accuracy and AUC of "answered"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean

import torch

from hopline.evaluation.answer_matching import exact_match, token_f1
from hopline.learned.reader import decode_scores
from hopline.learned.reader_network import ReaderInput, ReaderModule
from hopline.learned.reading import Reading
from hopline.training.reader_data import ReaderSample

BATCH = 16


@dataclass(frozen=True, slots=True)
class ReaderFigures:
    """Figures in %.

    ``em`` and ``f1`` are those of SQuAD 2.0, with an answer where the score is positive; ``answered_f1`` is the F1 of
    the best span over answered samples, None without any; ``accuracy`` and ``auc`` are those of the score for "the
    sample is answered", ``auc`` None if all or no samples are answered.
    """

    em: float
    f1: float
    answered_f1: float | None
    accuracy: float
    auc: float | None

    def round_known(self) -> dict[str, float]:
        """Return the figures that could be computed, by name, rounded to two decimals."""
        return {name: round(value, 2) for name, value in asdict(self).items() if value is not None}


def read_samples(
    network: ReaderModule, samples: Sequence[ReaderSample], tokenize: Callable[[ReaderSample], ReaderInput]
) -> list[Reading]:
    """Read every sample, in order."""
    readings: list[Reading | None] = [None] * len(samples)
    network.eval()
    order = sorted(range(len(samples)), key=lambda n: len(samples[n].text))
    with torch.inference_mode():
        for first in range(0, len(order), BATCH):
            indices = order[first : first + BATCH]
            inputs = [tokenize(samples[n]) for n in indices]
            for n, reading in zip(indices, decode_scores(network.score(inputs), inputs), strict=True):
                readings[n] = reading
    return [reading for reading in readings if reading is not None]


def compute_figures(
    samples: Sequence[ReaderSample], readings: Sequence[Reading], *, threshold: float = 0.0
) -> ReaderFigures:
    """Compute the figures; samples with a verdict or a whole sentence count for ``accuracy`` and ``auc`` only."""
    from sklearn.metrics import roc_auc_score

    em, f1, answered_f1 = [], [], []
    for sample, reading in zip(samples, readings, strict=True):
        if sample.answered and not sample.has_short_answer:
            continue
        gold = [sample.text[start:end] for start, end in sample.spans]
        span = sample.text[reading.start : reading.end]
        predicted = span if reading.score > threshold else ""
        em.append(exact_match(predicted, gold) if gold else float(not predicted))
        f1.append(token_f1(predicted, gold) if gold else float(not predicted))
        if gold:
            answered_f1.append(token_f1(span, gold))
    truth = [sample.answered for sample in samples]
    scores = [reading.score for reading in readings]
    accuracy = fmean((score > threshold) == answered for score, answered in zip(scores, truth, strict=True))
    auc = 100 * float(roc_auc_score(truth, scores)) if len(set(truth)) == 2 else None
    return ReaderFigures(
        _percent(em), _percent(f1), _percent(answered_f1) if answered_f1 else None, 100 * accuracy, auc
    )


def _percent(values: Sequence[float]) -> float:
    return 100 * fmean(values) if values else 0.0
