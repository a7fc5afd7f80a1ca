"""Sentences that deny what a question takes for granted: they are no evidence for an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from hopline.questions.analysis import QuestionAnalysis
from hopline.text.values import find_years
from hopline.text.words import stem

SCOPE: Final = 3  # words after a negation within which it denies a word of the question
_NEGATION: Final = re.compile(r"\b(?:not|never|no|without|neither|nor|cannot)\b|n['’]t\b", re.IGNORECASE)
_AFFIRMED: Final = re.compile(
    r"\bnot only\b|\bno (?:later|more|less|fewer|longer|earlier) than\b|\bno\. ?\d", re.IGNORECASE
)
_CLAUSE_END: Final = re.compile(
    r"[;:.!?()](?:\s|$)|, (?:and|but|or|which|who|while)\b| but | although | while | because "
)
_AMOUNT: Final = re.compile(r"(?:in \d{4},? )?how (?:many|much)\b", re.IGNORECASE)


def is_negation(word: str) -> bool:
    """Whether a word is a negation: "not", "never", "doesn't"."""
    return _NEGATION.search(word) is not None


def has_negation(text: str) -> bool:
    """Whether a text denies something: "They were not counted", but not "no later than"."""
    return _NEGATION.search(_AFFIRMED.sub(" ", text)) is not None


def is_denied(question: QuestionAnalysis, sentence: str, answer: tuple[int, int]) -> bool:
    """Whether a sentence denies a word of the question in the clause of its answer.

    ``answer`` is the span of the answer in the sentence. "The board did not approve the loan on 3 March" gives no
    date of an approval. A question with a negation, and one for yes or no, is not denied.
    """
    if _NEGATION.search(question.text) or question.asks_for_verdict:
        return False
    return any(start < answer[1] <= end for start, _, end in _find_denials(question, sentence))


def denies(question: QuestionAnalysis, sentence: str) -> bool:
    """Whether a sentence denies a word of the question: "They do not expire" answers "Do they expire?" with no."""
    return not _NEGATION.search(question.text) and next(_find_denials(question, sentence), None) is not None


def is_of_other_year(question: QuestionAnalysis, sentence: str, text: str) -> bool:
    """Whether a sentence names only other years than the question, and its text names those of the question."""
    question_years, named = set(question.years), set(find_years(sentence))
    return bool(question_years and named) and not question_years & named and question_years <= set(find_years(text))


def find_denial(question: QuestionAnalysis, text: str, sentences: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """Find "no …" of a word of the question in a sentence that names its years: the answer if it asks for an amount.

    ``sentences`` are spans of ``text``; the result is one, too. None for other questions, and if there is no denial.
    """
    years = set(question.years)
    if not years or not _AMOUNT.match(question.text) or _NEGATION.search(question.text):
        return None
    for start, end in sentences:
        sentence = text[start:end]
        if years <= set(find_years(sentence)):
            for first, last, _ in _find_denials(question, sentence):
                return start + first, start + last
    return None


def _find_denials(question: QuestionAnalysis, sentence: str) -> Iterator[tuple[int, int, int]]:
    """The start of each negation of a word of the question, the end of that word, and the end of the clause."""
    for match in _NEGATION.finditer(_AFFIRMED.sub(lambda affirmed: " " * len(affirmed[0]), sentence)):
        clause_end = _CLAUSE_END.search(sentence, match.end())
        end = clause_end.start() if clause_end else len(sentence)
        for following in islice(re.finditer(r"\w+", sentence[match.end() : end]), SCOPE):
            if stem(following[0].lower()) in question.content_stems:
                yield match.start(), match.end() + following.end(), end
                break
