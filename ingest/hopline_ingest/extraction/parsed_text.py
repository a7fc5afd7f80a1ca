"""A dependency-parsed text as plain lists, the input of the rules, without spaCy's objects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hopline_ingest.extraction.name_tags import NameTags, tag_docs
from hopline_ingest.extraction.records import ExtractionInput, Span
from hopline_ingest.extraction.spacy_pipeline import load_pipeline

if TYPE_CHECKING:
    from spacy.tokens import Doc

_REPLACEMENTS = str.maketrans({"\n": " ", "\t": " ", "\r": " ", "\u00a0": " ", "\u00ad": " ", "’": "'", "‘": "'"})
_QUOTES = re.compile("``|''|[“”„«»]")
_SHORT_LINE = 50  # characters of a line that is no part of a paragraph
_SURROGATE = re.compile("[\ud800-\udfff]")


def clean_for_spacy(text: str) -> str:
    """Replace unusual characters one for one, so that spans remain valid."""
    plain = _SURROGATE.sub("?", text).translate(_REPLACEMENTS)
    return _QUOTES.sub(lambda match: '"' if len(match[0]) == 1 else '" ', plain)


@dataclass(frozen=True, slots=True)
class ParsedText:
    """Annotated tokens of one text; every list except ``sentences``, ``spans`` and ``entities`` is (n,).

    ``plain`` is the parser's input, as long as ``text`` and with plain quotes.

    ``tags`` are Penn Treebank tags, ``deps`` the labels of spaCy's English models. ``heads`` are token
    indices; a root is its own head. ``lefts`` and ``rights`` are the bounds of a token's subtree, both
    inclusive. ``sentences`` are token ranges, ``spans`` their character ranges, ``entities``
    (start, end, label) with an exclusive end; ``entity_index`` is the index in ``entities`` of the entity
    that covers a token, or -1. ``entities`` are those of the parser, which knows numbers and dates; names and their
    types are in ``name_tags``.
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
    entity_index: list[int]
    name_tags: NameTags

    def __len__(self) -> int:
        return len(self.words)

    def span(self, start: int, end: int) -> Span:
        """Return the character range of the tokens [start, end)."""
        return (self.starts[start], self.ends[end - 1])

    def entity_at(self, token: int) -> tuple[int, int, str] | None:
        """Return the named entity that covers a token, or None."""
        index = self.entity_index[token]
        return self.entities[index] if index >= 0 else None


def tokenize(evidence: ExtractionInput, limit: int) -> Doc:
    """Tokenize the first ``limit`` characters and mark sentence starts, which the parser preserves.

    These are the given ones, or else the starts of lines after short lines, such as headings and signatures. The lines
    of a paragraph are joined when a document is parsed; those of texts that are added as they are may be wrapped.
    """
    text = evidence.text[:limit]
    doc = load_pipeline().make_doc(clean_for_spacy(text))
    begins = {start for start, _ in evidence.sentences} or _find_line_starts(text)
    if begins:
        for token in doc:
            if token.idx in begins:
                token.is_sent_start = True
    return doc


def _find_line_starts(text: str) -> set[int]:
    """Return where lines begin that follow a short line, unless they continue its sentence in lower case."""
    starts, line = set(), 0
    while (end := text.find("\n", line)) >= 0:
        following = end + len(text[end:]) - len(text[end:].lstrip())
        if text[line:end].strip() and end - line <= _SHORT_LINE and not text[following : following + 1].islower():
            starts.add(following)
        line = end + 1
    return starts


def to_parsed_text(doc: Doc, evidence: ExtractionInput, name_tags: NameTags | None = None) -> ParsedText:
    """Convert a spaCy document; the given sentences of the input, if any, replace the parser's.

    ``name_tags`` are those of the document, if they are computed already.
    """
    words = [token.text for token in doc]
    tags, deps, heads = _read_annotations(doc)
    starts: list[int] = doc.to_array("IDX").tolist()
    ends = [start + len(word) for start, word in zip(starts, words, strict=True)]
    sentences = [(sentence.start, sentence.end) for sentence in doc.sents] if words else []
    entities = [(ent.start, ent.end, ent.label_) for ent in doc.ents]
    return ParsedText(
        text=evidence.text,
        plain=doc.text,
        words=words,
        lower=[word.lower() for word in words],
        tags=tags,
        deps=deps,
        heads=heads,
        starts=starts,
        ends=ends,
        children=_group_children(heads),
        lefts=[token.left_edge.i for token in doc],
        rights=[token.right_edge.i for token in doc],
        sentences=sentences,
        spans=list(_sentence_spans(sentences, starts, ends, evidence.sentences)),
        entities=entities,
        entity_index=_index_entities(len(words), entities),
        name_tags=name_tags or tag_docs([doc])[0],
    )


def _read_annotations(doc: Doc) -> tuple[list[str], list[str], list[int]]:
    strings = doc.vocab.strings
    array = doc.to_array(["TAG", "DEP", "HEAD"])
    tags, deps, offsets = array.T.tolist() if len(doc) else ([], [], [])
    names = {key: strings[key] for key in {*tags, *deps}}
    heads = [
        index + offset & 0xFFFF_FFFF_FFFF_FFFF for index, offset in enumerate(offsets)
    ]  # negative offsets wrap around as unsigned integers
    return [names[key] for key in tags], [names[key] for key in deps], heads


def _group_children(heads: Sequence[int]) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in heads]
    for index, head in enumerate(heads):
        if head != index:
            children[head].append(index)
    return children


def _index_entities(n: int, entities: Sequence[tuple[int, int, str]]) -> list[int]:
    entity_index = [-1] * n
    for index, (start, end, _) in enumerate(entities):
        entity_index[start:end] = [index] * (end - start)
    return entity_index


def _sentence_spans(
    sentences: Sequence[Span], starts: Sequence[int], ends: Sequence[int], preset: Sequence[Span]
) -> Iterator[Span]:
    """Yield, for each sentence of the parser, the given sentence that it begins in, else its own character range."""
    for first, last in sentences:
        start, end = starts[first], ends[last - 1]
        yield next(((a, b) for a, b in preset if a <= start < b), (start, end))
