"""Training of the writer of KGP on gold hops: from a question and its passages so far, generate the next passage.

Knowledge graph prompting (Wang et al. 2024, section 3, equation 1): a language model is trained to generate the next
evidence. Departures: `hopline.learned.writer` lists those of the prompt; LoRA on a small causal model instead of full
T5 or LLaMA; the label is the title of the next gold passage with its first words, since passages are longer than the
sentences of the paper; the order of hops is estimated where the question set does not give it
(`hopline.training.hop_order`); the last epoch is kept. Evaluated on held-out questions: the loss, and how often the
next gold passage is among the nearest to the generated text, by the bundled encoder.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch
from torch import Tensor

from hopline.embeddings.minilm import MiniLM, minilm_folder, select_device
from hopline.errors import UsageError
from hopline.learned.local_llm import RANK
from hopline.learned.weight_files import ModelCard, save_weights
from hopline.learned.writer import VERSION, Writer, build_writer_prompt
from hopline.training.progress import ProgressCallback, TrainingProgress, ignore_progress
from hopline.training.trainable_parameters import TrainableParameters
from hopline.training.training_loop import Recipe, compute_fingerprint, fit

if TYPE_CHECKING:
    from hopline.training.mdr import TrainingCollection

RECIPE: Final = Recipe(epochs=2, batch=2, rate=5e-4)
MIN_SAMPLES: Final = 20
HELD_OUT: Final = 10  # every tenth question is used for evaluation
MAX_EVALUATED: Final = 20  # samples
RECALL_K: Final = 5
LABEL_CHARACTERS: Final = 110  # of the next passage


@dataclass(frozen=True, slots=True)
class WriterSample:
    """A question with its passages so far, the next passage, and the indices of that and of its collection."""

    question: str
    trail: tuple[str, ...]
    next_passage: str
    index: int
    collection: int

    @property
    def prompt(self) -> str:
        """The prompt of the model."""
        return build_writer_prompt(self.question, self.trail)

    @property
    def label(self) -> str:
        """The text to generate."""
        return " ".join(self.next_passage[:LABEL_CHARACTERS].split())


def train_writer(
    collections: Sequence[TrainingCollection],
    folder: Path,
    base: Path,
    *,
    recipe: Recipe = RECIPE,
    metadata: Mapping[str, Any] | None = None,
    on_progress: ProgressCallback = ignore_progress,
) -> ModelCard:
    """Train on nine of ten questions, evaluate on the tenth, write weights and card to ``folder``.

    Raises:
        UsageError: too few questions have two gold passages, or there is no language model at ``base``.
    """
    started = time.monotonic()
    training, held_out = split_samples(collections)
    if len(training) < MIN_SAMPLES or not held_out:
        raise UsageError(
            f"the writer needs {MIN_SAMPLES} questions with two gold passages in the collection, better hundreds "
            f"(got {len(training) + len(held_out)} hops)"
        )
    torch.manual_seed(recipe.seed)
    writer = Writer(base).to(select_device())
    evaluated = held_out[:MAX_EVALUATED]
    before = _evaluate(writer, evaluated, collections, on_progress, "before")
    last_loss = fit(
        TrainableParameters(writer), training, _make_loss(writer), recipe, phase="writer",
        checkpoint=folder / "writer.checkpoint", data=compute_fingerprint(training, base.name, RANK),
        on_progress=on_progress,
    )  # fmt: skip
    after = _evaluate(writer, evaluated, collections, on_progress, "after")
    card = ModelCard(
        part="writer",
        version=VERSION,
        purpose="Generates the beginning of the next passage that a question needs, from the passages found so far.",
        base=base.name,
        shape={"base": str(base), "rank": RANK},
        recipe=asdict(recipe),
        data={
            **(metadata or {}),
            "collections": ", ".join(collection.name for collection in collections),
            "steps": len(training),
            "steps held out": len(held_out),
            "of them measured": len(evaluated),
        },
        figures={"last loss": round(last_loss, 4), **{name: f"{before[name]} -> {after[name]}" for name in after}},
        seconds=time.monotonic() - started,
        limits="English; it may generate facts that are not true.",
        date=time.strftime("%Y-%m-%d"),
    )
    saved = save_weights(folder, writer.get_trainable_parameters(), card)
    (folder / "writer.checkpoint").unlink(missing_ok=True)
    return saved


def split_samples(collections: Sequence[TrainingCollection]) -> tuple[list[WriterSample], list[WriterSample]]:
    """Split the hops of questions into those for training and those of every tenth question."""
    splits: tuple[list[WriterSample], list[WriterSample]] = ([], [])
    questions = [(n, hops) for n, collection in enumerate(collections) for hops in collection.questions]
    indices = [{id: index for index, id in enumerate(collection.ids)} for collection in collections]
    for number, (collection, hops) in enumerate(questions):
        splits[0 if number % HELD_OUT else 1].extend(
            WriterSample(hops.question, hops.texts[:n], hops.texts[n], indices[collection][hops.ids[n]], collection)
            for n in range(1, len(hops.ids))
        )
    return splits


def _make_loss(writer: Writer) -> Callable[[Sequence[WriterSample], Random], Tensor]:
    return lambda samples, _: writer.compute_loss([(sample.prompt, sample.label) for sample in samples])


def _evaluate(
    writer: Writer,
    samples: Sequence[WriterSample],
    collections: Sequence[TrainingCollection],
    on_progress: ProgressCallback,
    phase: str,
) -> dict[str, float]:
    """Return the mean loss, and the percentage of hops whose passage is among the nearest to the generated text."""
    writer.eval()
    losses, generated = [], []
    for n, sample in enumerate(samples, 1):
        with torch.inference_mode():
            losses.append(float(writer.compute_loss([(sample.prompt, sample.label)])))
        generated.append(writer.write(sample.question, sample.trail))
        on_progress(TrainingProgress(phase, n, len(samples)))
    vectors = MiniLM(minilm_folder()).embed(generated)
    hits = [
        sample.index in np.argsort(-(collections[sample.collection].vectors @ vector), kind="stable")[:RECALL_K]
        for sample, vector in zip(samples, vectors, strict=True)
    ]
    return {"held out, loss": round(fmean(losses), 3), f"held out, R@{RECALL_K}, in %": round(100 * fmean(hits), 1)}
