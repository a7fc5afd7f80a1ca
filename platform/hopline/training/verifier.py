"""Training of the verifier: the reader fine-tuned to tell whether a passage supports an answer or a claim."""

from __future__ import annotations

import hashlib
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from typing import Any, Final

import torch
from torch import Tensor
from torch.nn import functional

from hopline.learned.verifier_network import LABELS, VerifierNetwork, tokenize_claim
from hopline.learned.weight_files import ModelCard
from hopline.training.progress import ProgressCallback, ignore_progress
from hopline.training.reader import make_batches
from hopline.training.reader_heads import build_from_reader, save_trained
from hopline.training.training_loop import Recipe, compute_fingerprint, fit
from hopline.training.verifier_data import ClaimSample

RECIPE: Final = Recipe(epochs=1, batch=32, rate=5e-4, slow=0.2)
HELD_OUT: Final = 40  # one of so many passages is held out
MAX_HELD_OUT: Final = 3000
VERSION: Final = 1


def train_verifier(
    samples: Sequence[ClaimSample],
    folder: Path,
    *,
    base: Path,
    recipe: Recipe = RECIPE,
    data: Mapping[str, Any],
    on_progress: ProgressCallback = ignore_progress,
) -> ModelCard:
    """Train on ``samples`` from the weights of a reader, and write weights and card to ``folder``.

    ``data`` describes the sets in the card. An interrupted training is resumed from its checkpoint.
    """
    started = time.monotonic()
    network, tokenizer = build_from_reader(VerifierNetwork, base, recipe.seed)
    training = [sample for sample in samples if not is_held_out(sample)]
    held_out = [sample for sample in samples if is_held_out(sample)]
    held_out = Random(recipe.seed).sample(held_out, min(len(held_out), MAX_HELD_OUT))  # noqa: S311 - no secret
    batches = make_batches(training, recipe.batch, seed=recipe.seed, length=lambda sample: len(sample.text))

    def compute_loss(chosen: Sequence[Sequence[ClaimSample]], _: Random) -> Tensor:
        [rows] = chosen
        logits = network.score_labels([tokenize(tokenizer, row) for row in rows])
        targets = torch.tensor([LABELS.index(row.label) for row in rows], device=network.device)
        return functional.cross_entropy(logits, targets)

    checkpoint = folder / "verifier.checkpoint"
    batched = replace(recipe, batch=1)
    loss = fit(
        network,
        batches,
        compute_loss,
        batched,
        phase="verifier",
        checkpoint=checkpoint,
        data=compute_fingerprint(training),
        on_progress=on_progress,
    )
    figures = measure_verifier(network, tokenizer, held_out)
    card = ModelCard(
        part="verifier",
        version=VERSION,
        purpose="Tells whether a passage supports an answer or a claim, contradicts it, or does not state it.",
        base="the reader, all-MiniLM-L6-v2",
        shape={"layers": len(network.bert.layers), "heads": network.bert.heads},
        recipe=asdict(recipe),
        data={**data, "samples": len(training), "samples held out": len(held_out)},
        figures={"last loss": round(loss, 4), **{f"held out: {name}": value for name, value in figures.items()}},
        seconds=time.monotonic() - started,
        limits="English; question and answer are cut after 64 word pieces each, the passage where 256 are reached.",
        date=time.strftime("%Y-%m-%d"),
    )
    return save_trained(network, folder, card, checkpoint)


def tokenize(tokenizer: Any, sample: ClaimSample) -> Any:
    """Tokenise a sample."""
    return tokenize_claim(tokenizer, sample.question, sample.answer, sample.header, sample.text)


def is_held_out(sample: ClaimSample) -> bool:
    """Whether the samples of a title, or of a passage without one, are held out."""
    return int(hashlib.sha256((sample.header or sample.text).encode()).hexdigest(), 16) % HELD_OUT == 0


def measure_verifier(network: VerifierNetwork, tokenizer: Any, samples: Sequence[ClaimSample]) -> dict[str, float]:
    """Measure accuracy over three labels, and that of "supported" or not, in per cent: in all and by set."""
    right: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    network.eval()
    with torch.inference_mode():
        for start in range(0, len(samples), 32):
            rows = samples[start : start + 32]
            best = network.score_labels([tokenize(tokenizer, row) for row in rows]).argmax(dim=1).tolist()
            for row, number in zip(rows, best, strict=True):
                outcome = (LABELS[number] == row.label, (number == 0) == (row.label == "supported"))
                right["all"].append(outcome)
                right[row.source].append(outcome)
    figures: dict[str, float] = {}
    for name, outcomes in sorted(right.items()):
        for number, measure in enumerate(("three labels", "supported or not")):
            share = sum(outcome[number] for outcome in outcomes) / len(outcomes)
            figures[f"{name} ({len(outcomes)}), {measure}"] = round(100 * share, 1)
    return figures
