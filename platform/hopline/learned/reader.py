"""The reader: finds the answer of a question in passages, with scores for how sure it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from hopline.embeddings.minilm import batch_by_length, load_torch_minilm, select_device
from hopline.learned.reader_network import ReaderInput, ReaderNetwork, ReaderScores, tokenize_pair
from hopline.learned.reading import Reading
from hopline.learned.weight_files import ModelCard, load_weights

VERSION: Final = 1  # raise it when the weights are applied differently
MAX_SPAN_TOKENS: Final = 30
BATCH: Final = 8

Network = TypeVar("Network", bound=ReaderNetwork)


class TrainedReader:
    """Reads passages for a question."""

    def __init__(self, network: ReaderNetwork, tokenizer: Any) -> None:
        self._network = network
        self._tokenizer = tokenizer

    def __call__(self, *, question: str, passages: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Read passages, each a header (title, section) and a text; returns the fields of their readings, (n, 6)."""
        inputs = [tokenize_pair(self._tokenizer, question, header, text) for header, text in passages]
        rows = np.zeros((len(inputs), 6))
        with torch.inference_mode():
            for indices in batch_by_length([len(sample.tokens) for sample in inputs], BATCH):
                batch = [inputs[index] for index in indices]
                for index, reading in zip(indices, decode_scores(self._network.score(batch), batch), strict=True):
                    rows[index] = astuple(reading)
        return rows


def load_reader(folder: Path) -> TrainedReader:
    """Load the reader from a folder of weights.

    Raises:
        UsageError: as `load_weights`.
    """
    return TrainedReader(*load_network(ReaderNetwork, folder))


def load_network(network_class: type[Network], folder: Path) -> tuple[Network, Any]:
    """Load a network on the device of the machine, for inference, and its tokenizer.

    Raises:
        UsageError: as `load_weights`.
    """
    device = select_device()
    bert, tokenizer = load_torch_minilm(device)
    tokenizer.no_truncation()
    network = network_class(bert)
    load_into(network, folder)
    return network.to(device).eval(), tokenizer


def load_into(network: ReaderNetwork, folder: Path, *, strict: bool = True) -> ModelCard:
    """Load the weights of a folder into a network, and return their card.

    Unless ``strict``, parameters that only one of both has are left as they are.

    Raises:
        UsageError: as `load_weights`.
    """
    weights, card = load_weights(folder, version=VERSION)
    state = {name: torch.from_numpy(value.astype(np.float32)) for name, value in weights.items()}
    network.load_state_dict(state, strict=strict)
    return card


def decode_scores(scores: ReaderScores, inputs: Sequence[ReaderInput]) -> list[Reading]:
    """Find the best span of each pair of a batch, by the sum of its start and end, at most 30 tokens long."""
    start, end, evidence, answered, yes = (
        array.detach().cpu().numpy()
        for array in (scores.start, scores.end, scores.evidence, scores.answered, scores.yes)
    )
    readings = []
    for row, sample in enumerate(inputs):
        n = len(sample.tokens)
        first, last, best = find_best_span(start[row, :n], end[row, :n])
        likeliest = int(np.where(sample.starts >= 0, evidence[row, :n], -np.inf).argmax())
        readings.append(
            Reading(
                max(int(sample.starts[first]), 0),
                max(int(sample.ends[last]), 0),
                best - float(start[row, 0] + end[row, 0]),
                float(answered[row]),
                float(yes[row]),
                max(int(sample.starts[likeliest]), 0),
            )
        )
    return readings


def find_best_span(start: NDArray[np.float32], end: NDArray[np.float32]) -> tuple[int, int, float]:
    """The first and last token (inclusive) of the best span, and its score; (0, 0, -1e4) if there is none."""
    if len(start) < 2:
        return 0, 0, -1e4
    sums = start[1:, None] + end[None, 1:]
    inside = np.ones_like(sums, dtype=bool)
    allowed = np.triu(inside) & ~np.triu(inside, MAX_SPAN_TOKENS)
    best = int(np.where(allowed, sums, -np.inf).argmax())
    first, last = divmod(best, sums.shape[1])
    return first + 1, last + 1, float(sums[first, last])
