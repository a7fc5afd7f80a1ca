"""The network of the cell selector: how relevant a row or a column of a table is for a question, and what it asks for.

Row–column intersection (Glass et al. 2021, "Capturing Row and Column Semantics in Transformer Based Question Answering
over Tables", section 3): a cell answers the question if its row and its column do. Departures: one network scores rows
and columns; MiniLM instead of ALBERT; rows and columns are given with their paths in the table; a head over the
question alone scores the operation over the selected cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from hopline.embeddings.bert import Bert
from hopline.learned.reader_network import ReaderInput, ReaderNetwork, pad_inputs, uses_bfloat16
from hopline.tables.cell_selection import OPERATIONS


class CellSelectorNetwork(ReaderNetwork):
    """The reader's network with heads over the first token: one scores relevance, one the operations."""

    def __init__(self, bert: Bert[Any]) -> None:
        super().__init__(bert)
        self.relevance_head = nn.Linear(self.text_head.in_features, 1)
        self.operation_head = nn.Linear(self.text_head.in_features, len(OPERATIONS))
        del self.token_head, self.text_head

    @property
    def device(self) -> torch.device:
        """The device of the parameters."""
        return self.relevance_head.weight.device

    def score_relevance(self, inputs: Sequence[ReaderInput]) -> Tensor:
        """Return the logits (b,) of the relevance of b rows or columns."""
        logits: Tensor = self.relevance_head(self.encode_first(inputs)).squeeze(-1)
        return logits

    def score_operations(self, inputs: Sequence[ReaderInput]) -> Tensor:
        """Return the logits (b, len(OPERATIONS)) of the operations of b questions, given without a text."""
        logits: Tensor = self.operation_head(self.encode_first(inputs))
        return logits

    def encode_first(self, inputs: Sequence[ReaderInput]) -> Tensor:
        """Return the states (b, d) of the first tokens."""
        batch = pad_inputs(inputs, self.device)
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=uses_bfloat16(self.device)):
            states = self.encode(batch)
        return states[:, 0].float()
