"""What stands before the first verb of a text, and the names that it gives to the subject."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hopline_ingest.extraction.parsed_text import Parse
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
_YEAR = re.compile(r"\b\d{4}\b")
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
    """The words before the first verb, without what is in brackets.

    ``brackets`` are the texts within brackets. ``verb`` is the verb's token, or -1 where the
    text has none, ``last`` the last token before it. ``defines`` says that "is a", "was the" or the like follows.
    """

    words: str = ""
    brackets: tuple[str, ...] = ()
    verb: int = -1
    last: int = -1
    defines: bool = False


def opening_of(parse: Parse) -> Opening:
    """The opening of a text; no words where it begins with its verb or has no verb."""
    kept, brackets, verb = _split(parse)
    if kept and (parse.lower[kept[0]] in INTRODUCING or _is_adverb_apart(parse, kept[0])):
        kept = _without_introduction(parse, kept, verb)
    defines = 0 <= verb < len(parse) - 1 and parse.lower[verb] in _COPULAS and parse.tags[verb + 1] != "VBN"
    words = _named_part(_text(parse, kept).strip(EDGE))
    last = next((token for token in reversed(kept) if parse.words[token][:1].isalnum()), -1)
    return Opening(words, tuple(_text(parse, inside) for inside in brackets), verb, last, defines)


def _is_adverb_apart(parse: Parse, token: int) -> bool:
    return parse.tags[token] == "RB" and parse.words[token + 1 : token + 2] == [","]


def main_verb(parse: Parse, verb: int) -> int:
    """The verb that an auxiliary helps, else the verb itself."""
    return parse.heads[verb] if parse.deps[verb] in {"aux", "auxpass"} else verb


def _is_ended(parse: Parse, before: int, token: int) -> bool:
    """Whether what goes before was a heading or the end of a sentence."""
    return parse.words[before][-1] in ".!?" or "\n" in parse.text[parse.ends[before] : parse.starts[token]]


def _without_introduction(parse: Parse, kept: list[int], verb: int) -> list[int]:
    """What is left of "In 1979, the launch" when the words before the subject are cut off."""
    main = main_verb(parse, verb)
    subject = next((child for child in parse.children[main] if parse.deps[child] in SUBJECT and child < main), -1)
    if subject > 0 and parse.lefts[subject] > kept[0]:
        return [token for token in kept if token >= parse.lefts[subject]]
    comma = next((place for place, token in enumerate(kept) if parse.words[token] == ","), -1)
    return kept[comma + 1 :]


def _split(parse: Parse) -> tuple[list[int], list[list[int]], int]:
    kept: list[int] = []
    brackets: list[list[int]] = []
    opened = -1
    starts = {start for start, _ in parse.sentences}
    for token in range(min(len(parse), 2 * _LONGEST)):
        word = parse.words[token]
        if opened >= 0 and (word in ")]" or token - opened > _LONGEST):
            opened = -1
        elif word in {"(", "["}:
            opened = token
            brackets.append([])
        elif opened >= 0:
            brackets[-1].append(token)
        elif token in starts and kept and _is_ended(parse, kept[-1], token):
            kept = [token]
        elif _is_main_verb(parse, token):
            return kept, brackets, token
        elif len(kept) < _LONGEST:
            kept.append(token)
    return [], brackets, -1


def _is_main_verb(parse: Parse, token: int) -> bool:
    """A capital letter speaks for a word of a title, a foreign word for one: the tagger takes both for verbs."""
    if parse.tags[token] not in _FINITE or not parse.words[token][:1].islower():
        return False
    if parse.lower[token] in _COPULAS or parse.deps[token] in {"aux", "auxpass"}:
        return True
    following = range(token + 1, min(token + 6, len(parse)))
    return not any(parse.lower[place] in _COPULAS and parse.deps[place] == "ROOT" for place in following)


def _text(parse: Parse, tokens: list[int]) -> str:
    """The tokens as they stand in the text, with one space where something between them was left out."""
    parts: list[str] = []
    last = -1
    for token in tokens:
        if parts and (token != last + 1 or parse.starts[token] > parse.ends[last]):
            parts.append(" ")
        parts.append(parse.plain[parse.starts[token] : parse.ends[token]])
        last = token
    return " ".join("".join(parts).split())


def mended(parse: Parse, opening: Opening) -> Parse:
    """The parse with the opening as the subject of its verb, where the parser found none.

    Titles are not grammatical: in "Live at Carnegie Hall is an album" nothing looks like a subject.
    """
    subject = opening.last
    if subject < 0:
        return parse
    verb = main_verb(parse, opening.verb)
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


def _named_part(words: str) -> str:
    """The opening without a description behind a comma; "" where all of it is "the company" or "she"."""
    name = _DESCRIPTION.split(words, maxsplit=1)[0].removeprefix("and ").removeprefix("And ")
    first, *rest = name.lower().split() or [""]
    vague = first in PRONOUNS or (first in _POINTING and all(word in VAGUE_HEADS | VAGUE_WORDS for word in rest))
    return "" if vague and (rest == [] or first in _POINTING) else name


def alternatives(text: str) -> list[str]:
    """A phrase cut at "or", "also known as" and the like."""
    return [name for part in _ALTERNATIVE.split(text) if (name := part.strip(EDGE).removesuffix(" and"))]


def quoted(text: str) -> list[str]:
    """What stands in double quotes."""
    return [found.strip(EDGE) for found in _QUOTED.findall(text)]


def plain_name(name: str) -> str:
    """A name without "Sir", "CBE", "Jr.", "Inc." and the like around it."""
    words = name.split()
    while len(words) > 1 and words[0].rstrip(".").lower() in HONORIFICS:
        words = words[1:]
    while len(words) > 1 and _is_decoration(words[-1]):
        words = words[:-1]
    return " ".join(words).strip(EDGE)


def without_form(name: str) -> str:
    """The name of a firm without "Inc.", "Ltd" and the like at its end."""
    words = name.split()
    while len(words) > 1 and words[-1].strip(".,").lower() in COMPANY_FORMS:
        words = words[:-1]
    return " ".join(words).rstrip(",")


def _is_decoration(word: str) -> bool:
    bare = word.strip(".,")
    if bare.lower() in COMPANY_FORMS or bare in {"Jr", "Sr"}:
        return True
    return len(bare) >= 2 and bare.isupper() and bare.isalpha() and bool(set(bare) - set("IVXLC"))


def without_article(name: str) -> str:
    """A name without "The" where the word is not part of a title: "The Exeter incident", but "The Office"."""
    article, _, rest = name.partition(" ")
    words = [word for word in rest.split() if len(word) > 3 and word[0].isalpha()]
    if article not in _ARTICLES or (article.istitle() and all(word[0].isupper() for word in words)):
        return name
    return rest or name


def nicknames(name: str) -> Iterator[tuple[str, str]]:
    """(how, name) of Harald "Bluetooth" Gormsson, Benjamin "Ben" Lamb."""
    nick = _QUOTED.search(name)
    if nick:
        before, inside, after = name[: nick.start()].strip(EDGE), nick[1].strip(EDGE), name[nick.end() :].strip(EDGE)
        if inside and after:
            yield "nickname", f"{inside} {after}"
        if before and after:
            yield "no_nickname", f"{before} {after}"


def is_life(bracket: str) -> bool:
    """Whether a bracket says when somebody was born or lived."""
    return "born" in bracket or len(_YEAR.findall(bracket)) >= 2


def shorter(name: str) -> Iterator[tuple[str, str]]:
    """(how, name) of what people call somebody with three names, or a book with a subtitle."""
    start, colon, _ = name.partition(": ")
    if colon and start.strip(EDGE):
        yield "untitled", start.strip(EDGE)
    words = _QUOTED.sub(" ", name).split()
    if 3 <= len(words) <= 5 and all(word[:1].isupper() for word in words):
        yield "first_last", f"{words[0]} {words[-1]}"
