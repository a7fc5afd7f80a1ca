"""The opening of a text, the words before its first verb, and the names in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hopline.text.values import find_years
from hopline_ingest.extraction.parsed_text import ParsedText
from hopline_ingest.extraction.relations.clauses import SUBJECT
from hopline_ingest.extraction.vocabulary import (
    COMPANY_FORMS,
    HONORIFICS,
    INTRODUCING,
    PRONOUNS,
    VAGUE_HEADS,
    VAGUE_WORDS,
)

_FINITE = frozenset({"VBZ", "VBD", "VBP", "MD"})
_COPULAS = frozenset({"is", "was", "are", "were"})
_LONGEST = 60  # tokens before the verb, and within one bracket
EDGE = " \t,;:.\"'`*–—-·|"
_QUOTED = re.compile(r'"\s?([^"]{2,100}?)\s?"')
_DESCRIPTION = re.compile(r",\s+(?:an?|the|his|her|its|their|who|which|whose|one)\s")
_ARTICLES = frozenset({"The", "A", "An", "the", "a", "an"})
_POINTING = frozenset({"the", "this", "that", "these", "those", "its", "his", "her", "their", "our"})
_OTHERWISE = (
    "also|better|best|commonly|formerly|originally|previously|sometimes|often|simply|professionally|usually|popularly|"
    "generally|internationally|locally|historically|officially|more|known|called|or|trading|operating|née|nee|aka|a\\.k\\.a\\.|"
    "styled|stylized|abbreviated|nicknamed"
)
_ALTERNATIVE = re.compile(
    rf",?\s*\(?\b(?:{_OTHERWISE})(?!\w)(?:\s+(?:{_OTHERWISE}|referred|to|by|as|spelled|spelt|written|just|either|in\s+\w+)\b)*"
    r"[\s:,]*"
)


@dataclass(frozen=True, slots=True)
class Opening:
    """The words before the first verb, without the text in brackets.

    ``brackets`` are the texts in brackets. ``verb`` is the verb's token, or -1 if the text has none,
    ``last`` the last token before it. ``defines`` is true if a definition ("is a", "was the") follows.
    """

    words: str = ""
    brackets: tuple[str, ...] = ()
    verb: int = -1
    last: int = -1
    defines: bool = False


def parse_opening(parse: ParsedText) -> Opening:
    """Parse the opening of a text; it is empty if the text begins with its verb or has none."""
    tokens, brackets, verb = _split_at_verb(parse)
    if tokens and (parse.lower[tokens[0]] in INTRODUCING or _is_separate_adverb(parse, tokens[0])):
        tokens = _strip_introduction(parse, tokens, verb)
    defines = 0 <= verb < len(parse) - 1 and parse.lower[verb] in _COPULAS and parse.tags[verb + 1] != "VBN"
    words = _strip_description(_join_tokens(parse, tokens).strip(EDGE))
    last = next((token for token in reversed(tokens) if parse.words[token][:1].isalnum()), -1)
    return Opening(words, tuple(_join_tokens(parse, inside) for inside in brackets), verb, last, defines)


def _is_separate_adverb(parse: ParsedText, token: int) -> bool:
    return parse.tags[token] == "RB" and parse.words[token + 1 : token + 2] == [","]


def find_main_verb(parse: ParsedText, verb: int) -> int:
    """Return the main verb of an auxiliary, else the verb itself."""
    return parse.heads[verb] if parse.deps[verb] in {"aux", "auxpass"} else verb


def _ends_sentence(parse: ParsedText, before: int, token: int) -> bool:
    """Whether a heading or a sentence ends before ``token``."""
    return parse.words[before][-1] in ".!?" or "\n" in parse.text[parse.ends[before] : parse.starts[token]]


def _strip_introduction(parse: ParsedText, tokens: list[int], verb: int) -> list[int]:
    """Remove an introductory phrase: "In 1979, the launch" -> "the launch"."""
    main = find_main_verb(parse, verb)
    subject = next((child for child in parse.children[main] if parse.deps[child] in SUBJECT and child < main), -1)
    if subject > 0 and parse.lefts[subject] > tokens[0]:
        return [token for token in tokens if token >= parse.lefts[subject]]
    comma = next((index for index, token in enumerate(tokens) if parse.words[token] == ","), -1)
    return tokens[comma + 1 :]


def _split_at_verb(parse: ParsedText) -> tuple[list[int], list[list[int]], int]:
    tokens: list[int] = []
    brackets: list[list[int]] = []
    bracket_start = -1
    starts = {start for start, _ in parse.sentences}
    for token in range(min(len(parse), 2 * _LONGEST)):
        word = parse.words[token]
        if bracket_start >= 0 and (word in ")]" or token - bracket_start > _LONGEST):
            bracket_start = -1
        elif word in {"(", "["}:
            bracket_start = token
            brackets.append([])
        elif bracket_start >= 0:
            brackets[-1].append(token)
        elif token in starts and tokens and _ends_sentence(parse, tokens[-1], token):
            tokens = [token]
        elif _is_main_verb(parse, token):
            return tokens, brackets, token
        elif len(tokens) < _LONGEST:
            tokens.append(token)
    return [], brackets, -1


def _is_main_verb(parse: ParsedText, token: int) -> bool:
    """Whether a token is the main verb; the tagger also labels capitalised and foreign words of titles as verbs."""
    if parse.tags[token] not in _FINITE or not parse.words[token][:1].islower():
        return False
    if parse.lower[token] in _COPULAS or parse.deps[token] in {"aux", "auxpass"}:
        return True
    following = range(token + 1, min(token + 6, len(parse)))
    return not any(parse.lower[index] in _COPULAS and parse.deps[index] == "ROOT" for index in following)


def _join_tokens(parse: ParsedText, tokens: list[int]) -> str:
    """Return the text of the tokens, with one space where tokens between them were removed."""
    parts: list[str] = []
    last = -1
    for token in tokens:
        if parts and (token != last + 1 or parse.starts[token] > parse.ends[last]):
            parts.append(" ")
        parts.append(parse.plain[parse.starts[token] : parse.ends[token]])
        last = token
    return " ".join("".join(parts).split())


def add_missing_subject(parse: ParsedText, opening: Opening) -> ParsedText:
    """Make the opening the subject of its verb if the parser found none.

    Titles are not grammatical: in "Live at Carnegie Hall is an album" the parser finds no subject.
    """
    subject = opening.last
    if subject < 0:
        return parse
    verb = find_main_verb(parse, opening.verb)
    if subject > verb or any(parse.deps[child] in SUBJECT for child in parse.children[verb]):
        return parse
    deps, heads, children = parse.deps.copy(), parse.heads.copy(), [below.copy() for below in parse.children]
    for token, head in ((verb, verb), (subject, verb)):
        if token in children[heads[token]]:
            children[heads[token]].remove(token)
        heads[token] = head
    children[verb].insert(0, subject)
    deps[verb], deps[subject] = "ROOT", "nsubj"
    return replace(parse, deps=deps, heads=heads, children=children)


def _strip_description(words: str) -> str:
    """Remove a description after a comma; "" for an opening such as "the company" or "she"."""
    name = _DESCRIPTION.split(words, maxsplit=1)[0].removeprefix("and ").removeprefix("And ")
    first, *rest = name.lower().split() or [""]
    vague = first in PRONOUNS or (first in _POINTING and all(word in VAGUE_HEADS | VAGUE_WORDS for word in rest))
    return "" if vague and (rest == [] or first in _POINTING) else name


def split_alternatives(text: str) -> list[str]:
    """Split a phrase at "or", "also known as" and similar expressions."""
    return [name for part in _ALTERNATIVE.split(text) if (name := part.strip(EDGE).removesuffix(" and"))]


def find_quoted(text: str) -> list[str]:
    """Return the texts in double quotes."""
    return [match.strip(EDGE) for match in _QUOTED.findall(text)]


def strip_decorations(name: str) -> str:
    """Strip "Sir", "CBE", "Jr.", "Inc." and similar titles and suffixes from a name."""
    words = name.split()
    while len(words) > 1 and words[0].rstrip(".").lower() in HONORIFICS:
        words = words[1:]
    while len(words) > 1 and _is_decoration(words[-1]):
        words = words[:-1]
    return " ".join(words).strip(EDGE)


def strip_company_form(name: str) -> str:
    """Strip the legal form ("Inc.", "Ltd") from the end of a company's name."""
    words = name.split()
    while len(words) > 1 and words[-1].strip(".,").lower() in COMPANY_FORMS:
        words = words[:-1]
    return " ".join(words).rstrip(",")


