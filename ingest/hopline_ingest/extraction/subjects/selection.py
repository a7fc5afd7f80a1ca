"""Selection of a passage's or table's subjects from title, heading, caption, definition and first sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from hopline.text.words import STOP_WORDS
from hopline_ingest.extraction.aliases import strip_title_suffix
from hopline_ingest.extraction.mentions.names import name_key
from hopline_ingest.extraction.records import ExtractionInput, SubjectEntity, SubjectSource
from hopline_ingest.extraction.relations.tables import strip_caption_number
from hopline_ingest.extraction.subjects.first_sentence import strip_company_form
from hopline_ingest.extraction.vocabulary import HEADINGS, PRONOUNS

_NUMBER = re.compile(
    r"(?:[\dIVXivx]+[.)]\s*|[\d.]+\s+|(?-i:[A-Z])(?:\.\d+)*[.)]\s+|(?-i:[A-Z])(?:\.\d+)+\s+"
    r"|(?:chapter|section|part|item)\s+[\dIVXivx.]+[.:]?\s*)+",
    re.IGNORECASE,
)
_FIRST_CHARACTERS = 100  # of a text without sentences
_MOST_WORDS = 10  # of a heading or caption that names one entity
_TITLE_OF_DOCUMENT = 0.6  # of a passage with a section: the title is that of a longer document
_HEADING = 0.7
_CAPTION = 0.8
_SHORTER = 0.9  # a company's name without "Inc."
_PROBABLE = 0.65  # of a definition of something that the text does not mark as a name
_SURE = 0.5  # of a definition that overrides a title which the text does not name


def select_subjects(
    evidence: ExtractionInput, text_subjects: Iterable[SubjectEntity] = ()
) -> tuple[SubjectEntity, ...]:
    """Select all subjects, most probable first, one per normalized name; ``text_subjects`` come from its text."""
    best: dict[str, SubjectEntity] = {}
    for subject in (*_find_context_subjects(evidence), *text_subjects):
        if name_key(subject.name) and (
            name_key(subject.name) not in best or best[name_key(subject.name)].score < subject.score
        ):
            best[name_key(subject.name)] = subject
    return tuple(sorted(best.values(), key=lambda subject: -subject.score))


def select_named(subjects: Sequence[SubjectEntity], names: Iterable[str]) -> tuple[SubjectEntity, ...]:
    """Select the subjects that deserve an entity: titles, probable definitions, and names.

    Half of the words of a name are words of ``names`` in the text or in the headings: "Live at Carnegie Hall" is one if
    the text names Carnegie Hall, "Each text table" and "Risk factors" are none.
    """
    words = {word for name in names for word in name_key(name).split()}

    def is_named(subject: SubjectEntity) -> bool:
        own = [word for word in name_key(subject.name).split() if word not in STOP_WORDS]
        if subject.by == "title" or (subject.by == "definition" and subject.score >= _PROBABLE):
            return True
        return sum(word in words for word in own) * 2 >= max(len(own), 1)

    return tuple(subject for subject in subjects if is_named(subject))


def _find_context_subjects(evidence: ExtractionInput) -> Iterator[SubjectEntity]:
    """Find the subjects in title, heading and caption; companies with and without their legal form."""
    title = strip_title_suffix(" ".join(evidence.title.split()))
    heading = clean_heading(evidence.section[-1]) if evidence.section else ""
    caption = strip_caption_number(evidence)
    if len(caption.split()) > _MOST_WORDS:
        caption = ""
    title_score = _TITLE_OF_DOCUMENT if evidence.section else 1.0
    sources: tuple[tuple[str, SubjectSource, float], ...] = (
        (title, "title", title_score), (heading, "heading", _HEADING), (caption, "caption", _CAPTION)
    )  # fmt: skip
    for name, by, score in sources:
        if name:
            yield SubjectEntity(name, by, score)
            if name != strip_company_form(name):
                yield SubjectEntity(strip_company_form(name), by, score * _SHORTER)


def strip_heading_number(heading: str) -> str:
    """Return a heading without its number or letter: "3.2 Results", "B. Films", "A.1 Data", "Chapter IV: Debts"."""
    flat = " ".join(heading.split())
    number = _NUMBER.match(flat)
    return flat[number.end() :] if number else flat


def clean_heading(heading: str) -> str:
    """Return a heading that names something without its number; empty for "3.2 Results"."""
    bare = strip_title_suffix(strip_heading_number(heading)).strip(" :–—-")
    bare = bare if bare != strip_company_form(bare) else bare.rstrip(".")
    words = bare.lower().split()
    if not words or len(words) > _MOST_WORDS or all(word in HEADINGS for word in words):
        return ""
    return bare if any(c.isalpha() for c in bare) else ""


def select_main_name(subjects: Sequence[SubjectEntity], evidence: ExtractionInput) -> str:
    """Select the name that pronouns refer to: the title if the text names it, else the text's own subject."""
    titles = [subject.name for subject in subjects if subject.by == "title"]
    mentioned = [title for title in titles if _mentions_title(title, evidence)]
    defined = [subject.name for subject in subjects if subject.by == "definition" and subject.score >= _SURE]
    for_pronoun = titles if _begins_with_pronoun(evidence) else []
    text_subjects = [subject.name for subject in subjects if subject.by in {"subject", "definition"}]
    return next(iter((*mentioned, *defined, *for_pronoun, *text_subjects)), "")


def _mentions_title(title: str, evidence: ExtractionInput) -> bool:
    """Whether a text contains a word of its title, or all of it if the title is that of a longer document."""
    text = name_key(evidence.text)
    if evidence.section:
        return f" {name_key(title)} " in f" {text} "
    return not _informative_words(title).isdisjoint(text.split())


def _begins_with_pronoun(evidence: ExtractionInput) -> bool:
    """Whether the first sentence has a pronoun, and the title is not that of a longer document."""
    first = evidence.text[: evidence.sentences[0][1] if evidence.sentences else _FIRST_CHARACTERS].lower().split()
    return not evidence.section and not PRONOUNS.isdisjoint(first)


def _informative_words(name: str) -> set[str]:
    return {word for word in name_key(name).split() if len(word) > 3} or set(name_key(name).split())
