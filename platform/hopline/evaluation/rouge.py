"""ROUGE-Lsum: how much of a long right answer stands, in order, in what was given.

Lin 2004, section 3.2: the longest common subsequence of each right sentence with every sentence that was given, united.
Words are lower-case and reduced to their roots (`hopline.nlp.stemmer`, where others take Porter's stems); a word
counts no more often than it stands on either side. The best over the right answers, as RAS takes the better of two.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from hopline.nlp.stemmer import fold, root

_WORD = re.compile(r"[^\W_]+")
_END = re.compile(r"(?<=[.!?])\s+|\n+")


def rouge_lsum(given: str, right: Iterable[str]) -> float:
    """F1 of the united subsequences, in [0, 1]; the best over the right answers."""
    said = _sentences(given)
    return max((_f1(said, _sentences(answer)) for answer in right), default=0.0)


def _sentences(text: str) -> list[list[str]]:
    found = [[root(fold(word)) for word in _WORD.findall(sentence)] for sentence in _END.split(text)]
    return [words for words in found if words]


def _f1(said: Sequence[Sequence[str]], wanted: Sequence[Sequence[str]]) -> float:
    in_said, in_wanted = (Counter(word for words in side for word in words) for side in (said, wanted))
    if not in_said or not in_wanted:
        return 0.0
    left_said, left_wanted = in_said.copy(), in_wanted.copy()
    hits = 0
    for sentence in wanted:
        for place in sorted(set().union(*(_common(sentence, other) for other in said))):
            word = sentence[place]
            if left_said[word] > 0 and left_wanted[word] > 0:
                left_said[word] -= 1
                left_wanted[word] -= 1
                hits += 1
    if not hits:
        return 0.0
    precision, recall = hits / in_said.total(), hits / in_wanted.total()
    return 2 * precision * recall / (precision + recall)


def _common(one: Sequence[str], other: Sequence[str]) -> list[int]:
    """Places in ``one`` of a longest common subsequence of both."""
    lengths = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for a, word in enumerate(one, 1):
        for b, met in enumerate(other, 1):
            lengths[a][b] = lengths[a - 1][b - 1] + 1 if word == met else max(lengths[a - 1][b], lengths[a][b - 1])
    places, a, b = [], len(one), len(other)
    while a and b:
        if one[a - 1] == other[b - 1]:
            places.append(a - 1)
            a, b = a - 1, b - 1
        elif lengths[a - 1][b] >= lengths[a][b - 1]:
            a -= 1
        else:
            b -= 1
    return places