def _is_decoration(word: str) -> bool:
    bare = word.strip(".,")
    if bare.lower() in COMPANY_FORMS or bare in {"Jr", "Sr"}:
        return True
    return len(bare) >= 2 and bare.isupper() and bare.isalpha() and bool(set(bare) - set("IVXLC"))


def strip_article(name: str) -> str:
    """Strip the article from a name unless it is part of a title: "The Exeter incident", but not "The Office"."""
    article, _, rest = name.partition(" ")
    words = [word for word in rest.split() if len(word) > 3 and word[0].isalpha()]
    if article not in _ARTICLES or (article.istitle() and all(word[0].isupper() for word in words)):
        return name
    return rest or name


def find_nicknames(name: str) -> Iterator[tuple[str, str]]:
    """Yield (feature, name) for names with a nickname: Harald "Bluetooth" Gormsson, Benjamin "Ben" Lamb."""
    nick = _QUOTED.search(name)
    if nick:
        before, inside, after = name[: nick.start()].strip(EDGE), nick[1].strip(EDGE), name[nick.end() :].strip(EDGE)
        if inside and after:
            yield "nickname", f"{inside} {after}"
        if before and after:
            yield "no_nickname", f"{before} {after}"


def is_life_dates(bracket: str) -> bool:
    """Whether a bracket contains the dates of a person's life."""
    return "born" in bracket or len(find_years(bracket)) >= 2


def shorten_name(name: str) -> Iterator[tuple[str, str]]:
    """Yield (feature, name) for short forms: first and last of several names, a title without its subtitle."""
    start, colon, _ = name.partition(": ")
    if colon and start.strip(EDGE):
        yield "untitled", start.strip(EDGE)
    words = _QUOTED.sub(" ", name).split()
    if 3 <= len(words) <= 5 and all(word[:1].isupper() for word in words):
        yield "first_last", f"{words[0]} {words[-1]}"
