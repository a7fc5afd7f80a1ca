"""Boundaries of names and noun phrases in a parsed text, and the filter for vague phrases."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from hopline.ids import normalize_name
from hopline_ingest.extraction.parsed_text import ParsedText
from hopline_ingest.extraction.vocabulary import NAME_ENDS, VAGUE_HEADS, VAGUE_WORDS

MAX_TOKENS = 12  # of a triple's subject or object
_PHRASE_TOKENS = 6  # of a noun phrase that is a mention

NUMBERS = frozenset({"DATE", "TIME", "CARDINAL", "ORDINAL", "QUANTITY", "PERCENT", "MONEY"})
PROPER = frozenset({"NNP", "NNPS"})
NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})

_LEADING_TAGS = frozenset({"DT", "PDT", "PRP$", "WDT", "WP$", "POS", "CC", "IN", "TO", ",", ":", ".", "``", "''", '""'})
_LEADING_TAGS |= {"-LRB-", "-RRB-", "HYPH", "_SP", "RB", "EX", "WP", "WRB", "PRP", "NFP", "SYM", "LS", "UH"}
_TRAILING_TAGS = _LEADING_TAGS | {"VBZ", "MD"}
# words that the parser takes for a part of the name beside them
_BEFORE = frozenset({"but", "so", "if", "as", "when", "while", "then", "this", "these", "that", "those"})
_APART = frozenset({"relcl", "acl", "parataxis", "cc", "preconj", "advcl"})
_SEPARATORS = frozenset(',;:()[]"')
_SYMBOLS = frozenset("▶►▸•■□●○◆★☐☑✓→←↑↓|")
_BARE = re.compile(r"[^\w]+", re.UNICODE)

name_key = lru_cache(maxsize=65536)(normalize_name)  # names repeat often


@dataclass(frozen=True, slots=True)
class NameSpan:
    """An occurrence of a name with its entity kind; ``start`` and ``end`` are character offsets."""

    name: str
    kind: str
    start: int
    end: int


def trim_name(parse: ParsedText, start: int, end: int) -> tuple[int, int] | None:
    """Strip articles, possessives, quotes and punctuation from both ends of the tokens [start, end).

    An opening bracket ends the name. Returns None if what remains cannot be a name.
    """
    tags, lower = parse.tags, parse.lower
    while start < end and (
        (tags[start] in _LEADING_TAGS and not _is_part_of_name(parse, start, end))
        or (end - start > 1 and lower[start] in _BEFORE and not parse.words[start][:1].isupper())
        or (end - start > 1 and lower[start] == "but" and any(start == first for first, _ in parse.sentences))
    ):
        start += 1
    for index in range(start, end):
        if parse.words[index] in "([{" and index > start:
            end = index
            break
    while end > start and (tags[end - 1] in _TRAILING_TAGS or lower[end - 1] in {"'s", "'"} | NAME_ENDS):
        if lower[end - 1] not in NAME_ENDS and tags[end - 1] not in _LEADING_TAGS and parse.entity_index[end - 1] >= 0:
            break
        end -= 1
    words = parse.words[start:end]
    if not any(c.isalnum() for word in words for c in word) or not _SYMBOLS.isdisjoint(words):
        return None
    return start, end


def _is_part_of_name(parse: ParsedText, start: int, end: int) -> bool:
    """Whether a word belongs to the name because of its capital letter within a sentence: "The Boy Next Door"."""
    word = parse.words[start]
    if not word[:1].isupper() or end - start < 2 or parse.tags[start] == "PRP$":
        return False
    return start > 0 and parse.words[start - 1] not in ".!?:" and parse.words[start + 1][:1].isupper()


def join_tokens(parse: ParsedText, start: int, end: int) -> str:
    """Return the text of the tokens [start, end) with normalized whitespace."""
    a, b = parse.span(start, end)
    return " ".join(parse.text[a:b].split())


def is_vague(parse: ParsedText, start: int, end: int) -> bool:
    """Whether a phrase is too unspecific for a mention: pronouns, "first film", "company"."""
    words = parse.lower[start:end]
    if any(tag in PROPER for tag in parse.tags[start:end]):
        return False
    content = [word for word in words if word not in VAGUE_WORDS and word[:1].isalpha() and len(word) > 1]
    return not content or (len(content) == 1 and content[0] in VAGUE_HEADS)


def base_phrase(parse: ParsedText, head: int) -> tuple[int, int]:
    """Return the tokens of a noun and its premodifiers: the phrase up to and including its head."""
    start = parse.lefts[head]
    for child in parse.children[head]:
        if child < head and (parse.deps[child] in _APART or parse.words[child] in _SEPARATORS):
            start = max(start, parse.rights[child] + 1)
    return min(start, head), head + 1


def full_phrase(parse: ParsedText, head: int, depth: int = 0) -> tuple[int, int]:
    """Return the noun phrase with "of" attachments and names that continue after the head, at most `MAX_TOKENS`."""
    start, end = base_phrase(parse, head)
    for child in parse.children[head]:
        if child != end or parse.deps[child] not in {"prep", "nummod", "flat"}:
            continue
        if parse.deps[child] == "prep" and parse.lower[child] != "of":
            continue
        stop = _find_of_phrase_end(parse, child, depth)
        if stop - start <= MAX_TOKENS:
            end = stop
    return start, end


def _find_of_phrase_end(parse: ParsedText, of: int, depth: int) -> int:
    """Return the end of an "of" phrase without relative clauses and further attachments."""
    for child in parse.children[of]:
        if parse.deps[child] == "pobj" and depth < MAX_TOKENS:
            return full_phrase(parse, child, depth + 1)[1]
    return of


def has_alphanumeric(text: str) -> bool:
    """Whether a text contains a letter or a digit."""
    return bool(_BARE.sub("", text))


def is_short_phrase(start: int, end: int) -> bool:
    """Whether a common noun phrase is short enough to recur in other texts."""
    return 0 < end - start <= _PHRASE_TOKENS
