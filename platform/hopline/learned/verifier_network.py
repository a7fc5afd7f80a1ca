"""The network of the verifier: whether a passage supports an answer or a claim, contradicts it, or does not state it.

A cross-encoder over "question, answer; passage", as in the verification of answers by Hu et al. 2019 ("Read + Verify",
model II, here with three classes). It is the network of the reader, whose weights it starts from, with a further head.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

from hopline.embeddings.bert import Bert
from hopline.learned.reader_network import (
    MAX_QUESTION_TOKENS,
    MAX_TOKENS,
    SEPARATOR,
    ReaderInput,
    ReaderNetwork,
    pad_inputs,
    uses_bfloat16,
)

LABELS: Final = ("supported", "contradicted", "not_stated")
MAX_ANSWER_TOKENS: Final = 64


class VerifierNetwork(ReaderNetwork):
    """The reader's network with a head over the first token that scores the three labels."""

    def __init__(self, bert: Bert[Any]) -> None:
        super().__init__(bert)
        self.label_head = nn.Linear(self.text_head.in_features, len(LABELS))
        del self.token_head, self.text_head

    @property
    def device(self) -> torch.device:
        """The device of the parameters."""
        return self.label_head.weight.device

    def score_labels(self, inputs: Sequence[ReaderInput]) -> Tensor:
        """Return the logits (b, 3) of the labels of b inputs."""
        batch = pad_inputs(inputs, self.device)
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=uses_bfloat16(self.device)):
            states = self.encode(batch)
        logits: Tensor = self.label_head(states[:, 0].float())
        return logits


def tokenize_claim(tokenizer: Any, question: str, answer: str, header: str, text: str) -> ReaderInput:
    """Tokenise "question, answer" and a passage: each of the two is cut after 64 word pieces, the passage at 256.

    A claim is an answer without a question.
    """
    separator = tokenizer.token_to_id("[SEP]")
    first = tokenizer.token_to_id("[CLS]")
    left = [first]
    for part, limit in ((question, MAX_QUESTION_TOKENS), (answer, MAX_ANSWER_TOKENS)):
        left += [*tokenizer.encode(part, add_special_tokens=False).ids[:limit], separator]
    passage = f"{header}{SEPARATOR}{text}" if header else text
    right = tokenizer.encode(passage, add_special_tokens=False).ids[: MAX_TOKENS - len(left) - 1]
    count = len(left) + len(right) + 1
    return ReaderInput(
        np.array([*left, *right, separator], dtype=np.int64),
        np.array([False] * len(left) + [True] * (len(right) + 1)),
        np.full(count, -1),
        np.full(count, -1),
    )
