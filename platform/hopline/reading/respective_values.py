"""Values that a sentence lists beside years: "$27.2 million and $22.5 million in 2019 and 2018, respectively".

The reader finds the list, and often takes its first value whatever the year of the question.
"""

from __future__ import annotations

import re
from typing import Final

_YEAR: Final = r"(?:19|20)\d\d"
_VALUE: Final = (
    r"(?:[A-Z]{3} |[A-Z]{0,2}[$€£¥] ?)?[-−(]?\d[\d.,]*(?<![.,])\)?"
    r"(?:\s?%|\s(?:per ?cent|percentage points|thousand|million|billion|basis points|years|months|days))?"
)
_FISCAL_YEAR: Final = rf"(?:fiscal\s+)?{_YEAR}"
_YEARS: Final = re.compile(rf"{_FISCAL_YEAR}(?:\s*,\s*{_FISCAL_YEAR})*(?:\s*,)?\s+and\s+{_FISCAL_YEAR}")
_VALUES: Final = re.compile(rf"{_VALUE}(?:\s*,\s+{_VALUE})*(?:\s*,)?\s+and\s+{_VALUE}")


def find_respective_value(question: str, sentence: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the span, in the sentence, of the value that belongs to the year of the question.

    ``start`` and ``end`` are the span that was read: within a list of values. None unless the question names one year,
    and the sentence has as many years as values, and says "respectively".
    """
    years = set(re.findall(rf"\b{_YEAR}\b", question))
    if len(years) != 1 or "respectively" not in sentence:
        return None
    [year] = years
    lists = [re.findall(_YEAR, match[0]) for match in _YEARS.finditer(sentence)]
    lists = [listed for listed in lists if listed.count(year) == 1]
    for match in _VALUES.finditer(sentence):
        if not (match.start() < end and start < match.end()) or _YEARS.fullmatch(match[0]):
            continue
        spans = [(match.start() + item.start(), match.start() + item.end()) for item in re.finditer(_VALUE, match[0])]
        fitting = [listed for listed in lists if len(listed) == len(spans)]
        if len(fitting) == 1:
            return spans[fitting[0].index(year)]
    return None
