"""What a passage or table is about: title, heading, caption, definition, subject of its first sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hopline_ingest.extract.aliases import without_suffix
from hopline_ingest.extract.extraction import About, Readable
from hopline_ingest.extract.mentions import key
from hopline_ingest.extract.names import base_phrase, shown, trimmed
from hopline_ingest.extract.parse import Parse
from hopline_ingest.extract.tables import caption_of
from hopline_ingest.extract.vocabulary import HEADINGS

_NUMBER = re.compile(
    r"^(?:[\dIVXivx]+[.)]\s*|[\d.]+\s+|(?:chapter|section|part|item)\s+[\dIVXivx.]+[.:]?\s*)+", re.IGNORECASE
)
_FINITE = frozenset({"VBZ", "VBD", "VBP", "MD"})


def about(readable: Readable, parse: Parse | None) -> tuple[About, ...]:
    """Everything that it is about, surest first; one a normalised name."""
    best: dict[str, About] = {}
    for one in (*_outer(readable), *(_inner(parse) if parse else ())):
        if key(one.name) and (key(one.name) not in best or best[key(one.name)].score < one.score):
            best[key(one.name)] = one
    return tuple(sorted(best.values(), key=lambda one: -one.score))


def _outer(readable: Readable) -> Iterator[About]:
    """From what stands around the text."""
    if readable.title.strip():
        yield About(without_suffix(" ".join(readable.title.split())), "title", 1.0)
    heading = heading_name(readable.section[-1]) if readable.section else ""
    if heading:
        yield About(heading, "heading", 0.7)
    caption = caption_of(readable)
    if caption and len(caption.split()) <= 12:
        yield About(caption, "caption", 0.8)


def heading_name(heading: str) -> str:
    """A heading that names something, without its number; empty for "3.2 Results"."""
    bare = " ".join(_NUMBER.sub("", heading.strip()).split()).strip(" .:–—-")
    words = bare.lower().split()
    if not words or len(words) > 8 or all(word in HEADINGS for word in words):
        return ""
    return bare if any(c.isalpha() for c in bare) else ""


def _inner(parse: Parse) -> Iterator[About]:
    if not parse.sentences:
        return
    start, end = parse.sentences[0]
    kept = list(_outside_brackets(parse, start, end))
    before = []
    for token in kept:
        if parse.tags[token] in _FINITE:
            break
        before.append(token)
    if before:
        kept_span = trimmed(parse, before[0], before[-1] + 1)
        if kept_span:
            yield About(shown(parse, *kept_span), "subject", 0.6)


def _outside_brackets(parse: Parse, start: int, end: int) -> Iterator[int]:
    depth = 0
    for token in range(start, end):
        word = parse.words[token]
        if word in "([":
            depth += 1
        elif word in ")]":
            depth = max(0, depth - 1)
        elif not depth:
            yield token


def subject_of(parse: Parse, head: int) -> str:
    """The phrase of a subject as a name."""
    kept = trimmed(parse, *base_phrase(parse, head))
    return shown(parse, *kept) if kept else ""
