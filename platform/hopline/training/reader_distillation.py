"""Training of the reader by a larger teacher: knowledge distillation (Hinton et al. 2015).

The teacher is an MPNet with the heads of the reader. It is trained on the labels of the samples; the reader then learns
from the labels and from the teacher's scores. The scores matter most for negatives that rules made: the teacher tells
which of them are really unanswered. Each sample set is made of the same questions with another seed, that is, with
other windows and other negatives.

This is how the included weights were trained. It takes minutes on a GPU and days on a CPU.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, fields, replace
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from hopline.embeddings.minilm import load_tokenizer, load_torch_minilm, select_device
from hopline.learned.reader_network import (
    LENGTH_STEP,
    MAX_TOKENS,
    ReaderBatch,
    ReaderModule,
    ReaderNetwork,
    ReaderScores,
    tokenize_pair,
)
from hopline.learned.weight_files import ModelCard
from hopline.training.progress import ProgressCallback, ignore_progress
from hopline.training.reader import (
    EVIDENCE_WEIGHT,
    MAX_HELD_OUT,
    ReaderTargets,
    compute_reader_loss,
    find_targets,
    make_batches,
    remove_checkpoints,
    save_reader,
    split_articles,
)
from hopline.training.reader_data import ReaderFile, ReaderSample
from hopline.training.reader_evaluation import ReaderFigures, compute_figures, read_samples
from hopline.training.training_loop import Recipe, fit

TEACHER_RECIPE: Final = Recipe(epochs=1, batch=64, rate=2e-4, slow=0.2)
READER_RECIPE: Final = Recipe(epochs=4, batch=128, rate=1.5e-3, slow=0.2)
SAMPLE_SETS: Final = 3  # made of the questions with different seeds; one epoch is all of them
TEACHER_SHARE: Final = 2 / 3  # of the samples, on which the teacher is trained: it need not see all of them
TEMPERATURE: Final = 2.0  # of the spans' distributions
LABEL_WEIGHT: Final = 0.3  # of the loss on the labels, beside the one on the teacher's scores
TEACHER_FILE: Final = "teacher-scores.checkpoint"


class TeacherNetwork(ReaderModule):
    """The heads of the reader over MPNet, for pairs in the word pieces of MiniLM: both have nearly one vocabulary."""

    def __init__(self, folder: Path, tokenizer: Any) -> None:
        """``folder`` holds MPNet as Hugging Face stores it; ``tokenizer`` is that of the pairs."""
        from transformers import AutoModel  # here, so that processes that only tokenise do not import it

        encoder = AutoModel.from_pretrained(folder, add_pooling_layer=False)
        super().__init__(encoder.config.hidden_size)
        self.encoder = encoder
        self.encoder_segment = nn.Parameter(torch.zeros(encoder.config.hidden_size))
        self.own_tokens: Tensor
        self.register_buffer("own_tokens", map_vocabulary(folder, tokenizer), persistent=False)

    def encode(self, batch: ReaderBatch) -> Tensor:
        """Return the states (b, n, d) of the tokens."""
        words = self.encoder.embeddings.word_embeddings(self.own_tokens[batch.tokens])
        words = words + batch.passage[..., None].to(words.dtype) * self.encoder_segment
        states: Tensor = self.encoder(inputs_embeds=words, attention_mask=batch.mask.long()).last_hidden_state
        return states


def map_vocabulary(folder: Path, tokenizer: Any) -> Tensor:
    """Return MPNet's token for each of BERT's, int64 (vocabulary,)."""
    from tokenizers import Tokenizer

    own: Mapping[str, int] = Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab()
    names = {"[CLS]": "<s>", "[SEP]": "</s>", "[PAD]": "<pad>", "[MASK]": "<mask>"}
    tokens = torch.full((tokenizer.get_vocab_size(),), own["[UNK]"])
    for piece, token in tokenizer.get_vocab().items():
        tokens[token] = own.get(names.get(piece, piece), own["[UNK]"])
    return tokens


@dataclass(frozen=True, slots=True)
class EncodedSamples:
    """Tokenised samples with their targets: n samples, padded to 256 tokens.

    ``tokens`` (n, 256); ``bounds`` (n, 3) are the ends of question, header and pair, in tokens; ``targets`` (n, 3) are
    start, end and verdict, and ``evidence`` (n, 256) too is that of `ReaderTarget`.
    """

    tokens: Tensor
    bounds: Tensor
    targets: Tensor
    evidence: Tensor

    def select(self, rows: Sequence[int]) -> tuple[ReaderBatch, ReaderTargets]:
        """Select rows as a batch on the device of the tensors, as short as its longest pair allows."""
        device = self.tokens.device
        chosen = torch.as_tensor(rows, device=device)
        bounds = self.bounds[chosen].long()
        width = -(-int(bounds[:, 2].max()) // LENGTH_STEP) * LENGTH_STEP
        position = torch.arange(width, device=device)[None]
        question, header, end = (bounds[:, n, None] for n in range(3))
        batch = ReaderBatch(
            tokens=self.tokens[chosen, :width].long(),
            passage=(position >= question) & (position < end),
            text=(position >= header) & (position < end - 1),
            mask=position < end,
        )
        start, last, verdict = self.targets[chosen].long().unbind(dim=1)
        return batch, ReaderTargets(start, last, self.evidence[chosen, :width], verdict)


def distil_reader(
    files: Sequence[ReaderFile],
    folder: Path,
    teacher: Path,
    *,
    seed: int = 42,
    on_progress: ProgressCallback = ignore_progress,
) -> ModelCard:
    """Train the teacher and the reader on ``files``, write weights and card to ``folder``.

    ``teacher`` is a folder with all-mpnet-base-v2 as Hugging Face stores it. A file that is given twice counts twice.
    An interrupted training is resumed after the teacher, from the checkpoint of the reader.
    """
    started = time.monotonic()
    folder.mkdir(parents=True, exist_ok=True)
    device = select_device()
    bert, tokenizer = load_torch_minilm(device)
    tokenizer.no_truncation()
    samples, held_out = make_sample_sets(files, seed)
    encoded = move(samples, device)
    if not (folder / TEACHER_FILE).exists():
        guide = TeacherNetwork(teacher, tokenizer).to(device)
        train_teacher(guide, encoded, seed=seed, on_progress=on_progress)
        scores = score_samples(guide, encoded)
        state = {
            "scores": asdict(move(scores, "cpu")),
            "figures": measure_reader(guide, held_out, tokenizer).round_known(),
        }
        torch.save(state, folder / TEACHER_FILE)
    state = torch.load(folder / TEACHER_FILE, weights_only=True)
    scores = move(ReaderScores(**state["scores"]), device)
    torch.manual_seed(seed)
    network = ReaderNetwork(bert).to(device)
    loss = train_student(network, encoded, scores, seed=seed, folder=folder, on_progress=on_progress)
    figures = {f"teacher: {name}": value for name, value in state["figures"].items()}
    figures |= measure_reader(network, held_out, tokenizer).round_known()
    recipe = {
        "teacher": asdict(TEACHER_RECIPE),
        "reader": asdict(READER_RECIPE),
        "sample sets": SAMPLE_SETS,
        "teacher share": round(TEACHER_SHARE, 3),
    }
    card = save_reader(
        network,
        folder,
        files=files,
        recipe=recipe | {"temperature": TEMPERATURE, "label weight": LABEL_WEIGHT},
        samples=len(encoded.tokens),
        held_out=len(held_out),
        loss=loss,
        figures=figures,
        seconds=time.monotonic() - started,
    )
    remove_checkpoints(folder)
    return card


def make_sample_sets(files: Sequence[ReaderFile], seed: int) -> tuple[EncodedSamples, list[ReaderSample]]:
    """Make the sample sets, tokenized, and the samples of held-out articles; one process for each processor."""
    context = get_context("spawn")  # a fork of a process with threads can hang
    with ProcessPoolExecutor(min(len(files), os.cpu_count() or 1), mp_context=context) as processes:
        parts = list(processes.map(_encode_file, files, [seed + number for number in range(len(files))]))
    held_out = [sample for _, samples in parts for sample in samples]
    sets = [sample_sets[number] for number in range(SAMPLE_SETS) for sample_sets, _ in parts]
    encoded = EncodedSamples(*(torch.from_numpy(np.concatenate(arrays)) for arrays in zip(*sets, strict=True)))
    return encoded, Random(seed).sample(held_out, min(len(held_out), MAX_HELD_OUT))  # noqa: S311 - no secret


def _encode_file(file: ReaderFile, seed: int) -> tuple[list[tuple[NDArray[Any], ...]], list[ReaderSample]]:
    tokenizer = load_tokenizer()
    tokenizer.no_truncation()
    sets = [split_articles([file], seed=seed + 1000 * number) for number in range(SAMPLE_SETS)]
    return [encode_samples(training, tokenizer, seed=seed) for training, _ in sets], sets[0][1]


def encode_samples(samples: Sequence[ReaderSample], tokenizer: Any, *, seed: int) -> tuple[NDArray[Any], ...]:
    """Tokenise samples and find their targets: the arrays of `EncodedSamples`."""
    random = Random(seed)  # noqa: S311 - no secret
    tokens = np.zeros((len(samples), MAX_TOKENS), dtype=np.int32)
    bounds = np.zeros((len(samples), 3), dtype=np.int16)
    targets = np.zeros((len(samples), 3), dtype=np.int16)
    evidence = np.full((len(samples), MAX_TOKENS), -1, dtype=np.int8)
    for row, sample in enumerate(samples):
        pair = tokenize_pair(tokenizer, sample.question, sample.header, sample.text)
        target = find_targets(sample, pair, random)
        end = len(pair.tokens)
        text = np.flatnonzero(pair.starts >= 0)
        tokens[row, :end] = pair.tokens
        bounds[row] = int(pair.passage.argmax()), text[0] if len(text) else end - 1, end
        targets[row] = target.start, target.end, target.verdict
        evidence[row, :end] = target.evidence
    return tokens, bounds, targets, evidence


def move(tensors: Any, device: str) -> Any:
    """Return a dataclass of tensors with its tensors on a device."""
    return type(tensors)(*(getattr(tensors, field.name).to(device) for field in fields(tensors)))


def train_teacher(
    network: ReaderModule, samples: EncodedSamples, *, seed: int, on_progress: ProgressCallback = ignore_progress
) -> float:
    """Train the teacher on the labels of the first samples; returns the mean loss."""

    def compute_loss(batches: Sequence[Sequence[int]], _: Random) -> Tensor:
        batch, targets = samples.select(batches[0])
        return compute_reader_loss(network.score_batch(batch), targets)

    rows = range(int(TEACHER_SHARE * len(samples.tokens)))
    batches = _make_batches(samples, rows, TEACHER_RECIPE, seed)
    return fit(
        network, batches, compute_loss, replace(TEACHER_RECIPE, batch=1), phase="teacher", on_progress=on_progress
    )


def train_student(
    network: ReaderModule,
    samples: EncodedSamples,
    teacher_scores: ReaderScores,
    *,
    seed: int,
    folder: Path,
    on_progress: ProgressCallback = ignore_progress,
) -> float:
    """Train the reader on the labels and the teacher's scores; returns the mean loss of the last epoch."""

    def compute_loss(batches: Sequence[Sequence[int]], _: Random) -> Tensor:
        batch, targets = samples.select(batches[0])
        rows = torch.as_tensor(batches[0], device=batch.tokens.device)
        width = batch.tokens.shape[1]
        taught = ReaderScores(
            teacher_scores.start[rows, :width].float(),
            teacher_scores.end[rows, :width].float(),
            teacher_scores.evidence[rows, :width].float(),
            teacher_scores.answered[rows].float(),
            teacher_scores.yes[rows].float(),
        )
        scores = network.score_batch(batch)
        soft = compute_distillation_loss(scores, taught, targets, batch.text)
        return soft + LABEL_WEIGHT * compute_reader_loss(scores, targets)

    return fit(
        network,
        _make_batches(samples, range(len(samples.tokens)), READER_RECIPE, seed),
        compute_loss,
        replace(READER_RECIPE, batch=1),
        phase="reader",
        on_progress=on_progress,
        checkpoint=folder / "reader.checkpoint",
    )


