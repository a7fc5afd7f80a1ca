"""Training of a classifier over named topics, and of the shifter from a question's topics to its answer's (RAS).

The inputs are existing vectors, and training takes seconds to minutes. Head: d -> 512 -> topics, ReLU, dropout .1,
logistic loss of each topic; its output bias is initialised by the frequency of each topic (Lin et al. 2017, section
3.3). Shifter: topics -> 512 -> 256 -> topics, dropout .2, softmax, KL divergence, Adam at 1e-3, batches of 32, until
the divergence on a tenth of the pairs has not fallen for `PATIENCE` epochs; the best one is evaluated on another tenth.

Departures: the encoder is frozen; the paper trains it with the head, but in the released code no gradient reaches it.
The last epoch of the head is kept, the paper keeps the best by F1. The labels are those of the user or clusters
(`hopline.training.topic_sets`), not the 298 of DBPedia. The head's learning rate and epochs are higher than the
paper's, for hundreds of rows instead of hundreds of thousands (298 labels from 876 texts, micro F1 on 110 others: 46
after 40 epochs, 83 after 160); inputs of the shifter are normalized by the same `normalize_probabilities` in training
and in use; a shifter whose divergence on the tenth for early stopping is not lower than that of the question's own
topics is discarded.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from hopline.errors import UsageError
from hopline.evaluation.labels import label_f1
from hopline.learned.topic_classifier import VERSION, TopicClassifier, network_from_tensors, normalize_probabilities
from hopline.learned.weight_files import ModelCard, save_weights
from hopline.training.progress import ProgressCallback, TrainingProgress, ignore_progress
from hopline.training.training_loop import Recipe, fit

if TYPE_CHECKING:
    from hopline.flow.requests import Vectors

HIDDEN_SIZE: Final = 512
SHIFTER_SIZE: Final = 256  # of the shifter's second layer
BATCH: Final = 32
RATE: Final = 1e-3
MIN_STEPS: Final = 6000  # of a classifier, however few its rows
MAX_EPOCHS: Final = 200
SHIFTER_RECIPE: Final = Recipe(epochs=100, batch=BATCH, rate=RATE, warmup=0.0)  # a constant rate
PATIENCE: Final = 5  # epochs
HELD_OUT: Final = 10  # every tenth row is used for evaluation
MIN_TEXTS: Final = 20
UNSHIFTED, SHIFTED = "held out, KL unshifted", "held out, KL shifted"  # names of figures in a card
THRESHOLD: Final = 0.5  # probability from which a topic is assigned to a text


@dataclass(frozen=True, slots=True)
class TopicTrainingData:
    """Vectors (N, d) of texts, ``targets`` (N, L): which of the ``labels`` each has, and ``pairs``.

    Pairs are the vectors (M, d) of questions or sub-questions and those of the passages that answer them.
    """

    labels: Sequence[str]
    vectors: Vectors
    targets: NDArray[np.bool_]
    pairs: tuple[Vectors, Vectors]


def choose_recipe(rows: int, *, epochs: int | None = None) -> Recipe:
    """Choose the epochs for a number of rows: `MIN_STEPS` steps, at most `MAX_EPOCHS` epochs; or ``epochs``."""
    enough = min(MAX_EPOCHS, -(-MIN_STEPS * BATCH // max(rows, 1)))
    return Recipe(epochs=epochs or enough, batch=BATCH, rate=RATE)


class Perceptron(nn.Module):
    """Linear layers with ReLU and dropout between them."""

    def __init__(self, *sizes: int, dropout: float) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes))
        self.dropout = nn.Dropout(dropout)

    def forward(self, values: Tensor) -> Tensor:
        """Map (n, first) to (n, last), without an activation after the last layer."""
        for position, layer in enumerate(self.layers):
            values = layer(self.dropout(functional.relu(values)) if position else values)
        return values

    def init_output_bias(self, probabilities: Tensor) -> None:
        """Set the bias of the last layer so that its initial outputs are these probabilities (last,), in (0, 1)."""
        with torch.no_grad():
            self.get_parameter(f"layers.{len(self.layers) - 1}.bias").copy_(torch.logit(probabilities))

    def export_tensors(self, name: str) -> dict[str, NDArray[np.float32]]:
        """Return weights and biases, named ``<name>.0.weight`` and so on."""
        return {
            f"{name}.{key.removeprefix('layers.')}": value.numpy().copy() for key, value in self.state_dict().items()
        }


def train_topic_classifier(
    data: TopicTrainingData,
    folder: Path,
    name: str,
    *,
    recipe: Recipe | None = None,
    metadata: Mapping[str, Any] | None = None,
    on_progress: ProgressCallback = ignore_progress,
) -> ModelCard:
    """Train classifier and shifter on nine of ten rows, evaluate on the tenth, write both to ``folder/name``.

    Raises:
        UsageError: there are fewer than `MIN_TEXTS` rows, or no pair.
    """
    count, dimension = data.vectors.shape
    if count < MIN_TEXTS or len(data.pairs[0]) < MIN_TEXTS:
        raise UsageError(
            f"a topic classifier needs {MIN_TEXTS} texts and as many pairs, better hundreds "
            f"(got {count} and {len(data.pairs[0])})"
        )
    started = time.monotonic()
    recipe = recipe or choose_recipe(count)
    indices = np.arange(count)
    training, held_out = indices[indices % HELD_OUT > 0], indices[indices % HELD_OUT == 0]
    torch.manual_seed(recipe.seed)
    head = Perceptron(dimension, HIDDEN_SIZE, len(data.labels), dropout=0.1)
    vectors, labels_of_text = torch.from_numpy(data.vectors.copy()), torch.from_numpy(data.targets.astype(np.float32))
    frequencies = (labels_of_text[training].sum(dim=0) + 0.5) / (len(training) + 1)
    head.init_output_bias(frequencies)

    def compute_loss(batch_indices: Sequence[int], random: Random) -> Tensor:  # noqa: ARG001 - the signature of every loss
        batch = torch.as_tensor(batch_indices)
        return functional.binary_cross_entropy_with_logits(head(vectors[batch]), labels_of_text[batch])

    last_loss = fit(head, training.tolist(), compute_loss, recipe, phase="themes", on_progress=on_progress)
    tensors = head.export_tensors("head")
    classifier = TopicClassifier(data.labels, network_from_tensors("head", tensors), [])
    f1 = label_f1(classifier.predict_probabilities(data.vectors[held_out]) >= THRESHOLD, data.targets[held_out])
    shifter, improves, shifter_figures = _train_shifter(classifier, data.pairs, on_progress)
    card = ModelCard(
        part=f"themes/{name}",
        version=VERSION,
        purpose="The topics of a passage, and the expected topics of the passage that answers a question.",
        base=f"vectors of length {dimension}",
        shape={"labels": list(data.labels)},
        recipe={"classifier": asdict(recipe), "shifter": asdict(SHIFTER_RECIPE)},
        data={**(metadata or {}), "texts": len(training), "texts held out": len(held_out), "pairs": len(data.pairs[0])},
        figures={
            "last loss": round(last_loss, 4),
            **{f"held out, {name}": value for name, value in f1.items()},
            **shifter_figures,
        },
        seconds=time.monotonic() - started,
        date=time.strftime("%Y-%m-%d"),
    )
    if improves:
        tensors |= shifter.export_tensors("shifter")
    return save_weights(folder / name, tensors, card)


def _train_shifter(
    classifier: TopicClassifier, pairs: tuple[Vectors, Vectors], on_progress: ProgressCallback
) -> tuple[Perceptron, bool, dict[str, float]]:
    """Train the shifter; returns it, whether it improves the divergence, and the held-out divergences in nats."""
    question_topics, answer_topics = (
        torch.from_numpy(normalize_probabilities(classifier.predict_probabilities(side))) for side in pairs
    )
    indices = np.arange(len(question_topics))
    training = indices[indices % HELD_OUT > 1]
    stop_set, held_out = (torch.from_numpy(indices[indices % HELD_OUT == tenth]) for tenth in (1, 0))
    torch.manual_seed(SHIFTER_RECIPE.seed)
    shifter = Perceptron(len(classifier.labels), HIDDEN_SIZE, SHIFTER_SIZE, len(classifier.labels), dropout=0.2)
    optimiser = torch.optim.Adam(shifter.parameters(), lr=SHIFTER_RECIPE.rate)
    best, best_state, epochs_without_gain = float("inf"), shifter.state_dict(), 0
    for epoch in range(SHIFTER_RECIPE.epochs):
        shifter.train()
        random = Random(f"{SHIFTER_RECIPE.seed} shifter {epoch}")  # noqa: S311 - no secret
        order = random.sample(training.tolist(), len(training))
        for start in range(0, len(order), SHIFTER_RECIPE.batch):
            batch = torch.as_tensor(order[start : start + SHIFTER_RECIPE.batch])
            loss = _compute_divergence(shifter(question_topics[batch]), answer_topics[batch])
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
        shifter.eval()
        with torch.inference_mode():
            divergence = float(_compute_divergence(shifter(question_topics[stop_set]), answer_topics[stop_set]))
        on_progress(TrainingProgress("shifter", epoch + 1, SHIFTER_RECIPE.epochs, divergence))
        epochs_without_gain += 1
        if divergence < best:
            best, epochs_without_gain = divergence, 0
            best_state = {name: value.clone() for name, value in shifter.state_dict().items()}
        if epochs_without_gain == PATIENCE:
            break
    on_progress(TrainingProgress("shifter", SHIFTER_RECIPE.epochs, SHIFTER_RECIPE.epochs, best))
    shifter.load_state_dict(best_state)
    improves = best < float(_compute_divergence(question_topics[stop_set].log(), answer_topics[stop_set]))
    with torch.inference_mode():
        shifted = float(_compute_divergence(shifter(question_topics[held_out]), answer_topics[held_out]))
    unshifted = float(_compute_divergence(question_topics[held_out].log(), answer_topics[held_out]))
    return shifter, improves, {UNSHIFTED: round(unshifted, 4), SHIFTED: round(shifted, 4)}


def _compute_divergence(logits: Tensor, answer_topics: Tensor) -> Tensor:
    return functional.kl_div(functional.log_softmax(logits, dim=-1), answer_topics, reduction="batchmean")
