"""The cell selector: scores the rows and columns of tables for a question, and the operations that it may ask for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from hopline.embeddings.minilm import batch_by_length
from hopline.learned.cell_selector_network import CellSelectorNetwork
from hopline.learned.reader import load_network
from hopline.learned.reader_network import tokenize_pair

BATCH: Final = 16


class TrainedCellSelector:
    """Scores rows and columns of tables."""

    def __init__(self, network: CellSelectorNetwork, tokenizer: Any) -> None:
        self._network = network
        self._tokenizer = tokenizer

    def __call__(self, *, question: str, texts: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Return the probabilities of the operations, then the logits of n rows and columns, (13 + n,).

        A row or column is a header (the title of its table) and a text; see `hopline.tables.cell_selection`.
        """
        inputs = [tokenize_pair(self._tokenizer, question, header, text) for header, text in texts]
        logits = np.zeros(len(inputs))
        with torch.inference_mode():
            operations = self._network.score_operations([tokenize_pair(self._tokenizer, question, "", "")])
            for indices in batch_by_length([len(sample.tokens) for sample in inputs], BATCH):
                logits[indices] = self._network.score_relevance([inputs[index] for index in indices]).cpu().numpy()
        return np.concatenate([operations[0].softmax(dim=-1).cpu().numpy().astype(np.float64), logits])


def load_cell_selector(folder: Path) -> TrainedCellSelector:
    """Load the cell selector from a folder of weights.

    Raises:
        UsageError: as `hopline.learned.weight_files.load_weights`.
    """
    return TrainedCellSelector(*load_network(CellSelectorNetwork, folder))
