"""A parsed text as plain lists: what the rules look at, token by token, without spaCy's objects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hopline_ingest.extraction.records import Readable, Span
from hopline_ingest.extraction.spacy_pipeline import pipeline

if TYPE_CHECKING:
    from spacy.tokens import Doc

_CHANGED = str.maketrans({"\n": " ", "\t": " ", "\r": " ", "\u00a0": " ", "\u00ad": " ", "’": "'", "‘": "'"})
_QUOTES = re.compile("``|''|[“”„«»]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def readable_by_spacy(text: str) -> str:
    """The text with odd characters replaced one for one, so that spans stay true."""
    plain = _SURROGATE.sub("?", text).translate(_CHANGED)
    return _QUOTES.sub(lambda found: '"' if len(found[0]) == 1 else '" ', plain)


@dataclass(frozen=True, slots=True)
class Parse:
    """Tokens of one text; every list but ``sentences`` and ``entities`` is (n,).

    ``plain`` is what the parser read, as long as ``text`` and with plain quotes.

    ``tags`` are Penn's, ``deps`` those of spaCy's English models. ``heads`` are token numbers; a
    root is its own head. ``lefts`` and ``rights`` bound the subtree of a token: [left, right].
    ``sentences`` are token ranges, ``entities`` (start, end, label) with end exclusive; ``label``
    is the entity that covers a token, by its place in ``entities``, or -1.
    """

    text: str
    plain: str
    words: list[str]
    lower: list[str]
    tags: list[str]
    deps: list[str]
    heads: list[int]
    starts: list[int]
    ends: list[int]
    children: list[list[int]]
    lefts: list[int]
    rights: list[int]
    sentences: list[Span]
    spans: list[Span]
    entities: list[tuple[int, int, str]]
    label: list[int]

    def __len__(self) -> int:
        return len(self.words)

    def span(self, start: int, end: int) -> Span:
        """Characters of the tokens [start, end)."""
        return (self.starts[start], self.ends[end - 1])

    def named(self, token: int) -> tuple[int, int, str] | None:
        """The named entity that covers a token."""
        place = self.label[token]
        return self.entities[place] if place >= 0 else None


def tokens_of(readable: Readable, most: int) -> Doc:
    """The tokens of the first ``most`` characters, with the readable's sentences marked for the parser to keep."""
    doc = pipeline().make_doc(readable_by_spacy(readable.text[:most]))
    begins = {start for start, _ in readable.sentences}
    if begins:
        for token in doc:
            if token.idx in begins:
                token.is_sent_start = True
    return doc


def parsed(doc: Doc, readable: Readable) -> Parse:
    """The lists of one parsed text. Sentences are the readable's own where it has any."""
    words = [token.text for token in doc]
    tags, deps, heads = _grammar(doc)
    starts: list[int] = doc.to_array("IDX").tolist()
    ends = [start + len(word) for start, word in zip(starts, words, strict=True)]
    sentences = [(sent.start, sent.end) for sent in doc.sents] if words else []
    entities = [(ent.start, ent.end, ent.label_) for ent in doc.ents]
    return Parse(
        text=readable.text,
        plain=doc.text,
        words=words,
        lower=[word.lower() for word in words],
        tags=tags,
        deps=deps,
        heads=heads,
        starts=starts,
        ends=ends,
        children=_children(heads),
        lefts=[token.left_edge.i for token in doc],
        rights=[token.right_edge.i for token in doc],
        sentences=sentences,
        spans=list(_sentence_spans(sentences, starts, ends, readable.sentences)),
        entities=entities,
        label=_labels(len(words), entities),
    )


def _grammar(doc: Doc) -> tuple[list[str], list[str], list[int]]:
    strings = doc.vocab.strings
    array = doc.to_array(["TAG", "DEP", "HEAD"])
    tags, deps, offsets = array.T.tolist() if len(doc) else ([], [], [])
    names = {key: strings[key] for key in {*tags, *deps}}
    heads = [place + offset & 0xFFFF_FFFF_FFFF_FFFF for place, offset in enumerate(offsets)]  # offsets wrap below zero
    return [names[key] for key in tags], [names[key] for key in deps], heads


def _children(heads: Sequence[int]) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in heads]
    for place, head in enumerate(heads):
        if head != place:
            children[head].append(place)
    return children


def _labels(n: int, entities: Sequence[tuple[int, int, str]]) -> list[int]:
    label = [-1] * n
    for place, (start, end, _) in enumerate(entities):
        label[start:end] = [place] * (end - start)
    return label


def _sentence_spans(
    sentences: Sequence[Span], starts: Sequence[int], ends: Sequence[int], own: Sequence[Span]
) -> Iterator[Span]:
    """For each sentence of the parser its characters, or the readable's sentence it begins in."""
    for first, last in sentences:
        start, end = starts[first], ends[last - 1]
        yield next(((a, b) for a, b in own if a <= start < b), (start, end))
