"""Extraction for JSONL rows with given entities and triples, which are located in the text without parsing."""

from __future__ import annotations

import re

from hopline_ingest.extraction.mentions.names import name_key
from hopline_ingest.extraction.records import Extraction, ExtractionInput, Mention, Span, StatedTriple

GIVEN = "given"


def find_spans(name: str, text: str, *, exact: bool = False) -> tuple[Span, ...]:
    """Find a name in a text as whole words, ignoring differences in whitespace and, unless ``exact``, in case."""
    words = name.split()
    if not words:
        return ()
    pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, words)) + r"(?!\w)"
    return tuple(match.span() for match in re.finditer(pattern, text, 0 if exact else re.IGNORECASE))


def find_sentence(words: str, text: str, sentences: tuple[Span, ...]) -> Span:
    """Return the sentence with most of the words, the first if equal; the whole text if no sentence is known."""
    wanted = set(name_key(words).split())
    spans = sentences or ((0, len(text)),)
    return max(spans, key=lambda span: len(wanted.intersection(name_key(text[span[0] : span[1]]).split())))


def build_mentions(names: dict[str, str], evidence: ExtractionInput) -> tuple[Mention, ...]:
    """Build a mention for each name (name -> kind), with its spans if it occurs in the text."""
    merged: dict[str, Mention] = {}
    for name, kind in names.items():
        if name_key(name):
            merged.setdefault(name_key(name), Mention(name, kind, find_spans(name, evidence.text)))
    return tuple(merged.values())


def extract_given(evidence: ExtractionInput) -> Extraction:
    """Return the given entities and triples of a row with their positions in the text."""
    triples = evidence.given_triples or ()
    names = list(evidence.given_entities or ())
    if evidence.given_entities is None:
        names = [end for subject, _, object_ in triples for end in (subject, object_)]
    by_key = {
        tuple(map(name_key, triple)): StatedTriple(
            *triple, find_sentence(" ".join(triple), evidence.text, evidence.sentences)
        )
        for triple in reversed(triples)
        if all(part.strip() for part in triple)
    }
    mentions = build_mentions({name: "" for name in names if name.strip()}, evidence)
    return Extraction(evidence.id, GIVEN, mentions=mentions, triples=tuple(reversed(by_key.values())))
