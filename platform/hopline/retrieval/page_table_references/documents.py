"""Resolution of the documents that a question names together with its page and table references. Pure functions."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hopline.questions.references import (
    Reference,
    blank_references,
    extract_terms,
    load_asking_words,
    tokenize,
)
from hopline.results.evidence import format_pages

MIN_NAME_WEIGHT: Final = 0.5  # share of a document's name, by the weight of its words, that must occur in the question
MIN_LETTERS: Final = 3  # of a word that identifies a document by itself
_PREPOSITION: Final = re.compile(r"\s*(?:of|in|from|on|within|inside)\b|\s*\(", re.IGNORECASE)
_IGNORED: Final = frozenset(
    {"a", "an", "and", "by", "for", "in", "of", "on", "the", "to", "with"}
    | {"pdf", "docx", "pptx", "html", "epub", "md", "txt"}
)


@dataclass(frozen=True, slots=True)
class DocumentName:
    """The names under which a question may refer to a document, its number of pages, and their printed numbers."""

    id: str
    name: str
    title: str
    pages: int
    page_labels: tuple[str, ...] = ()

    def find_pages(self, number: str) -> list[int]:
        """Return the pages with a printed number, as written in upper or lower case; empty if there is none."""
        wanted = number.casefold().replace("–", "-")
        exact = [page for page, label in enumerate(self.page_labels, 1) if label == number]
        return exact or [page for page, label in enumerate(self.page_labels, 1) if label.casefold() == wanted]

    def describe_page(self, page: int) -> str:
        """Describe a page as "report.pdf p. 5", with its printed number where that differs: "p. 5 (printed iv)"."""
        return f"{self.name} {format_pages((page,), self._find_label)}"

    def _find_label(self, page: int) -> str:
        label = self.page_labels[page - 1] if 0 < page <= len(self.page_labels) else ""
        return "" if label == str(page) else label


def resolve_documents(
    question: str, references: Sequence[Reference], documents: Sequence[DocumentName]
) -> list[list[DocumentName]]:
    """Return for each reference the documents that the question names with it; empty if it names none.

    The text after a reference is searched first if it begins with a preposition ("page 3 of the energy plan"), else the
    text before it ("In the energy plan, what is on page 3?"), each up to the adjacent reference; then the other of the
    two; then the whole question.
    """
    weights = _compute_weights(documents)
    spans = sorted({(item.start, item.end) for item in references})
    resolved = []
    for reference in references:
        before = question[max((end for _, end in spans if end <= reference.start), default=0) : reference.start]
        following = (start for start, _ in spans if start >= reference.end)
        after = question[reference.end : min(following, default=len(question))]
        near = (after, before) if _PREPOSITION.match(after) else (before, after)
        texts = (*near, blank_references(question, references))
        matches = (_match_documents(text, documents, weights) for text in texts)
        resolved.append(next(filter(None, matches), []))
    return resolved


def _compute_weights(documents: Sequence[DocumentName]) -> dict[str, float]:
    """Return the inverse document frequency of each word over the names of the documents."""
    counts = Counter(
        word for item in documents for word in _extract_name_terms(item.name) | _extract_name_terms(item.title)
    )
    return {word: math.log(1.0 + len(documents) / count) for word, count in counts.items()}


def _extract_name_terms(name: str) -> frozenset[str]:
    """Return the words of a name, and the initials of its leading words: JOHNSON_JOHNSON is J&J."""
    words = tokenize(name)
    leading = next((n for n, word in enumerate(words) if not word.isalpha()), len(words))
    initials = "".join(word[0] for word in words[:leading])
    return (frozenset(words) | ({initials} if len(initials) > 1 else frozenset())) - _IGNORED


def _match_documents(text: str, documents: Sequence[DocumentName], weights: Mapping[str, float]) -> list[DocumentName]:
    """Return the documents with the best match in a text.

    A document matches with half of the weight of its name or title, or with a word that no other name has.
    """
    terms = extract_terms(text)
    unique_weight = math.log(1.0 + len(documents))
    scores: dict[str, float] = {}
    for document in documents:
        for name_terms in filter(None, (_extract_name_terms(document.name), _extract_name_terms(document.title))):
            common = name_terms & terms
            weight = sum(weights[word] for word in common)
            is_unique = any(weights[word] == unique_weight and _is_distinctive(word) for word in common)
            full_weight = sum(weights[word] for word in name_terms if not _is_optional(word))
            if is_unique or (weight > 0 and weight >= MIN_NAME_WEIGHT * full_weight):
                scores[document.id] = max(weight, scores.get(document.id, 0.0))
    best = max(scores.values(), default=0.0)
    return [document for document in documents if best and scores.get(document.id) == best]


def _is_optional(word: str) -> bool:
    """Return whether a question may omit this word of a document's name: days, months, initials, "dated"."""
    return len(word) <= 2 or word in load_asking_words()


def _is_distinctive(word: str) -> bool:
    """Return whether a word can identify a document by itself."""
    return word.isalpha() and len(word) >= MIN_LETTERS and word not in load_asking_words()
