"""GraphLLM trained as planner and answerer at once, on the samples of `hopline.training.sub_question_data`.

RAS (training): one model for both tasks, loss on the reply alone, LoRA of rank 8 on q and v. Departures: rates and
sizes are those of a model of 135 million numbers on a processor; the rate falls in a line behind its rise; greedy
replies, where the released code leaves decoding to a checkpoint's defaults; the rate rises for the steps of
`hopline.training.training_loop`, not for 15 %; batches of 2 are not gathered to 4. What is left out is measured by
training
without it: ``graph``, the soft token (its vector is of noughts); ``facts``, the facts written out; ``plans``, the
planner's samples and the sub-questions, so that the answerer has all facts as if the question itself had found them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, Final, Literal

import torch
from torch import Tensor

from hopline.embeddings.minilm import MiniLM, best_device, shipped_folder
from hopline.errors import UsageError
from hopline.evaluation.answer_matching import exact_match, token_f1
from hopline.learned.graph_llm import FACTS, VERSION, WRITTEN, GraphLLM, GraphRows, Shape, Task, graphs_of, prompt_of
from hopline.learned.weight_files import Card, save_weights
from hopline.training.progress import Listener, Told, unheard
from hopline.training.sub_question_data import Sample
from hopline.training.trainable_part import Learning
from hopline.training.training_loop import Recipe, fingerprint, fit

SHAPE: Final = Shape()
RECIPE: Final = Recipe(epochs=2, batch=2, rate=5e-4)
LEAST: Final = 20  # samples
HELD_OUT: Final = 10  # every tenth question measures
ACTIONS: Final = ("[NO_RETRIEVAL]", "[SUBQ]", "[SUFFICIENT]")

Without = Literal["graph", "facts", "plans"]


@dataclass(frozen=True, slots=True)
class Setup:
    """What is trained: the file of the language model, whether graphs are merged, and what is left out."""

    base: Path
    merged: bool = False
    without: frozenset[Without] = frozenset()
    shape: Shape = SHAPE
    recipe: Recipe = RECIPE


def train_graph_llm(
    samples: Sequence[Sample],
    folder: Path,
    setup: Setup,
    *,
    told: Mapping[str, Any] | None = None,
    listener: Listener = unheard,
) -> Card:
    """Train on nine of ten questions, measure on the tenth; weights and card go to ``folder``.

    Raises:
        UsageError: too few samples, or no language model at ``setup.base``.
    """
    taught, held_out = split(samples)
    if len(taught) < LEAST or not held_out:
        raise UsageError(f"graph_llm needs {LEAST} samples of several questions, better hundreds (got {len(taught)})")
    began = time.monotonic()
    torch.manual_seed(setup.recipe.seed)
    model = GraphLLM(setup.base, shape=setup.shape).to(best_device())
    rows = Rows(model, setup)
    if "plans" in setup.without:
        taught = [one for one in taught if one.task == "answer"]
    if "plans" in setup.without:
        held_out = [one for one in held_out if one.task == "answer"]
    before = rows.measured(held_out, listener, "before")
    last = fit(
        Learning(model), [rows.of(one) for one in taught], _loss(model), setup.recipe, phase="graph_llm",
        checkpoint=folder / "graph_llm.checkpoint", data=fingerprint(taught, *_identity(setup)), listener=listener,
    )  # fmt: skip
    after = rows.measured(held_out, listener, "after")
    figures: dict[str, str | float] = {name: f"{before[name]} -> {value}" for name, value in after.items()}
    if "graph" not in setup.without:
        bare = Rows(model, replace(setup, without=setup.without | {"graph"})).measured(held_out, listener, "bare")
        figures |= {f"{name}, the token taken away": value for name, value in bare.items()}
    card = Card(
        part="graph_llm",
        version=VERSION,
        purpose="What a question still needs to be looked up, and its answer, from the facts found so far.",
        base=setup.base.name,
        shape={"base": str(setup.base), "sizes": asdict(setup.shape), "merged": setup.merged},
        recipe={**asdict(setup.recipe), "without": sorted(setup.without)},
        data={**(told or {}), "samples": len(taught), "samples held out": len(held_out)},
        figures={"last loss": round(last, 4), **figures},
        seconds=time.monotonic() - began,
        limits="English; a model of this size plans and answers badly (see the figures).",
        made=time.strftime("%Y-%m-%d"),
    )
    signed = save_weights(folder, model.learned(), card)
    (folder / "graph_llm.checkpoint").unlink(missing_ok=True)
    return signed


def split(samples: Sequence[Sample]) -> tuple[list[Sample], list[Sample]]:
    """Samples to learn from, and those of every tenth question."""
    questions = list(dict.fromkeys(one.question for one in samples))
    held_out = set(questions[::HELD_OUT])
    return [one for one in samples if one.question not in held_out], [
        one for one in samples if one.question in held_out
    ]


Row = tuple[str, str, list[GraphRows]]


class Rows:
    """Samples as the model takes them; each name is embedded once."""

    def __init__(self, model: GraphLLM, setup: Setup) -> None:
        self._model, self._setup = model, setup
        self._embed = MiniLM(shipped_folder()).embed
        self._known: dict[str, Any] = {}

    def of(self, sample: Sample) -> Row:
        """Prompt, label and graphs."""
        without, rounds = self._setup.without, sample.rounds
        if "plans" in without and rounds:
            rounds = ((sample.question, tuple(fact for _, facts in rounds for fact in facts)),)
        seen = () if "graph" in without else rounds
        graphs = graphs_of(seen, self._embed, self._known, merged=self._setup.merged)
        prompt = prompt_of(sample.task, sample.question, rounds, facts=0 if "facts" in without else FACTS)
        return prompt, sample.label, graphs

    def measured(self, samples: Sequence[Sample], listener: Listener, phase: str) -> dict[str, float]:
        """Of plans: loss a sample, share of right actions in per cent; of answers: loss, EM and F1 in per cent."""
        self._model.eval()
        losses: dict[Task, list[float]] = {"plan": [], "answer": []}
        actions, exact, overlap = [], [], []
        for n, sample in enumerate(samples, 1):
            prompt, label, graphs = self.of(sample)
            with torch.inference_mode():
                losses[sample.task].append(float(self._model.loss([(prompt, label, graphs)])))
            said = self._model.reply(prompt, graphs, most=WRITTEN[sample.task])
            if sample.task == "plan":
                actions.append(float(said.split(" ")[0] == label.split(" ")[0]))
            else:
                exact.append(float(exact_match(said, [label])))
                overlap.append(token_f1(said, [label]))
            listener(Told(phase, n, len(samples)))
        told: dict[str, float] = {}
        if actions:
            told |= {"loss of plans": round(fmean(losses["plan"]), 3), "actions right, %": _share(actions)}
        if exact:
            told |= {"loss of answers": round(fmean(losses["answer"]), 3), "EM, %": _share(exact)}
            told |= {"F1, %": _share(overlap)}
        return told


def _loss(model: GraphLLM) -> Callable[[Sequence[Row], Random], Tensor]:
    return lambda rows, _: model.loss(rows)


def _share(values: Sequence[float]) -> float:
    return round(100 * fmean(values), 1)


def _identity(setup: Setup) -> tuple[object, ...]:
    return setup.base.name, setup.merged, sorted(setup.without), setup.shape


def ablations(setup: Setup) -> dict[str, Setup]:
    """The setup as it is, and without each of its parts."""
    parts: tuple[Without, ...] = ("graph", "facts", "plans")
    return {"all": setup} | {f"without {part}": replace(setup, without=frozenset({part})) for part in parts}
