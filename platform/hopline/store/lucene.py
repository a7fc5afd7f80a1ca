"""Texts and queries of the full-text indexes: queries are escaped, and words are found with and without accents.

An identifier of a query ("E-117", "ISO 9001:2015") is also a phrase, which weighs more than its words.

Words of other scripts are searched with any ending.

The analyzer of the indexes stems English words and does not remove accents. So the folded form of each word with
accents ("soren" of "Søren") is appended to the indexed text, and added to the words of a query.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from hopline.text.identifiers import find_identifiers
from hopline.text_encoding import remove_accents

MAX_TERMS: Final = 400  # Lucene rejects more than 1,024 clauses; each term is one, the scope takes a few more
MAX_PREFIX_LENGTH: Final = 100  # characters; Lucene rejects 1,000

IDENTIFIER_WEIGHT: Final = 4  # of the phrase of an identifier; a word has 1
MAX_IDENTIFIERS: Final = 20  # of a query

SEPARATOR: Final = "\x1f"  # before the folded words of an indexed text; `clean_text` removes it from texts

_MIN_PREFIX: Final = 4  # characters of a prefix that is searched instead of an inflected word
_ENDING: Final = 2  # characters
_UNSTEMMED: Final = re.compile(r"[\u0370-\u058f\u10a0-\u10ff]{5,100}")  # Greek, Cyrillic, Armenian, Georgian

_MAX_ABBREVIATION: Final = 5  # letters of a word that may be written with points
_PUNCTUATION: Final = ".,;:!?()[]{}\"'“”‘’«»"

_WORD: Final = re.compile(r"\w+(?:['’]\w+)*", re.UNICODE)


def add_folded_words(text: str) -> str:
    """Return the text to index: with the folded form of each word that has accents; other texts are unchanged.

    A word is appended as often as it occurs, so that both forms have the same score. The statements that write names of
    entities, and ``migration/folded_words``, do the same in Cypher.
    """
    if text.isascii():
        return text
    words = [match.group().replace("’", "'") for match in _WORD.finditer(unicodedata.normalize("NFC", text))]
    folded = [form for word in words if (form := _fold_word(word)) != word]
    return f"{text}{SEPARATOR}{' '.join(folded)}" if folded else text


def _fold_word(word: str) -> str:
    """Return a word without accents if only ASCII characters remain, else the word: other scripts are not folded."""
    folded = remove_accents(word)
    return folded if folded.isascii() else word


def extract_terms(text: str, limit: int = MAX_TERMS) -> list[str]:
    """Extract the distinct words of a text in lower case, in order, at most ``limit``.

    Lower case also escapes Lucene's AND, OR and NOT; words contain no other character of its syntax.
    """
    normal = unicodedata.normalize("NFC", text)
    words = (match.group().replace("_", " ").replace("’", "'").strip() for match in _WORD.finditer(normal.casefold()))
    return list(dict.fromkeys(word for chunk in words for word in chunk.split()))[:limit]


def _add_folded_terms(terms: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(form for term in terms for form in (term, _fold_word(term))))[:MAX_TERMS]


def _list_prefixes(words: Iterable[str]) -> list[str]:
    """List a prefix of each long word of a script whose inflected words the analyzer does not stem, as Cyrillic is."""
    return [f"{word[: max(_MIN_PREFIX, len(word) - _ENDING)]}*" for word in words if _UNSTEMMED.fullmatch(word)]


def _list_identifier_phrases(text: str) -> list[str]:
    """List the phrases of the identifiers of a text in their spellings: "E-117" is also in "E 117" and "E117"."""
    phrases: dict[str, None] = {}
    for item in find_identifiers(text)[:MAX_IDENTIFIERS]:
        spellings = (item.text.casefold(), " ".join((item.kind, *item.parts)), item.key)
        words = (re.sub(r"[^\w.]+", " ", spelling).strip() for spelling in spellings)
        phrases |= {f'"{spelling}"^{IDENTIFIER_WEIGHT}': None for spelling in words}
    return list(phrases)


def build_scoped_query(text: str, collection: str, documents: Iterable[str] = ()) -> str:
    """Build a query for any word and identifier of ``text`` in one collection or in some of its documents.

    Empty where the text has no word. The scope does not contribute to the score.
    """
    words = _add_folded_terms(extract_terms(text))
    if not words:
        return ""
    words = (words + _list_prefixes(words))[:MAX_TERMS]
    scope = f"+collection:{collection}^0"
    chosen = " ".join(documents)
    if chosen:
        scope += f" +document:({chosen})^0"
    return f"{scope} +search:({' '.join((*words, *_list_identifier_phrases(text)))})"


def build_prefix_query(text: str, collection: str) -> str:
    """Build a query for any word of ``text``, the last also as a prefix, in one collection; empty without words.

    Words with punctuation are also searched without it, and short words with points between their letters.
    """
    terms = extract_terms(text)
    if not terms:
        return ""
    words = _add_folded_terms([*terms, *_list_abbreviations(text)])
    prefixes = " ".join(f"{form[:MAX_PREFIX_LENGTH]}*" for form in _add_folded_terms(terms[-1:]))
    return f"+collection:{collection}^0 +search:({' '.join(words)} {prefixes})"


def _list_abbreviations(text: str) -> list[str]:
    """List "abc" and "a.b.c" of "A.B.C", "coop" of "co-op", "obrien" of "O'Brien", and "a.b.c" of "ABC".

    The analyzer indexes "A.B.C." as the one word "a.b.c", and splits a text at hyphens.
    """
    forms: dict[str, None] = {}
    for chunk in unicodedata.normalize("NFC", text).casefold().split():
        letters = "".join(character for character in chunk if character.isalnum())
        is_joined = letters != chunk.strip(_PUNCTUATION)
        if is_joined and 1 < len(letters) <= MAX_PREFIX_LENGTH:
            forms[letters] = None
        if letters.isalpha() and letters.isascii() and 1 < len(letters) <= _MAX_ABBREVIATION:
            forms[".".join(letters)] = None
    return list(forms)


def build_phrase_query(text: str, collection: str) -> str:
    """Build a phrase query for the words of ``text`` in one collection; empty where it has none."""
    words = " ".join(_WORD.findall(text.casefold()))
    return f'+collection:{collection}^0 +search:"{words}"' if words else ""
