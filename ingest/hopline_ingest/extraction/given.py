"""Rows that bring their entities and triples with them: found in the text, not parsed."""

from __future__ import annotations

import re

from hopline_ingest.extraction.mentions.names import key
from hopline_ingest.extraction.records import Extraction, Mention, Readable, Span, Stated

GIVEN = "given"


def spans_of(name: str, text: str, *, exact: bool = False) -> tuple[Span, ...]:
    """Where the text has the name as whole words, whatever its spaces and, unless ``exact``, its case."""
    words = name.split()
    if not words:
        return ()
    pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, words)) + r"(?!\w)"
    return tuple(found.span() for found in re.finditer(pattern, text, 0 if exact else re.IGNORECASE))


def sentence_of(words: str, text: str, sentences: tuple[Span, ...]) -> Span:
    """The sentence that holds most of the words; the first of equals; the whole text where none is known."""
    wanted = set(key(words).split())
    spans = sentences or ((0, len(text)),)
    return max(spans, key=lambda span: len(wanted.intersection(key(text[span[0] : span[1]]).split())))


def mentions_of(names: dict[str, str], readable: Readable) -> tuple[Mention, ...]:
    """A mention for each name (name -> kind), located where it can be."""
    merged: dict[str, Mention] = {}
    for name, kind in names.items():
        if key(name):
            merged.setdefault(key(name), Mention(name, kind, spans_of(name, readable.text)))
    return tuple(merged.values())


def read_given(readable: Readable) -> Extraction:
    """The entities and triples of a row as they are, with their places in the text."""
    triples = readable.given_triples or ()
    names = list(readable.given_entities or ())
    if readable.given_entities is None:
        names = [end for subject, _, object_ in triples for end in (subject, object_)]
    stated = {
        tuple(map(key, triple)): Stated(*triple, sentence_of(" ".join(triple), readable.text, readable.sentences))
        for triple in reversed(triples)
        if all(part.strip() for part in triple)
    }
    mentions = mentions_of({name: "" for name in names if name.strip()}, readable)
    return Extraction(readable.id, GIVEN, mentions=mentions, triples=tuple(reversed(stated.values())))
