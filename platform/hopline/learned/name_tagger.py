"""The name tagger: finds the names in tokenized sentences and tells their types.

A token classifier over the lower layers of MiniLM (Devlin et al. 2019, BERT, section 5.3): each word has the label of
its first word piece, outside a name, or first or further word of a name of one of `TYPES`. MiniLM knows no capitals,
so a vector for the shape of its word (capitals, digits) is added to each word piece. The pass is computed with numpy:
the processes that extract entities need no torch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hopline.embeddings.bert import Affine, Bert, Floats, apply_layers, convert_layer, embed_tokens
from hopline.embeddings.minilm import load_minilm, load_tokenizer
from hopline.learned.weight_files import load_weights
from hopline.scoring.normalization import softmax

VERSION: Final = 1  # raise it when the weights are applied differently
TYPES: Final = ("person", "organization", "place", "product", "work", "law", "event", "substance", "other")
LABELS: Final = 1 + 2 * len(TYPES)  # outside, and for each type the first and the further words of a name
MAX_TOKENS: Final = 252  # word pieces of a sentence; the words after them have no names
MAX_PIECES: Final = 8  # of a word
SHAPES: Final = 14  # seven of words, for their first and their further word pieces
_START, _END, _UNKNOWN = 101, 102, 100  # special tokens of the vocabulary
_BATCH: Final = 32


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
    """Tags sentences with numpy; sentences of equal length are computed together, so that nothing is padded."""

    def __init__(self, bert: Bert[Floats], shapes: Floats, head: Affine[Floats], tokenizer: Any) -> None:
        self._bert = bert
        self._shapes = shapes
        self._head = head
        self._tokenizer = tokenizer

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[TaggedSentence]:
        """Tag sentences, each a list of words; one result a sentence, in order."""
        tokenized = [tokenize_words(self._tokenizer, words) for words in sentences]
        by_length: dict[int, list[int]] = defaultdict(list)
        for index, sentence in enumerate(tokenized):
            by_length[len(sentence.pieces)].append(index)
        tagged: dict[int, TaggedSentence] = {}
        for indices in by_length.values():
            for start in range(0, len(indices), _BATCH):
                batch = indices[start : start + _BATCH]
                for index, scores in zip(batch, self._score([tokenized[index] for index in batch]), strict=True):
                    tagged[index] = _decode(scores[tokenized[index].first])
        return [tagged[index] for index in range(len(tokenized))]

    def _score(self, batch: Sequence[TokenizedWords]) -> Floats:
        """Return the probabilities of the labels (b, n, `LABELS`) of sentences of n word pieces."""
        pieces = np.array([sentence.pieces for sentence in batch])
        shapes = np.array([sentence.shapes for sentence in batch])
        states = embed_tokens(self._bert, pieces, segments=self._shapes[shapes])
        states = apply_layers(self._bert.layers, states, None, heads=self._bert.heads)
        return softmax(states @ self._head.weight.T + self._head.bias)


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
