"""Names and their types in parsed texts, by the trained tagger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from hopline.learned.name_tagger import LABELS, TYPES, NameTagger, TaggedSentence, load_name_tagger
from hopline.learned.registry import BUNDLED
from hopline_ingest.extraction.spacy_pipeline import load_pipeline

if TYPE_CHECKING:
    from spacy.tokens import Doc

_KINDS: Final = {
    "person": "PERSON",
    "organization": "ORG",
    "place": "GPE",
    "product": "PRODUCT",
    "work": "WORK_OF_ART",
    "law": "LAW",
    "event": "EVENT",
    "substance": "SUBSTANCE",
    "other": "NAME",
}

# share of the probability of a name that its type has; an unknown type is better than a wrong one
MIN_TYPE: Final = 0.6
_LIST_WORDS: Final = 50  # of a list that is read as one sentence


@dataclass(frozen=True, slots=True)
class NameTags:
    """The tags of the n tokens of a text: ``names`` are (start, end, kind), in order and without overlaps.

    ``probabilities`` (n, `LABELS`) are those of the labels of each token.
    """

    names: tuple[tuple[int, int, str], ...]
    probabilities: NDArray[np.float32]

    def score(self, start: int, end: int, *, sure: float = MIN_TYPE) -> tuple[float, str]:
        """Return the mean probability that the tokens [start, end) belong to a name, and its most probable kind.

        The kind is NAME if its share of the probability of a name is below ``sure``.
        """
        if start >= end:
            return 0.0, ""
        types = self.score_types(start, end)
        return float(types.sum()), select_kind(types, sure=sure)

    def score_types(self, start: int, end: int) -> NDArray[np.float32]:
        """Return the mean probability of each of `TYPES` over the tokens [start, end)."""
        mean = self.probabilities[start:end].mean(axis=0)
        types: NDArray[np.float32] = mean[1::2] + mean[2::2]
        return types

    def overlaps(self, start: int, end: int) -> bool:
        """Return whether a name has one of the tokens [start, end)."""
        return any(first < end and start < last for first, last, _ in self.names)


def select_kind(types: NDArray[np.float32], *, sure: float = MIN_TYPE) -> str:
    """Return the most probable kind of a name from the scores of `TYPES`; NAME if its share is below ``sure``."""
    best = int(types.argmax())
    return _KINDS[TYPES[best]] if types[best] >= sure * types.sum() else "NAME"


@cache
def _load_tagger() -> NameTagger:
    return load_name_tagger(BUNDLED / "name_tagger")


def tag_docs(docs: Sequence[Doc]) -> list[NameTags]:
    """Tag the sentences of parsed texts; white space between words is no word."""
    sentences = [[token.i for token in sentence if not token.is_space] for doc in docs for sentence in doc.sents]
    words = [[token.text for token in sentence if not token.is_space] for doc in docs for sentence in doc.sents]
    tagged = iter(zip(sentences, _load_tagger().tag(words), strict=True))
    return [_collect([next(tagged) for _ in doc.sents], len(doc)) for doc in docs]


def score_list(header: str, items: Sequence[str]) -> list[NDArray[np.float32]]:
    """Score short texts under one header, such as the cells of a column: the mean probability of each of `TYPES`.

    They are read as a list, "City: Chico, Elk Grove.", so that the header and the other items tell the type.
    """
    tokenizer = load_pipeline().make_doc
    heading = [*(token.text for token in tokenizer(header) if header), ":"]
    sentences: list[list[str]] = []
    positions: list[tuple[int, int, int]] = []
    for text in items:
        words = [token.text for token in tokenizer(text)]
        if not sentences or len(sentences[-1]) + len(words) > _LIST_WORDS:
            sentences.append(list(heading))
        sentence = sentences[-1]
        positions.append((len(sentences) - 1, len(sentence), len(sentence) + len(words)))
        sentence += [*words, ","]
    tagged = _load_tagger().tag([[*sentence[:-1], "."] for sentence in sentences])
    tags = [
        _collect([(range(len(sentence)), tag)], len(sentence)) for sentence, tag in zip(sentences, tagged, strict=True)
    ]
    return [tags[sentence].score_types(start, end) for sentence, start, end in positions]


@lru_cache(maxsize=4096)
def find_names(text: str) -> tuple[str, ...]:
    """Return the names in a heading or caption, which many passages share."""
    words = [token.text for token in load_pipeline().make_doc(" ".join(text.split()))]
    [tagged] = _load_tagger().tag([words])
    return tuple(" ".join(words[name.start : name.end]) for name in tagged.names)


def _collect(sentences: Sequence[tuple[Sequence[int], TaggedSentence]], tokens: int) -> NameTags:
    probabilities = np.zeros((tokens, LABELS), np.float32)
    probabilities[:, 0] = 1.0
    names = []
    for indices, tagged in sentences:
        rows = len(tagged.probabilities)
        probabilities[list(indices[:rows])] = tagged.probabilities
        names += [(indices[name.start], indices[name.end - 1] + 1, _KINDS[name.type]) for name in tagged.names]
    return NameTags(tuple(names), probabilities)
