"""Items that a text lists: the things of an enumeration in a sentence, and the lines below a lead-in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from hopline.answers.layout import split_lines
from hopline.reader.reading import find_unit
from hopline.results import Evidence
from hopline.text.parser import load_question_parser
from hopline.text.values import find_leading_number, parse_number_word
from hopline.text.words import stem_content_words

if TYPE_CHECKING:
    from spacy.tokens import Token

MAX_SENTENCE: Final = 600  # characters of a sentence that is parsed
MAX_ITEM: Final = 160  # characters of an item
_NOUNS: Final = frozenset({"NOUN", "PROPN", "NUM", "PRON", "X", "ADJ"})
_MARKER: Final = re.compile(r"\s*(?:\((?:[a-z]|[ivx]{1,4}|\d{1,2})\)|(?:[a-z]|[ivx]{2,4}|\d{1,2})[.)]|[-*•–])\s+(?=\S)")
_INNER_MARKER: Final = re.compile(r"(?:^|(?<=[;,:.\s]))\s*\((?P<label>[a-z]|[ivx]{1,4}|\d{1,2})\)\s+(?=\S)")
_SEPARATOR: Final = re.compile(r"\s*(?:[,;\n]\s*(?:and|or)\b|[,;\n]|\b(?:and|or)\b)\s*")
_SEVERAL: Final = re.compile(r"[,;\n–]|\b(?:and|to|until|all|both|every|each|through)\b|\w-\w+day\b", re.IGNORECASE)
MAX_BEHIND: Final = 30  # characters behind a number in which the noun stands that it counts
_END: Final = " \t\n,;.:"
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
    first, last = start - sentence[0], end - sentence[0]
    spans = _list_conjuncts(text, first, last) if len(text) <= MAX_SENTENCE else []
    if len(spans) < 2:
        spans = _split_span(text, first, last)
    items = [ListItem(evidence, sentence[0] + begin, sentence[0] + stop, sentence) for begin, stop in spans]
    return items if len(items) > 1 else []


def _list_conjuncts(text: str, start: int, end: int) -> list[tuple[int, int]]:
    doc = load_question_parser()(text)
    span = doc.char_span(start, end, alignment_mode="expand")
    if span is None:
        return []
    head = span.root
    while head.dep_ == "conj" and head.head.pos_ in _NOUNS:
        head = head.head
    heads = list(_follow_conjuncts(head))
    if len(heads) < 2 or any(token.pos_ not in _NOUNS for token in heads):
        return []
    spans = [_find_extent(token) for token in heads]
    if spans[-1][0] < end < spans[-1][1]:  # the reader left out what follows the last thing
        spans[-1] = spans[-1][0], end
    if spans[0][0] < start < spans[0][1] and heads[0].idx >= start:
        spans[0] = start, spans[0][1]
    return spans


def _follow_conjuncts(head: Token) -> Iterator[Token]:
    yield head
    for child in head.children:
        if child.dep_ == "conj":
            yield from _follow_conjuncts(child)


def _find_extent(head: Token) -> tuple[int, int]:
    """Find the span of a thing without what is joined to it: its words, and those that describe it behind "of"."""
    tokens = [head]
    for child in head.children:
        if child.dep_ not in _LINKS and not (child.i > head.i and _is_circumstance(child)):
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
    """Return the item at a span that begins where its noun phrase does: "The pump P2" for "P2"."""
    sentence = find_unit(evidence, start, end)
    doc = load_question_parser()(evidence.text[slice(*sentence)][:MAX_SENTENCE])
    span = doc.char_span(start - sentence[0], end - sentence[0], alignment_mode="expand")
    chunk = next((chunk for chunk in doc.noun_chunks if span and chunk.start <= span.root.i < chunk.end), None)
    begin = sentence[0] + chunk.start_char if chunk and chunk.root.pos_ != "PRON" else start
    return ListItem(evidence, begin if begin < end else start, end, sentence)


def list_below(evidence: Evidence, sentence: tuple[int, int]) -> tuple[str, list[ListItem]]:
    """List the items of the list that a lead-in ("The members are:") begins, or that the sentence is an item of.

    Items are lines with a bullet, letter or number, or the lines without a full stop behind the lead-in. The first
    value is the lead-in; both are empty if the sentence is in no list.
    """
    lines = _split_items(evidence)
    index = next((n for n, (start, end) in enumerate(lines) if start < sentence[1] and sentence[0] < end), None)
    lead = next((n for n in range(index, -1, -1) if _is_lead(evidence, lines[n])), None) if index is not None else None
    if index is None or lead is None:
        return "", []
    spans = _take_items(evidence, lines[lead + 1 :])
    items = [_build_item(evidence, span) for span in spans]
    is_list = index <= lead + len(items) and len(items) > 1 and all(len(item.text) <= MAX_ITEM for item in items)
    return (evidence.text[slice(*lines[lead])], items) if is_list else ("", [])


def _is_lead(evidence: Evidence, span: tuple[int, int]) -> bool:
    return evidence.text[slice(*span)].rstrip().endswith(":")


def _split_items(evidence: Evidence) -> list[tuple[int, int]]:
    """Split a passage into its sentences, and these at the letters of the items within them: "(a) …; (b) …"."""
    spans: list[tuple[int, int]] = []
    for start, end in evidence.sentences or [(line.start, line.end) for line in split_lines(evidence)]:
        text = evidence.text[start:end]
        begins = [match.start() + len(match[0]) - len(match[0].lstrip()) for match in _INNER_MARKER.finditer(text)]
        cuts = sorted({0, *begins, len(text)})
        spans += [(start + a, start + b) for a, b in pairwise(cuts) if text[a:b].strip()]
    return spans


def _take_items(evidence: Evidence, lines: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Take the first lines that are items of one list: all with a marker, or all without a full stop but the last."""
    texts = [evidence.text[start:end].strip() for start, end in lines]
    if texts and (style := _find_marker_style(texts[0])):
        count = next((n for n, text in enumerate(texts) if _find_marker_style(text) != style), len(texts))
        return list(lines[:count])
    count = next((n for n, text in enumerate(texts) if text.endswith((".", "!", "?", ":"))), len(texts))
    is_closed = 0 < count < len(texts) and texts[count - 1].endswith((",", ";", " and"))
    return list(lines[: count + is_closed])


def _find_marker_style(text: str) -> str:
    """Return the marker of an item with its letter or number left out: "()" for "(a)"; "" if it has none."""
    marker = _MARKER.match(text)
    return re.sub(r"[\s\w]+", "1" if re.search(r"\d", marker[0]) else "", marker[0]) if marker else ""


def _build_item(evidence: Evidence, span: tuple[int, int]) -> ListItem:
    text = evidence.text[slice(*span)]
    marker = _MARKER.match(text)
    start = span[0] + (marker.end() if marker else len(text) - len(text.lstrip()))
    end = span[0] + len(re.sub(r"[;,]?\s+(?:and|or)$", "", text.rstrip()).rstrip(_END))
    return ListItem(evidence, start, end, span)


def is_one_thing(evidence: Evidence, start: int, end: int) -> bool:
    """Return whether a span is a single thing, which may be one of several: neither a plural nor a range."""
    text = evidence.text[start:end]
    if evidence.kind == "table":
        return True
    if _SEVERAL.search(text):
        return False
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
