"""The trained writer: a small language model that says, as the next passage would, what a question still needs.

Knowledge graph prompting (Wang et al. 2024, section 3) fine-tunes T5 and LLaMA for it. What it writes is compared with
passages by their words, so that the names in it count and its style does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from torch import Tensor

from hopline.learned.local_llm import LocalLLM
from hopline.learned.weight_files import load_weights

VERSION: Final = 1  # raise it when the form of its prompts changes
WRITTEN: Final = 32  # tokens that it writes at most
SHOWN: Final = 700  # characters of each passage so far


def prompt_of(question: str, trail: Sequence[str]) -> str:
    """What it reads: the question, and the passages of a path in their order."""
    found = "\n".join(f"- {' '.join(text[:SHOWN].split())}" for text in trail)
    return f"Question: {question}\nFound:\n{found}\nNeeded next:"


class Writer(LocalLLM):
    """The changed language model."""

    def loss(self, samples: Sequence[tuple[str, str]]) -> Tensor:
        """The cross-entropy of the tokens of what should be written, of samples of prompt and label."""
        return self.loss_of([self.row(*sample) for sample in samples])

    def write(self, question: str, trail: Sequence[str]) -> str:
        """What should be found behind a path, in one line."""
        embedded, _ = self.row(prompt_of(question, trail))
        return self.written(embedded.detach(), most=WRITTEN)


class TrainedWriter:
    """The writer as a part that a flow can ask."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def __call__(self, *, question: str, trails: Sequence[Sequence[str]]) -> list[str]:
        """What each path of passages should be followed by."""
        return [self._writer.write(question, trail) for trail in trails]


def load_writer(folder: Path) -> TrainedWriter:
    """The writer whose weights are in a folder, before the base that its card names.

    Raises:
        UsageError: as `load_weights` and `load_base`, or the weights are another model's.
    """
    tensors, card = load_weights(folder, version=VERSION)
    writer = Writer(Path(card.shape["base"]), rank=card.shape["rank"])
    writer.take(tensors, folder)
    return TrainedWriter(writer)