def _make_batches(samples: EncodedSamples, rows: Sequence[int], recipe: Recipe, seed: int) -> list[list[int]]:
    lengths = samples.bounds[:, 2].tolist()
    return make_batches(rows, recipe.batch, seed=seed, length=lengths.__getitem__)


def compute_distillation_loss(
    scores: ReaderScores, teacher: ReaderScores, targets: ReaderTargets, text: Tensor
) -> Tensor:
    """Mean distance of the scores from the teacher's.

    Spans: the divergence of start and end at the temperature, times its square (Hinton et al. 2015, section 2). The
    other scores: binary cross-entropy with the teacher's probability. ``text`` (b, n) is true for tokens of the text.
    What the teacher was not trained on (spans of yes-or-no questions, verdicts of others) is left out.
    """
    count = len(targets.start)
    has_span = (targets.start >= 0)[:, None].float()
    loss = torch.zeros((), device=text.device)
    for own, taught in ((scores.start, teacher.start), (scores.end, teacher.end)):
        divergence = functional.kl_div(
            (own / TEMPERATURE).log_softmax(dim=1),
            (taught / TEMPERATURE).log_softmax(dim=1),
            reduction="none",
            log_target=True,
        )
        loss = loss + TEMPERATURE**2 * (divergence * has_span).sum() / (2 * count)

    def compare(own: Tensor, taught: Tensor) -> Tensor:
        return functional.binary_cross_entropy_with_logits(own, taught.sigmoid(), reduction="none")

    loss = loss + compare(scores.answered, teacher.answered).mean()
    evidence = compare(scores.evidence, teacher.evidence) * text
    loss = loss + EVIDENCE_WEIGHT * evidence.sum() / text.sum().clamp(min=1)
    return loss + (compare(scores.yes, teacher.yes) * (targets.verdict >= 0)).sum() / count


