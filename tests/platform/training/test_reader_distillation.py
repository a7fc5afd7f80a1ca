from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, models
from transformers import MPNetConfig, MPNetModel

from hopline.embeddings.minilm import load_torch_minilm
from hopline.learned.reader import load_reader
from hopline.learned.reader_network import ReaderNetwork, ReaderScores, pad_inputs, tokenize_pair
from hopline.training import reader_distillation
from hopline.training.progress import TrainingProgress
from hopline.training.reader import ReaderTargets, find_targets, stack_targets
from hopline.training.reader_data import Paragraph, ReaderFile, ReaderQuestion, ReaderSample
from hopline.training.reader_distillation import (
    EncodedSamples,
    TeacherNetwork,
    compute_distillation_loss,
    distil_reader,
    encode_samples,
    map_vocabulary,
    score_samples,
)

TEXT = "The mill stands on the Orla. Ada Quist built it in 1871."
SAMPLES = [
    ReaderSample("Who built it?", "Orla Mill", TEXT, ((29, 38),)),
    ReaderSample("What is its price?", "", TEXT),
    ReaderSample("Did a woman build the old mill on the river Orla?", "", TEXT, ((29, 56),), verdict="yes"),
]


@pytest.fixture(scope="module")
def minilm():
    bert, tokenizer = load_torch_minilm()
    tokenizer.no_truncation()
    return bert, tokenizer


