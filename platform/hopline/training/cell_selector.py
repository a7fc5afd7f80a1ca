"""Training of the cell selector: the reader fine-tuned to score rows and columns of tables for a question.

The loss of a group is the cross-entropy of its right texts among all of its own table, and the binary cross-entropy of
each text: the first one orders the rows of a table, the second one tells tables apart. The cross-entropy of the
operation is added.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from typing import Any, Final

import torch
from torch import Tensor
from torch.nn import functional

from hopline.learned.cell_selector_network import CellSelectorNetwork
from hopline.learned.reader import load_network
from hopline.learned.reader_network import tokenize_pair
from hopline.learned.weight_files import ModelCard, load_weights
from hopline.tables.cell_selection import OPERATIONS, format_column, format_row, format_title, list_data_rows
from hopline.training.cell_selector_data import CellQuestion, SelectionGroup, choose_other, damage, make_groups
from hopline.training.progress import ProgressCallback, ignore_progress
from hopline.training.reader_heads import build_from_reader, save_trained
from hopline.training.training_loop import Recipe, compute_fingerprint, fit

RECIPE: Final = Recipe(epochs=1, batch=6, rate=5e-4, slow=0.15)
HELD_OUT: Final = 40  # one of so many tables is held out
MAX_HELD_OUT: Final = 200  # questions
OPERATION_WEIGHT: Final = 0.5
BATCH: Final = 64  # questions that are encoded at once
OPERATION_STEPS: Final = 3000
OPERATION_BATCH: Final = 256
OPERATION_RATE: Final = 1e-3
OPERATION_DECAY: Final = 0.05
VERSION: Final = 1


def train_cell_selector(
    questions: Sequence[CellQuestion],
    folder: Path,
    *,
    base: Path,
    recipe: Recipe = RECIPE,
    data: Mapping[str, Any],
    on_progress: ProgressCallback = ignore_progress,
) -> ModelCard:
    """Train on ``questions`` from the weights of a reader, and write weights and card to ``folder``.

    ``data`` describes the sets in the card. An interrupted training is resumed from its checkpoint.
    """
    started = time.monotonic()
    network, tokenizer = build_from_reader(CellSelectorNetwork, base, recipe.seed)
    training = [item for item in questions if not is_held_out(item)]
    held_out = [item for item in questions if is_held_out(item)]
    held_out = Random(recipe.seed).sample(held_out, min(len(held_out), MAX_HELD_OUT))  # noqa: S311 - no secret
    by_source: defaultdict[str, list[CellQuestion]] = defaultdict(list)
    for item in training:
        by_source[item.source].append(item)

    def compute_loss(items: Sequence[CellQuestion], random: Random) -> Tensor:
        groups: list[SelectionGroup] = []
        for item in items:
            groups += make_groups(damage(item, random), choose_other(item, by_source[item.source], random), random)
        texts = [(group.question, format_title(title), text) for group in groups for title, text in group.texts]
        named = [item for item in items if item.operation]
        loss = torch.zeros((), device=network.device)
        if texts:
            logits = network.score_relevance([tokenize_pair(tokenizer, *text) for text in texts])
            loss = loss + compute_group_loss(logits, groups)
        if named:
            scores = network.score_operations([tokenize_pair(tokenizer, item.question, "", "") for item in named])
            right = torch.tensor([OPERATIONS.index(item.operation) for item in named], device=network.device)
            loss = loss + OPERATION_WEIGHT * functional.cross_entropy(scores, right)
        return loss

    checkpoint = folder / "cell_selector.checkpoint"
    loss = fit(
        network,
        training,
        compute_loss,
        recipe,
        phase="cell_selector",
        checkpoint=checkpoint,
        data=compute_fingerprint(training),
        on_progress=on_progress,
    )
    figures = measure_cell_selector(network, tokenizer, held_out)
    card = ModelCard(
        part="cell_selector",
        version=VERSION,
        purpose="Scores how relevant a row or a column of a table is for a question, and the operation it asks for.",
        base=_describe_base(base),
        shape={"layers": len(network.bert.layers), "heads": network.bert.heads},
        recipe=asdict(recipe),
        data={**data, "questions": len(training), "questions held out": len(held_out)},
        figures={"last loss": round(loss, 4), **{f"held out: {name}": value for name, value in figures.items()}},
        seconds=time.monotonic() - started,
        limits="English; a path is cut after 110 characters, and so are the values of a row.",
        date=time.strftime("%Y-%m-%d"),
    )
    return save_trained(network, folder, card, checkpoint)


def _describe_base(folder: Path) -> str:
    _, card = load_weights(folder, version=VERSION)
    reader = "the reader, all-MiniLM-L6-v2"
    if card.part == "reader":
        return reader
    return f"its first training on {card.data['questions']} questions ({card.recipe}), from {reader}"


def train_operations(
    questions: Sequence[tuple[str, str]], folder: Path, *, steps: int = OPERATION_STEPS, seed: int = RECIPE.seed
) -> ModelCard:
    """Train the head of the operations again, on questions with their operations, and write the weights to ``folder``.

    The encoder stays as it is, so that the scores of rows and columns do not change.
    """
    network, tokenizer = load_network(CellSelectorNetwork, folder)
    inputs = [tokenize_pair(tokenizer, question, "", "") for question, _ in questions]
    with torch.no_grad():
        states = torch.cat([network.encode_first(inputs[n : n + BATCH]) for n in range(0, len(inputs), BATCH)])
    right = torch.tensor([OPERATIONS.index(operation) for _, operation in questions], device=network.device)
    torch.manual_seed(seed)
    head = network.operation_head
    optimiser = torch.optim.AdamW(head.parameters(), lr=OPERATION_RATE, weight_decay=OPERATION_DECAY)
    losses = []
    for _ in range(steps):
        batch = torch.randint(len(questions), (OPERATION_BATCH,))
        loss = functional.cross_entropy(head(states[batch]), right[batch])
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        losses.append(float(loss.detach()))
    _, card = load_weights(folder, version=VERSION)
    counts = dict(sorted(Counter(operation for _, operation in questions).items()))
    figures = {**card.figures, "last loss of operations": round(sum(losses[-100:]) / 100, 4)}
    return save_trained(
        network, folder, replace(card, data={**card.data, "questions of operations": counts}, figures=figures)
    )


def compute_group_loss(logits: Tensor, groups: Sequence[SelectionGroup]) -> Tensor:
    """Return the mean loss of groups; ``logits`` (n,) are those of all texts, group after group."""
    losses = []
    start = 0
    for group in groups:
        of_group = logits[start : start + len(group.texts)]
        right = torch.tensor(group.right, device=logits.device)
        start += len(group.texts)
        loss = functional.binary_cross_entropy_with_logits(of_group, right.float())
        if any(group.right):
            own = of_group[: len(group.texts) - group.foreign]
            loss = loss + torch.logsumexp(own, 0) - torch.logsumexp(own[right[: len(own)]], 0)
        losses.append(loss)
    return torch.stack(losses).mean()


def is_held_out(item: CellQuestion) -> bool:
    """Whether the questions over a table are held out."""
    return int(hashlib.sha256(repr(item.cells).encode()).hexdigest(), 16) % HELD_OUT == 0


def measure_cell_selector(
    network: CellSelectorNetwork, tokenizer: Any, questions: Sequence[CellQuestion]
) -> dict[str, float]:
    """Measure for how many questions the best row, the best column, both and the operation are right, in per cent.

    Rows and columns count for questions with known cells and the operation "none", by set and together.
    """
    right: defaultdict[tuple[str, str], list[bool]] = defaultdict(list)
    network.eval()
    for item in questions:
        outcomes = {}
        with torch.inference_mode():
            if item.operation:
                scores = network.score_operations([tokenize_pair(tokenizer, item.question, "", "")])
                outcomes["operation"] = OPERATIONS[int(scores[0].argmax())] == item.operation
            if item.operation in {"", "none"} and item.rows and item.columns:
                row, column = select_best(network, tokenizer, item)
                hits = row in item.rows, column in item.columns
                outcomes |= {"row": hits[0], "column": hits[1], "cell": all(hits)}
        for name in ("all", item.source):
            for measure, hit in outcomes.items():
                right[name, measure].append(hit)
    return {
        f"{name}, {measure} ({len(hits)})": round(100 * sum(hits) / len(hits), 1)
        for (name, measure), hits in sorted(right.items())
    }


def select_best(network: CellSelectorNetwork, tokenizer: Any, item: CellQuestion) -> tuple[int, int]:
    """Return the row and the column with the highest scores."""
    rows = list_data_rows(item.cells, item.structure)
    columns = list(range(len(item.structure.columns)))
    texts = [format_row(item.cells, item.structure, n) for n in rows]
    texts += [format_column(item.cells, item.structure, n) for n in columns]
    inputs = [tokenize_pair(tokenizer, item.question, format_title(item.title), text) for text in texts]
    scores = torch.cat([network.score_relevance(inputs[n : n + 32]) for n in range(0, len(inputs), 32)]).cpu()
    return rows[int(scores[: len(rows)].argmax())], columns[int(scores[len(rows) :].argmax())]
