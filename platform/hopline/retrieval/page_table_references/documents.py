"""Which documents a question means with the pages and tables that it names. Pure."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hopline.retrieval.page_table_references.grammar import Named, asking_words, said_in, without, words_of

NAMED_ENOUGH: Final = 0.5  # share of a document's name, by the weight of its words, that must stand in the question
SHORTEST: Final = 3  # letters of a word that names a document by itself
_OF: Final = re.compile(r"\s*(?:of|in|from|on|within|inside)\b|\s*\(", re.IGNORECASE)
_SMALL: Final = frozenset(
    {"a", "an", "and", "by", "for", "in", "of", "on", "the", "to", "with"}
    | {"pdf", "docx", "pptx", "html", "epub", "md", "txt"}
)


@dataclass(frozen=True, slots=True)
class Titled:
    """A document as a question may name it."""

    id: str
    name: str
    title: str
    pages: int


def documents_meant(question: str, named: Sequence[Named], documents: Sequence[Titled]) -> list[list[Titled]]:
    """For each structure the documents that the question names with it; empty where it names none.

    What follows a structure counts first where it begins with "of" or its like ("page 3 of the energy plan"),
    else what stands before it ("In the energy plan, what is on page 3?"), up to the next structure on either
    side; then the other of the two; then the whole question.
    """
    weights = _weights(documents)
    ends = sorted({(one.start, one.end) for one in named})
    meant = []
    for one in named:
        before = question[max((end for _, end in ends if end <= one.start), default=0) : one.start]
        after = question[one.end : min((start for start, _ in ends if start >= one.end), default=len(question))]
        near = (after, before) if _OF.match(after) else (before, after)
        spans = (*near, without(question, named))
        meant.append(next((some for text in spans if (some := _called(text, documents, weights))), []))
    return meant


def _weights(documents: Sequence[Titled]) -> dict[str, float]:
    """How much a word tells of which document is meant: the logarithm of documents over those whose name has it."""
    counts = Counter(word for one in documents for word in _words(one.name) | _words(one.title))
    return {word: math.log(1.0 + len(documents) / count) for word, count in counts.items()}


def _words(name: str) -> frozenset[str]:
    """The words of a name, and the initials of its leading ones: JOHNSON_JOHNSON is J&J."""
    words = words_of(name)
    leading = next((n for n, word in enumerate(words) if not word.isalpha()), len(words))
    initials = "".join(word[0] for word in words[:leading])
    return (frozenset(words) | ({initials} if len(initials) > 1 else frozenset())) - _SMALL


def _called(text: str, documents: Sequence[Titled], weights: Mapping[str, float]) -> list[Titled]:
    """The documents that a text names, by half of a name's weight or a word that no other name has; the most wins."""
    said = said_in(text)
    unshared = math.log(1.0 + len(documents))
    found: dict[str, float] = {}
    for one in documents:
        for named in filter(None, (_words(one.name), _words(one.title))):
            common = named & said
            weight = sum(weights[word] for word in common)
            rare = any(weights[word] == unshared and _tells(word) for word in common)
            whole = sum(weights[word] for word in named if not _by_the_way(word))
            if rare or (weight > 0 and weight >= NAMED_ENOUGH * whole):
                found[one.id] = max(weight, found.get(one.id, 0.0))
    best = max(found.values(), default=0.0)
    return [one for one in documents if best and found.get(one.id) == best]


def _by_the_way(word: str) -> bool:
    """Whether a question that names a document may leave this out of its name: days, months, initials, "dated"."""
    return len(word) <= 2 or word in asking_words()


def _tells(word: str) -> bool:
    """Whether a word can name a document by itself."""
    return word.isalpha() and len(word) >= SHORTEST and word not in asking_words()