@pytest.fixture(scope="module")
def mpnet(minilm, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an untrained MPNet of two small layers."""
    folder = tmp_path_factory.mktemp("mpnet")
    names = {"[CLS]": "<s>", "[SEP]": "</s>", "[PAD]": "<pad>", "[MASK]": "<mask>"}
    pieces = [names.get(piece, piece) for piece, _ in sorted(minilm[1].get_vocab().items(), key=lambda item: item[1])]
    vocabulary = {piece: number for number, piece in enumerate(reversed(pieces))}
    Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]")).save(str(folder / "tokenizer.json"))
    config = MPNetConfig(
        vocab_size=len(vocabulary), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64
    )
    MPNetModel(config, add_pooling_layer=False).save_pretrained(folder)
    return folder


def make_file(name: str) -> ReaderFile:
    paragraphs = []
    for n in range(12):
        text = f"Mill {n} stands on the river. Person{n} built it in {1700 + n}. The wheel turned for many years."
        start = text.index(f"Person{n}")
        spans = ((start, start + len(f"Person{n}")),)
        questions = (ReaderQuestion(f"Who built mill {n}?", spans), ReaderQuestion(f"What did mill {n} cost?"))
        paragraphs.append(Paragraph(f"Mill {n}", text, questions))
    return ReaderFile(name, {"licence": "MIT"}, tuple(paragraphs))


def encode(tokenizer) -> EncodedSamples:
    return EncodedSamples(*(torch.from_numpy(array) for array in encode_samples(SAMPLES, tokenizer, seed=1)))


def test_selected_samples_equal_padded_pairs_and_their_targets(minilm) -> None:
    _, tokenizer = minilm
    batch, targets = encode(tokenizer).select([2, 0, 1])
    samples = [SAMPLES[2], SAMPLES[0], SAMPLES[1]]
    inputs = [tokenize_pair(tokenizer, sample.question, sample.header, sample.text) for sample in samples]
    expected = pad_inputs(inputs, torch.device("cpu"))
    for name in ("tokens", "passage", "text", "mask"):
        assert torch.equal(getattr(batch, name), getattr(expected, name)), name
    pair_targets = [find_targets(sample, pair, Random(1)) for sample, pair in zip(samples, inputs, strict=True)]
    expected_targets = stack_targets(pair_targets, batch.tokens.shape[1], torch.device("cpu"))
    for name in ("start", "end", "evidence", "verdict"):
        assert torch.equal(getattr(targets, name), getattr(expected_targets, name)), name


def test_all_samples_are_scored_in_their_order(minilm) -> None:
    bert, tokenizer = minilm
    torch.manual_seed(1)
    network = ReaderNetwork(bert)
    scores = score_samples(network, encode(tokenizer))
    for row, sample in enumerate(SAMPLES):
        pair = tokenize_pair(tokenizer, sample.question, sample.header, sample.text)
        with torch.inference_mode():
            alone = network.score([pair])
        width = alone.start.shape[1]
        assert torch.allclose(scores.start[row, :width].float(), alone.start, atol=0.05, rtol=0.01)
        assert torch.all(scores.start[row, width:] == -1e4)
        assert float(scores.answered[row]) == pytest.approx(float(alone.answered[0]), abs=0.05)


def test_the_loss_is_lowest_at_the_scores_of_the_teacher_and_ignores_what_it_was_not_trained_on() -> None:
    torch.manual_seed(1)
    teacher = ReaderScores(
        torch.randn(2, 6), torch.randn(2, 6), torch.randn(2, 6), torch.tensor([3.0, -3.0]), torch.tensor([2.0, 0.0])
    )
    targets = ReaderTargets(
        torch.tensor([2, -1]), torch.tensor([3, -1]), torch.zeros(2, 6, dtype=torch.int8), torch.tensor([-1, 1])
    )
    text = torch.ones(2, 6, dtype=torch.bool)

    def loss(**changed: torch.Tensor) -> float:
        return float(compute_distillation_loss(replace(teacher, **changed), teacher, targets, text))

    least = loss()
    further = torch.zeros(2, 6)
    further[0, 1] = 4.0
    assert loss(start=teacher.start + further) > least
    assert loss(evidence=teacher.evidence + further) > least
    assert loss(answered=teacher.answered * 0) > least
    assert loss(yes=teacher.yes + torch.tensor([0.0, 3.0])) > least
    assert loss(yes=teacher.yes + torch.tensor([3.0, 0.0])) == pytest.approx(least)  # it has no verdict
    assert loss(start=teacher.start + further.flip(0)) == pytest.approx(least)  # a yes-or-no question has no span


def test_word_pieces_are_mapped_to_those_of_the_teacher(minilm, mpnet: Path) -> None:
    _, tokenizer = minilm
    own = Tokenizer.from_file(str(mpnet / "tokenizer.json"))
    mapped = map_vocabulary(mpnet, tokenizer)
    assert own.id_to_token(int(mapped[tokenizer.token_to_id("mill")])) == "mill"
    assert own.id_to_token(int(mapped[tokenizer.token_to_id("[SEP]")])) == "</s>"


def test_the_teacher_reads_a_pair_alone_as_in_a_batch(minilm, mpnet: Path) -> None:
    _, tokenizer = minilm
    network = TeacherNetwork(mpnet, tokenizer).eval()
    inputs = [tokenize_pair(tokenizer, sample.question, sample.header, sample.text) for sample in SAMPLES]
    with torch.inference_mode():
        together = network(pad_inputs(inputs, network.device))
        alone = network(pad_inputs(inputs[:1], network.device))
    width = len(inputs[0].tokens)
    assert np.allclose(together.start[0, :width], alone.start[0, :width], atol=1e-4)


def test_a_reader_is_distilled_from_its_teacher_and_resumed(
    minilm, mpnet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader_distillation, "READER_RECIPE", replace(reader_distillation.READER_RECIPE, epochs=1))
    steps: list[str] = []
    files = [make_file("mills"), make_file("more-mills")]

    def stop_in_the_reader(step: TrainingProgress) -> None:
        steps.append(step.phase)
        if step.phase == "reader":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        distil_reader(files, tmp_path, mpnet, on_progress=stop_in_the_reader)
    assert steps[0] == "teacher"
    steps.clear()
    card = distil_reader(files, tmp_path, mpnet, on_progress=lambda step: steps.append(step.phase))
    assert set(steps) == {"reader"}  # the teacher was finished
    assert card.data["mills"].startswith("24 questions, 12 unanswerable")
    assert {"held out: teacher: f1", "held out: f1"} <= set(card.figures)
    assert load_reader(tmp_path)(question="Who built it?", passages=[["", TEXT]]).shape == (1, 6)
    assert not list(tmp_path.glob("*.checkpoint"))
