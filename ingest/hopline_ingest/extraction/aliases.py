"""Other names of one thing within a text: acronyms, "also known as", surnames, titles' suffixes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import unescape

from hopline_ingest.extraction.mentions.names import NUMBERS, Found, key
from hopline_ingest.extraction.records import Readable

Pair = tuple[str, str]  # (alias, name)

_SUFFIX = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
_BRACKETED = re.compile(r"\s?[(]\s?\"?([^()\";,]{2,90}?)\"?\s?[);,]")
_SHORT = re.compile(r"[A-Z][A-Za-z&.\-]{1,9}$")
_ALSO = re.compile(
    r"(?:also|better|commonly|formerly|originally|previously|sometimes|often|simply|professionally|usually|popularly)"
    r"\s+(?:known|called|referred\s+to|named|styled|titled)?\s?(?:simply\s)?(?:as\s)?|\bknown\s(?:simply\s)?as\s|a\.?k\.?a\.?\s|\bor\s(?:simply\s)?|n[ée]e\s"
)
_BETWEEN = re.compile(r"^[\s,(\"]*(?:or|is|are|was|were)?\s*$")
_REGNAL = re.compile(r"\s(?:of|[IVX]+)(?:\s|$)")
_SINGLE = frozenset({"PERSON", "NAME", "ORG", "GPE", "NORP", "LOC", "PRODUCT"})


def without_suffix(title: str) -> str:
    """A title without what tells it from others of its name: "Theodred II (Bishop of Elmham)" -> "Theodred II"."""
    plain = unescape(title)
    return _SUFFIX.sub("", plain).strip() or plain.strip()


def alias_pairs(readable: Readable, places: Sequence[Found], opening: str = "") -> tuple[Pair, ...]:
    """Every (alias, name) that the text or its title shows; no name is its own alias, none is given twice.

    ``opening`` is the text's own longer name for what its title names, or "".
    """
    text, title = readable.text, readable.title
    pairs: dict[str, Pair] = {}
    for alias, name in (
        (opening, without_suffix(title)),
        *acronyms(text),
        *_also_known(text, places),
        *surnames(text, places, title),
    ):
        if alias and name and key(alias) != key(name):
            pairs.setdefault(key(alias), (alias, name))
    return tuple(pair for pair in pairs.values() if key(pair[1]) not in pairs)


def are_one(opening: str, title: str) -> bool:
    """Whether the opening of a text names what its title names: "Lithuanian" and "Lithuanian language".

    A style behind a comma, one common noun, or what stands between first and last name may differ.
    """
    if title.startswith((f"{opening}, ", f"{opening} ")) and opening:
        rest = title[len(opening) :].split()
        return title[len(opening)] == "," or (len(rest) == 1 and rest[0][0].islower())
    words, others = key(opening).split(), key(title).split()
    return min(len(words), len(others)) > 1 and words[0] == others[0] and words[-1] == others[-1] and title.istitle()


def acronyms(text: str) -> Iterator[Pair]:
    """("WHO", "World Health Organization"), whichever of the two stands in brackets."""
    for bracket in _BRACKETED.finditer(text):
        inside, before = bracket[1].strip(), text[max(0, bracket.start() - 120) : bracket.start()].rstrip(' "')
        if _is_acronym(inside):
            name = long_form(inside, before)
            if name:
                yield inside, name
            continue
        short = before.split()[-1] if before.split() else ""
        if _is_acronym(short) and long_form(short, inside) == inside:
            yield short, inside


def _is_acronym(word: str) -> bool:
    return bool(_SHORT.match(word)) and sum(c.isupper() for c in word) >= 2


def long_form(short: str, before: str) -> str:
    """The words at the end of ``before`` whose letters spell ``short``; empty where there are none.

    Schwartz and Hearst (2003): letters are matched from the right; the first must begin a word.
    """
    letters = [c.lower() for c in short if c.isalnum()]
    words = before.split()
    limit = min(len(letters) + 5, len(letters) * 2)
    tail = " ".join(words[-limit:])
    place = len(tail) - 1
    for number, letter in enumerate(reversed(letters)):
        first = number == len(letters) - 1
        while place >= 0 and not (tail[place].lower() == letter and (not first or _begins_word(tail, place))):
            place -= 1
        if place < 0:
            return ""
        place -= 1
    name = tail[place + 1 :].strip(" ,;:\"'")
    return name if name[:1].isupper() and " " in name and short not in name.split() else ""


def _begins_word(text: str, place: int) -> bool:
    return place == 0 or not text[place - 1].isalnum()


def _also_known(text: str, places: Sequence[Found]) -> Iterator[Pair]:
    """Names on both sides of "also known as", "formerly", "or"."""
    named = [place for place in places if place.kind not in NUMBERS]
    by_start = {place.start: place for place in reversed(named)}
    by_end = sorted(named, key=lambda place: (place.end, -place.start))
    for phrase in _ALSO.finditer(text):
        after = next((by_start[at] for at in range(phrase.end(), phrase.end() + 3) if at in by_start), None)
        if after is None or after.kind == "NOUN":
            continue
        if phrase[0].startswith("or") and text[phrase.start() - 2 : phrase.start()] != ", ":
            continue
        for place in reversed(by_end):
            if place.end <= phrase.start():
                if _BETWEEN.match(text[place.end : phrase.start()]) and place.kind != "NOUN":
                    yield after.name, place.name
                break


def surnames(text: str, places: Sequence[Found], title: str) -> Iterator[Pair]:
    """A last name that stands alone, with the full name that ends in it: the title's, else the text's only one.

    Of "Margaret of Baux" and "Henry IV" it is the first name.
    """
    full: dict[str, dict[str, str]] = {}
    for name in _full_names(places, title):
        words = name.split()
        regnal = bool(_REGNAL.search(name))
        shorts = {words[0], words[-1]} if name == without_suffix(title) and not regnal else {words[-1 + regnal]}
        for short in shorts:
            full.setdefault(key(short), {}).setdefault(key(name), name)
    for place in places:
        names = full.get(key(place.name), {})
        if not names or place.kind not in _SINGLE or text[max(0, place.start - 4) : place.start] in {"the ", "The "}:
            continue
        own = names.get(key(without_suffix(title)))
        if own and place.kind != "PERSON" and key(own).startswith(key(place.name)) and not _REGNAL.search(own):
            continue  # "Riverton" is not the Riverton Bridge
        if own or len(names) == 1:
            yield place.name, own or next(iter(names.values()))


def _full_names(places: Iterable[Found], title: str) -> Iterator[str]:
    for place in places:
        if place.kind == "PERSON" and 2 <= len(place.name.split()) <= 5:
            yield place.name
    words = without_suffix(title).split()
    if 2 <= len(words) <= 5 and all(word[:1].isupper() for word in words):
        yield " ".join(words)
