"""Answers to questions in other languages than English: the closest sentence or cell of a table, as a possible answer.

What is closest is a matter of letters and characters, not of meaning: the parts of words that the question and a
sentence share, weighted by how few sentences have them, and those of the passage around it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hopline.answers.answerer import EvidenceReader
from hopline.answers.cells import join_header, join_parts
from hopline.answers.composition import (
    MAX_NEAREST,
    cite,
    compose_answer,
    demote_to_possible,
    find_missing,
    format_quote,
)
from hopline.answers.span import answer_span
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.quotes import contains_words
from hopline.reader.reading import list_units
from hopline.results import POSSIBLE, Answer, Evidence, Retrieval, Sentence
from hopline.text.languages import asks_for_number, list_grams

MIN_SHARE: Final = 0.25  # of the weight of the question, in a sentence or cell that is a possible answer
CONTEXT_WEIGHT: Final = 0.6  # of what the passage and its headings share with the question
NUMBER_BONUS: Final = 0.1  # for a sentence or cell with a number, if the question asks for one
MIN_CONFIDENCE: Final = 0.3  # of a short answer that the reader finds in another language than its own
MAX_READ: Final = 16  # evidence
_NUMBER: Final = re.compile(r"[0-9一二三四五六七八九十百千万]")
_MIN_SHARED: Final = 2  # parts of words


@dataclass(frozen=True, slots=True)
class ComparedUnit:
    """A sentence, or a row of a table with the span of one cell as ``answer``; ``shown`` is what an answer displays.

    ``context`` has the grams of the other sentences of the passage and of its headings.
    """

    evidence: Evidence
    span: tuple[int, int]
    grams: frozenset[str]
    context: frozenset[str]
    shown: str
    answer: tuple[int, int] | None = None


def answer_closest(question: QuestionAnalysis, retrieval: Retrieval, reader: EvidenceReader) -> Flow[Answer | None]:
    """Answer with the closest sentence or cell, as a possible answer; None if nothing is close, or without the reader.

    The short answer of the reader is taken if it is in the closest sentence, and its answer if nothing is close.
    """
    if not reader.enabled:
        return None
    read = None if question.asks_for_verdict else (yield from answer_span(question, retrieval, reader))
    ranked = rank_units(question, retrieval.evidence[:MAX_READ])
    if not ranked:
        return demote_to_possible(read) if read and read.status != "not_found" else None
    best = ranked[0]
    return compose_answer(
        retrieval,
        (),
        short=best.evidence.text[slice(*best.answer)] if best.answer else _find_short(read, best),
        confidence=POSSIBLE,
        missing=find_missing(question, retrieval),
        nearest=[_quote(retrieval, unit) for unit in ranked[:MAX_NEAREST]],
    )


def rank_units(question: QuestionAnalysis, evidence: Sequence[Evidence]) -> list[ComparedUnit]:
    """Return the sentences and cells that share enough with a question, the closest and shortest first."""
    wanted = list_grams(question.text, question.language)
    if not wanted:
        return []
    units = [unit for item in evidence for unit in _list_units(item)]
    counts = Counter(gram for unit in units for gram in unit.grams & wanted)
    weights = {gram: math.log(1 + len(units) / (counts[gram] or 1)) for gram in wanted}
    total = sum(weights.values())
    asks_number = asks_for_number(question.text, question.language)
    rated = []
    for unit in units:
        own, near = (sum(weights[gram] for gram in grams & wanted) / total for grams in (unit.grams, unit.context))
        share = own + CONTEXT_WEIGHT * near
        if share >= MIN_SHARE and len(wanted & unit.grams) >= _MIN_SHARED:
            has_number = asks_number and _NUMBER.search(unit.evidence.text, *(unit.answer or unit.span))
            rated.append((-round(share + (NUMBER_BONUS if has_number else 0.0), 2), len(unit.grams), unit))
    return [unit for *_, unit in sorted(rated, key=lambda item: item[:2])]


def _list_units(evidence: Evidence) -> Iterator[ComparedUnit]:
    """Yield the sentences of a passage; of a table the cells, each with the parts of its row, header and caption."""
    grid = evidence.grid
    headings = " ".join((evidence.title, *evidence.section))
    if grid is None:
        context = list_grams(f"{headings} {evidence.text}")
        for start, end in list_units(evidence):
            text = evidence.text[start:end]
            grams = list_grams(text)
            yield ComparedUnit(evidence, (start, end), grams, context - grams, text)
        return
    context = list_grams(headings)
    for row in grid.body:
        label = next((cell.text for cell in row.cells if cell.text), "")
        for index, cell in enumerate(row.cells):
            if cell.text and cell.text != label:
                others = [other.text for other in row.cells if other is not cell]
                header = grid.column(index)
                grams = list_grams(" ".join((evidence.caption, *others, header)))
                shown = join_parts(evidence.caption, label, join_header(header, cell.text))
                yield ComparedUnit(
                    evidence, (row.start, row.end), grams, context - grams, shown, (cell.start, cell.end)
                )


def _find_short(read: Answer | None, unit: ComparedUnit) -> str:
    """Return the short answer of the reader if it is in a sentence and likely enough, else ""."""
    if read is None or not read.short or (read.confidence or 0.0) < MIN_CONFIDENCE:
        return ""
    return read.short if contains_words(read.short, unit.evidence.text[slice(*unit.span)]) else ""


def _quote(retrieval: Retrieval, unit: ComparedUnit) -> Sentence:
    return Sentence(format_quote(unit.shown), (cite(retrieval, unit.evidence, unit.span, answer=unit.answer),))
