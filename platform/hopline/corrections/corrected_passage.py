"""The properties of a passage whose text is corrected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any, Final

from hopline.corrections.text_edits import move_spans
from hopline.store.lucene import SEPARATOR, add_folded_words
from hopline.text.sentences import Span, split_sentences

PASSAGE_PROPERTIES: Final = ("text", "lines", "sentences", "search")  # those that depend on the text

Properties = Mapping[str, Any]


def correct_passage_text(properties: Properties, text: str) -> dict[str, Any]:
    """Return `PASSAGE_PROPERTIES` with another text: lines and sentences are those of the words that remain."""
    original = properties["text"]
    lines = move_spans(original, text, _pair(properties["lines"]))
    return {
        "text": text,
        "lines": _flatten(lines),
        "sentences": _flatten(_split_again(original, text, _pair(properties["sentences"]))),
        "search": replace_searched_text(properties["search"], original, text),
    }


def replace_searched_text(search: str, original: str, text: str) -> str:
    """Return the indexed text of evidence, which ends with its own text, with another one."""
    indexed = search.partition(SEPARATOR)[0]
    head = indexed.removesuffix(original) if original else indexed
    return add_folded_words(head + text)


def _split_again(original: str, text: str, sentences: Sequence[Span]) -> list[Span]:
    """Return the sentences of a corrected text; those without a change stay whole."""
    groups: list[tuple[Span, str]] = []  # where sentences are now, and their text so far; "" if a change joins several
    for span, (first, last) in zip(move_spans(original, text, sentences), sentences, strict=True):
        if groups and span[0] < groups[-1][0][1]:
            (start, end), _ = groups.pop()
            groups.append(((start, max(end, span[1])), ""))
        else:
            groups.append((span, original[first:last]))
    spans = [
        part
        for span, before in groups
        for part in ([span] if text[slice(*span)] == before else _split_span(text, span))
    ]
    return spans or _split_span(text, (0, len(text)))


def _split_span(text: str, span: Span) -> list[Span]:
    start = span[0]
    return [(start + first, start + last) for first, last in split_sentences(text[slice(*span)])]


def _pair(flat: Sequence[int] | None) -> list[Span]:
    return list(pairwise(flat or ()))[::2]


def _flatten(spans: Iterable[Span]) -> list[int]:
    return list(chain.from_iterable(spans))
