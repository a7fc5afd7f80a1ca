"""Words: normalization, English stems, synonyms, stop words and word lists; content words and names in a text."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from hopline.text.identifiers import find_identifiers
from hopline.text.values import spell_ordinal
from hopline.text_encoding import remove_accents

_SHORT_ENDINGS: Final = ("ate", "ise", "ize", "ent", "ant", "ity", "ist", "ism", "ics")
_VOWEL: Final = re.compile("[aeiouy]")
_DOUBLED_CONSONANTS: Final = "bdgmnprt"  # "stopped" -> "stop", but "called" -> "call"
_MAX_ROUNDS: Final = 3  # "organizations": plural, then noun, then verb
_LARGE_NUMBER: Final = re.compile(r"\d{4,}|\d{1,3}(?:,\d{3})+", re.ASCII)
_SEPARATOR: Final = r"[,'’\u00a0\u2009\u202f]?"  # of thousands
_ORDINAL_ENDING: Final = "(?:st|nd|rd|th)"
_ORDINAL: Final = re.compile(rf"(\d+){_ORDINAL_ENDING}", re.IGNORECASE)
_CONTENT_WORD: Final = re.compile(r"[^\W_]{3,}")

# words that carry no topic, in retrieval
STOP_WORDS: Final = frozenset(
    {
        "a", "an", "and", "are", "as", "at", "be", "been", "both", "by", "did", "do", "does", "for", "from", "had",
        "has", "have", "he", "her", "his", "how", "in", "is", "it", "its", "of", "on", "or", "same", "she", "that",
        "the", "their", "they", "this", "to", "was", "were", "what", "when", "where", "which", "who", "whom", "whose",
        "why", "with",
    }
)  # fmt: skip


@lru_cache(maxsize=50_000)
def normalize_word(word: str) -> str:
    """Return a word in lower case, without accents and possessive ending."""
    if word.isascii():
        return word.lower().removesuffix("'s")
    plain = unicodedata.normalize("NFKD", word.replace("’", "'"))
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold().removesuffix("'s")


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return the stem of a normalized word: inflection and common derivation are removed.

    "founder" and "founded" give "found"; "acquisitions" and "acquired" share one stem. A stem has at least three
    letters and a vowel; it need not be a word.
    """
    irregular = _load_irregular()
    word = irregular.get(word, word)
    for _ in range(_MAX_ROUNDS):
        shorter = _shorten(word)
        if shorter == word:
            break
        word = irregular.get(shorter, shorter)
    return word


def _shorten(word: str) -> str:
    if word.endswith("ss"):
        return word
    endings, longest = _load_endings()
    for size in range(min(longest, len(word) - 3), 0, -1):
        stem, ending = word[:-size], word[-size:]
        least = 4 if size > 3 or ending in _SHORT_ENDINGS else 3
        if ending not in endings or len(stem) < least or not _VOWEL.search(stem):
            continue
        return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] in _DOUBLED_CONSONANTS else stem
    return word


@cache
def _load_endings() -> tuple[frozenset[str], int]:
    """Return the endings, and the length of the longest."""
    endings = frozenset(ending for line in _read_lines("endings.txt") for ending in line)
    return endings, max(map(len, endings))


@cache
def load_synonyms() -> dict[str, frozenset[str]]:
    """Map each stem to the stems that share a line of ``synonyms.txt`` with it."""
    synonyms: dict[str, set[str]] = {}
    for words in _read_lines("synonyms.txt"):
        group = {stem(word) for word in words}
        for word in group:
            synonyms.setdefault(word, set()).update(group - {word})
    return {word: frozenset(others) for word, others in synonyms.items()}


@cache
def _load_irregular() -> dict[str, str]:
    return {form: words[0] for words in _read_lines("irregular.txt") for form in words[1:]}


def find_base_form(verb: str) -> str:
    """Return the base form of an irregular verb or of the third person ("build" of "built", "run" of "runs").

    "" for other forms.
    """
    if base := _load_irregular().get(verb):
        return base
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    if verb.endswith(("ches", "shes", "sses", "xes", "zes", "oes")):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else ""


def _read_lines(name: str) -> list[list[str]]:
    text = (files(__package__) / name).read_text(encoding="utf-8")
    return [words for line in text.splitlines() if (words := line.partition("//")[0].split())]


@cache
def read_word_list(name: str) -> tuple[str, ...]:
    """Return the words of a list of ``vocabulary.txt``, in their order.

    Raises:
        KeyError: there is no such list.
    """
    return _load_word_lists()[name]


@cache
def read_stem_list(name: str) -> frozenset[str]:
    """Return the stems of the words of a list."""
    return frozenset(stem(word) for word in read_word_list(name))


@cache
def load_function_words() -> frozenset[str]:
    """Return the words that say nothing about the subject of a question."""
    return frozenset(read_word_list("function"))


@cache
def _load_word_lists() -> dict[str, tuple[str, ...]]:
    lists: dict[str, tuple[str, ...]] = {}
    name = ""
    for line in (files(__package__) / "vocabulary.txt").read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("//"):
            continue
        head, colon, rest = ("", "", line) if line[0].isspace() else line.partition(":")
        name = head if colon else name
        lists[name] = (*lists.get(name, ()), *rest.split())
    return lists


def find_content_words(text: str) -> frozenset[str]:
    """Return the words of a text of three letters and more, in lower case, without function words.

    An identifier is a word as well, without its blanks and punctuation: "p12" of "P-12".
    """
    words = {word.lower() for word in _CONTENT_WORD.findall(text)}
    return frozenset(words | {item.key for item in find_identifiers(text)}) - load_function_words()


def stem_content_words(text: str) -> frozenset[str]:
    """Return the stems of the content words of a text."""
    return frozenset(stem(word) for word in find_content_words(text))


def contains_name(text: str, name: str) -> bool:
    """Return whether a text contains each word of a name or number as a whole word, in any case, with any accents.

    An ordinal may be in figures or in words, and a number in figures may be an ordinal: "7th Avenue" contains "7" and
    "seventh". A number of thousands may have separators or not: "3000" contains "3,000".
    """
    if not (text.isascii() and name.isascii()):
        text, name = remove_accents(text), remove_accents(name)
    return all(
        re.search(rf"(?<!\w)(?:{_build_word_pattern(word)})(?!\w)", text, re.IGNORECASE) for word in name.split()
    )


def _build_large_number_pattern(word: str) -> str:
    """Return a pattern of a number of four digits or more, with or without separators of thousands."""
    digits = word.replace(",", "")
    first = len(digits) % 3 or 3
    groups = [digits[:first], *(digits[n : n + 3] for n in range(first, len(digits), 3))]
    return rf"{_SEPARATOR.join(groups)}(?!,\d{{3}})"


def _build_word_pattern(word: str) -> str:
    if _LARGE_NUMBER.fullmatch(word):
        return rf"{_build_large_number_pattern(word)}{_ORDINAL_ENDING}?"
    if word.isdecimal():
        return rf"{word}{_ORDINAL_ENDING}?"
    if match := _ORDINAL.fullmatch(word):
        number = int(match[1])
        spelled = [spell_ordinal(number)] if 0 < number < 100 else []
        return "|".join((rf"{number}{_ORDINAL_ENDING}?", *spelled))
    number = _list_ordinals().get(word.lower(), 0)
    return rf"{word}|{number}{_ORDINAL_ENDING}" if number else re.escape(word)


@cache
def _list_ordinals() -> dict[str, int]:
    return {spell_ordinal(number): number for number in range(1, 100)}
