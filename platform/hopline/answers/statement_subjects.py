"""What two statements are about: whether they share the words of a question, and what tells them apart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hopline.answers.layout import split_lines
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.input import format_heading
from hopline.reader.reading import SpanReading
from hopline.text.measures import find_unit
from hopline.text.parser import load_question_parser
from hopline.text.values import find_dates
from hopline.text.words import normalize_word, stem, stem_content_words

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

MIN_PARALLEL: Final = 3  # words that two versions of a sentence share
PARALLEL_SHARE: Final = 0.75  # of the words of both
_MODIFIERS: Final = frozenset({"amod", "compound", "poss", "nmod"})
_SUBJECTS: Final = frozenset({"nsubj", "nsubjpass"})
_WORDS: Final = frozenset({"NOUN", "PROPN", "ADJ"})


def list_shared_stems(
    question: QuestionAnalysis, first: SpanReading, second: SpanReading
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems that each of two sentences, with its heading, shares with the question.

    Names, and words of the name or title of a document, are in all of its sentences: they do not count.
    """
    common = set().union(*(stem_content_words(name) for name in question.names))
    for reading in (first, second):
        common |= stem_content_words(" ".join(format_heading(reading.evidence).split("\n")[:2]))
    wanted = question.content_stems - common
    return wanted & _list_context_stems(first), wanted & _list_context_stems(second)


def _list_context_stems(reading: SpanReading) -> frozenset[str]:
    """Return the stems of the sentence or row of a reading, its line or header, its sections and its caption."""
    evidence = reading.evidence
    lines = [line.text for line in split_lines(evidence) if line.start < reading.end and reading.start < line.end]
    if evidence.grid is not None:
        _, column = evidence.grid.locate_cell(reading.start)
        lines = [evidence.grid.column(column)] if column is not None else []
    return stem_content_words(" ".join((reading.quote, *lines, *evidence.section, evidence.caption)))


def are_told_apart(question: QuestionAnalysis, first: SpanReading, second: SpanReading) -> bool:
    """Return whether two statements are about different things of the question's kind.

    "The fee for children" is another one than "the fee", "the joining fee" another one than "the membership fee", and
    for a question about children, what "adults pay" another one than what "children pay", unless the other sentence
    has the word as well. "The yearly fee" may be "the fee".
    """
    pairs = [(reading, _list_stated_stems(reading)) for reading in (first, second)]
    extra, purposes, missing = [], [], []
    for (reading, _), (_, other) in (pairs, pairs[::-1]):
        purpose, modifiers = _list_modifiers(question, reading)
        purposes.append(purpose - question.content_stems - other)
        extra.append(modifiers - question.content_stems - other)
        missing.append((purpose | modifiers) & question.content_stems - other)
    return any(purposes) or all(extra) or bool(extra[0] and missing[1]) or bool(extra[1] and missing[0])


def are_parallel(first: SpanReading, second: SpanReading) -> bool:
    """Return whether two sentences have the same words but for the value: those of two versions of a document."""
    stems = []
    for reading in (first, second):
        text = reading.evidence.text
        stems.append(
            stem_content_words(text[reading.sentence[0] : reading.start] + text[reading.end : reading.sentence[1]])
        )
    return len(stems[0] & stems[1]) >= max(MIN_PARALLEL, PARALLEL_SHARE * len(stems[0] | stems[1]))


def _list_stated_stems(reading: SpanReading) -> frozenset[str]:
    return stem_content_words(" ".join((reading.quote, *reading.evidence.section, reading.evidence.title)))


def _list_modifiers(question: QuestionAnalysis, reading: SpanReading) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems of what nouns of the question are for, and of their other modifiers and the subjects.

    The label of a row is what its value is for, if no other cell of the row is named by the question.
    """
    if reading.evidence.grid is not None:
        row, column = reading.evidence.grid.locate_cell(reading.start)
        if (
            row is None
            or column == 0
            or any(stem_content_words(c.text) & question.content_stems for c in row.cells[1:])
        ):
            return frozenset(), frozenset()
        return stem_content_words(row.cells[0].text), frozenset()
    purposes: set[str] = set()
    sentence = load_question_parser()(re.sub(r"\s", " ", reading.quote))
    modifiers = _list_subject_stems(sentence, reading.start - reading.sentence[0])
    for token in sentence:
        if token.pos_ not in _WORDS or stem(normalize_word(token.text)) not in question.content_stems:
            continue
        for child in token.children:
            if child.dep_ == "prep" and child.lower_ == "for":
                purposes |= _list_stems(list(child.subtree))
            elif child.dep_ in _MODIFIERS:
                modifiers |= _list_stems([child])
    return frozenset(purposes), frozenset(modifiers)


def _list_subject_stems(sentence: Doc, position: int) -> set[str]:
    """Return the stems of the subjects of the verb that governs the word at a position."""
    token = next((token for token in sentence if token.idx + len(token) > position), None)
    while token is not None and token.pos_ not in {"VERB", "AUX"} and token.head != token:
        token = token.head
    subjects = [child for child in token.children if child.dep_ in _SUBJECTS] if token is not None else []
    return _list_stems([child for child in subjects if child.pos_ == "NOUN"])


def _list_stems(tokens: list[Token]) -> set[str]:
    """Return the stems of the nouns and adjectives, without units and dates."""
    words = [token for token in tokens if token.pos_ in _WORDS and not find_unit(token.text)]
    return {stem(normalize_word(token.text)) for token in words if token.is_alpha and not find_dates(token.text)}
