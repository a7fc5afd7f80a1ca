"""Items that a sentence lists: the things of an enumeration, by the dependency parse of the sentence."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hopline.reader.reading import find_unit
from hopline.results import Evidence
from hopline.text.parser import load_question_parser
from hopline.text.values import find_leading_number, parse_number_word
from hopline.text.words import stem, stem_content_words

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

MAX_SENTENCE: Final = 600  # characters of a sentence that is parsed
_BRACKETS: Final = re.compile(r"\s*\([^()]*\)")
_OPEN: Final = re.compile(
    r"\b(?:among (?:them|others)|including|includes?|such as|e\.g\.|for example|etc)", re.IGNORECASE
)
_NOUNS: Final = frozenset({"NOUN", "PROPN", "NUM", "PRON", "X", "ADJ"})
_SEPARATOR: Final = re.compile(r"\s*(?:[,;\n]\s*(?:and|or)\b|[,;\n]|\b(?:and|or)\b)\s*")
_SEVERAL: Final = re.compile(r"[,;\n–]|\b(?:and|to|until|all|both|every|each|through)\b|\w-\w+day\b", re.IGNORECASE)
MAX_BEHIND: Final = 30  # characters behind a number in which the noun stands that it counts
_JOINING: Final = frozenset({",", "and", "or", ";"})
_FINITE: Final = frozenset({"VBD", "VBZ", "VBP", "MD"})
_MODIFIERS: Final = frozenset({"compound", "det", "amod", "nummod", "poss"})  # of a noun, before it
_LINKS: Final = frozenset({"cc", "punct", "conj", "preconj"})


@dataclass(frozen=True, slots=True)
class ListItem:
    """An item: its span in the text of an evidence, and that of the sentence or line that has it."""

    evidence: Evidence
    start: int
    end: int
    sentence: tuple[int, int]

    @property
    def text(self) -> str:
        """The item in one line."""
        return " ".join(self.evidence.text[self.start : self.end].split())


def list_enumerated(evidence: Evidence, start: int, end: int) -> list[ListItem]:
    """List the things that are enumerated at a span of a passage, all of which the span has or one of which it is in.

    The things are joined by commas or "and" in the dependency parse of the sentence. A list that the parser does not
    see is split at its commas. Empty if there is no enumeration.
    """
    sentence = find_unit(evidence, start, end)
    text = evidence.text[slice(*sentence)]
    if len(text) > MAX_SENTENCE or covers_several(evidence, start, end):
        return []
    shown = _list_outside_brackets(text, start - sentence[0])
    doc = load_question_parser()("".join(text[n] for n in shown))
    first, last = bisect_left(shown, start - sentence[0]), bisect_left(shown, end - sentence[0])
    span = doc.char_span(first, last, alignment_mode="expand")
    if span is None:
        return []
    spans = _list_conjuncts(span)
    is_clause = any(token.tag_ in _FINITE for token in span)
    if not is_clause and (len(spans) < 2 or spans[-1][1] < span.end_char):
        spans = max(spans, _split_span(doc.text, first, last), key=len)
    shift = sentence[0]
    items = [ListItem(evidence, shift + shown[begin], shift + shown[stop - 1] + 1, sentence) for begin, stop in spans]
    return items if len(items) > 1 else []


def list_enumerated_behind(evidence: Evidence, end: int) -> list[ListItem]:
    """List the things that the sentence enumerates behind the number of them that ends at ``end``."""
    sentence = find_unit(evidence, end - 1, end)
    doc = load_question_parser()(evidence.text[slice(*sentence)][:MAX_SENTENCE])
    first = end - sentence[0]
    heads = [token for token in doc if token.idx >= first and token.pos_ in _NOUNS and token.dep_ != "conj"]
    head = next(filter(_is_joined, heads), None)
    if head is None:
        return []
    begin = min(token.idx for token in (head, *head.children) if token is head or token.dep_ in _MODIFIERS)
    return list_enumerated(evidence, sentence[0] + begin, sentence[0] + head.idx + len(head))


def _list_outside_brackets(text: str, start: int) -> list[int]:
    """List the characters of a text without what is in brackets, across which the parser joins names wrongly.

    Nothing is left out if ``start`` is in brackets.
    """
    brackets = [match.span() for match in _BRACKETS.finditer(text)]
    if any(first <= start < last for first, last in brackets):
        return list(range(len(text)))
    return [n for n in range(len(text)) if not any(first <= n < last for first, last in brackets)]


def _list_conjuncts(span: Span) -> list[tuple[int, int]]:
    """List the spans of the nouns that are joined to that of a span, or that follow prepositions joined to its one."""
    heads = list(_follow_conjuncts(_find_first(span.root)))
    if len(heads) < 2:
        heads = _list_behind_prepositions(span.root)
    if len(heads) < 2 or any(token.pos_ not in _NOUNS for token in heads):
        return []
    spans = _separate([_find_extent(token) for token in heads], span.doc)
    if spans[-1][0] < span.end_char < spans[-1][1]:  # the reader left out what follows the last item
        spans[-1] = spans[-1][0], span.end_char
    if spans[0][0] < span.start_char < spans[0][1]:
        spans[0] = span.start_char, spans[0][1]
    return spans


def _separate(spans: Sequence[tuple[int, int]], doc: Doc) -> list[tuple[int, int]]:
    """Cut each span where the next one begins, without the comma, "and" or preposition before it."""
    separate = []
    for (start, end), following in zip(spans, (*spans[1:], (len(doc.text), 0)), strict=True):
        tokens = [token for token in doc if start <= token.idx < min(end, following[0])]
        while end > following[0] and tokens and (tokens[-1].lower_ in _JOINING or tokens[-1].pos_ == "ADP"):
            tokens.pop()
        separate.append((start, tokens[-1].idx + len(tokens[-1]) if tokens else end))
    return separate


def _find_first(head: Token) -> Token:
    """Find the first of the words that are joined to a word of the same kind."""
    while head.dep_ == "conj" and head.head.pos_ in (_NOUNS if head.pos_ in _NOUNS else {head.pos_}):
        head = head.head
    return head


def _follow_conjuncts(head: Token) -> Iterator[Token]:
    """Yield a word and those that are joined to it, also one that the parser takes for a second name of it."""
    yield head
    is_joined = _is_joined(head)
    for child in head.children:
        before = head.doc[child.left_edge.i - 1].text
        is_conjunct = child.dep_ == "conj" and before != "&"
        is_name = child.dep_ == "appos" and child.pos_ == head.pos_ and child.left_edge.pos_ != "DET" and before == ","
        if is_conjunct or (is_name and (is_joined or _is_joined(child))):
            yield from _follow_conjuncts(child)


def _is_joined(head: Token) -> bool:
    return any(child.dep_ == "conj" for child in head.children)


def _list_behind_prepositions(noun: Token) -> list[Token]:
    """List the nouns behind a preposition that is repeated: "for theft, for damage and for vandalism"."""
    if noun.dep_ != "pobj":
        return []
    repeated: list[Token] = []
    for token in noun.doc:
        if token.lower_ == noun.head.lower_ and token.pos_ == noun.head.pos_:
            repeated = [*repeated, token] if token.i and noun.doc[token.i - 1].lower_ in _JOINING else [token]
    nouns = [child for token in repeated for child in token.children if child.dep_ == "pobj"]
    return nouns if noun in nouns else []


def _find_extent(head: Token) -> tuple[int, int]:
    """Find the span of a thing without what is joined to it: its words, and those that describe it behind "of"."""
    tokens = [head]
    for child in head.children:
        is_part_of_name = child.dep_ != "punct" and any(other.text == "&" for other in head.children)
        if (child.dep_ not in _LINKS or is_part_of_name) and not (child.i > head.i and _is_circumstance(child)):
            tokens += [token for token in child.subtree if child.dep_ != "relcl"]
    tokens.sort(key=lambda token: token.i)
    return tokens[0].idx, tokens[-1].idx + len(tokens[-1])


def _is_circumstance(child: Token) -> bool:
    """Return whether words behind a noun say when it was, or are a clause."""
    is_dated = child.dep_ == "prep" and any(token.like_num for token in child.subtree)
    return is_dated or child.dep_ in {"relcl", "acl", "advcl", "parataxis", "advmod"}


def _split_span(text: str, start: int, end: int) -> list[tuple[int, int]]:
    spans, position = [], start
    for match in (*_SEPARATOR.finditer(text, start, end), None):
        stop = match.start() if match else end
        if stop > position:
            spans.append((position, stop))
        position = match.end() if match else end
    return spans


def widen_to_phrase(evidence: Evidence, start: int, end: int) -> ListItem:
    """Return the item at a span with its whole noun phrase ("The pump P2" for "P2"), the first one of a clause."""
    sentence = find_unit(evidence, start, end)
    doc = load_question_parser()(evidence.text[slice(*sentence)][:MAX_SENTENCE])
    span = doc.char_span(start - sentence[0], end - sentence[0], alignment_mode="expand")
    chunks = [chunk for chunk in doc.noun_chunks if span and chunk.start < span.end and span.start < chunk.end]
    if span is None or not chunks or chunks[0].root.pos_ == "PRON":
        return ListItem(evidence, start, end, sentence)
    is_clause = any(token.tag_ in _FINITE for token in span)
    begin, stop = chunks[0].start_char, chunks[0].end_char if is_clause else span.end_char
    return ListItem(evidence, sentence[0] + begin, sentence[0] + stop, sentence)


def list_named(evidence: Evidence, sentence: tuple[int, int], nouns: frozenset[str]) -> list[ListItem]:
    """List the names in a sentence that end with one of the nouns: "the New Bridge"."""
    doc = load_question_parser()(evidence.text[slice(*sentence)][:MAX_SENTENCE])
    chunks = [chunk for chunk in doc.noun_chunks if chunk.root.pos_ == "PROPN" and stem(chunk.root.lower_) in nouns]
    start = sentence[0]
    return [ListItem(evidence, start + chunk.start_char, start + chunk.end_char, sentence) for chunk in chunks]


def covers_several(evidence: Evidence, start: int, end: int) -> bool:
    """Return whether a span has characters of several sentences or lines of a passage."""
    return sum(first < end and start < last for first, last in evidence.sentences) > 1


def is_one_thing(evidence: Evidence, start: int, end: int) -> bool:
    """Return whether a span is a single thing, which may be one of several: neither a plural nor a range."""
    text = evidence.text[start:end]
    if _SEVERAL.search(text):
        return False
    if evidence.kind == "table":
        return True
    sentence = find_unit(evidence, start, end)
    doc = load_question_parser()(evidence.text[slice(*sentence)][:MAX_SENTENCE])
    span = doc.char_span(start - sentence[0], end - sentence[0], alignment_mode="expand")
    return span is None or span.root.tag_ not in {"NNS", "NNPS"}


def is_count_of(evidence: Evidence, start: int, end: int, nouns: frozenset[str]) -> bool:
    """Return whether a span is the number of things, as "three" in "three bridges" is."""
    number = find_leading_number(evidence.text[start:end])
    words = evidence.text[start : end + MAX_BEHIND].split()
    is_number = number is not None or parse_number_word(words[0] if words else "") is not None
    return is_number and not nouns.isdisjoint(stem_content_words(" ".join(words[1:3])))


def states_more(items: Sequence[ListItem], nouns: frozenset[str]) -> bool:
    """Return whether the sentence of an enumeration says that there are more things than it names.

    It has "among them" before them, or another number before the noun: "six boats". "Two fans" are two things.
    """
    [evidence, (start, end)] = items[0].evidence, items[0].sentence
    if _OPEN.search(evidence.text, start, items[0].start) or _OPEN.search(evidence.text, items[-1].end, end):
        return True
    words = evidence.text[start : items[0].start].split()
    numbers = [(n, parse_number_word(word.lower())) for n, word in enumerate(words)]
    counts = [count for n, count in numbers if count and nouns & stem_content_words(" ".join(words[n : n + 3]))]
    named = sum(parse_number_word(item.text.split()[0].lower()) or 1 for item in items)
    return bool(counts) and counts[-1] not in {named, len(items)}
