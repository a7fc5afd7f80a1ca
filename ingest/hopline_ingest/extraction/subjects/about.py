"""What a passage or table is about: title, heading, caption, definition, subject of its first sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from hopline_ingest.extraction.aliases import without_suffix
from hopline_ingest.extraction.mentions.names import key
from hopline_ingest.extraction.records import About, By, Readable
from hopline_ingest.extraction.relations.tables import caption_of
from hopline_ingest.extraction.subjects.first_sentence import without_form
from hopline_ingest.extraction.vocabulary import HEADINGS, PRONOUNS

_NUMBER = re.compile(
    r"^(?:[\dIVXivx]+[.)]\s*|[\d.]+\s+|(?:chapter|section|part|item)\s+[\dIVXivx.]+[.:]?\s*)+", re.IGNORECASE
)
_FIRST = 100  # characters
_MOST_WORDS = 10  # of a heading or caption that names one thing
_TITLE_OF_DOCUMENT = 0.6  # where a passage has a section, the title is that of a longer document
_HEADING = 0.7
_CAPTION = 0.8
_SHORTER = 0.9  # a firm's name without "Inc."
_SURE = 0.5  # of a definition, to stand against a title that the text does not name


def about(readable: Readable, inner: Iterable[About] = ()) -> tuple[About, ...]:
    """Everything that it is about, surest first; one a normalised name. ``inner`` is what its text says."""
    best: dict[str, About] = {}
    for one in (*_outer(readable), *inner):
        if key(one.name) and (key(one.name) not in best or best[key(one.name)].score < one.score):
            best[key(one.name)] = one
    return tuple(sorted(best.values(), key=lambda one: -one.score))


def _outer(readable: Readable) -> Iterator[About]:
    """From what stands around the text; a firm with and without its "Inc."."""
    title = without_suffix(" ".join(readable.title.split()))
    heading = heading_name(readable.section[-1]) if readable.section else ""
    caption = caption_of(readable)
    if len(caption.split()) > _MOST_WORDS:
        caption = ""
    sure = _TITLE_OF_DOCUMENT if readable.section else 1.0
    ways: tuple[tuple[str, By, float], ...] = (
        (title, "title", sure), (heading, "heading", _HEADING), (caption, "caption", _CAPTION)
    )  # fmt: skip
    for name, by, score in ways:
        if name:
            yield About(name, by, score)
            if name != without_form(name):
                yield About(without_form(name), by, score * _SHORTER)


def heading_name(heading: str) -> str:
    """A heading that names something, without its number; empty for "3.2 Results"."""
    bare = without_suffix(" ".join(_NUMBER.sub("", heading.strip()).split())).strip(" :–—-")
    bare = bare if bare != without_form(bare) else bare.rstrip(".")
    words = bare.lower().split()
    if not words or len(words) > _MOST_WORDS or all(word in HEADINGS for word in words):
        return ""
    return bare if any(c.isalpha() for c in bare) else ""


def main_name(subjects: Sequence[About], readable: Readable) -> str:
    """What pronouns refer to: the title where the text names it, else what the text itself is about."""
    titles = [one.name for one in subjects if one.by == "title"]
    named = [title for title in titles if _is_named(title, readable)]
    defined = [one.name for one in subjects if one.by == "definition" and one.score >= _SURE]
    left_open = titles if _begins_with_pronoun(readable) else []
    inner = [one.name for one in subjects if one.by in {"subject", "definition"}]
    return next(iter((*named, *defined, *left_open, *inner)), "")


def _is_named(title: str, readable: Readable) -> bool:
    """Whether a text has a word of its title; all of it, where the title is that of a longer document."""
    text = key(readable.text)
    if readable.section:
        return f" {key(title)} " in f" {text} "
    return not _telling(title).isdisjoint(text.split())


def _begins_with_pronoun(readable: Readable) -> bool:
    """Whether the first words leave open whom they speak of, and the title is not that of a longer document."""
    first = readable.text[: readable.sentences[0][1] if readable.sentences else _FIRST].lower().split()
    return not readable.section and not PRONOUNS.isdisjoint(first)


def _telling(name: str) -> set[str]:
    return {word for word in key(name).split() if len(word) > 3} or set(key(name).split())
