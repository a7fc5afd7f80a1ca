"""Phrases that one clause of a question repeats: "in 2022 and in 2023", "of the lock and of the hinge".

"What was the rate in Halm and in Osk in 2020?"                    the same preposition again
"What is the term of the lease and that of the loan?"              "that" for the noun before it
"What was the rate in June and July 2023?"                         two times behind one preposition
"What is the fee for members and guests?"                          two things behind one preposition
"What were the GAAP and non-GAAP margins?"                         two kinds of the same thing
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from hopline.questions.coordination import (
    AND,
    BE,
    QUESTION_WORDS,
    capitalize,
    compares_things,
    format_question,
    join_tokens,
    relates_things,
    strip_punctuation,
)
from hopline.questions.phrases import DO
from hopline.text.value_conflicts import is_weekday
from hopline.text.values import find_date, find_years

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

_PREPOSITIONS: Final = frozenset({"IN", "TO"})
_FINITE_TAGS: Final = frozenset({"VBD", "VBZ", "VBP", "MD"})
_NOUN_TAGS: Final = frozenset({"NN", "NNS", "NNP", "NNPS"})
_PERIODS: Final = frozenset({"quarter", "half", "year", "month", "week", "season", "term", "semester"})
_ATTRIBUTES: Final = frozenset({"of", "for", "in", "at"})  # prepositions of what a value belongs to
_ENTITIES: Final = frozenset({"who", "which", "whose"})

Bounds = tuple[int, int]
"""The indices of the first token of an item, and of the token behind its last one."""


def split_phrases(document: Doc, texts: Sequence[str]) -> list[str]:
    """Split a question at phrases that its clause repeats: the same question with each; [] if it has none.

    Things that one of the ``texts`` joins in the same way ("salt and pepper") are one thing. A question for what has
    several properties ("Which player scored in May and in June?") is for one thing.
    """
    if not _asks_for_value(document) or relates_things(document.text):
        return []
    for items in (*_find_repeated_prepositions(document), *_find_repeated_nouns(document)):
        return _repeat_question(document, items)
    if compares_things(document.text):
        return []
    for items in (*_find_objects(document), *_find_kinds(document)):
        if _are_apart(document, items) or not _is_joined(document[items[0][0] : items[-1][1]].text, texts):
            return _repeat_question(document, items)
    return []


def is_time(phrase: Span | Doc) -> bool:
    """Return whether a phrase has a time: "in June 2023", "the first quarter", "Monday"."""
    return bool(
        find_years(phrase.text)
        or find_date(phrase.text)
        or any(is_weekday(token.text) or token.lower_ in _PERIODS for token in phrase)
    )


def _asks_for_value(document: Doc) -> bool:
    """Whether a question asks for something of the things in it, unlike "Who has been in Halm and in Osk?"."""
    position = next((token.i for token in document if token.lower_ in QUESTION_WORDS), None)
    if position is None or position > 1:
        return position is not None and document[position - 1].text == ","
    word = document[position]
    if word.lower_ not in _ENTITIES:
        return True
    return any(token.lower_ in BE | DO.keys() for token in document[position + 1 :])


def _find_repeated_prepositions(document: Doc) -> Iterator[list[Bounds]]:
    for token in document:
        if token.tag_ not in _PREPOSITIONS or token.dep_ == "conj":
            continue
        phrases = [token]
        while following := _find_same_preposition(phrases[-1]):
            phrases.append(following)
        starts = [phrase.i for phrase in phrases]
        if len(phrases) > 1:
            ends = [_skip_back(document, _find_separator(document, start)) for start in starts[1:]]
            yield list(zip(starts, [*ends, _find_end(phrases[-1])], strict=True))


def _find_same_preposition(preposition: Token) -> Token | None:
    """The same preposition that is joined to this one, or to its noun by "that of"."""
    following = [child for child in preposition.children if child.dep_ == "conj"]
    for child in preposition.head.children:
        if child.dep_ == "conj" and child.tag_ in _PREPOSITIONS:
            following.append(child)
        elif child.dep_ == "conj" and child.lower_ in {"that", "those"} and preposition.head.pos_ == "NOUN":
            following += [word for word in child.children if word.dep_ == "prep"]
    return next((token for token in following if token.i > preposition.i and token.lower_ == preposition.lower_), None)


def _find_separator(document: Doc, start: int) -> int:
    """The index of the "and" or comma before a phrase."""
    while start > 1 and document[start - 1].lower_ not in AND | {","}:
        start -= 1
    return start - 1


def _skip_back(document: Doc, end: int) -> int:
    while document[end - 1].text == ",":
        end -= 1
    return end


def _find_end(token: Token) -> int:
    """The index behind the last word of a phrase, before the verb of its clause."""
    words = [word.i for word in token.subtree if word.i > token.i]
    end = max(words, default=token.i) + 1
    while token.doc[end - 1].tag_ in _NOUN_TAGS and token.doc[end].tag_ in _NOUN_TAGS:  # not joined by the parser
        end += 1
    verb = next((i for i in words if token.doc[i].tag_ in _FINITE_TAGS), end)
    return min(verb, len(strip_punctuation(token.doc)))


def _find_repeated_nouns(document: Doc) -> Iterator[list[Bounds]]:
    """Two noun phrases with the same last noun: "the first quarter and the second quarter"."""
    for first, second in pairwise(document.noun_chunks):
        between = strip_punctuation(document[first.end : second.start])
        if not between and first.end < second.start and first.root.lower_ == second.root.lower_:
            yield [(first.start, first.end), (second.start, second.end)]


def _find_objects(document: Doc) -> Iterator[list[Bounds]]:
    """The times, or things that a value belongs to, that one preposition has: "in June and July 2023"."""
    for noun in document:
        nouns = [noun]
        while following := _list_conjuncts(nouns[-1]):
            nouns.append(following[0])
        words = {child.lower_ for item in nouns for child in item.children if child.dep_ == "cc"}
        if noun.dep_ != "pobj" or not words or not words <= AND or len(nouns) < 2:
            continue
        starts = [item.left_edge.i for item in nouns]
        ends = [_skip_back(document, _find_separator(document, start)) for start in starts[1:]]
        items = list(zip(starts, [*ends, _find_noun_end(nouns[-1])], strict=True))
        are_things = _belongs_to_value(noun.head) and all(document[end - 1].tag_ in _NOUN_TAGS for _, end in items)
        if are_things or all(is_time(document[slice(*item)]) for item in items):
            yield items


def _belongs_to_value(preposition: Token) -> bool:
    """Whether a preposition belongs to the value that is asked for: "What is the fee for members and guests?"."""
    document, value = preposition.doc, preposition.head
    is_value = value.pos_ == "NOUN" and value.dep_ in {"nsubj", "attr"} and value.head.lower_ in BE
    asks_value = document[0].lower_ in {"what", "how"}
    return preposition.lower_ in _ATTRIBUTES and is_value and asks_value and "&" not in document.text


def _find_noun_end(noun: Token) -> int:
    """The index behind a noun with its year, or behind "non-members"."""
    if noun.lower_ == "non" and noun.i + 2 < len(noun.doc) and noun.nbor(1).text == "-":
        return noun.i + 3
    return max([noun.i, *(child.i for child in noun.rights if child.tag_ == "CD")]) + 1


def _find_kinds(document: Doc) -> Iterator[list[Bounds]]:
    """Kinds of the things that a plural noun names: "the gross and net weights"."""
    for noun in document:
        kinds = [child for child in noun.lefts if child.dep_ in {"amod", "nmod"} and _list_conjuncts(child)]
        if noun.tag_ not in {"NNS", "NNPS"} or not kinds:
            continue
        first = kinds[0]
        conjunct = document[next(i for i in range(first.i, noun.i) if document[i].lower_ in AND) + 1]
        adjectives = first.tag_ == "JJ" and all(token.tag_ == "JJ" for token in _list_conjuncts(first))
        contrast = conjunct.lower_ == "non" and document[conjunct.i + 2].lower_ == first.lower_
        if adjectives or contrast:
            end = conjunct.i + 3 if contrast else conjunct.i + 1
            yield [(first.i, conjunct.i - 1), (conjunct.i, end)]


def _list_conjuncts(token: Token) -> list[Token]:
    return [child for child in token.children if child.dep_ == "conj"]


def _are_apart(document: Doc, items: Sequence[Bounds]) -> bool:
    """Whether items exclude each other: times, "GAAP and non-GAAP"."""
    return document[items[-1][0]].lower_ == "non" or all(is_time(document[slice(*item)]) for item in items)


def _is_joined(text: str, texts: Sequence[str]) -> bool:
    """Whether one of the texts joins the items in the same way."""
    words = text.lower().replace("&", "and")
    return any(words in " ".join(item.lower().replace("&", "and").split()) for item in texts)


def _repeat_question(document: Doc, items: Sequence[Bounds]) -> list[str]:
    """The question with each of the items; a time has the year of the last one, if it has none."""
    texts = [document[start:end].text for start, end in items]
    years = find_years(texts[-1])
    is_dated = len(years) == 1 and texts[-1].endswith(years[0])
    before, after = document[: items[0][0]].text_with_ws, document[items[-1][1] :]
    questions = []
    for item, text in zip(items, texts, strict=True):
        inherits = is_dated and not find_years(text) and is_time(document[slice(*item)])
        dated = f"{text} {years[0]}" if inherits else text
        questions.append(format_question(f"{before}{dated} {join_tokens(after)}"))
    return [capitalize(question) for question in questions]
