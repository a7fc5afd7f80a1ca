"""Alias detection within a text: acronyms, "also known as", surnames, suffixes of titles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import unescape

from hopline_ingest.extraction.mentions.names import NUMBERS, NameSpan, name_key
from hopline_ingest.extraction.mentions.no_names import is_no_name
from hopline_ingest.extraction.records import ExtractionInput

AliasPair = tuple[str, str]  # (alias, name)

_SUFFIX = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
_BRACKETED = re.compile(r"\s?[(]\s?\"?([^()\";,]{2,90}?)\"?\s?[);,]")
_DEFINITION = re.compile(r"\([^()\n]{0,60}?[\"“][^()\n]{2,90}[\"”]\s?\)")
_MAX_DISTANCE = 60  # characters between a name and the bracket that defines a term for it
_TERM = re.compile(r"[\"“](?:the )?([A-Z][\w&.’' -]{1,40}?),?[\"”]")
_SHORT = re.compile(r"[A-Z][A-Za-z&.\-]{1,9}$")
_ALSO = re.compile(
    r"(?:also|better|commonly|formerly|originally|previously|sometimes|often|simply|professionally|usually|popularly)"
    r"\s+(?:known|called|referred\s+to|named|styled|titled)?\s?(?:simply\s)?(?:as\s)?|\bknown\s(?:simply\s)?as\s|a\.?k\.?a\.?\s|\bor\s(?:simply\s)?|n[ée]e\s"
)
_BETWEEN = re.compile(r"^[\s,(\"]*(?:or|is|are|was|were)?\s*$")
_REGNAL = re.compile(r"\s(?:of|[IVX]+)(?:\s|$)")
_SINGLE = frozenset({"PERSON", "NAME", "ORG", "GPE", "NORP", "LOC", "PRODUCT"})


def strip_title_suffix(title: str) -> str:
    """Strip the disambiguating suffix of a title: "Theodred II (Bishop of Elmham)" -> "Theodred II"."""
    plain = unescape(title)
    return _SUFFIX.sub("", plain).strip() or plain.strip()


def find_aliases(evidence: ExtractionInput, name_spans: Sequence[NameSpan], opening: str = "") -> tuple[AliasPair, ...]:
    """Find the (alias, name) pairs in the text and its title; no name is its own alias, and no alias repeats.

    ``opening`` is the text's own longer name for the entity in its title, or "".
    """
    text, title = evidence.text, evidence.title
    pairs: dict[str, AliasPair] = {}
    for alias, name in (
        (opening, strip_title_suffix(title)),
        *find_acronyms(text),
        *find_defined_terms(text, name_spans),
        *_find_also_known_as(text, name_spans),
        *find_surnames(text, name_spans, title),
    ):
        if alias and name and name_key(alias) != name_key(name) and not is_no_name(name):
            pairs.setdefault(name_key(alias), (alias, name))
    return tuple(pair for pair in pairs.values() if name_key(pair[1]) not in pairs)


def are_same_entity(opening: str, title: str) -> bool:
    """Whether the opening of a text and its title name the same entity: "Lithuanian" and "Lithuanian language".

    A noble title after a comma, one common noun, or the words between first and last name may differ.
    """
    if title.startswith((f"{opening}, ", f"{opening} ")) and opening:
        rest = title[len(opening) :].split()
        return title[len(opening)] == "," or (len(rest) == 1 and rest[0][0].islower())
    words, others = name_key(opening).split(), name_key(title).split()
    return min(len(words), len(others)) > 1 and words[0] == others[0] and words[-1] == others[-1] and title.istitle()


def find_acronyms(text: str) -> Iterator[AliasPair]:
    """Find acronyms with their long form, ("WHO", "World Health Organization"), whichever is in brackets."""
    for bracket in _BRACKETED.finditer(text):
        inside, before = bracket[1].strip(), text[max(0, bracket.start() - 120) : bracket.start()].rstrip(' "')
        if _is_acronym(inside):
            name = find_long_form(inside, before)
            if name:
                yield inside, name
            continue
        short = before.split()[-1] if before.split() else ""
        if _is_acronym(short) and find_long_form(short, inside) == inside:
            yield short, inside


def find_defined_terms(text: str, name_spans: Sequence[NameSpan]) -> Iterator[AliasPair]:
    """Find the terms that a text defines for the name before a bracket: 'Tidewell Ltd (the "Company")'.

    A bracket after several names joined by "and" defines a term for all of them, and is left out.
    """
    named = [span for span in name_spans if span.kind not in {"NOUN", *NUMBERS}]
    for bracket in _DEFINITION.finditer(text):
        before = [span for span in named if 0 <= bracket.start() - span.end <= _MAX_DISTANCE]
        if before:
            name = max(before, key=lambda span: (span.end, -span.start))
            if not text[: name.start].endswith((" and ", ", ")):
                yield from ((term, name.name) for term in _TERM.findall(bracket[0]))


def _is_acronym(word: str) -> bool:
    return bool(_SHORT.match(word)) and sum(c.isupper() for c in word) >= 2


def find_long_form(short: str, before: str) -> str:
    """Return the words at the end of ``before`` that the acronym ``short`` abbreviates, or "".

    Schwartz and Hearst (2003): letters are matched from the right; the first must begin a word.
    """
    letters = [c.lower() for c in short if c.isalnum()]
    words = before.split()
    limit = min(len(letters) + 5, len(letters) * 2)
    tail = " ".join(words[-limit:])
    position = len(tail) - 1
    for number, letter in enumerate(reversed(letters)):
        first = number == len(letters) - 1
        while position >= 0 and not (tail[position].lower() == letter and (not first or _starts_word(tail, position))):
            position -= 1
        if position < 0:
            return ""
        position -= 1
    name = tail[position + 1 :].strip(" ,;:\"'")
    return name if name[:1].isupper() and " " in name and short not in name.split() else ""


def _starts_word(text: str, position: int) -> bool:
    return position == 0 or not text[position - 1].isalnum()


def _find_also_known_as(text: str, name_spans: Sequence[NameSpan]) -> Iterator[AliasPair]:
    """Find the names on both sides of "also known as", "formerly" and "or"."""
    named = [span for span in name_spans if span.kind not in NUMBERS]
    by_start = {span.start: span for span in reversed(named)}
    by_end = sorted(named, key=lambda span: (span.end, -span.start))
    for phrase in _ALSO.finditer(text):
        after = next(
            (by_start[position] for position in range(phrase.end(), phrase.end() + 3) if position in by_start), None
        )
        if after is None or after.kind == "NOUN":
            continue
        if phrase[0].split()[0] == "or" and text[phrase.start() - 2 : phrase.start()] != ", ":
            continue
        for span in reversed(by_end):
            if span.end <= phrase.start():
                if _BETWEEN.match(text[span.end : phrase.start()]) and span.kind != "NOUN":
                    yield after.name, span.name
                break


def find_surnames(text: str, name_spans: Sequence[NameSpan], title: str) -> Iterator[AliasPair]:
    """Find surnames used alone, with the full name that ends in it: the title's, else the only one in the text.

    For "Margaret of Baux" and "Henry IV" the first name is used.
    """
    full: dict[str, dict[str, str]] = {}
    for name in _collect_full_names(name_spans, title):
        words = name.split()
        regnal = bool(_REGNAL.search(name))
        shorts = {words[0], words[-1]} if name == strip_title_suffix(title) and not regnal else {words[-1 + regnal]}
        for short in shorts:
            full.setdefault(name_key(short), {}).setdefault(name_key(name), name)
    for span in name_spans:
        names = full.get(name_key(span.name), {})
        if not names or span.kind not in _SINGLE or text[max(0, span.start - 4) : span.start] in {"the ", "The "}:
            continue
        title_name = names.get(name_key(strip_title_suffix(title)))
        if (
            title_name
            and span.kind != "PERSON"
            and name_key(title_name).startswith(name_key(span.name))
            and not _REGNAL.search(title_name)
        ):
            continue  # "Riverton" is not an alias of "Riverton Bridge"
        if title_name or len(names) == 1:
            yield span.name, title_name or next(iter(names.values()))


def _collect_full_names(name_spans: Iterable[NameSpan], title: str) -> Iterator[str]:
    for span in name_spans:
        if span.kind == "PERSON" and 2 <= len(span.name.split()) <= 5:
            yield span.name
    words = strip_title_suffix(title).split()
    if 2 <= len(words) <= 5 and all(word[:1].isupper() for word in words):
        yield " ".join(words)