def score_samples(network: ReaderModule, samples: EncodedSamples) -> ReaderScores:
    """Score all samples: ``start``, ``end``, ``evidence`` (n, 256), ``answered``, ``yes`` (n,), in half precision."""
    device, count = samples.tokens.device, len(samples.tokens)
    wide = [torch.full((count, MAX_TOKENS), -1e4, dtype=torch.float16, device=device) for _ in range(3)]
    narrow = [torch.zeros(count, dtype=torch.float16, device=device) for _ in range(2)]
    lengths = samples.bounds[:, 2].tolist()
    order = sorted(range(count), key=lengths.__getitem__)
    network.eval()
    with torch.inference_mode():
        for first in range(0, count, 256):
            rows = order[first : first + 256]
            batch, _ = samples.select(rows)
            output, width = network.score_batch(batch), batch.tokens.shape[1]
            chosen = torch.as_tensor(rows, device=device)
            for target, scores in zip(wide, (output.start, output.end, output.evidence), strict=True):
                target[chosen, :width] = scores.half()
            for target, scores in zip(narrow, (output.answered, output.yes), strict=True):
                target[chosen] = scores.half()
    return ReaderScores(*wide, *narrow)


def measure_reader(network: ReaderModule, held_out: Sequence[ReaderSample], tokenizer: Any) -> ReaderFigures:
    """Measure a network on held-out samples."""
    readings = read_samples(
        network, held_out, lambda sample: tokenize_pair(tokenizer, sample.question, sample.header, sample.text)
    )
    return compute_figures(held_out, readings)
