"""The name tagger: finds the names in tokenized sentences and tells their types.

A token classifier over the lower layers of MiniLM (Devlin et al. 2019, BERT, section 5.3): each word has the label of
its first word piece, outside a name, or first or further word of a name of one of `TYPES`. MiniLM knows no capitals,
so a vector for the shape of its word (capitals, digits) is added to each word piece. A few sentences are computed with
numpy, without torch, whose import takes seconds; many with torch, which multiplies such small matrices faster.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from hopline.embeddings.bert import Affine, Bert, Floats, apply_layers, convert_bert, convert_layer, embed_tokens
from hopline.embeddings.minilm import load_minilm, load_tokenizer, pad_tokens
from hopline.learned.weight_files import load_weights
from hopline.scoring.normalization import softmax

if TYPE_CHECKING:
    import torch

VERSION: Final = 1  # raise it when the weights are applied differently
TYPES: Final = ("person", "organization", "place", "product", "work", "law", "event", "substance", "other")
LABELS: Final = 1 + 2 * len(TYPES)  # outside, and for each type the first and the further words of a name
MAX_TOKENS: Final = 252  # word pieces of a sentence; the words after them have no names
MAX_PIECES: Final = 8  # of a word
SHAPES: Final = 14  # seven of words, for their first and their further word pieces
_START, _END, _UNKNOWN = 101, 102, 100  # special tokens of the vocabulary
_BATCH: Final = 32  # sentences
_BATCH_PIECES: Final = 2000  # word pieces of a padded batch, which limit its memory
_TORCH_PIECES: Final = 4000  # with more word pieces in a call, the import of torch pays off


@dataclass(frozen=True, slots=True)
class TaggedName:
    """A name: its words [start, end), and its type."""

    start: int
    end: int
    type: str


@dataclass(frozen=True, slots=True)
class TokenizedWords:
    """The word pieces of a sentence with their shapes (n,), and the index of the first piece of each word."""

    pieces: list[int]
    shapes: list[int]
    first: list[int]


@dataclass(frozen=True, slots=True)
class TaggedSentence:
    """The names of a sentence, and for each word the probabilities of the labels, (words, `LABELS`)."""

    names: tuple[TaggedName, ...]
    probabilities: NDArray[np.float32]


def describe_shape(word: str) -> int:
    """Return the number of the shape of a word, by its capitals and digits."""
    if not any(character.isalpha() for character in word):
        return 4 if any(character.isdigit() for character in word) else 5
    if word.islower():
        return 0
    if word.isupper():
        return 2 if len(word) > 1 else 3
    return 1 if word[0].isupper() and word[1:].islower() else 6


def tokenize_words(tokenizer: Any, words: Sequence[str]) -> TokenizedWords:
    """Tokenize the words of a sentence, as many as `MAX_TOKENS` hold."""
    pieces, shapes, first = [_START], [5], []
    for word in words:
        ids = tokenizer.encode(word, add_special_tokens=False).ids[:MAX_PIECES] or [_UNKNOWN]
        if len(pieces) + len(ids) > MAX_TOKENS:
            break
        first.append(len(pieces))
        shape = describe_shape(word)
        pieces += ids
        shapes += [shape, *[SHAPES // 2 + shape] * (len(ids) - 1)]
    return TokenizedWords([*pieces, _END], [*shapes, 5], first)


def decode_labels(log_probabilities: NDArray[np.float32]) -> list[tuple[int, int, str]]:
    """Return the names (start, end, type) of the most probable sequence of labels, (words, `LABELS`), by Viterbi."""
    if not len(log_probabilities):
        return []
    scores, transitions = log_probabilities[0].copy(), _allow_transitions()
    scores[2::2] = -np.inf
    back = []
    for row in log_probabilities[1:]:
        steps = scores[:, None] + transitions
        best = steps.argmax(axis=0)
        scores = steps[best, np.arange(LABELS)] + row
        back.append(best)
    label = int(scores.argmax())
    path = [label]
    for best in reversed(back):
        label = int(best[label])
        path.append(label)
    return _read_names(path[::-1])


@cache
def _allow_transitions() -> NDArray[np.float32]:
    """Return 0 for each pair of labels that may follow one another, else minus infinity: a name begins with "first"."""
    transitions = np.zeros((LABELS, LABELS), np.float32)
    for label in range(2, LABELS, 2):
        transitions[:, label] = -np.inf
        transitions[[label - 1, label], label] = 0.0
    return transitions


def _read_names(path: Sequence[int]) -> list[tuple[int, int, str]]:
    names: list[tuple[int, int, str]] = []
    for word, label in enumerate(path):
        if label % 2:
            names.append((word, word + 1, TYPES[label // 2]))
        elif label:
            names[-1] = (names[-1][0], word + 1, names[-1][2])
    return names


class NameTagger:
    """Tags sentences. The probabilities of numpy and torch are equal to 1e-5, whatever the batches."""

    def __init__(self, bert: Bert[Floats], shapes: Floats, head: Affine[Floats], tokenizer: Any) -> None:
        self._bert = bert
        self._shapes = shapes
        self._head = head
        self._tokenizer = tokenizer

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[TaggedSentence]:
        """Tag sentences, each a list of words; one result a sentence, in order."""
        tokenized = [tokenize_words(self._tokenizer, words) for words in sentences]
        score = self._score_with_torch if sum(len(s.pieces) for s in tokenized) > _TORCH_PIECES else self._score
        scores = score(tokenized)
        return [_decode(scores[index][sentence.first]) for index, sentence in enumerate(tokenized)]

    def _score(self, sentences: Sequence[TokenizedWords]) -> dict[int, Floats]:
        """Return the probabilities of the labels (n, `LABELS`) of each sentence of n word pieces.

        Sentences of equal length are computed together, so that nothing is padded.
        """
        by_length: dict[int, list[int]] = defaultdict(list)
        for index, sentence in enumerate(sentences):
            by_length[len(sentence.pieces)].append(index)
        scores: dict[int, Floats] = {}
        for indices in by_length.values():
            for start in range(0, len(indices), _BATCH):
                batch = indices[start : start + _BATCH]
                pieces = np.array([sentences[index].pieces for index in batch])
                shapes = np.array([sentences[index].shapes for index in batch])
                states = embed_tokens(self._bert, pieces, segments=self._shapes[shapes])
                states = apply_layers(self._bert.layers, states, None, heads=self._bert.heads)
                scores |= zip(batch, softmax(states @ self._head.weight.T + self._head.bias), strict=True)
        return scores

    def _score_with_torch(self, sentences: Sequence[TokenizedWords]) -> dict[int, Floats]:
        """Return what `_score` does, computed in padded batches on one thread: there is a process for each core."""
        import torch

        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            with torch.inference_mode():
                return self._score_batches(sentences)
        finally:
            torch.set_num_threads(threads)

    def _score_batches(self, sentences: Sequence[TokenizedWords]) -> dict[int, Floats]:
        import torch

        bert, table, weight, bias = self._tensors
        scores: dict[int, Floats] = {}
        for batch in _batch_by_pieces([len(sentence.pieces) for sentence in sentences]):
            ids, mask = map(torch.from_numpy, pad_tokens([sentence.pieces for sentence in sentences], batch))
            shapes, _ = pad_tokens([sentence.shapes for sentence in sentences], batch)
            states = embed_tokens(bert, ids, segments=table[torch.from_numpy(shapes)])
            states = apply_layers(bert.layers, states, mask, heads=bert.heads)
            scores |= zip(batch, torch.softmax(states @ weight.T + bias, dim=-1).numpy(), strict=True)
        return scores

    @cached_property
    def _tensors(self) -> tuple[Bert[Any], torch.Tensor, torch.Tensor, torch.Tensor]:
        """The encoder, the vectors of shapes, and weight and bias of the head, as tensors of torch."""
        import torch

        layers = tuple(convert_layer(layer, np.ascontiguousarray) for layer in self._bert.layers)
        bert = convert_bert(replace(self._bert, layers=layers), torch.from_numpy)
        shapes, weight, bias = (torch.from_numpy(part) for part in (self._shapes, self._head.weight, self._head.bias))
        return bert, shapes, weight, bias


def _batch_by_pieces(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the indices of sentences in batches of at most `_BATCH_PIECES` with padding, the longest first."""
    order = sorted(range(len(lengths)), key=lambda index: -lengths[index])
    start = 0
    while start < len(order):
        size = max(1, _BATCH_PIECES // lengths[order[start]])
        yield order[start : start + size]
        start += size


def _decode(probabilities: Floats) -> TaggedSentence:
    with np.errstate(divide="ignore"):
        names = decode_labels(np.log(probabilities))
    return TaggedSentence(tuple(TaggedName(*name) for name in names), probabilities)


def load_name_tagger(folder: Path) -> NameTagger:
    """Load the tagger from a folder of weights.

    Raises:
        UsageError: as `load_weights`.
    """
    tensors, card = load_weights(folder, version=VERSION)
    base = load_minilm()
    arrays = iter([tensors[f"encoder.{number}"] for number in range(len(tensors) - 3)])

    def take(_: object) -> Floats:
        return np.asfortranarray(next(arrays), dtype=np.float32)  # in which numpy multiplies faster

    positions, norm = take(None), Affine(take(None), take(None))
    layers = tuple(convert_layer(layer, take) for layer in base.layers[: int(card.shape["layers"])])
    bert = Bert(base.heads, base.word_embeddings, positions, norm, layers)
    head = Affine(_to_floats(tensors["head.weight"]), _to_floats(tensors["head.bias"]))
    return NameTagger(bert, _to_floats(tensors["shapes.weight"]), head, load_tokenizer())


def _to_floats(array: NDArray[Any]) -> Floats:
    return np.asarray(array, dtype=np.float32)
