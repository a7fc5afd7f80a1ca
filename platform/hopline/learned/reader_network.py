"""The network of the reader: scores of answer spans for a question and a passage in one sequence.

A cross-encoder (Devlin et al. 2019, BERT, section 4.3): a passage that does not answer the question is the span at the
first token. Departures: MiniLM is the encoder, and its word embeddings are not trained (half of its parameters, which
are in the wheel of the embedder); besides start and end, each token is scored as part of the evidence sentence, and
the state of the first token scores whether the passage answers the question and, for yes-or-no questions, the verdict.

The names of modules and parameters are keys of the weight files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hopline.embeddings.bert import Affine, Bert, apply_layers, convert_layer, embed_tokens

MAX_TOKENS: Final = 256  # of question, header and passage together, in word pieces
MAX_QUESTION_TOKENS: Final = 64
LENGTH_STEP: Final = 16  # batches are padded to multiples: on a CPU, kernels are compiled for each new length
SEPARATOR: Final = ": "  # between the header (title, section) and the text of a passage


@dataclass(frozen=True, slots=True)
class ReaderInput:
    """A tokenized pair of question and passage.

    ``tokens`` (n,) are word pieces; ``passage`` (n,) is true for those of header and text; ``starts`` and ``ends`` (n,)
    are their character offsets in the text, -1 for special tokens, the question and the header.
    """

    tokens: NDArray[np.int64]
    passage: NDArray[np.bool_]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ReaderBatch:
    """Pairs padded to n tokens: ``tokens`` (b, n), and where a token is in the passage, in its text, and no padding."""

    tokens: Tensor
    passage: Tensor
    text: Tensor
    mask: Tensor


@dataclass(frozen=True, slots=True)
class ReaderScores:
    """Logits of b pairs of at most n tokens: ``start``, ``end``, ``evidence`` (b, n); ``answered``, ``yes`` (b,).

    Start and end are -1e4 for tokens outside the text, except the first one, which stands for "no answer".
    """

    start: Tensor
    end: Tensor
    evidence: Tensor
    answered: Tensor
    yes: Tensor


class ReaderModule(nn.Module):
    """An encoder with the heads of the reader: subclasses return the states of the tokens of a batch."""

    def __init__(self, dimension: int) -> None:
        super().__init__()
        self.token_head = nn.Linear(dimension, 3)
        self.text_head = nn.Linear(dimension, 2)

    @property
    def device(self) -> torch.device:
        """The device of the parameters."""
        return self.token_head.weight.device

    def encode(self, batch: ReaderBatch) -> Tensor:
        """Return the states (b, n, d) of the tokens."""
        raise NotImplementedError

    def score(self, inputs: Sequence[ReaderInput]) -> ReaderScores:
        """Score pairs in the precision of `score_batch`."""
        return self.score_batch(pad_inputs(inputs, self.device))

    def score_batch(self, batch: ReaderBatch) -> ReaderScores:
        """Score pairs in bfloat16 if the processor multiplies it itself, else in single precision.

        On a CPU it takes 0.6 of the time; 98 of 100 spans are the same.
        """
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=uses_bfloat16(self.device)):
            return self(batch)  # type: ignore[no-any-return]

    def forward(self, batch: ReaderBatch) -> ReaderScores:
        """Score pairs; the heads are applied in single precision, so that scores are not rounded to 8 bits."""
        states = self.encode(batch).float()
        with torch.autocast(self.device.type, enabled=False):
            start, end, evidence = self.token_head(states).unbind(dim=-1)
            answered, yes = self.text_head(states[:, 0]).unbind(dim=-1)
        impossible = ~batch.text
        impossible[:, 0] = False
        return ReaderScores(
            start.masked_fill(impossible, -1e4), end.masked_fill(impossible, -1e4), evidence, answered, yes
        )


class ReaderNetwork(ReaderModule):
    """The reader over MiniLM; every parameter but the word embeddings is trained."""

    def __init__(self, bert: Bert[Any]) -> None:
        d = bert.embedding_norm.weight.shape[0]
        super().__init__(d)
        self.encoder = nn.ParameterList()
        positions = self._add_parameter(bert.position_embeddings[:MAX_TOKENS])
        self._add_parameter(torch.zeros(d))  # `segment`
        norm = Affine(self._add_parameter(bert.embedding_norm.weight), self._add_parameter(bert.embedding_norm.bias))
        layers = tuple(convert_layer(layer, self._add_parameter) for layer in bert.layers)
        self.bert: Bert[Tensor] = Bert(bert.heads, bert.word_embeddings, positions, norm, layers)

    def _add_parameter(self, array: Any) -> nn.Parameter:
        parameter = nn.Parameter(torch.as_tensor(array).clone().contiguous())
        self.encoder.append(parameter)
        return parameter

    @property
    def segment(self) -> Tensor:
        """The vector (d,) that is added to the tokens of the passage."""
        segment: Tensor = self.encoder[1]  # after the positions
        return segment

    def encode(self, batch: ReaderBatch) -> Tensor:
        """Return the states (b, n, d) of the tokens."""
        segments = batch.passage[..., None].to(self.segment.dtype) * self.segment
        states = embed_tokens(self.bert, batch.tokens, segments=segments)
        return apply_layers(self.bert.layers, states, batch.mask, heads=self.bert.heads)


@cache
def uses_bfloat16(device: torch.device) -> bool:
    """Whether the processor multiplies bfloat16 itself: emulated, it is slower than single precision."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    capabilities = torch.cpu.get_capabilities()
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16"))


