"""Parser of questions that compare two subjects by date: which of them came first or last, or lived longer.

Comparisons of something that belongs to the subjects ("whose director died first") are not parsed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from hopline.nlp.question_parser import load_question_parser
from hopline.nlp.stemmer import normalize_word, stem
from hopline.nlp.vocabulary import stems, words
from hopline.reading.event_dates import Event

_ORDER: Final = "|".join((*words("first"), *words("last"), "longer", "shorter"))
_CHOICE: Final = re.compile(
    rf"(?P<ask>.*?\b(?:{_ORDER})(?:\s+life)?)\s*(?P<then>,|:|\bout of\b|\bbetween\b|\bof\b)?\s+"
    r"(?P<first>\S.*?),?\s+(?:or|and(?!.*\sor\s))\s+(?P<second>\S.*?)[\s?.!]*",
    re.IGNORECASE,
)
_ASKED_BEHIND: Final = re.compile(
    rf"(?:was|were|is|did)\s+(?P<first>\S.*?)\s+or\s+(?P<second>\S.*?)\s+(?P<ask>\w+\s+(?:more\s+)?(?:{_ORDER}))[\s?.!]*",
    re.IGNORECASE,
)
_WHETHER: Final = re.compile(
    rf"(?:is|was|were|did)\s+(?P<first>\S.*?)\s+(?P<ask>(?-i:[a-z]+)\s+(?:before|after)|(?:(?-i:[a-z]+)\s+)?(?:{_ORDER})\s+than)\s+"
    r"(?P<second>\S.*?)[\s?.!]*",
    re.IGNORECASE,
)
_BELONGS: Final = re.compile(r"\b(whose|has|have|had|with|directors?|performers?)\b", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"^(?:(?:the|a|an|both)\s+)?(?:[a-z]+\s+)*(?=[^a-z\s])")


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of the dates of an ``event`` of two ``subjects``.

    ``least``: the question asks for the earlier or the shorter-lived subject. ``whether``: it is answered by yes or no.
    """

    subjects: tuple[str, str]
    event: Event
    least: bool
    whether: bool = False


def parse_comparison(text: str) -> Comparison | None:
    """Parse a question that compares two subjects by date; None if it asks for something else."""
    text = " ".join(text.split())
    for pattern in (_WHETHER, _ASKED_BEHIND, _CHOICE):
        match = pattern.fullmatch(text)
        if match and (event := _parse_event(match["ask"], alone=pattern is not _CHOICE or bool(match["then"]))):
            ask_words = {normalize_word(word) for word in re.findall(r"\w+", match["ask"])}
            least = bool(ask_words & {*words("first"), "before", "shorter"})
            subjects = tuple(_ARTICLE.sub("", match[name]) for name in ("first", "second"))
            return Comparison((subjects[0], subjects[1]), event, least, pattern is _WHETHER)
    return None


def _parse_event(ask: str, *, alone: bool) -> Event | None:
    """Return the event that both subjects are compared by; None if the words name another event.

    ``alone``: "first" or "last" cannot belong to a noun, as it does in "the first company that".
    """
    if _BELONGS.search(ask):
        return None
    verbs = {stem(normalize_word(token.text)) for token in load_question_parser()(ask) if token.pos_ == "VERB"}
    lived = {stem("live"), stem("lived")}
    if {"longer", "shorter"} & {normalize_word(word) for word in re.findall(r"\w+", ask)}:
        return "life" if verbs and verbs <= lived else None
    if verbs <= stems("ended") and verbs:
        return "ended"
    bare = not verbs and re.search(r"\b(first|last|later|latest)$", ask, re.IGNORECASE)
    return "began" if verbs <= stems("began") and (alone or not bare) else None
