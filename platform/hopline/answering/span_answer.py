"""Answers by the reader: the best span of the evidence as the short answer, and the sentence that holds it, cited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from hopline.answering.answer_evidence import AnswerEvidence
from hopline.answering.table_scale import add_scale, find_table_scale
from hopline.nlp.question_terms import asks_for_explanation, asks_yes_or_no
from hopline.reading.confidence import normalize_short
from hopline.reading.negation import denies
from hopline.reading.span_reading import SpanReading, find_unit
from hopline.results import POSSIBLE, READER, Answer, Citation, Evidence, EvidencePath, Sentence
from hopline.tables.grid import read_grid

NEAREST: Final = 3  # sentences that an abstention shows
MAX_SHORT: Final = 100  # characters: a longer span is a sentence rather than a short answer


@dataclass(frozen=True, slots=True)
class RatedReading:
    """A reading and the confidence, in [0, 1], that it is the answer; ``bridge`` is the reading of the first hop."""

    reading: SpanReading
    confidence: float
    bridge: SpanReading | None = None


def compose_span_answer(
    question: str,
    given: AnswerEvidence,
    rated: Sequence[RatedReading],
    *,
    threshold: float,
    missing: tuple[str, ...] = (),
) -> Answer:
    """Compose an answer of the likeliest reading, or abstain with the nearest sentences if it is below ``threshold``.

    Further sentences are that of the first hop, those that the evidence path leads over, and the same answer in
    another document. ``missing`` is what an abstention names as not found.
    """
    if not rated:
        return given.answer((), missing=missing, written_by=READER)
    rated = sorted(rated, key=lambda one: (-one.confidence, one.reading.rank))
    best = rated[0]
    if best.confidence < threshold:
        nearest = tuple(_build_sentence(given, one.reading) for one in _list_distinct(rated)[:NEAREST])
        short = get_short(question, best.reading) if best.confidence >= POSSIBLE else ""
        return given.answer(
            (), short=short, confidence=best.confidence, nearest=nearest, missing=missing, written_by=READER
        )
    same = [one.reading for one in rated[1:] if one.confidence >= threshold and _agree(one.reading, best.reading)]
    sentences = [_build_sentence(given, best.reading, same[:1])]
    if best.bridge and best.bridge.quote != best.reading.quote:
        sentences.append(_build_sentence(given, best.bridge))
    elif not best.bridge:
        sentences += _build_bridge_sentences(given, best.reading)
    if asks_for_explanation(question):
        sentences += _build_following_sentence(given, best.reading)
    return given.answer(
        tuple(sentences),
        short=get_short(question, best.reading),
        confidence=best.confidence,
        written_by=READER,
    )


def _list_distinct(rated: Sequence[RatedReading]) -> list[RatedReading]:
    """The readings with different sentences."""
    return list({(one.reading.evidence.id, one.reading.sentence): one for one in reversed(rated)}.values())[::-1]


def _agree(one: SpanReading, other: SpanReading) -> bool:
    return one.evidence.document != other.evidence.document and normalize_short(one.short) == normalize_short(
        other.short
    )


def get_short(question: str, best: SpanReading) -> str:
    """The short answer; none for a reason or a manner, and for a span that is as long as a sentence."""
    if asks_yes_or_no(question):
        return "yes" if best.reading.yes > 0 and not denies(question, best.quote) else "no"
    if asks_for_explanation(question) or len(best.short) > MAX_SHORT:
        return ""
    return best.short.strip(" ,;:")


def _build_sentence(given: AnswerEvidence, best: SpanReading, same: Sequence[SpanReading] = ()) -> Sentence:
    """The sentence of a reading, cited there and where another evidence says the same."""
    text = " ".join(best.quote.split())
    if best.evidence.kind == "table":
        text = add_scale(format_cell(best), best.short, find_table_scale(best.evidence, given))
    return Sentence(text, tuple(_cite_answer(given, one) for one in (best, *same)))


def format_cell(reading: SpanReading) -> str:
    """A cell in words: the caption of its table, the label of its row, the header of its column, its text.

    The label itself is shown with the other cells of its row.
    """
    table = read_grid(reading.evidence.text)
    row = next((row for row in table.body if row.start <= reading.start < row.end), None)
    if row is None:
        return " ".join(reading.quote.split())
    label = next((cell.text for cell in row.cells if cell.text), "")
    shown = [cell for cell in row.cells if cell.start < reading.end and reading.start < cell.end]
    if [cell.text for cell in shown] == [label]:
        shown = [cell for cell in row.cells if cell.text != label]
    found = [
        ": ".join(part for part in (table.column(place), cell.text) if part)
        for place, cell in enumerate(row.cells)
        if cell.text and cell in shown
    ]
    return " — ".join(part for part in dict.fromkeys((reading.evidence.caption, label, "; ".join(found))) if part)


def _build_following_sentence(given: AnswerEvidence, best: SpanReading) -> list[Sentence]:
    """The sentence behind that of a reading: a reason is often given after what it explains."""
    following = [span for span in best.evidence.sentences if span[0] >= best.sentence[1]][:1]
    return [
        Sentence(" ".join(best.evidence.text[slice(*span)].split()), (_cite(given, best.evidence, span),))
        for span in following
    ]


def _build_bridge_sentences(given: AnswerEvidence, best: SpanReading) -> list[Sentence]:
    """A sentence for each evidence that the path to the best one leads over: the one with the name that leads on."""
    path = given.find_path(best.evidence.id)
    evidence = {item.id: item for item in given.evidence}
    sentences = []
    for node_id, name in _find_bridges(path) if path else ():
        item = evidence.get(node_id)
        place = item.text.lower().find(name.lower()) if item else -1
        if item and item.kind == "passage" and place >= 0:
            span = find_unit(item, place, place + len(name))
            text = " ".join(item.text[slice(*span)].split())
            sentences.append(Sentence(text, (_cite(given, item, span),)))
    return sentences


def _find_bridges(path: EvidencePath) -> list[tuple[str, str]]:
    """The evidence that a path leads over, each with the name of the entity that follows it."""
    return [
        (before.target.id, after.target.name)
        for before, after in zip(path.steps, path.steps[1:], strict=False)
        if before.target.kind in ("passage", "table") and after.target.kind == "entity"
    ]


def _cite_answer(given: AnswerEvidence, reading: SpanReading) -> Citation:
    span = (reading.start, reading.end) if reading.start < reading.end else None
    return replace(_cite(given, reading.evidence, reading.sentence), answer=span)


def _cite(given: AnswerEvidence, evidence: Evidence, span: tuple[int, int]) -> Citation:
    return Citation(evidence, evidence.text[slice(*span)], *span, given.find_path(evidence.id))