def tokenize_pair(tokenizer: Any, question: str, header: str, text: str) -> ReaderInput:
    """Tokenise a pair; a question is cut after 64 word pieces, and the text where 256 are reached."""
    question_tokens = tokenizer.encode(question).ids[: MAX_QUESTION_TOKENS + 1]
    prefix = f"{header}{SEPARATOR}" if header else ""
    encoding = tokenizer.encode(prefix + text, add_special_tokens=False)
    first, separator = question_tokens[0], tokenizer.token_to_id("[SEP]")
    left = [first, *(token for token in question_tokens[1:] if token != separator), separator]
    room = MAX_TOKENS - len(left) - 1
    right = encoding.ids[:room]
    offsets = np.array(encoding.offsets[:room], dtype=np.int64).reshape(-1, 2) - len(prefix)
    outside = offsets[:, 0] < 0
    offsets[outside] = -1
    padding = np.full(len(left), -1)
    return ReaderInput(
        np.array([*left, *right, separator], dtype=np.int64),
        np.array([False] * len(left) + [True] * (len(right) + 1)),
        np.concatenate([padding, offsets[:, 0], [-1]]),
        np.concatenate([padding, offsets[:, 1], [-1]]),
    )


def pad_inputs(inputs: Sequence[ReaderInput], device: torch.device) -> ReaderBatch:
    """Pad pairs to the length of the longest, rounded up."""
    lengths = torch.tensor([len(pair.tokens) for pair in inputs], device=device)
    width = -(-int(lengths.max()) // LENGTH_STEP) * LENGTH_STEP
    return ReaderBatch(
        tokens=_pad([pair.tokens for pair in inputs], width).to(device),
        passage=_pad([pair.passage for pair in inputs], width).to(device),
        text=_pad([pair.starts >= 0 for pair in inputs], width).to(device),
        mask=torch.arange(width, device=device)[None] < lengths[:, None],
    )


def _pad(rows: Sequence[NDArray[Any]], width: int) -> Tensor:
    padded = np.zeros((len(rows), width), dtype=rows[0].dtype)
    for padded_row, row in zip(padded, rows, strict=True):
        padded_row[: len(row)] = row
    return torch.from_numpy(padded)
