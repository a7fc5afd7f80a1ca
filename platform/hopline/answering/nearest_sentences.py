"""The sentences that an abstention shows: they share most words with the question."""

from __future__ import annotations

from typing import Final

from hopline.answering.answer_evidence import AnswerEvidence
from hopline.answering.span_answer import NEAREST
from hopline.nlp.question_terms import find_content_words
from hopline.reading.sentence_spans import SentenceSpan, split_evidence
from hopline.results import Citation, Sentence

COMPARED: Final = 16  # evidence whose sentences are compared with the question


def find_nearest(question: str, answer_evidence: AnswerEvidence) -> tuple[Sentence, ...]:
    """Find the sentences that share most words with the question; those of the best evidence first."""
    words = find_content_words(question)
    spans = split_evidence(answer_evidence.evidence[:COMPARED])
    ranked = sorted(spans, key=lambda span: -len(words & find_content_words(span.text)))
    return tuple(cite_sentence(span, answer_evidence) for span in ranked[:NEAREST])


def cite_sentence(span: SentenceSpan, answer_evidence: AnswerEvidence) -> Sentence:
    """Make a sentence of an answer from a sentence or table row of its evidence."""
    citation = Citation(span.evidence, span.text, span.start, span.end, answer_evidence.find_path(span.evidence.id))
    return Sentence(" ".join(span.text.split()), (citation,))
