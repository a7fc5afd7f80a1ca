"""The verifier: tells whether a passage supports an answer or a claim, contradicts it, or does not state it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from hopline.embeddings.minilm import batch_by_length
from hopline.learned.reader import load_network
from hopline.learned.verifier_network import LABELS, VerifierNetwork, tokenize_claim

BATCH: Final = 16


class TrainedVerifier:
    """Verifies answers and claims by passages."""

    def __init__(self, network: VerifierNetwork, tokenizer: Any) -> None:
        self._network = network
        self._tokenizer = tokenizer

    def __call__(self, *, claims: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Return the logits of the labels of claims, (n, 3), in the order of `LABELS`.

        A claim is a question ("" if the answer is a whole statement), an answer, a header (title, section) and a text.
        """
        inputs = [tokenize_claim(self._tokenizer, *claim) for claim in claims]
        rows = np.zeros((len(inputs), len(LABELS)))
        with torch.inference_mode():
            for indices in batch_by_length([len(sample.tokens) for sample in inputs], BATCH):
                rows[indices] = self._network.score_labels([inputs[index] for index in indices]).cpu().numpy()
        return rows


def load_verifier(folder: Path) -> TrainedVerifier:
    """Load the verifier from a folder of weights.

    Raises:
        UsageError: as `hopline.learned.weight_files.load_weights`.
    """
    return TrainedVerifier(*load_network(VerifierNetwork, folder))
