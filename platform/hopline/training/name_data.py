"""Annotated names for the training of the name tagger: files of public sets, read as sentences of one form.

GUM marks all noun phrases with their types: those with a proper noun as head are names, cut to the words of the name.
The other sets mark names, each with types of its own, which are mapped to `hopline.learned.name_tagger.TYPES`; what
deserves no node in a graph (genres, tasks, nationalities) or has no type here is masked: nothing is learned from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hopline.learned.name_tagger import TYPES

Types = frozenset[str]

# fmt: off
PERSON, ORGANIZATION, PLACE, PRODUCT, WORK, LAW, EVENT, SUBSTANCE, OTHER = (frozenset({type}) for type in TYPES)
_MISCELLANEOUS: Final = PRODUCT | WORK | LAW | EVENT | OTHER
_NEWS: Final = {"PER": PERSON, "ORG": ORGANIZATION, "LOC": PLACE}
_RE3D: Final = {"Person": PERSON, "Organisation": ORGANIZATION, "Location": PLACE, "MilitaryPlatform": PRODUCT,
                "Weapon": PRODUCT}
_WNUT: Final = {"person": PERSON, "corporation": ORGANIZATION, "group": ORGANIZATION, "location": PLACE,
                "product": PRODUCT, "creative-work": WORK}
_CROSSNER: Final = {
    "person": PERSON, "politician": PERSON, "scientist": PERSON, "researcher": PERSON, "writer": PERSON,
    "musicalartist": PERSON, "organisation": ORGANIZATION, "politicalparty": ORGANIZATION, "university": ORGANIZATION,
    "band": ORGANIZATION, "location": PLACE, "country": PLACE, "astronomicalobject": PLACE | OTHER, "event": EVENT,
    "election": EVENT, "conference": EVENT, "book": WORK, "poem": WORK, "song": WORK, "album": WORK,
    "magazine": WORK | ORGANIZATION, "academicjournal": WORK, "product": PRODUCT, "programlang": PRODUCT,
    "chemicalcompound": SUBSTANCE, "chemicalelement": SUBSTANCE, "protein": SUBSTANCE, "enzyme": SUBSTANCE,
    "award": OTHER | EVENT,
}
_GUM: Final = {
    "person": PERSON, "organization": ORGANIZATION, "place": PLACE, "event": EVENT, "object": PRODUCT | OTHER,
    "substance": SUBSTANCE, "abstract": _MISCELLANEOUS, "plant": SUBSTANCE | OTHER, "animal": OTHER | PERSON,
}
_SPACY: Final = {
    "PERSON": PERSON, "ORG": ORGANIZATION, "GPE": PLACE, "LOC": PLACE, "FAC": PLACE, "PRODUCT": PRODUCT,
    "WORK_OF_ART": WORK, "LAW": LAW, "EVENT": EVENT,
}
_PARTIES: Final = frozenset({
    "agent", "bank", "borrower", "buyer", "company", "employee", "executive", "guarantor", "landlord", "lender",
    "lenders", "parent", "seller", "tenant",
})
_ROLES: Final = frozenset({
    "Court", "Dad", "Democrats", "Founders", "God", "Mom", "Nation", "President", "Republicans", "Secretary", "Senate",
    "State", "Street",
})
_PARTS: Final = frozenset({
    "chapter", "equation", "factor", "fig", "figure", "page", "part", "q", "section", "step", "table", "volume", "wave",
})
_PRONOUNS: Final = frozenset({
    "he", "her", "here", "him", "i", "it", "me", "she", "them", "there", "they", "us", "we", "who", "you",
})
_WITHIN: Final = frozenset({"'s", "&", "-", "and", "de", "for", "la", "of", "on", "the", "van", "von", "’s"})
# fmt: on
_ARTICLES: Final = frozenset({"a", "an", "the"})
_GENTILE: Final = re.compile(r"\w+(?:ish|ese|ians?|eans?)")
_ENTITY: Final = re.compile(r"(?:^|\|)Entity=([^|]*)")
_BRACKETS: Final = re.compile(r"\([^()]*\)?|[^()]*\)")
SILVER_WEIGHT: Final = 0.3  # of a sentence with the names that spaCy finds


@dataclass(frozen=True, slots=True)
class AnnotatedName:
    """A name: its words [start, end), and the types of which it has one."""

    start: int
    end: int
    types: Types


@dataclass(frozen=True, slots=True)
class NamedSentence:
    """A sentence with its names, which do not overlap.

    Nothing is learned from the words in ``masked``. ``unannotated`` are types that its set does not annotate.
    """

    words: tuple[str, ...]
    names: tuple[AnnotatedName, ...]
    source: str
    masked: frozenset[int] = frozenset()
    unannotated: Types = frozenset()
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class NameFile:
    """How a file of tagged words is read: the columns of the word and its tag, and what its types are called here."""

    pattern: str
    types: Mapping[str, Types]
    unannotated: Types
    word: int = 0
    tag: int = -1
    only_capitals: bool = False  # whether names without a capital are masked
    left_out: frozenset[str] = field(default_factory=frozenset)  # names of one word that are masked, in lower case


FILES: Final = (
    NameFile("ewt-*.txt", _NEWS, _MISCELLANEOUS | SUBSTANCE, word=1, tag=2),
    NameFile("wikigold.txt", _NEWS, SUBSTANCE),
    NameFile("sec-*.txt", _NEWS, _MISCELLANEOUS | SUBSTANCE, left_out=_PARTIES),
    NameFile("re3d-*.txt", _RE3D, _MISCELLANEOUS | SUBSTANCE, only_capitals=True),
    NameFile("wnut17-train.txt", _WNUT, LAW | EVENT | OTHER | SUBSTANCE),
    NameFile("crossner-politics.txt", _CROSSNER, LAW | SUBSTANCE | PRODUCT | WORK),
    NameFile("crossner-science.txt", _CROSSNER, LAW),
    NameFile("crossner-music.txt", _CROSSNER, LAW),
    NameFile("crossner-literature.txt", _CROSSNER, LAW),
    NameFile("crossner-ai.txt", _CROSSNER, LAW, only_capitals=True),
)


def read_name_files(folder: Path) -> Iterator[NamedSentence]:
    """Read all sets of a folder, the files of each in alphabetical order."""
    for path in sorted(folder.glob("gum-*.txt")):
        yield from read_gum(path)
    for format in FILES:
        for path in sorted(folder.glob(format.pattern)):
            yield from read_tagged_words(path, format)


def read_tagged_words(path: Path, format: NameFile) -> Iterator[NamedSentence]:
    """Read a file with a word and its tag ("B-PER", "I-PER", "O") a line, and an empty line between sentences."""
    for rows in _split_sentences(path):
        words = tuple(row[format.word] for row in rows)
        names, masked = [], set[int]()
        for start, end, type in find_tagged_spans([row[format.tag] for row in rows]):
            first = start + (format.only_capitals and words[start].lower() in _ARTICLES)
            part = words[first:end]
            if type in format.types and not _is_left_out(part, format):
                names.append(AnnotatedName(first, end, format.types[type]))
            else:
                masked |= set(range(start, end))
        if len(words) > 2:
            yield NamedSentence(words, tuple(names), path.stem, frozenset(masked), format.unannotated)


def _is_left_out(words: Sequence[str], format: NameFile) -> bool:
    if len(words) == 1 and words[0].lower() in format.left_out:
        return True
    has_capital = any(character.isupper() for word in words for character in word)
    return format.only_capitals and (not has_capital or words[0].lower() in _PRONOUNS)


def _split_sentences(path: Path) -> Iterator[list[list[str]]]:
    rows: list[list[str]] = []
    for line in [*path.read_text(encoding="utf-8").split("\n"), ""]:
        if line.strip() and not line.startswith(("#", "-DOCSTART-")):
            rows.append(line.split("\t") if "\t" in line else line.split())
        elif not line.strip() and rows:
            yield rows
            rows = []


def find_tagged_spans(tags: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    """Yield the names (start, end, type) of tags in which a name begins with B, or with I after another type or O."""
    start, current = -1, ""
    for index, tag in enumerate([*tags, "O"]):
        position, _, type = tag.partition("-")
        if current and (position in {"O", "B"} or type != current):
            yield start, index, current
            current = ""
        if position in {"B", "I"} and not current:
            start, current = index, type


def read_gum(path: Path) -> Iterator[NamedSentence]:
    """Read a file of GUM in the format CoNLL-U, whose last column has the brackets of entities."""
    for rows in _split_sentences(path):
        words = [row for row in rows if row[0].isdigit()]
        if len(words) > 2:
            yield _read_gum_sentence(words, path.stem)


def _read_gum_sentence(rows: Sequence[Sequence[str]], source: str) -> NamedSentence:
    words = tuple(row[1] for row in rows)
    names: set[AnnotatedName] = set()
    masked: set[int] = set()
    for start, end, type, identified in _find_gum_entities(rows):
        head = next((index for index in range(start, end) if not start <= int(rows[index][6]) - 1 < end), start)
        if rows[head][3] != "PROPN":
            masked |= {head} if type == "substance" and identified else set()
            continue
        first, last = _cut_to_name(rows, start, end, head)
        part = words[first:last]
        if part[0].lower().rstrip(".") in _PARTS and any(c.isdigit() for word in part[1:] for c in word):
            continue
        if any("@" in word or word.startswith(("doi", "http", "www")) for word in part):
            continue
        if type not in _GUM or (len(part) == 1 and (part[0] in _ROLES or _is_gentile(part[0], type))):
            masked |= set(range(first, last))
            continue
        names.add(AnnotatedName(first, last, _GUM[type]))
    outermost = _select_outermost(names)
    covered = {index for name in outermost for index in range(name.start, name.end)}
    return NamedSentence(words, outermost, source, frozenset(masked - covered))


def _find_gum_entities(rows: Sequence[Sequence[str]]) -> Iterator[tuple[int, int, str, bool]]:
    """Yield the entities of a sentence: first word, end, type, and whether an article of Wikipedia is named."""
    opened: dict[str, tuple[int, str, bool]] = {}
    for index, row in enumerate(rows):
        match = _ENTITY.search(row[9])
        for bracket in _BRACKETS.findall(match[1]) if match else ():
            fields = bracket.strip("()").split("-")
            if bracket.startswith("("):
                opened[fields[0]] = (index, fields[1], len(fields) > 6)
            if bracket.endswith(")") and fields[0] in opened:
                start, type, identified = opened.pop(fields[0])
                yield start, index + 1, type, identified


def _cut_to_name(rows: Sequence[Sequence[str]], start: int, end: int, head: int) -> tuple[int, int]:
    """Return the words of a noun phrase that are its name: proper nouns, numbers and words between them."""

    def is_part(index: int) -> bool:
        word, kind = rows[index][1], rows[index][3]
        return kind in {"PROPN", "NUM", "SYM"} or (word[:1].isupper() and kind in {"ADJ", "NOUN", "VERB"} and index > 0)

    first, last = head, head + 1
    while first > start and (
        is_part(first - 1) or (rows[first - 1][1] in _WITHIN and first - 2 >= start and is_part(first - 2))
    ):
        first -= 1
    while last < end and (is_part(last) or (rows[last][1] in _WITHIN and last + 1 < end and is_part(last + 1))):
        last += 1
    while first < head and rows[first][1].lower() in {"the", "of", "and", "&", "-"}:
        first += 1
    return first, last


def _is_gentile(word: str, type: str) -> bool:
    return type in {"abstract", "person"} and _GENTILE.fullmatch(word) is not None


def _select_outermost(names: Iterable[AnnotatedName]) -> tuple[AnnotatedName, ...]:
    chosen: list[AnnotatedName] = []
    for name in sorted(names, key=lambda name: (name.start - name.end, name.start, sorted(name.types))):
        if all(name.end <= other.start or name.start >= other.end for other in chosen):
            chosen.append(name)
    return tuple(sorted(chosen, key=lambda name: name.start))


def build_silver_sentence(words: Sequence[str], entities: Iterable[tuple[int, int, str]]) -> NamedSentence:
    """Build a sentence from the entities (start, end, label) that spaCy finds in it; groups of people are masked."""
    labelled = list(entities)
    names = tuple(AnnotatedName(start, end, _SPACY[label]) for start, end, label in labelled if label in _SPACY)
    masked = frozenset(index for start, end, label in labelled if label == "NORP" for index in range(start, end))
    return NamedSentence(tuple(words), names, "silver", masked, SUBSTANCE | OTHER, SILVER_WEIGHT)
