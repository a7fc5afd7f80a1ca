"""Training of GraphLLM as planner and answerer at the same time, on `hopline.training.sub_question_data`.

RAS (training): one model for both tasks, loss on the reply only, LoRA of rank 8 on q and v. Departures: learning rate
and sizes are those of a model of 135 million parameters on a CPU; linear decay of the learning rate after the warm-up
of 15 % of the steps, which is the paper's; greedy decoding, where the released code uses the defaults of a checkpoint;
no gradient accumulation of batches of 2 to 4; decay and clipping are those of `hopline.training.training_loop`; the
last epoch is kept. Samples are tens to hundreds, the paper's 208,066. Ablations are trained without a component:
``graph``, the soft token (replaced by that of a zero vector); ``facts``, the facts in the prompt; ``plans``, the
planner's samples and the sub-questions, so that the answerer has all facts as if they were found for the question
itself.
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

from hopline.embeddings.minilm import MiniLM, minilm_folder, select_device
from hopline.errors import UsageError
from hopline.evaluation.answer_matching import exact_match, token_f1
from hopline.learned.graph_llm import (
    MAX_FACTS,
    MAX_NEW_TOKENS,
    VERSION,
    GraphLlm,
    GraphLlmShape,
    Task,
    TripleGraph,
    build_graph_prompt,
    build_triple_graphs,
)
from hopline.learned.weight_files import ModelCard, save_weights
from hopline.training.progress import ProgressCallback, TrainingProgress, ignore_progress
from hopline.training.sub_question_data import SubQuestionSample
from hopline.training.trainable_parameters import TrainableParameters
from hopline.training.training_loop import Recipe, compute_fingerprint, fit

SHAPE: Final = GraphLlmShape()
RECIPE: Final = Recipe(epochs=2, batch=2, rate=5e-4, warmup=0.15)
MIN_SAMPLES: Final = 20
HELD_OUT: Final = 10  # every tenth question is used for evaluation

Without = Literal["graph", "facts", "plans"]


@dataclass(frozen=True, slots=True)
class GraphLlmConfig:
    """The base language model, whether graphs are merged, the ablated components, sizes and hyperparameters."""

    base: Path
    merged: bool = False
    without: frozenset[Without] = frozenset()
    shape: GraphLlmShape = SHAPE
    recipe: Recipe = RECIPE


def train_graph_llm(
    samples: Sequence[SubQuestionSample],
    folder: Path,
    config: GraphLlmConfig,
    *,
    metadata: Mapping[str, Any] | None = None,
    on_progress: ProgressCallback = ignore_progress,
) -> ModelCard:
    """Train on nine of ten questions, evaluate on the tenth, write weights and card to ``folder``.

    Raises:
        UsageError: too few samples, or no language model at ``config.base``.
    """
    training, held_out = split_samples(samples)
    if len(training) < MIN_SAMPLES or not held_out:
        raise UsageError(
            f"graph_llm needs {MIN_SAMPLES} samples of several questions, better hundreds (got {len(training)})"
        )
    started = time.monotonic()
    torch.manual_seed(config.recipe.seed)
    model = GraphLlm(config.base, shape=config.shape).to(select_device())
    encoder = SampleEncoder(model, config)
    if "plans" in config.without:
        training = [sample for sample in training if sample.task == "answer"]
        held_out = [sample for sample in held_out if sample.task == "answer"]
    before = encoder.evaluate(held_out, on_progress, "before")
    last_loss = fit(
        TrainableParameters(model), [encoder.encode(sample) for sample in training], _make_loss(model), config.recipe,
        phase="graph_llm", checkpoint=folder / "graph_llm.checkpoint",
        data=compute_fingerprint(training, *_fingerprint_values(config)), on_progress=on_progress,
    )  # fmt: skip
    after = encoder.evaluate(held_out, on_progress, "after")
    figures: dict[str, str | float] = {name: f"{before[name]} -> {value}" for name, value in after.items()}
    if "graph" not in config.without:
        without_graph = SampleEncoder(model, replace(config, without=config.without | {"graph"}))
        bare = without_graph.evaluate(held_out, on_progress, "bare")
        figures |= {f"{name}, the token taken away": value for name, value in bare.items()}
    card = ModelCard(
        part="graph_llm",
        version=VERSION,
        purpose="Plans what still has to be retrieved for a question, and answers it, from the facts found so far.",
        base=config.base.name,
        shape={"base": str(config.base), "sizes": asdict(config.shape), "merged": config.merged},
        recipe={**asdict(config.recipe), "without": sorted(config.without)},
        data={**(metadata or {}), "samples": len(training), "samples held out": len(held_out)},
        figures={"last loss": round(last_loss, 4), **figures},
        seconds=time.monotonic() - started,
        limits="English; a model of this size plans and answers badly (see the figures).",
        date=time.strftime("%Y-%m-%d"),
    )
    saved = save_weights(folder, model.get_trainable_parameters(), card)
    (folder / "graph_llm.checkpoint").unlink(missing_ok=True)
    return saved


def split_samples(samples: Sequence[SubQuestionSample]) -> tuple[list[SubQuestionSample], list[SubQuestionSample]]:
    """Split samples into those for training and those of every tenth question."""
    questions = list(dict.fromkeys(sample.question for sample in samples))
    held_out = set(questions[::HELD_OUT])
    training = [sample for sample in samples if sample.question not in held_out]
    return training, [sample for sample in samples if sample.question in held_out]


EncodedSample = tuple[str, str, list[TripleGraph]]


class SampleEncoder:
    """Converts samples to inputs of the model, and evaluates it; each name is embedded once."""

    def __init__(self, model: GraphLlm, config: GraphLlmConfig) -> None:
        self._model, self._config = model, config
        self._embed = MiniLM(minilm_folder()).embed
        self._cache: dict[str, Any] = {}

    def encode(self, sample: SubQuestionSample) -> EncodedSample:
        """Convert a sample to its prompt, label and graphs."""
        without, rounds = self._config.without, sample.rounds
        if "plans" in without and rounds:
            rounds = ((sample.question, tuple(fact for _, facts in rounds for fact in facts)),)
        visible_rounds = () if "graph" in without else rounds
        graphs = build_triple_graphs(visible_rounds, self._embed, self._cache, merged=self._config.merged)
        prompt = build_graph_prompt(sample.task, sample.question, rounds, facts=0 if "facts" in without else MAX_FACTS)
        return prompt, sample.label, graphs

    def evaluate(
        self, samples: Sequence[SubQuestionSample], on_progress: ProgressCallback, phase: str
    ) -> dict[str, float]:
        """Evaluate plans by loss and percentage of correct actions, answers by loss, EM and F1 in per cent."""
        self._model.eval()
        losses: dict[Task, list[float]] = {"plan": [], "answer": []}
        correct_actions, exact_matches, f1_scores = [], [], []
        for n, sample in enumerate(samples, 1):
            prompt, label, graphs = self.encode(sample)
            with torch.inference_mode():
                losses[sample.task].append(float(self._model.compute_loss([(prompt, label, graphs)])))
            reply = self._model.generate_reply(prompt, graphs, max_tokens=MAX_NEW_TOKENS[sample.task])
            if sample.task == "plan":
                correct_actions.append(float(reply.split(" ")[0] == label.split(" ")[0]))
            else:
                exact_matches.append(float(exact_match(reply, [label])))
                f1_scores.append(token_f1(reply, [label]))
            on_progress(TrainingProgress(phase, n, len(samples)))
        figures: dict[str, float] = {}
        if correct_actions:
            figures |= {
                "loss of plans": round(fmean(losses["plan"]), 3),
                "actions right, %": _to_percent(correct_actions),
            }
        if exact_matches:
            figures |= {"loss of answers": round(fmean(losses["answer"]), 3), "EM, %": _to_percent(exact_matches)}
            figures |= {"F1, %": _to_percent(f1_scores)}
        return figures


def _make_loss(model: GraphLlm) -> Callable[[Sequence[EncodedSample], Random], Tensor]:
    return lambda samples, _: model.compute_loss(samples)


def _to_percent(values: Sequence[float]) -> float:
    return round(100 * fmean(values), 1)


def _fingerprint_values(config: GraphLlmConfig) -> tuple[object, ...]:
    return config.base.name, config.merged, sorted(config.without), config.shape


def ablation_configs(config: GraphLlmConfig) -> dict[str, GraphLlmConfig]:
    """Return the configuration itself, and one without each of its components."""
    parts: tuple[Without, ...] = ("graph", "facts", "plans")
    return {"all": config} | {f"without {part}": replace(config, without=frozenset({part})) for part in parts}
