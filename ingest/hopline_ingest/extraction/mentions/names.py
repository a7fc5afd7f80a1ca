"""Where a name begins and ends among tokens, and which noun phrases are names worth keeping."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from hopline.ids import normalise
from hopline_ingest.extraction.parsed_text import Parse
from hopline_ingest.extraction.vocabulary import VAGUE_HEADS, VAGUE_WORDS

MOST_TOKENS = 12  # of an end of a triple
_PHRASE_TOKENS = 6  # of a mentioned noun phrase

NUMBERS = frozenset({"DATE", "TIME", "CARDINAL", "ORDINAL", "QUANTITY", "PERCENT", "MONEY"})
PROPER = frozenset({"NNP", "NNPS"})
NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})

_LEADING_TAGS = frozenset({"DT", "PDT", "PRP$", "WDT", "WP$", "POS", "CC", "IN", "TO", ",", ":", ".", "``", "''", '""'})
_LEADING_TAGS |= {"-LRB-", "-RRB-", "HYPH", "_SP", "RB", "EX", "WP", "WRB", "PRP", "NFP", "SYM", "LS", "UH"}
_TRAILING_TAGS = _LEADING_TAGS | {"VBZ", "MD"}
_APART = frozenset({"relcl", "acl", "parataxis", "cc", "preconj", "advcl"})
_SEPARATORS = frozenset(',;:()[]"')
_SYMBOLS = frozenset("▶►▸•■□●○◆★☐☑✓→←↑↓|")
_BARE = re.compile(r"[^\w]+", re.UNICODE)

key = lru_cache(maxsize=65536)(normalise)  # the same names come again and again


@dataclass(frozen=True, slots=True)
class Found:
    """One place where an entity is named; ``start`` and ``end`` are characters."""

    name: str
    kind: str
    start: int
    end: int


def trimmed(parse: Parse, start: int, end: int) -> tuple[int, int] | None:
    """The tokens [start, end) without articles, possessives, quotes and punctuation at their ends.

    A bracket that begins inside ends the name. None where nothing is left that could be a name.
    """
    tags, lower = parse.tags, parse.lower
    while start < end and tags[start] in _LEADING_TAGS and not _kept(parse, start, end):
        start += 1
    for place in range(start, end):
        if parse.words[place] in "([{" and place > start:
            end = place
            break
    while end > start and (tags[end - 1] in _TRAILING_TAGS or lower[end - 1] in {"'s", "'"}):
        if tags[end - 1] not in _LEADING_TAGS and parse.label[end - 1] >= 0:
            break
        end -= 1
    words = parse.words[start:end]
    if not any(c.isalnum() for word in words for c in word) or not _SYMBOLS.isdisjoint(words):
        return None
    return start, end


def _kept(parse: Parse, start: int, end: int) -> bool:
    """A capital letter within a sentence says that the word belongs to the name: "The Boy Next Door"."""
    word = parse.words[start]
    if not word[:1].isupper() or end - start < 2 or parse.tags[start] == "PRP$":
        return False
    return start > 0 and parse.words[start - 1] not in ".!?:" and parse.words[start + 1][:1].isupper()


def shown(parse: Parse, start: int, end: int) -> str:
    """The text of the tokens [start, end) on one line."""
    a, b = parse.span(start, end)
    return " ".join(parse.text[a:b].split())


def vague(parse: Parse, start: int, end: int) -> bool:
    """Whether the phrase says too little to be found again: pronouns, "first film", "company"."""
    words = parse.lower[start:end]
    if any(tag in PROPER for tag in parse.tags[start:end]):
        return False
    content = [word for word in words if word not in VAGUE_WORDS and word[:1].isalpha() and len(word) > 1]
    return not content or (len(content) == 1 and content[0] in VAGUE_HEADS)


def base_phrase(parse: Parse, head: int) -> tuple[int, int]:
    """The tokens of a noun with what stands before it: the phrase up to and including its head."""
    start = parse.lefts[head]
    for child in parse.children[head]:
        if child < head and (parse.deps[child] in _APART or parse.words[child] in _SEPARATORS):
            start = max(start, parse.rights[child] + 1)
    return min(start, head), head + 1


def full_phrase(parse: Parse, head: int, depth: int = 0) -> tuple[int, int]:
    """The noun phrase with its "of" attachments and names that go on behind the head, at most `MOST_TOKENS`."""
    start, end = base_phrase(parse, head)
    for child in parse.children[head]:
        if child != end or parse.deps[child] not in {"prep", "nummod", "flat"}:
            continue
        if parse.deps[child] == "prep" and parse.lower[child] != "of":
            continue
        stop = _short_of(parse, child, depth)
        if stop - start <= MOST_TOKENS:
            end = stop
    return start, end


def _short_of(parse: Parse, of: int, depth: int) -> int:
    """Where an "of" phrase ends, with relative clauses and further attachments left out."""
    for child in parse.children[of]:
        if parse.deps[child] == "pobj" and depth < MOST_TOKENS:
            return full_phrase(parse, child, depth + 1)[1]
    return of


def is_word(text: str) -> bool:
    """Whether there is a letter or digit in it."""
    return bool(_BARE.sub("", text))


def phrase_fits(start: int, end: int) -> bool:
    """Whether a common noun phrase is short enough to be met again."""
    return 0 < end - start <= _PHRASE_TOKENS
