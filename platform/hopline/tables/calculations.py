"""Parser of questions for a calculation over the years of a row, or over two rows.

"What was the percentage change in revenue from 2018 to 2019?" names one row and two years, "What is the ratio of
revenue to costs in 2019?" two rows and one year, "In which year was revenue larger?" one row, whose years are compared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from hopline.nlp.question_terms import asks_yes_or_no
from hopline.tables.operations import Operation

MAX_YEARS: Final = 6
_PERCENTAGE_CHANGE: Final = (
    r"\b(?:percent(?:age)?\s+(?:change|increase|decrease|growth|difference|decline)|growth\s+rate)\b"
    r"|^by\s+(?:what|how\s+many)\s+percent(?:age)?\b"
)
_OPERATIONS: Final[tuple[tuple[Operation, re.Pattern[str]], ...]] = (
    ("percentage change", re.compile(_PERCENTAGE_CHANGE, re.IGNORECASE)),
    ("average", re.compile(r"\b(?:average|mean)\b", re.IGNORECASE)),
    ("sum", re.compile(r"\b(?:sum|combined(?:\s+total)?|total\s+(?:amount|number|value))\b", re.IGNORECASE)),
    ("change", re.compile(r"\b(?:change|increase|decrease|decline)\b|^by\s+how\s+much\b", re.IGNORECASE)),
    ("difference", re.compile(r"\bdifference\b", re.IGNORECASE)),
)
# "Were sales higher in 2019 than in 2018?" and "Did sales increase from 2018 to 2019?": is it an increase?
_COMPARED: Final = re.compile(
    r"\b(?:(?P<more>more|higher|larger|greater|bigger|longer|above)|(?P<less>less|lower|fewer|smaller|shorter|below))\b"
    r"(?P<middle>.*?)\b(?P<first>(?:19|20)\d\d)\b.*?\bthan\b.*?\b(?P<second>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_CHANGED: Final = re.compile(
    r"\b(?:(?P<up>increased?|rise|rose|risen|grow|grew|grown|gone\s+up|go\s+up|improved?)|"
    r"(?P<down>decreased?|fall|fell|fallen|declined?|drop|dropped|shrink|shrank|gone\s+down|go\s+down))\b",
    re.IGNORECASE,
)
_LARGEST: Final = r"largest|larger|highest|higher|greatest|greater|biggest|most|maximum"
_SMALLEST: Final = r"smallest|smaller|lowest|lower|least|minimum"
_YEAR_SOUGHT: Final = re.compile(
    r"^(?:in\s+)?(?:which|what)\s+(?:fiscal\s+|financial\s+)?(?:year|fy|period)\s+"
    r"(?:(?:is|was|are|were|did|does)\s+(?P<subject>.+?)\s+(?:the\s+)?(?:reach\s+(?:its|their)\s+)?"
    rf"(?:(?P<large>{_LARGEST})|(?P<small>{_SMALLEST}))"
    rf"|(?:has|had)\s+(?:the|a)\s+(?:(?P<most>{_LARGEST})|(?P<least>{_SMALLEST}))\s+(?P<object>.+?))\s*\?*$",
    re.IGNORECASE,
)
_PAIR_PATTERNS: Final[tuple[tuple[Operation, str], ...]] = (
    ("difference", r"the\s+difference\s+(?:in\s+(?P<common>.+?)\s+)?between\s+(?P<a>.+?)\s+and\s+(?P<b>.+?)"),
    ("ratio", r"the\s+ratio\s+of\s+(?P<a>.+?)\s+to\s+(?P<b>.+?)"),
    ("ratio", r"(?:the\s+)?(?P<a>.+?)\s+as\s+a\s+(?:proportion|ratio|share)\s+of\s+(?P<b>.+?)"),
    ("ratio", r"the\s+proportion\s+of\s+(?P<a>.+?)\s+(?:over|to|in|out\s+of)\s+(?P<b>.+?)"),
    ("percentage", r"(?:the\s+)?(?P<a>.+?)\s+as\s+a\s+percent(?:age)?\s+of\s+(?P<b>.+?)"),
    ("percentage", r"the\s+percent(?:age)?(?:\s+\w+)?\s+of\s+(?P<a>.+?)\s+(?:over|in|out\s+of|among|to)\s+(?P<b>.+?)"),
    ("sum", r"the\s+(?:sum|total|combined\s+total)\s+of\s+(?P<a>.+?)\s+and\s+(?P<b>.+?)"),
    ("average", r"the\s+average\s+of\s+(?P<a>.+?)\s+and\s+(?P<b>.+?)"),
)
_PAIRS: Final = tuple(
    (operation, re.compile(rf"^(?:what|how\s+much)\s+(?:is|was|are|were)\s+{pattern}\s*\?*$", re.IGNORECASE))
    for operation, pattern in _PAIR_PATTERNS
)
_VERB: Final = re.compile(r"^(?:is|are|was|were|do|does|did|has|have|had)\s+(?:there\s+)?(?:the\s+)?", re.IGNORECASE)
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_RANGE: Final = re.compile(r"\b((?:19|20)\d\d)\s*(?:-|–|to|through)\s*((?:19|20)\d\d)\b", re.IGNORECASE)
_WORDS_OF_TIME: Final = r"from|between|in|for|during|over|of|as\s+of|as\s+at|at|fiscal|the|years?|ended|end|both"
_TIME: Final = re.compile(
    rf"\s*,?\s*(?:\b(?:{_WORDS_OF_TIME})\b\s*)*(?:[A-Z][a-z]+\s+\d{{1,2}},\s*)?\b(?:19|20)\d\d\b.*$"
)
_LEADING_TIME: Final = re.compile(rf"^(?:(?:{_WORDS_OF_TIME})\s+)*(?:19|20)\d\d\s*,?\s+", re.IGNORECASE)
_ALL_YEARS: Final = re.compile(
    r"\s*,?\s*(?:for|between|in|over|across|from)\s+(?:both|all|the)\s+(?:\w+\s+)?(?:fys|years?|periods?)\b.*$",
    re.IGNORECASE,
)
_ASKING: Final = re.compile(r"^(?:what|how\s+much)\s+(?:is|was|were|are|did)\s+(?:the\s+)?", re.IGNORECASE)
_LINK: Final = re.compile(
    r"^\s*(?:/\s*\(?\w+\)?\s*)?(?:in|of|for)?\s*(?:the\s+)?(?:(?:amount|value|number)\s+(?:of|for)\s+)?(?:the\s+)?",
    re.IGNORECASE,
)
_LINKED: Final = re.compile(r"\s*(?:/\s*\(?\w+\)?\s*)?(?:in|of|for)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Calculation:
    """An operation over the values of ``subjects`` in ``years``, which are in ascending order.

    There is one subject, whose years are computed with, or two subjects and at most one year. One subject without years
    stands for all years of its row.
    """

    operation: Operation
    subjects: tuple[str, ...]
    years: tuple[str, ...] = ()

    def ask(self, subject: str, year: str) -> str:
        """The question for one value."""
        return f"What was the {subject} in {year}?" if year else f"What was the {subject}?"


def parse_calculation(question: str) -> Calculation | None:
    """Parse a question for a calculation; None if it asks for something else."""
    question = " ".join(question.split())
    if asks_yes_or_no(question):
        return _parse_comparison(question)
    calculation = _parse_sought_year(question) or _parse_years(question) or _parse_pair(question)
    if calculation is None or not all(re.search(r"[A-Za-z]{3}", subject) for subject in calculation.subjects):
        return None
    return calculation


def _parse_sought_year(question: str) -> Calculation | None:
    match = _YEAR_SOUGHT.match(question)
    if match is None:
        return None
    operation: Operation = "largest" if match["large"] or match["most"] else "smallest"
    return Calculation(operation, (_clean(match["subject"] or match["object"]),))


def _parse_years(question: str) -> Calculation | None:
    """Parse an operation over the years that a question names, or over all years of a row."""
    years = set(_YEAR.findall(question))
    stated = next(((name, match) for name, pattern in _OPERATIONS if (match := pattern.search(question))), None)
    if stated is None or len(years) == 1 or len(years) > MAX_YEARS:
        return None
    operation, match = stated
    if not years and (operation == "sum" or not (operation == "average" or _ALL_YEARS.search(question))):
        return None
    if operation in {"average", "sum"} and (span := _RANGE.search(question)):
        years |= {str(year) for year in range(int(span[1]), int(span[2]) + 1)}
    if operation in {"change", "percentage change", "difference"} and len(years) not in {0, 2}:
        return None
    behind = _TIME.sub("", _ALL_YEARS.sub("", question[match.end() :]))
    before = "" if _LINKED.match(behind) else _ASKING.sub("", question[: match.start()]).strip()
    subject = f"{before} {_LINK.sub('', behind, count=1)}".strip(" ?.,")
    if not years and re.search(r"\bbetween\b", subject):
        return None
    return Calculation(operation, (subject,), tuple(sorted(years)))


def _parse_pair(question: str) -> Calculation | None:
    """Parse an operation over two rows, of one year or of the only column."""
    years = sorted(set(_YEAR.findall(question)))
    if len(years) > 1:
        return None
    bare = re.sub(rf"^In\s+{years[0]},\s+", "", question) if years else question
    for operation, pattern in _PAIRS:
        if match := pattern.match(bare):
            common = f" {match['common']}" if "common" in match.groupdict() and match["common"] else ""
            return Calculation(operation, (_clean(match["a"]) + common, _clean(match["b"]) + common), tuple(years))
    return None


def _clean(subject: str) -> str:
    """A subject without its time and article."""
    subject = _TIME.sub("", _LEADING_TIME.sub("", subject.strip(" ?.,")))
    return _LINK.sub("", subject, count=1).strip(" ?.,")


def _parse_comparison(question: str) -> Calculation | None:
    """Parse a yes-or-no question that compares the values of two years."""
    verb = _VERB.match(question)
    years = tuple(sorted(set(_YEAR.findall(question))))
    if verb is None or len(years) != 2:
        return None
    rest = question[verb.end() :]
    if compared := _COMPARED.search(rest):
        increases = bool(compared["more"]) == (compared["first"] == years[1])
        subject = f"{rest[: compared.start()]} {compared['middle']}"
    elif (changed := _CHANGED.search(rest)) and not re.search(r"\bthan\b", rest):
        increases = bool(changed["up"])
        subject = rest[: changed.start()]
    else:
        return None
    subject = " ".join(re.sub(r"\b(?:in|during|for|of|fiscal|the\s+year|year)\s*$", "", subject.strip(" ,")).split())
    if not re.search(r"[A-Za-z]{3}", subject):
        return None
    return Calculation("increase" if increases else "decrease", (subject,), years)
