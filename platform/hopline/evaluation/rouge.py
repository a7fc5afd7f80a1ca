"""ROUGE-Lsum: the overlap, in order, of an answer with a long correct answer.

Lin 2004, section 3.2: the union of the longest common subsequences of each correct sentence with every sentence of the
answer. Words are lower-cased and stemmed (`hopline.text.words` instead of Porter's stemmer); a word counts no more
often than it occurs on either side. The maximum over the correct answers is taken, as in RAS.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from hopline.text.words import normalize_word, stem

_WORD = re.compile(r"[^\W_]+")
_END = re.compile(r"(?<=[.!?])\s+|\n+")


def rouge_lsum(answer: str, correct_answers: Iterable[str]) -> float:
    """F1 of the united subsequences, in [0, 1]; the maximum over the correct answers."""
    answer_sentences = _split_sentences(answer)
    return max((_f1(answer_sentences, _split_sentences(correct)) for correct in correct_answers), default=0.0)


def _split_sentences(text: str) -> list[list[str]]:
    sentences = [[stem(normalize_word(word)) for word in _WORD.findall(sentence)] for sentence in _END.split(text)]
    return [words for words in sentences if words]


def _f1(answer_sentences: Sequence[Sequence[str]], correct_sentences: Sequence[Sequence[str]]) -> float:
    answer_counts, correct_counts = (
        Counter(word for words in side for word in words) for side in (answer_sentences, correct_sentences)
    )
    if not answer_counts or not correct_counts:
        return 0.0
    answer_left, correct_left = answer_counts.copy(), correct_counts.copy()
    hits = 0
    for sentence in correct_sentences:
        for index in sorted(set().union(*(_common_subsequence(sentence, candidate) for candidate in answer_sentences))):
            word = sentence[index]
            if answer_left[word] > 0 and correct_left[word] > 0:
                answer_left[word] -= 1
                correct_left[word] -= 1
                hits += 1
    if not hits:
        return 0.0
    precision, recall = hits / answer_counts.total(), hits / correct_counts.total()
    return 2 * precision * recall / (precision + recall)


def _common_subsequence(first: Sequence[str], second: Sequence[str]) -> list[int]:
    """Return the indices in ``first`` of a longest common subsequence of both."""
    lengths = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for a, word in enumerate(first, 1):
        for b, second_word in enumerate(second, 1):
            lengths[a][b] = (
                lengths[a - 1][b - 1] + 1 if word == second_word else max(lengths[a - 1][b], lengths[a][b - 1])
            )
    indices, a, b = [], len(first), len(second)
    while a and b:
        if first[a - 1] == second[b - 1]:
            indices.append(a - 1)
            a, b = a - 1, b - 1
        elif lengths[a - 1][b] >= lengths[a][b - 1]:
            a -= 1
        else:
            b -= 1
    return indices
