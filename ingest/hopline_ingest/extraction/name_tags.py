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


MIN_TYPE: Final = (
    0.6  # share of the probability of a name that its type has; an unknown type is better than a wrong one
)


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
        mean = self.probabilities[start:end].mean(axis=0)
        types = mean[1::2] + mean[2::2]
        best = int(types.argmax())
        return 1.0 - float(mean[0]), _KINDS[TYPES[best]] if types[best] >= sure * types.sum() else "NAME"

    def overlaps(self, start: int, end: int) -> bool:
        """Return whether a name has one of the tokens [start, end)."""
        return any(first < end and start < last for first, last, _ in self.names)


@cache
def _load_tagger() -> NameTagger:
    return load_name_tagger(BUNDLED / "name_tagger")


def tag_docs(docs: Sequence[Doc]) -> list[NameTags]:
    """Tag the sentences of parsed texts; white space between words is no word."""
    sentences = [[token.i for token in sentence if not token.is_space] for doc in docs for sentence in doc.sents]
    words = [[token.text for token in sentence if not token.is_space] for doc in docs for sentence in doc.sents]
    tagged = iter(zip(sentences, _load_tagger().tag(words), strict=True))
    return [_collect([next(tagged) for _ in doc.sents], len(doc)) for doc in docs]


def tag_texts(texts: Sequence[str]) -> list[tuple[list[str], NameTags]]:
    """Tag short texts that are no sentences, such as the cells of a table; returns the words and tags of each."""
    tokenized = [[token.text for token in load_pipeline().make_doc(text)] for text in texts]
    tagged = _load_tagger().tag(tokenized)
    return [
        (words, _collect([(range(len(words)), tags)], len(words)))
        for words, tags in zip(tokenized, tagged, strict=True)
    ]


@lru_cache(maxsize=4096)
def find_names(text: str) -> tuple[str, ...]:
    """Return the names in a heading or caption, which many passages share."""
    [(words, tags)] = tag_texts([" ".join(text.split())])
    return tuple(" ".join(words[start:end]) for start, end, _ in tags.names)


def _collect(sentences: Sequence[tuple[Sequence[int], TaggedSentence]], tokens: int) -> NameTags:
    probabilities = np.zeros((tokens, LABELS), np.float32)
    probabilities[:, 0] = 1.0
    names = []
    for indices, tagged in sentences:
        rows = len(tagged.probabilities)
        probabilities[list(indices[:rows])] = tagged.probabilities
        names += [(indices[name.start], indices[name.end - 1] + 1, _KINDS[name.type]) for name in tagged.names]
    return NameTags(tuple(names), probabilities)
