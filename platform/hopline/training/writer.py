"""The writer of KGP trained on gold hops: from the question and what was found, the beginning of what is needed next.

Knowledge graph prompting (Wang et al. 2024, section 3, equation 1): a language model is taught to write the next
evidence. Departures: LoRA on a small causal model instead of all of T5 or LLaMA; what it should write is the title of
the next gold passage with its first words, since passages are longer than the sentences of the paper; hops are in the
order of `hopline.training.hop_order`. Measured on questions that taught nothing: the loss, and how often the next gold
passage is among the nearest, by the shipped encoder, to what was written.
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

from hopline.embeddings.minilm import MiniLM, best_device, shipped_folder
from hopline.errors import UsageError
from hopline.learned.local_llm import RANK
from hopline.learned.weight_files import Card, save_weights
from hopline.learned.writer import VERSION, Writer, prompt_of
from hopline.training.progress import Listener, Told, unheard
from hopline.training.trainable_part import Learning
from hopline.training.training_loop import Recipe, fingerprint, fit

if TYPE_CHECKING:
    from hopline.training.mdr import Pool

RECIPE: Final = Recipe(epochs=2, batch=2, rate=5e-4)
LEAST: Final = 20  # steps from passage to passage
HELD_OUT: Final = 10  # every tenth question measures
MEASURED: Final = 20  # questions that are written for, at most
WITHIN: Final = 5
LABEL: Final = 110  # characters of the passage that should be written


@dataclass(frozen=True, slots=True)
class Hop:
    """A question with the passages found so far, the passage that comes next, and where that is in its pool."""

    question: str
    trail: tuple[str, ...]
    following: str
    place: int
    pool: int

    @property
    def label(self) -> str:
        """What should be written."""
        return " ".join(self.following[:LABEL].split())


def train_writer(
    pools: Sequence[Pool],
    folder: Path,
    base: Path,
    *,
    recipe: Recipe = RECIPE,
    told: Mapping[str, Any] | None = None,
    listener: Listener = unheard,
) -> Card:
    """Train on nine of ten questions, measure on the tenth; weights and card go to ``folder``.

    Raises:
        UsageError: too few questions have two gold passages, or there is no language model at ``base``.
    """
    began = time.monotonic()
    taught, held_out = split(pools)
    if len(taught) < LEAST or not held_out:
        raise UsageError(
            f"the writer needs {LEAST} questions with two gold passages in the collection, better hundreds "
            f"(got {len(taught) + len(held_out)} steps from passage to passage)"
        )
    torch.manual_seed(recipe.seed)
    writer = Writer(base).to(best_device())
    measured = held_out[:MEASURED]
    before = _measured(writer, measured, pools, listener, "before")
    last = fit(
        Learning(writer), taught, _loss(writer), recipe, phase="writer", checkpoint=folder / "writer.checkpoint",
        data=fingerprint(taught, base.name, RANK), listener=listener,
    )  # fmt: skip
    after = _measured(writer, measured, pools, listener, "after")
    card = Card(
        part="writer",
        version=VERSION,
        purpose="What the passage that a question needs next says, from those that were found.",
        base=base.name,
        shape={"base": str(base), "rank": RANK},
        recipe=asdict(recipe),
        data={
            **(told or {}),
            "collections": ", ".join(pool.name for pool in pools),
            "steps": len(taught),
            "steps held out": len(held_out),
            "of them measured": len(measured),
        },
        figures={"last loss": round(last, 4), **{name: f"{before[name]} -> {after[name]}" for name in after}},
        seconds=time.monotonic() - began,
        limits="English; it names what it has learned to expect, true or not.",
        made=time.strftime("%Y-%m-%d"),
    )
    signed = save_weights(folder, writer.learned(), card)
    (folder / "writer.checkpoint").unlink(missing_ok=True)
    return signed


def split(pools: Sequence[Pool]) -> tuple[list[Hop], list[Hop]]:
    """The steps of nine of ten questions, and those of every tenth."""
    both: tuple[list[Hop], list[Hop]] = ([], [])
    asked = [(n, hops) for n, pool in enumerate(pools) for hops in pool.questions]
    places = [{id: place for place, id in enumerate(pool.ids)} for pool in pools]
    for number, (pool, hops) in enumerate(asked):
        both[0 if number % HELD_OUT else 1].extend(
            Hop(hops.question, hops.texts[:n], hops.texts[n], places[pool][hops.ids[n]], pool)
            for n in range(1, len(hops.ids))
        )
    return both


def _loss(writer: Writer) -> Callable[[Sequence[Hop], Random], Tensor]:
    return lambda hops, _: writer.loss([(prompt_of(hop.question, hop.trail), hop.label) for hop in hops])


def _measured(
    writer: Writer, hops: Sequence[Hop], pools: Sequence[Pool], listener: Listener, phase: str
) -> dict[str, float]:
    """The mean loss, and the share of steps, in per cent, whose passage is among the nearest to what was written."""
    writer.eval()
    losses, written = [], []
    for n, hop in enumerate(hops, 1):
        with torch.inference_mode():
            losses.append(float(writer.loss([(prompt_of(hop.question, hop.trail), hop.label)])))
        written.append(writer.write(hop.question, hop.trail))
        listener(Told(phase, n, len(hops)))
    vectors = MiniLM(shipped_folder()).embed(written)
    found = [
        hop.place in np.argsort(-(pools[hop.pool].vectors @ vector), kind="stable")[:WITHIN]
        for hop, vector in zip(hops, vectors, strict=True)
    ]
    return {"held out, loss": round(fmean(losses), 3), f"held out, R@{WITHIN}, in %": round(100 * fmean(found), 1)}
