"""Training of the reader: MiniLM fine-tuned to find the answer of a question in a passage, or that there is none.

The order is a curriculum: sentences, then paragraphs that may hold the answer. A batch holds samples of similar length,
so that little is padded. One article in forty is held out; the weights of the best epoch on them are kept.

The loss of a sample is the cross-entropy of start and end (the first token if there is no answer; Devlin et al. 2019,
section 4.3) plus binary cross-entropies: does the passage answer the question, is a token in the evidence sentence,
and, for yes-or-no questions, the verdict.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from hopline.atomic_files import write_text_atomically
from hopline.embeddings.minilm import load_torch_minilm, select_device
from hopline.errors import UsageError
from hopline.learned.reader import VERSION, load_into
from hopline.learned.reader_network import ReaderInput, ReaderNetwork, ReaderScores, tokenize_pair
from hopline.learned.weight_files import ModelCard, save_weights
from hopline.training.progress import ProgressCallback, ignore_progress
from hopline.training.reader_data import Paragraph, ReaderFile, ReaderSample, find_sentence, make_samples
from hopline.training.reader_evaluation import ReaderFigures, compute_figures, read_samples
from hopline.training.training_loop import Recipe, compute_fingerprint, fit

RECIPE: Final = Recipe(epochs=2, batch=24, rate=5e-4, slow=0.2)
SENTENCE: Final = 300  # characters: samples up to this length are the first phase
HELD_OUT: Final = 40  # one of so many articles is held out
MAX_HELD_OUT: Final = 1200  # samples that the figures are measured on
EVIDENCE_WEIGHT: Final = 0.3  # of the loss of evidence tokens
LOG: Final = "training.jsonl"  # the figures of each epoch
WINDOW: Final = 50  # batches that are sorted by length together

T = TypeVar("T")


def train_reader(
    files: Sequence[ReaderFile],
    folder: Path,
    *,
    recipe: Recipe = RECIPE,
    base: Path | None = None,
    resume: bool = True,
    on_progress: ProgressCallback = ignore_progress,
) -> ModelCard:
    """Train on ``files``, write weights and card to ``folder``. A file that is given twice counts twice.

    With ``base``, a folder of reader weights, their training goes on, with all samples in one phase. An interrupted
    training is resumed from its checkpoints, unless ``resume`` is false.

    Raises:
        UsageError: fewer than 50 questions, or ``base`` holds no weights of a reader.
    """
    started = time.monotonic()
    device = select_device()
    bert, tokenizer = load_torch_minilm(device)
    tokenizer.no_truncation()
    training, held_out = split_articles(files, seed=recipe.seed)
    if len(training) < 50:
        raise UsageError(f"the reader needs at least 50 questions, better ten thousands (got {len(training)})")
    torch.manual_seed(recipe.seed)
    network = ReaderNetwork(bert)
    base_card = load_into(network, base) if base else None
    network.to(device)
    log = folder / LOG
    folder.mkdir(parents=True, exist_ok=True)
    if not resume:
        remove_checkpoints(folder)

    def tokenize(sample: ReaderSample) -> ReaderInput:
        return tokenize_pair(tokenizer, sample.question, sample.header, sample.text)

    def measure() -> ReaderFigures:
        return compute_figures(held_out, read_samples(network, held_out, tokenize))

    def keep_best(phase: str) -> bool:
        """Measure, and keep the weights if they are the best; false if the last epoch was worse than the one before."""
        figures = measure()
        history = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        better = all(figures.f1 >= row["f1"] for row in history if row["phase"] == phase)
        write_text_atomically(
            log, "".join(json.dumps(row) + "\n" for row in [*history, {"phase": phase, **asdict(figures)}])
        )
        if better:
            torch.save(network.state_dict(), folder / f"{phase}-best.checkpoint")
        network.train()
        return better

    loss = 0.0
    for phase, samples, epochs in _build_phases(training, recipe, together=base is not None):
        batches = make_batches(samples, recipe.batch, seed=recipe.seed, length=lambda sample: len(sample.text))
        loss = fit(
            network,
            batches,
            _make_loss(network, tokenize),
            replace(recipe, epochs=epochs, batch=1),
            phase=phase,
            checkpoint=folder / f"{phase}.checkpoint",
            data=compute_fingerprint(samples),
            on_progress=on_progress,
            continues=lambda phase=phase: keep_best(phase),  # type: ignore[misc]
        )
        keep_best(phase)
        network.load_state_dict(torch.load(folder / f"{phase}-best.checkpoint", weights_only=True))
    figures = measure().round_known()
    card = save_reader(
        network,
        folder,
        files=files,
        recipe=asdict(recipe),
        samples=len(training),
        held_out=len(held_out),
        loss=loss,
        figures=figures,
        seconds=time.monotonic() - started,
        base=base_card,
    )
    remove_checkpoints(folder)
    return card


def save_reader(
    network: ReaderNetwork,
    folder: Path,
    *,
    files: Sequence[ReaderFile],
    recipe: Mapping[str, Any],
    samples: int,
    held_out: int,
    loss: float,
    figures: Mapping[str, float],
    seconds: float,
    base: ModelCard | None = None,
) -> ModelCard:
    """Write the weights of a reader and their card; ``base`` is that of the weights from which training went on."""
    data = {f"earlier, {name}": value for name, value in base.data.items()} if base else {}
    card = ModelCard(
        part="reader",
        version=VERSION,
        purpose="Finds the answer of a question in a passage, or that there is none.",
        base="all-MiniLM-L6-v2",
        shape={"layers": len(network.bert.layers), "heads": network.bert.heads},
        recipe=dict(recipe),
        data=data
        | {file.name: _describe(file, files.count(file)) for file in files}
        | {"samples": samples, "samples held out": held_out},
        figures={"last loss": round(loss, 4), **{f"held out: {name}": value for name, value in figures.items()}},
        seconds=seconds,
        limits="English; question and passage are cut after 256 word pieces.",
        date=time.strftime("%Y-%m-%d"),
    )
    weights = {name: value.detach().cpu().numpy().astype(np.float16) for name, value in network.state_dict().items()}
    return save_weights(folder, weights, card)


def remove_checkpoints(folder: Path) -> None:
    """Remove the files of an unfinished training."""
    for file in (*folder.glob("*.checkpoint"), folder / LOG):
        file.unlink(missing_ok=True)


def split_articles(files: Sequence[ReaderFile], *, seed: int) -> tuple[list[ReaderSample], list[ReaderSample]]:
    """Split into samples for training and samples of held-out articles, negatives included.

    A file whose paragraphs have no titles is split by paragraph. Of each file, at least one article is held out.
    """
    training: list[ReaderSample] = []
    held_out: list[ReaderSample] = []
    for number, file in enumerate(files):
        articles = [_hash_article(item) for item in file.paragraphs]
        chosen = {article for article in articles if article % HELD_OUT == 0} or {min(articles, default=0)}
        learned = [item for item, article in zip(file.paragraphs, articles, strict=True) if article not in chosen]
        validation = [item for item, article in zip(file.paragraphs, articles, strict=True) if article in chosen]
        training += make_samples(learned, seed=seed + number, negatives=True)
        held_out += make_samples(validation, seed=seed + number, negatives=True)
    random = Random(seed)  # noqa: S311 - no secret
    return training, random.sample(held_out, min(len(held_out), MAX_HELD_OUT))


def _hash_article(paragraph: Paragraph) -> int:
    return int(hashlib.sha256((paragraph.title or paragraph.text).encode()).hexdigest(), 16)


def _build_phases(
    samples: Sequence[ReaderSample], recipe: Recipe, *, together: bool
) -> list[tuple[str, Sequence[ReaderSample], int]]:
    """The phases that have samples: short ones with the answer for one epoch, then all paragraphs; or ``together``."""
    if together:
        return [("together", samples, recipe.epochs)]
    sentences = [sample for sample in samples if len(sample.text) <= SENTENCE and sample.spans]
    paragraphs = [sample for sample in samples if len(sample.text) > SENTENCE]
    phases = [("sentences", sentences, 1), ("paragraphs", paragraphs or samples, recipe.epochs)]
    return [(name, rows, epochs) for name, rows, epochs in phases if len(rows) >= recipe.batch]


def make_batches(samples: Sequence[T], size: int, *, seed: int, length: Callable[[T], int]) -> list[list[T]]:
    """Batches of samples of similar length: sorted within windows of a random order."""
    order = Random(seed).sample(samples, len(samples))  # noqa: S311 - no secret
    batches: list[list[T]] = []
    for start in range(0, len(order), size * WINDOW):
        window = sorted(order[start : start + size * WINDOW], key=length)
        batches += [window[n : n + size] for n in range(0, len(window), size)]
    return batches


Tokenize = Callable[[ReaderSample], ReaderInput]


def _make_loss(
    network: ReaderNetwork, tokenize: Tokenize
) -> Callable[[Sequence[Sequence[ReaderSample]], Random], Tensor]:
    def compute_loss(batches: Sequence[Sequence[ReaderSample]], random: Random) -> Tensor:
        [samples] = batches
        inputs = [tokenize(sample) for sample in samples]
        scores = network.score(inputs)
        targets = [find_targets(sample, pair, random) for sample, pair in zip(samples, inputs, strict=True)]
        return compute_reader_loss(scores, stack_targets(targets, scores.start.shape[1], network.device))

    return compute_loss


@dataclass(frozen=True, slots=True)
class ReaderTarget:
    """What a sample teaches: the tokens of its span, 0 without an answer and -1 if they are not learned.

    ``evidence`` (n,) is 1 for tokens of the sentence with the answer, 0 for others, -1 if it is not learned;
    ``verdict`` is 1 for yes, 0 for no, -1 without one.
    """

    start: int
    end: int
    evidence: NDArray[np.int8]
    verdict: int


@dataclass(frozen=True, slots=True)
class ReaderTargets:
    """The targets of b samples: ``start``, ``end``, ``verdict`` (b,), ``evidence`` (b, n)."""

    start: Tensor
    end: Tensor
    evidence: Tensor
    verdict: Tensor


def find_targets(sample: ReaderSample, pair: ReaderInput, random: Random) -> ReaderTarget:
    """Find the targets of a sample; of several gold spans one is chosen at random."""
    span = random.choice(sample.spans) if sample.has_short_answer else None
    start, end = find_tokens(pair, span) if span else (0, 0)
    has_span = sample.has_short_answer or not sample.answered
    supporting = [span] if span and start else [] if has_span else list(sample.spans)
    text = pair.starts >= 0
    evidence = np.full(len(text), -1, dtype=np.int8)
    if has_span or supporting:
        evidence[text] = 0
        for first, last in (find_sentence(sample.text, support) for support in supporting):
            evidence[text & (pair.starts < last) & (pair.ends > first)] = 1
    verdict = {"yes": 1, "no": 0}.get(sample.verdict, -1)
    return ReaderTarget(start if has_span else -1, end if has_span else -1, evidence, verdict)


def stack_targets(targets: Sequence[ReaderTarget], width: int, device: torch.device) -> ReaderTargets:
    """Stack targets; the evidence is padded to ``width``."""
    evidence = np.full((len(targets), width), -1, dtype=np.int8)
    for row, target in zip(evidence, targets, strict=True):
        row[: len(target.evidence)] = target.evidence
    start, end, verdict = (
        torch.tensor([getattr(target, name) for target in targets], device=device)
        for name in ("start", "end", "verdict")
    )
    return ReaderTargets(start, end, torch.from_numpy(evidence).to(device), verdict)


def compute_reader_loss(scores: ReaderScores, targets: ReaderTargets) -> Tensor:
    """Mean loss of a batch."""
    count = len(targets.start)
    span_loss = sum(
        functional.cross_entropy(logits, target, ignore_index=-1, reduction="sum")
        for logits, target in ((scores.start, targets.start), (scores.end, targets.end))
    ) / (2 * count)
    answered = (targets.start != 0).float()  # 0: there is no answer, or it was cut off
    loss = span_loss + functional.binary_cross_entropy_with_logits(scores.answered, answered)
    evidence_loss = functional.binary_cross_entropy_with_logits(
        scores.evidence, targets.evidence.clamp(min=0).float(), reduction="none"
    )
    known = targets.evidence >= 0
    loss = loss + EVIDENCE_WEIGHT * (evidence_loss * known).sum() / known.sum().clamp(min=1)
    verdict_loss = functional.binary_cross_entropy_with_logits(
        scores.yes, targets.verdict.clamp(min=0).float(), reduction="none"
    )
    return loss + (verdict_loss * (targets.verdict >= 0)).sum() / count


def find_tokens(pair: ReaderInput, span: tuple[int, int]) -> tuple[int, int]:
    """The first and the last token of a span, both inclusive; (0, 0) if the text was cut before it."""
    inside = np.flatnonzero((pair.starts >= 0) & (pair.starts < span[1]) & (pair.ends > span[0]))
    if not len(inside) or pair.ends[inside[-1]] < span[1]:
        return 0, 0
    return int(inside[0]), int(inside[-1])


def _describe(file: ReaderFile, times: int) -> str:
    counts = [question for paragraph in file.paragraphs for question in paragraph.questions]
    unanswered = sum(not question.spans and not question.verdict for question in counts)
    about = ", ".join(str(file.description[key]) for key in ("repository", "licence") if key in file.description)
    repeated = f", {times} times" if times > 1 else ""
    return f"{len(counts)} questions, {unanswered} unanswerable{repeated}{'; ' + about if about else ''}"
