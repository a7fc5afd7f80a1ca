"""What a reader finds in one passage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reading:
    """The best answer in one passage, with the scores of the reader.

    ``start`` and ``end`` are the character span of the best answer in the passage's text, both 0 if it is empty.
    ``margin`` is the score of the span above that of no answer, ``answered`` the logit that the passage answers the
    question, ``yes`` the logit of the verdict "yes" of a yes-or-no question, ``evidence`` the character at which the
    sentence that supports the answer is most likely.
    """

    start: int
    end: int
    margin: float
    answered: float
    yes: float
    evidence: int

    @property
    def score(self) -> float:
        """Score for "the passage answers the question", from span and passage; positive means that it does."""
        return self.margin / 2 + self.answered

    @classmethod
    def from_row(cls, row: Sequence[float]) -> Reading:
        """Build a reading from a row of the output of a reader."""
        start, end, margin, answered, yes, evidence = (float(value) for value in row)
        return cls(int(start), int(end), margin, answered, yes, int(evidence))
