"""What a passage or table is about: title, heading, caption, definition, subject of its first sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from hopline_ingest.extract.aliases import without_suffix
from hopline_ingest.extract.extraction import About, Readable
from hopline_ingest.extract.names import key
from hopline_ingest.extract.tables import caption_of
from hopline_ingest.extract.vocabulary import HEADINGS, PRONOUNS

_NUMBER = re.compile(
    r"^(?:[\dIVXivx]+[.)]\s*|[\d.]+\s+|(?:chapter|section|part|item)\s+[\dIVXivx.]+[.:]?\s*)+", re.IGNORECASE
)
_FIRST = 100  # characters
_TITLE_OF_DOCUMENT = 0.6  # where a passage has a section, the title is that of a longer document
_SURE = 0.5  # of a definition, to stand against a title that the text does not name


def about(readable: Readable, inner: Iterable[About] = ()) -> tuple[About, ...]:
    """Everything that it is about, surest first; one a normalised name. ``inner`` is what its text says."""
    best: dict[str, About] = {}
    for one in (*_outer(readable), *inner):
        if key(one.name) and (key(one.name) not in best or best[key(one.name)].score < one.score):
            best[key(one.name)] = one
    return tuple(sorted(best.values(), key=lambda one: -one.score))


def _outer(readable: Readable) -> Iterator[About]:
    """From what stands around the text."""
    if readable.title.strip():
        sure = _TITLE_OF_DOCUMENT if readable.section else 1.0
        yield About(without_suffix(" ".join(readable.title.split())), "title", sure)
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


def main_name(subjects: Sequence[About], readable: Readable) -> str:
    """What pronouns refer to: the title where the text has a word of it, else what the text itself is about."""
    words = set(key(readable.text).split())
    titles = [one.name for one in subjects if one.by == "title"]
    named = [title for title in titles if not words.isdisjoint(_telling(title))]
    defined = [one.name for one in subjects if one.by == "definition" and one.score >= _SURE]
    inner = [one.name for one in subjects if one.by in {"subject", "definition"}]
    whole = titles if _begins_with_pronoun(readable) else []
    return next(iter((*named, *defined, *whole, *inner)), "")


def _begins_with_pronoun(readable: Readable) -> bool:
    """Whether the first words leave open whom they speak of, and the title is not that of a longer document."""
    first = readable.text[: readable.sentences[0][1] if readable.sentences else _FIRST].lower().split()
    return not readable.section and not PRONOUNS.isdisjoint(first)


def _telling(name: str) -> set[str]:
    return {word for word in key(name).split() if len(word) > 3} or set(key(name).split())
