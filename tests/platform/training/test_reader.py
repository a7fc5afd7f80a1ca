from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch

from hopline.embeddings.minilm import load_torch_minilm
from hopline.errors import UsageError
from hopline.learned.reader import decode_scores, find_best_span
from hopline.learned.reader_network import MAX_TOKENS, ReaderNetwork, ReaderScores, pad_inputs, tokenize_pair
from hopline.learned.reading import Reading
from hopline.learned.weight_files import ModelCard
from hopline.training.reader import (
    RECIPE,
    compute_reader_loss,
    find_targets,
    find_tokens,
    make_batches,
    split_articles,
    stack_targets,
    train_reader,
)
from hopline.training.reader_data import Paragraph, ReaderFile, ReaderQuestion, ReaderSample
from hopline.training.reader_evaluation import compute_figures

SHORT = replace(RECIPE, epochs=1, batch=8)
TEXT = "The mill stands on the Orla. Ada Quist built it in 1871."


@pytest.fixture(scope="module")
def tokenizer():
    _, tokenizer = load_torch_minilm()
    tokenizer.no_truncation()
    return tokenizer


def make_file(count: int) -> ReaderFile:
    paragraphs = []
    for n in range(count):
        text = f"Mill {n} stands on the river. Person{n} built it in {1700 + n}. The wheel turned for many years."
        answer = f"Person{n}"
        start = text.index(answer)
        questions = (
            ReaderQuestion(f"Who built mill {n}?", ((start, start + len(answer)),)),
            ReaderQuestion(f"What was the price of mill {n}?"),
        )
        paragraphs.append(Paragraph(f"Mill {n}", text, questions))
    return ReaderFile("mills", {"licence": "MIT"}, tuple(paragraphs))


@pytest.fixture(scope="module")
def mills(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ModelCard, list[float]]:
    """A reader trained for one epoch on thirty mills: its folder, its card, and the losses."""
    folder = tmp_path_factory.mktemp("mills")
    losses: list[float] = []
    card = train_reader([make_file(30)], folder, recipe=SHORT, on_progress=lambda step: losses.append(step.loss))
    return folder, card, losses


def test_offsets_of_a_pair_are_those_of_the_text_and_exclude_question_and_header(tokenizer) -> None:
    pair = tokenize_pair(tokenizer, "Who built it?", "Orla Mill", TEXT)
    words = [TEXT[a:b] for a, b in zip(pair.starts, pair.ends, strict=True) if a >= 0]
    assert "".join(words) == TEXT.replace(" ", "")
    assert pair.tokens[0] == tokenizer.token_to_id("[CLS]")
    assert pair.tokens[-1] == tokenizer.token_to_id("[SEP]")
    assert pair.passage.sum() > len(words)  # the header and the last separator belong to the passage's segment
    first, last = find_tokens(pair, (TEXT.index("Ada"), TEXT.index("Ada") + len("Ada Quist")))
    assert TEXT[pair.starts[first] : pair.ends[last]] == "Ada Quist"


def test_a_pair_is_cut_at_the_limit_and_a_span_behind_it_is_no_answer(tokenizer) -> None:
    long = "word " * 500 + TEXT
    pair = tokenize_pair(tokenizer, "why " * 200, "", long)
    assert len(pair.tokens) == MAX_TOKENS
    assert find_tokens(pair, (long.index("Ada"), len(long))) == (0, 0)


def test_the_best_span_begins_before_it_ends_and_is_not_too_long() -> None:
    start = np.array([9, 0, 0, 5, 0], dtype=np.float32)
    end = np.array([9, 6, 0, 1, 2], dtype=np.float32)
    assert find_best_span(start, end) == (3, 4, 7.0)
    far = np.zeros(80, dtype=np.float32)
    far_start, far_end = far.copy(), far.copy()
    far_start[1], far_end[79] = 5, 5
    first, last, _ = find_best_span(far_start, far_end)
    assert last - first < 30
    assert find_best_span(start[:1], end[:1])[:2] == (0, 0)


def test_the_loss_falls_when_the_gold_span_scores_higher_and_rises_for_an_unanswered_text(tokenizer) -> None:
    start = TEXT.index("Ada Quist")
    sample = ReaderSample("Who built it?", "", TEXT, ((start, start + 9),))
    pair = tokenize_pair(tokenizer, sample.question, "", TEXT)
    first, last = find_tokens(pair, sample.spans[0])
    zeros = torch.zeros(1, len(pair.tokens))
    sharp_start, sharp_end = zeros.clone(), zeros.clone()
    sharp_start[0, first] = sharp_end[0, last] = 10

    def loss(sample: ReaderSample, start: torch.Tensor, end: torch.Tensor, answered: float) -> float:
        scores = ReaderScores(start, end, zeros, torch.tensor([float(answered)]), torch.zeros(1))
        targets = stack_targets([find_targets(sample, pair, Random(1))], len(pair.tokens), torch.device("cpu"))
        return float(compute_reader_loss(scores, targets))

    unanswered = replace(sample, spans=())
    assert loss(sample, sharp_start, sharp_end, 5) < loss(sample, zeros, zeros, 0) < loss(sample, zeros, zeros, -5)
    assert loss(unanswered, sharp_start, sharp_end, 5) > loss(unanswered, zeros, zeros, 0)
    verdict = replace(unanswered, verdict="yes")
    assert loss(verdict, sharp_start, sharp_end, 5) == pytest.approx(loss(verdict, zeros, zeros, 5))
    for supported in (replace(sample, verdict="yes"), replace(sample, whole=True)):  # start and end are not learned
        assert loss(supported, sharp_start, sharp_end, 5) == pytest.approx(loss(supported, zeros, zeros, 5))
        assert loss(supported, zeros, zeros, 5) < loss(supported, zeros, zeros, -5)


