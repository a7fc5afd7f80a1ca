"""Training of the name tagger on sentences whose names are annotated, by sets that know different types.

Where a set does not annotate a type, a word with a capital that is in none of its names may be in one of that type: the
loss of a word is the negative logarithm of the sum of the probabilities of all labels that its annotation allows.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from hopline.embeddings.bert import Affine, Bert, apply_layers, convert_layer, embed_tokens
from hopline.embeddings.minilm import load_torch_minilm, pad_tokens, select_device
from hopline.learned.name_tagger import (
    LABELS,
    SHAPES,
    TYPES,
    VERSION,
    TokenizedWords,
    decode_labels,
    tokenize_words,
)
from hopline.learned.weight_files import ModelCard, save_weights
from hopline.training.name_data import NamedSentence
from hopline.training.progress import ProgressCallback, ignore_progress
from hopline.training.reader import make_batches
from hopline.training.training_loop import Recipe, compute_fingerprint, fit

RECIPE: Final = Recipe(epochs=2, batch=32, rate=1e-3, slow=0.2)
LAYERS: Final = 4  # of MiniLM's six
HELD_OUT: Final = 900  # sentences
_DROPOUT: Final = 0.1
_POSITIONS: Final = 256
_IMPOSSIBLE: Final = -1e4


class NameTaggerNetwork(nn.Module):
    """The tagger as `hopline.learned.name_tagger` computes it; every parameter but the word embeddings is trained.

    The names of modules and parameters are keys of the weight file.
    """

    def __init__(self, bert: Bert[Any], layers: int) -> None:
        super().__init__()
        dimension = bert.embedding_norm.weight.shape[0]
        self.encoder = nn.ParameterList()
        positions = self._add_parameter(bert.position_embeddings[:_POSITIONS])
        norm = Affine(self._add_parameter(bert.embedding_norm.weight), self._add_parameter(bert.embedding_norm.bias))
        trained = tuple(convert_layer(layer, self._add_parameter) for layer in bert.layers[:layers])
        self.bert: Bert[Tensor] = Bert(bert.heads, bert.word_embeddings, positions, norm, trained)
        self.shapes = nn.Embedding(SHAPES, dimension)
        nn.init.normal_(self.shapes.weight, std=0.02)
        self.head = nn.Linear(dimension, LABELS)

    def _add_parameter(self, array: Any) -> nn.Parameter:
        parameter = nn.Parameter(torch.as_tensor(array).clone().contiguous())
        self.encoder.append(parameter)
        return parameter

    def forward(self, batch: Sequence[TokenizedWords]) -> Tensor:
        """Return the logits of the labels (b, n, `LABELS`) of sentences padded to n word pieces."""
        device = self.head.weight.device
        indices = range(len(batch))
        pieces, mask = pad_tokens([sentence.pieces for sentence in batch], list(indices))
        shapes, _ = pad_tokens([sentence.shapes for sentence in batch], list(indices))
        tokens, valid, shape_ids = (torch.from_numpy(array).to(device) for array in (pieces, mask, shapes))
        states = embed_tokens(self.bert, tokens, segments=self.shapes(shape_ids))
        states = apply_layers(self.bert.layers, states, valid, heads=self.bert.heads)
        logits: Tensor = self.head(functional.dropout(states, _DROPOUT, self.training))
        return logits


@dataclass(frozen=True, slots=True)
class TrainingSentence:
    """A sentence with its tokens, and the labels that its annotation allows for each word, (words, `LABELS`)."""

    sentence: NamedSentence
    tokens: TokenizedWords
    allowed: NDArray[np.bool_]


def allow_labels(sentence: NamedSentence, words: int) -> NDArray[np.bool_]:
    """Return the labels that the annotation of a sentence allows for its first ``words``, (words, `LABELS`)."""
    allowed = np.zeros((words, LABELS), dtype=np.bool_)
    hidden = [TYPES.index(type) for type in sentence.unannotated]
    for index, word in enumerate(sentence.words[:words]):
        if index in sentence.masked:
            allowed[index] = True
            continue
        allowed[index, 0] = True
        if any(character.isupper() for character in word):
            allowed[index, [label for type in hidden for label in (1 + 2 * type, 2 + 2 * type)]] = True
        elif "substance" in sentence.unannotated:
            allowed[index, [1 + 2 * TYPES.index("substance"), 2 + 2 * TYPES.index("substance")]] = True
    for name in sentence.names:
        for index in range(name.start, min(name.end, words)):
            allowed[index] = False
            allowed[index, [(1 if index == name.start else 2) + 2 * TYPES.index(type) for type in name.types]] = True
    return allowed


def train_name_tagger(
    sentences: Sequence[NamedSentence],
    folder: Path,
    *,
    recipe: Recipe = RECIPE,
    data: Mapping[str, Any],
    on_progress: ProgressCallback = ignore_progress,
) -> ModelCard:
    """Train on ``sentences`` and write weights and card to ``folder``; an interrupted training is resumed.

    ``data`` describes the sets in the card. `HELD_OUT` sentences of those with the weight 1 are held out.
    """
    started = time.monotonic()
    bert, tokenizer = load_torch_minilm(select_device())
    tokenizer.no_truncation()
    torch.manual_seed(recipe.seed)
    network = NameTaggerNetwork(bert, LAYERS).to(select_device())
    prepared = [_prepare(sentence, tokenizer) for sentence in sentences]
    certain = [row for row in prepared if row.sentence.weight == 1.0]
    held_out = Random(recipe.seed).sample(certain, min(HELD_OUT, len(certain) // 10))  # noqa: S311 - no secret
    left_out = set(map(id, held_out))
    training = [row for row in prepared if id(row) not in left_out]
    batches = make_batches(training, recipe.batch, seed=recipe.seed, length=lambda row: len(row.tokens.pieces))
    loss = fit(
        network,
        batches,
        lambda chosen, _: compute_loss(network, chosen[0]),
        replace(recipe, batch=1),
        phase="name_tagger",
        checkpoint=folder / "name_tagger.checkpoint",
        data=compute_fingerprint([row.sentence for row in training]),
        on_progress=on_progress,
    )
    figures = measure_names(network, held_out)
    card = ModelCard(
        part="name_tagger",
        version=VERSION,
        purpose="Finds names in sentences, and tells their types.",
        base="all-MiniLM-L6-v2",
        shape={"layers": LAYERS, "heads": network.bert.heads},
        recipe=asdict(recipe),
        data={**data, "sentences": len(training), "sentences held out": len(held_out)},
        figures={"last loss": round(loss, 4), **{f"held out: {name}": value for name, value in figures.items()}},
        seconds=time.monotonic() - started,
        limits="English. Laws, standards, measures and projects are rare in the training data.",
        date=time.strftime("%Y-%m-%d"),
    )
    weights = {name: value.detach().cpu().numpy().astype(np.float16) for name, value in network.state_dict().items()}
    saved = save_weights(folder, weights, card)
    (folder / "name_tagger.checkpoint").unlink(missing_ok=True)
    return saved


def _prepare(sentence: NamedSentence, tokenizer: Any) -> TrainingSentence:
    tokens = tokenize_words(tokenizer, sentence.words)
    return TrainingSentence(sentence, tokens, allow_labels(sentence, len(tokens.first)))


def compute_loss(network: NameTaggerNetwork, rows: Sequence[TrainingSentence]) -> Tensor:
    """Return the mean over all words of the negative log-likelihood that their label is an allowed one, by weight."""
    logits = network([row.tokens for row in rows])
    total = logits.new_zeros(())
    words = 0.0
    for row, scores in zip(rows, logits, strict=True):
        allowed = torch.from_numpy(row.allowed).to(scores.device)
        log_probabilities = scores[row.tokens.first].log_softmax(dim=-1)
        likelihoods = log_probabilities.masked_fill(~allowed, _IMPOSSIBLE).logsumexp(dim=-1)
        total = total - row.sentence.weight * likelihoods.sum()
        words += row.sentence.weight * len(likelihoods)
    loss: Tensor = total / max(words, 1.0)
    return loss


def measure_names(network: NameTaggerNetwork, rows: Sequence[TrainingSentence]) -> dict[str, float]:
    """Return precision and recall of names with their exact words, and the share of right types, in per cent.

    A name that is found where a type is not annotated counts neither as right nor as wrong.
    """
    counts: Counter[str] = Counter()
    network.eval()
    with torch.inference_mode():
        for start in range(0, len(rows), 32):
            batch = rows[start : start + 32]
            for row, scores in zip(batch, network([row.tokens for row in batch]), strict=True):
                probabilities = scores[row.tokens.first].log_softmax(dim=-1).cpu().numpy()
                counts.update(_compare(row, decode_labels(probabilities)))
    tagged, annotated = counts["right"] + counts["wrong"], counts["annotated"]
    return {
        "precision": round(100 * counts["right"] / max(tagged, 1), 1),
        "recall": round(100 * counts["right"] / max(annotated, 1), 1),
        "type": round(100 * counts["typed"] / max(counts["right"], 1), 1),
    }


def _compare(row: TrainingSentence, names: Sequence[tuple[int, int, str]]) -> Counter[str]:
    words = len(row.tokens.first)
    annotated = {(name.start, name.end): name.types for name in row.sentence.names if name.end <= words}
    counts = Counter({"annotated": len(annotated)})
    for start, end, type in names:
        if (start, end) in annotated:
            counts.update(["right"] + ["typed"] * (type in annotated[start, end]))
        elif not any(row.allowed[index, 0] and row.allowed[index].sum() > 1 for index in range(start, end)):
            counts["wrong"] += 1
    return counts
