"""What two statements are about: whether they share the words of a question, and what tells them apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hopline.answers.layout import split_lines
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.input import format_heading
from hopline.reader.reading import SpanReading
from hopline.text.measures import find_unit
from hopline.text.parser import load_question_parser
from hopline.text.values import find_dates
from hopline.text.words import load_function_words, normalize_word, stem, stem_content_words

if TYPE_CHECKING:
    from spacy.tokens import Token

_MODIFIERS: Final = frozenset({"amod", "compound", "poss", "nmod"})
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

    "The fee for children" is another one than "the fee", and "the joining fee" another one than "the membership fee",
    unless the question says which, or the other sentence has the word as well. "The yearly fee" may be "the fee".
    """
    known = question.content_stems | load_function_words()
    stated = [
        stem_content_words(" ".join((item.quote, *item.evidence.section, item.evidence.title)))
        for item in (first, second)
    ]
    purposes, modifiers = [], []
    for reading, other in ((first, stated[1]), (second, stated[0])):
        purpose, modifier = _list_modifiers(question, reading)
        purposes.append(purpose - known - other)
        modifiers.append(modifier - known - other)
    return any(purposes) or all(modifiers)


def _list_modifiers(question: QuestionAnalysis, reading: SpanReading) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems of what nouns of the question are for, and of what else modifies them, in a sentence or row."""
    if reading.evidence.grid is not None:
        row, column = reading.evidence.grid.locate_cell(reading.start)
        is_labelled = row is not None and column != 0
        return (stem_content_words(row.cells[0].text) if row and is_labelled else frozenset()), frozenset()
    purposes: set[str] = set()
    modifiers: set[str] = set()
    for token in load_question_parser()(" ".join(reading.quote.split())):
        if token.pos_ not in _WORDS or stem(normalize_word(token.text)) not in question.content_stems:
            continue
        for child in token.children:
            if child.dep_ == "prep" and child.lower_ == "for":
                purposes |= _list_stems(list(child.subtree))
            elif child.dep_ in _MODIFIERS:
                modifiers |= _list_stems([child])
    return frozenset(purposes), frozenset(modifiers)


def _list_stems(tokens: list[Token]) -> set[str]:
    """Return the stems of the nouns and adjectives, without units and dates."""
    words = [token for token in tokens if token.pos_ in _WORDS and not find_unit(token.text)]
    return {stem(normalize_word(token.text)) for token in words if token.is_alpha and not find_dates(token.text)}
