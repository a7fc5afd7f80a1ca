"""Recognition of the names of persons and organisations in a line, by their form."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from importlib.resources import files
from typing import Final

Span = tuple[int, int]
Name = tuple[str, Span]  # a name, and where the line has it

MAX_NAMES: Final = 60
_SEPARATOR: Final = re.compile(r"\s*(?:[·•;|]|,(?!\s*(?:Jr|Sr|II|III|IV|Ph|M\.?D|MD)\b)|\band\b|&|\bund\b|\bet\b)\s*")
_MARKS: Final = r"[\d*∗†‡§¶#⁎ǂ✉+$¹²³⁴⁵⁶⁷⁸⁹⁰]"
_TITLE: Final = re.compile(
    r"(?:Dr|Mr|Mrs|Ms|Miss|Prof|Professor|Sir|Rev|Hon|Ing|Dipl|Lic)\.?(?:-Ing\.?)?", re.IGNORECASE
)
_DEGREE: Final = re.compile(
    r"(?:Ph\.?\s?D|M\.?D|M\.?Sc|B\.?Sc|M\.?A|B\.?A|MBA|MPH|Jr|Sr|Esq|LL\.?[BMD]|CPA|P\.?E|R\.?N|II|III|IV)\.?"
)
_INITIAL: Final = re.compile(r"(?:[^\W\d_]\.?-?){1,3}\.|[^\W\d_]")
_PARTICLE: Final = re.compile(r"(?:de|da|di|do|dos|du|del|della|der|den|van|von|ten|ter|la|le|el|al|bin|ibn|af|zu|y)")
_WORD: Final = re.compile(r"(?:[^\W\d_][’']|Mc|Mac)?[^\W\d_]+(?:[-‐’'][^\W\d_]+)*")
_ORGANISATION_END: Final = re.compile(
    r"(?:Inc|Ltd|LLC|LLP|PLC|plc|GmbH|AG|S\.?A|N\.?V|B\.?V|Corp|Co|Oy|AB|A/S|SpA|S\.p\.A|e\.\s?V)\b\.?", re.IGNORECASE
)
_MAX_WORDS: Final = 5  # of a person's name
_MAX_CAPITALS: Final = 2  # letters of initials without dots; more of them are an abbreviation
_MAX_ORGANISATION: Final = 12
_SMALL: Final = frozenset(
    {"of", "the", "for", "and", "in", "on", "at", "to", "de", "du", "des", "der", "für", "und", "&"}
)


@cache
def load_words(kind: str) -> frozenset[str]:
    """Load a list of words in lower case: "organisation" or "not_a_name"."""
    return frozenset(files(__package__).joinpath(f"{kind}.txt").read_text(encoding="utf-8").split())


def parse_names(text: str, lower_words: Collection[str], *, start: int = 0) -> list[Name]:
    """Parse a line that consists of names of persons from ``start`` on; empty if it has anything else.

    ``lower_words`` are the words of the document that it has in lower case: a name consists of others.
    """
    if text[start : start + 1] in "([" or text.endswith((")", "]")):
        return []
    names: list[Name] = []
    position = start
    for match in [*_SEPARATOR.finditer(text, start), None]:
        end = match.start() if match else len(text)
        if (span := _trim_marks(text, position, end)) is not None:
            if not _is_person(text[slice(*span)], lower_words):
                return []
            names.append((_clean_name(text[slice(*span)]), span))
        position = match.end() if match else end
    return names if len(names) <= MAX_NAMES else []


def parse_person(text: str, lower_words: Collection[str] = ()) -> str:
    """Return the name of one person, "Lovelace, Ada" as "Ada Lovelace"; "" if the text is none."""
    text = " ".join(text.split())
    last, separator, first = text.partition(", ")
    if separator and "," not in first and " " not in last and not _DEGREE.fullmatch(first):
        text = f"{first} {last}"
    names = parse_names(text, lower_words)
    return names[0][0] if len(names) == 1 else ""


def is_organisation(text: str) -> bool:
    """Return whether a text is the name of an organisation: capitalized, with a word such as "Institute" or "Ltd"."""
    words = text.replace(",", " ").split()
    if not 2 <= len(words) <= _MAX_ORGANISATION or text.endswith((":", ";", "?")):
        return False
    capitalized = all(word[0].isupper() or word[0] in "(&" or word.lower() in _SMALL for word in words)
    return capitalized and words[-1].lower() not in _SMALL and has_organisation_word(text)


def has_organisation_word(text: str) -> bool:
    """Return whether a text has a word that organisations have in their names."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    return any(word in load_words("organisation") for word in words) or any(
        _ORGANISATION_END.fullmatch(word) for word in text.split()[1:]
    )


def _trim_marks(text: str, start: int, end: int) -> Span | None:
    """Return the span of a name without the marks of affiliations around it; None if there is nothing else."""
    while start < end and text[start] in " \t([{":
        start += 1
    while start < end:
        stripped = text[start:end].rstrip(" \t.,)]}*∗") if not text[start:end].endswith("r.") else text[start:end]
        trailing = re.search(rf"\s*{_MARKS}+$|\s[a-z]$", stripped)
        size = trailing.start() if trailing else len(stripped)
        if start + size == end:
            return start, end
        end = start + size
    return None


def _is_person(name: str, lower_words: Collection[str]) -> bool:
    words = [word for word in _split_words(name) if not _PARTICLE.fullmatch(word)]
    full = [word for word in words if len(word) > 1 and _WORD.fullmatch(word) and word[0].isupper()]
    initials = [word for word in words if word not in full and _INITIAL.fullmatch(word) and word[0].isupper()]
    if len(full) + len(initials) != len(words) or not 2 <= len(words) <= _MAX_WORDS or not full:
        return False
    if len(words[-1]) == 1:  # "Column A"
        return False
    if not name.isupper() and any(word.isupper() and len(word) > _MAX_CAPITALS for word in full):
        return False
    plain = [word.lower() for word in full]
    if any(word in load_words("not_a_name") or word in load_words("organisation") for word in plain):
        return False
    return not all(word in lower_words for word in plain)


def _split_words(name: str) -> list[str]:
    """Return the words of a name without titles and degrees."""
    words = name.replace(",", " ").split()
    while words and _TITLE.fullmatch(words[0]):
        words = words[1:]
    while words and _DEGREE.fullmatch(words[-1]):
        words = words[:-1]
    return words


def _clean_name(name: str) -> str:
    """Return a name without titles and degrees; one in capitals in its usual form."""
    words = _split_words(name)
    shown = [
        "-".join(part.capitalize() for part in word.split("-"))
        if len(word) > 2 and word.isupper() and "." not in word and all(map(str.isupper, filter(str.isalpha, name)))
        else word
        for word in words
    ]
    return " ".join(shown)
