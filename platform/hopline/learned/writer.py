"""The trained writer: a small language model that generates the text of the next passage a question needs.

Knowledge graph prompting (Wang et al. 2024, section 3) fine-tunes T5 and LLaMA for this. The generated text is compared
with passages by their words, so that its names count and its style does not.

Departures: the prompt does not have the paper's instruction (its listing 1); each passage is cut at 700 characters.
Only causal models can be loaded (`hopline.learned.local_llm`), so that the paper's T5 is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from torch import Tensor

from hopline.learned.local_llm import LocalLlm
from hopline.learned.weight_files import load_weights

VERSION: Final = 1  # raise it when the form of its prompts changes
MAX_NEW_TOKENS: Final = 32
MAX_PASSAGE_CHARACTERS: Final = 700  # of each passage so far


def build_writer_prompt(question: str, trail: Sequence[str]) -> str:
    """Build the prompt from the question and the passages of a path, in order."""
    passages = "\n".join(f"- {' '.join(text[:MAX_PASSAGE_CHARACTERS].split())}" for text in trail)
    return f"Question: {question}\nFound:\n{passages}\nNeeded next:"


class Writer(LocalLlm):
    """The language model with its LoRA adapter."""

    def compute_loss(self, samples: Sequence[tuple[str, str]]) -> Tensor:
        """The cross-entropy of the label tokens, over samples of prompt and label."""
        return self.compute_batch_loss([self.embed_prompt(*sample) for sample in samples])

    def write(self, question: str, trail: Sequence[str]) -> str:
        """Generate the beginning of the passage that follows a path, in one line."""
        embedded, _ = self.embed_prompt(build_writer_prompt(question, trail))
        return self.generate(embedded.detach(), max_tokens=MAX_NEW_TOKENS)


class TrainedWriter:
    """The writer as a model of the registry."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def __call__(self, *, question: str, trails: Sequence[Sequence[str]]) -> list[str]:
        """Generate the beginning of the passage that follows each path of passages."""
        return [self._writer.write(question, trail) for trail in trails]


def load_writer(folder: Path) -> TrainedWriter:
    """Load the writer from a folder of weights, on the base model that its card names.

    Raises:
        UsageError: as `load_weights` and `load_base_model`, or the weights belong to another model.
    """
    tensors, card = load_weights(folder, version=VERSION)
    writer = Writer(Path(card.shape["base"]), rank=card.shape["rank"])
    writer.load_parameters(tensors, folder)
    return TrainedWriter(writer)
