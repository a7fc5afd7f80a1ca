"""Comparisons of two subjects by date: which of them came first or last, or lived longer.

Comparisons of something that belongs to the subjects ("whose director died first") are not answered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from hopline.answers.answerer import EvidenceReader
from hopline.answers.composition import compose_answer, quote_span
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.reading import list_units
from hopline.results import Answer, Evidence, Retrieval
from hopline.text.parser import load_question_parser
from hopline.text.tokens import Token, tokenize
from hopline.text.values import DateOrder, DayInterval, compute_duration, find_date_order, find_dates
from hopline.text.words import normalize_word, read_stem_list, read_word_list, stem

Event = Literal["began", "ended", "life"]

MAX_DISTANCE: Final = 60  # characters from the verb of an event to its date
_ORDER: Final = "|".join((*read_word_list("first"), *read_word_list("last"), "longer", "shorter"))
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
_BRACKETS: Final = re.compile(r"\s*\([^()]*\)\s*$")
_LIFE: Final = re.compile(r"\(([^()]*)\s[–—-]\s([^()]*)\)")


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of the dates of an ``event`` of two ``subjects``.

    ``least``: the question asks for the earlier or the shorter-lived subject. ``whether``: it is answered by yes or no.
    """

    subjects: tuple[str, str]
    event: Event
    least: bool
    whether: bool = False


@dataclass(frozen=True, slots=True)
class SentenceSpan:
    """A sentence or table row: its span in the text of its evidence. Its tokens are counted from ``start``.

    ``order`` is that of day and month in dates such as 05/12/2019 of its document.
    """

    evidence: Evidence
    start: int
    end: int
    tokens: tuple[Token, ...]
    order: DateOrder | None = None

    @property
    def text(self) -> str:
        """Its words as they are in the evidence."""
        return self.evidence.text[self.start : self.end]

    @property
    def forms(self) -> frozenset[str]:
        """The forms of its tokens, by which words are compared."""
        return frozenset().union(*(token.forms for token in self.tokens))


def answer_comparison(question: QuestionAnalysis, retrieval: Retrieval, _: EvidenceReader) -> Flow[Answer | None]:
    """Answer which subject came first or last, or lived longer, with the sentences that give both dates.

    None if the question asks for something else, if a subject has no date, or if the dates do not decide.
    """
    yield from ()
    comparison = parse_comparison(question)
    if comparison is None:
        return None
    first, second = comparison.subjects
    sentences = split_evidence(retrieval.evidence)
    first_date = find_event_date(first, comparison.event, sentences, other=second)
    second_date = find_event_date(second, comparison.event, sentences, other=first)
    if first_date is None or second_date is None:
        return None
    (first_days, first_sentence), (second_days, second_sentence) = first_date, second_date
    first_is_less = first_days.is_before(second_days)
    if not first_is_less and not second_days.is_before(first_days):
        return None
    winner = 0 if first_is_less == comparison.least else 1
    short = ("yes", "no")[winner] if comparison.whether else comparison.subjects[winner]
    cited = (first_sentence, second_sentence)
    quotes = [quote_span(retrieval, sentence.evidence, (sentence.start, sentence.end)) for sentence in cited]
    return compose_answer(retrieval, quotes, short=short)


def parse_comparison(question: QuestionAnalysis) -> Comparison | None:
    """Parse a question that compares two subjects by date; None if it asks for something else."""
    for pattern in (_WHETHER, _ASKED_BEHIND, _CHOICE):
        match = pattern.fullmatch(question.text)
        if match and (event := _parse_event(match["ask"], alone=pattern is not _CHOICE or bool(match["then"]))):
            ask_words = {normalize_word(word) for word in re.findall(r"\w+", match["ask"])}
            least = bool(ask_words & {*read_word_list("first"), "before", "shorter"})
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
    if verbs <= read_stem_list("ended") and verbs:
        return "ended"
    bare = not verbs and re.search(r"\b(first|last|later|latest)$", ask, re.IGNORECASE)
    return "began" if verbs <= read_stem_list("began") and (alone or not bare) else None


def split_evidence(evidence: Sequence[Evidence]) -> list[SentenceSpan]:
    """Return every sentence and every table row, in the order of the evidence."""
    texts: dict[str, list[str]] = {}
    for item in evidence:
        texts.setdefault(item.document_id, []).append(item.text)
    orders = {document: find_date_order(parts) for document, parts in texts.items()}
    return [
        SentenceSpan(item, start, end, tuple(tokenize(item.text[start:end])), orders[item.document_id])
        for item in evidence
        for start, end in list_units(item)
    ]


def find_event_date(
    subject: str, event: Event, sentences: Sequence[SentenceSpan], *, other: str = ""
) -> tuple[DayInterval, SentenceSpan] | None:
    """Return the date of an event of a subject, and the sentence that gives it; None if no sentence does.

    The date of a "life" is its duration. Evidence whose title is the name of the subject comes first. A sentence of
    other evidence has to contain this name, and not that of the ``other`` subject, whose date it could give.
    """
    name, other_name = (normalize_word(_BRACKETS.sub("", text)) for text in (subject, other))
    titled: dict[str, list[SentenceSpan]] = {}
    naming: list[SentenceSpan] = []
    for sentence in sentences:
        if normalize_word(_BRACKETS.sub("", sentence.evidence.title)) == name:
            titled.setdefault(sentence.evidence.id, []).append(sentence)
        elif _contains_name(sentence, name) and not (other_name and _contains_name(sentence, other_name)):
            naming.append(sentence)
    for about_subject in titled.values():
        dated = _find_first_date(about_subject, event)
        opening = _list_days(about_subject[0], about_subject[0].text)
        if dated or (event == "began" and opening):
            return dated or (opening[0][1], about_subject[0])
    return _find_first_date(naming, event)


def _contains_name(sentence: SentenceSpan, name: str) -> bool:
    return all(token.forms & sentence.forms for token in tokenize(name))


def _find_first_date(sentences: Sequence[SentenceSpan], event: Event) -> tuple[DayInterval, SentenceSpan] | None:
    return next(((day, sentence) for sentence in sentences if (day := _parse_event_date(sentence, event))), None)


def _parse_event_date(sentence: SentenceSpan, event: Event) -> DayInterval | None:
    """Return the date that a sentence gives for an event: near its word, or in brackets as in "(1901 - 1987)".

    For a life, the number of days between both dates in brackets is returned.
    """
    life = _LIFE.search(sentence.text)
    sides = [[day for _, day in _list_days(sentence, side)] for side in life.groups()] if life else []
    if len(sides) == 2 and all(sides):
        (began, *_), (*_, ended) = sides
        return {"began": began, "ended": ended, "life": compute_duration(began, ended)}[event]
    if event == "life":
        return None
    verb_ends = [token.end for token in sentence.tokens if token.forms & read_stem_list(event)]
    near = [
        (start - end, day)
        for end in verb_ends
        for start, day in _list_days(sentence, sentence.text)
        if 0 <= start - end <= MAX_DISTANCE
    ]
    return min(near, key=lambda pair: pair[0])[1] if near else None


def _list_days(sentence: SentenceSpan, text: str) -> list[tuple[int, DayInterval]]:
    """List the dates with a year of a text, a sentence or a part of one, each with the offset at which it begins."""
    spans = find_dates(text, order=sentence.order)
    return [(span.start, span.date.days) for span in spans if span.date.year is not None]
