"""The timeline of an entity: statements about it that give a date, in the order of these dates.

A date is one that the triple, or the sentence that mentions the entity, has itself. Four digits alone are a year only
beside a word of time ("in 1931", "built 1931"), in brackets, or as the whole predicate of a triple, which is the header
of a column; so neither amounts nor names such as "Plan 2030" are dates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hopline.records import Triple
from hopline.results import Evidence
from hopline.text.values import YEAR, Date, DateSpan, find_date_order, find_dates, is_year

PATTERN: Final = rf"(?s).*\b{YEAR}\b.*"  # of texts that may have dates, for Cypher
_TIME_WORDS: Final = (
    "in|since|from|until|till|by|during|before|after|between|around|circa|early|late|mid|year|years|"
    "built|born|died|founded|established|opened|closed|completed|signed|dated|published|adopted|issued|inspected|rebuilt"
)
_BEFORE_YEAR: Final = re.compile(
    rf"(?:\b(?:{_TIME_WORDS})[\s:-]+|[(\[©]\s*|\bc\.\s*)(?:the (?:year|spring|summer|autumn|winter) (?:of )?)?$",
    re.IGNORECASE,
)
_RANGE: Final = re.compile(r"\s*(?:[-−–—]|\b(?:and|to|or|until|through)\b)\s*", re.IGNORECASE)

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class DatedStatement:
    """A sentence or a triple with one of its dates: "2022-06-06", "2022-06", "2022" or "44 BC".

    ``span`` is the date in the text. ``evidence`` is the id of what states it, ``triple`` that of the triple, "" for a
    sentence.
    """

    date: str
    text: str
    span: Span
    evidence: str
    triple: str = ""


def build_timeline(
    evidence: Iterable[Evidence], mentions: Mapping[str, Sequence[Span]], triples: Iterable[Triple], *, limit: int
) -> tuple[DatedStatement, ...]:
    """Return the dated sentences of passages that mention an entity, and the dated triples, by date; at most ``limit``.

    ``mentions`` has the spans of the entity in each passage. A triple is left out where a sentence of its passage has
    its date.
    """
    statements: dict[tuple[str, str], tuple[Date, DatedStatement]] = {}
    for item in evidence:
        order = find_date_order([item.text])
        for text in _list_sentences(item, mentions.get(item.id, ())):
            for span in _list_dates(text, find_dates(text, order=order)):
                _add(statements, span, text, item.id)
    dated = {(statement.evidence, statement.date) for _, statement in statements.values()}
    for triple in triples:
        text = f"{triple.subject} {triple.predicate} {triple.object}"
        start = len(triple.subject) + 1
        header = (start, start + len(triple.predicate))
        for span in _list_dates(text, find_dates(text), header):
            if span.start >= start and (triple.evidence, _format_date(span.date)) not in dated:
                _add(statements, span, text, triple.evidence, triple.id)
    ordered = sorted(statements.values(), key=lambda item: (item[0].days.first, item[1].date, item[1].text))
    return tuple(statement for _, statement in ordered[:limit])


def _add(
    statements: dict[tuple[str, str], tuple[Date, DatedStatement]],
    span: DateSpan,
    text: str,
    evidence: str,
    triple: str = "",
) -> None:
    """Add a statement unless one has the same date and text, as a sentence of two overlapping passages."""
    date = _format_date(span.date)
    statement = DatedStatement(date, text, (span.start, span.end), evidence, triple)
    statements.setdefault((date, text.casefold()), (span.date, statement))


def _list_sentences(evidence: Evidence, mentions: Sequence[Span]) -> Iterator[str]:
    """Yield the sentences that mention the entity, each in one line."""
    for start, end in evidence.sentences:
        if any(start <= first < end for first, _ in mentions):
            yield " ".join(evidence.text[start:end].split())


def _list_dates(text: str, spans: Sequence[DateSpan], header: Span | None = None) -> list[DateSpan]:
    """Return the dates of a text that have a year, each once, without the years that may be something else."""
    dates: dict[Date, DateSpan] = {}
    end = -1  # of the last date, which a range may continue
    for span in spans:
        if span.date.year is None:
            continue
        continues = end >= 0 and _RANGE.fullmatch(text, end, span.start) is not None
        is_certain = not is_year(text[span.start : span.end]) or (span.start, span.end) == header or continues
        if is_certain or _BEFORE_YEAR.search(text[: span.start]):
            dates.setdefault(span.date, span)
            end = span.end
    return list(dates.values())


def _format_date(date: Date) -> str:
    year = date.year or 0
    if year < 1:
        return f"{1 - year} BC"
    parts = [f"{year:04d}", *(f"{part:02d}" for part in (date.month, date.day if date.month else None) if part)]
    return "-".join(parts)