def test_no_article_is_both_learned_from_and_held_out_and_batches_hold_every_sample_once() -> None:
    training, held_out = split_articles([make_file(200)], seed=1)
    assert held_out
    assert not {sample.text for sample in training} & {sample.text for sample in held_out}
    batches = make_batches(training, 8, seed=1, length=lambda sample: len(sample.text))
    assert sorted(map(repr, training)) == sorted(repr(sample) for batch in batches for sample in batch)


def test_the_figures_are_those_of_squad2() -> None:
    start = TEXT.index("Ada Quist")
    answered = ReaderSample("Who built it?", "", TEXT, ((start, start + 9),))
    right = Reading(start, start + 9, 2.0, 1.0, 0.0, start)
    half = Reading(start, start + 3, 2.0, 1.0, 0.0, start)
    refused = Reading(start, start + 9, -2.0, -1.0, 0.0, start)
    samples = [answered, answered, replace(answered, spans=())]
    figures = compute_figures(samples, [right, half, refused])
    assert figures.em == pytest.approx(200 / 3)
    assert figures.f1 == pytest.approx(100 * (1 + 2 / 3 + 1) / 3)
    assert figures.accuracy == figures.auc == 100


def test_a_figure_without_samples_is_left_out() -> None:
    refused = Reading(0, 3, -2.0, -1.0, 0.0, 0)
    figures = compute_figures([ReaderSample("Who built it?", "", TEXT, ())], [refused])
    assert figures.round_known() == {"em": 100.0, "f1": 100.0, "accuracy": 100.0}


def test_training_lowers_the_loss_writes_a_card_and_resumes(tmp_path: Path) -> None:
    recipe = replace(RECIPE, epochs=2, batch=8)
    steps: list[float] = []
    card = train_reader([make_file(60)], tmp_path, recipe=recipe, on_progress=lambda step: steps.append(step.loss))
    assert steps[-1] < 0.7 * steps[0]
    assert card.data["mills"] == "120 questions, 60 unanswerable; MIT"
    assert set(card.figures) >= {"held out: em", "held out: f1", "held out: auc"}
    assert (tmp_path / "model.safetensors").exists()
    assert not list(tmp_path.glob("*.checkpoint"))


def test_an_interrupted_training_ends_with_the_same_weights(mills, tmp_path: Path) -> None:
    class Stopped(Exception):
        pass

    def stop(step) -> None:
        if step.done == step.total and step.phase == "sentences":
            raise Stopped

    _, whole, _ = mills
    with pytest.raises(Stopped):
        train_reader([make_file(30)], tmp_path, recipe=SHORT, on_progress=stop)
    assert list(tmp_path.glob("*.checkpoint")) == []  # stopped before the first checkpoint
    assert train_reader([make_file(30)], tmp_path, recipe=SHORT).sha256 == whole.sha256


def test_a_training_goes_on_from_earlier_weights_in_one_phase(mills, tmp_path: Path) -> None:
    files, (folder, _, first) = [make_file(30)], mills
    phases: set[str] = set()
    losses: list[float] = []

    def note(step) -> None:
        phases.add(step.phase)
        losses.append(step.loss)

    card = train_reader([*files, *files], tmp_path / "second", recipe=SHORT, base=folder, on_progress=note)
    assert phases == {"together"}
    assert losses[0] < first[0]
    assert card.data["mills"] == "60 questions, 30 unanswerable, 2 times; MIT"
    assert card.data["earlier, mills"] == "60 questions, 30 unanswerable; MIT"
    with pytest.raises(UsageError, match="nothing"):
        train_reader(files, tmp_path / "third", recipe=SHORT, base=tmp_path / "nothing")


def test_too_few_questions_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"at least 50 questions.*\(got \d+\)"):
        train_reader([make_file(5)], tmp_path)


def test_readings_come_from_the_text_of_each_pair(tokenizer) -> None:
    bert, _ = load_torch_minilm()
    torch.manual_seed(1)
    network = ReaderNetwork(bert).eval()
    inputs = [tokenize_pair(tokenizer, "Who built it?", "Orla", text) for text in (TEXT, TEXT * 3, "")]
    with torch.inference_mode():
        together = decode_scores(network(pad_inputs(inputs, network.device)), inputs)
        alone = [decode_scores(network(pad_inputs([pair], network.device)), [pair])[0] for pair in inputs]
    for reading, other in zip(together, alone, strict=True):
        assert (reading.start, reading.end) == (other.start, other.end)
        assert reading.margin == pytest.approx(other.margin, abs=1e-3)
    assert together[2].start == together[2].end == 0
