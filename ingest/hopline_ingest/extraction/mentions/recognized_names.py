"""Names from the name tagger, the entity recogniser and quotation marks, and names with an identifier."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from hopline.text.values import YEAR
from hopline_ingest.extraction.mentions.names import NUMBERS, PROPER, NameSpan, has_alphanumeric, join_tokens, trim_name
from hopline_ingest.extraction.mentions.no_names import is_no_name
from hopline_ingest.extraction.parsed_text import ParsedText
from hopline_ingest.extraction.vocabulary import HONORIFICS, MONTHS, PRONOUNS

_QUOTED = re.compile(r'"\s?([^"]{2,90}?)\s?"')
_YEAR = re.compile(rf"\s?\(\s?{YEAR}")
_SHIP = re.compile(r"\b(?:HMS|USS|RMS|SS|MV|MS|HMAS|HMCS) $")
MIN_PROBABILITY = 0.5  # of a name that the tagger finds
MIN_RECOGNIZED = 0.5  # probability of a name that only the recogniser finds
MIN_IDENTIFIED = 0.2  # mean probability that the words before an identifier are a name
MIN_QUOTED = 0.4  # mean probability that the words of a title in quotes are a name
_DEFINING = re.compile(r"\((?:[a-z]+,? ){0,4}$")  # "(the "Agent")", "(collectively, the "Parties")"
_CAPITALIZED = r"(?<![\w-])(?!(?:The|An?) )(?P<{}>(?:[A-Z][\w'’&-]*\w ){{1,4}})"
_IDENTIFIED = re.compile(
    _CAPITALIZED.format("words")
    + r"(?:(?:No\.|Mk\.?|v\.?) ?)?"
    + r"(?P<identifier>[A-Z]{1,3}[-/]?\d{1,5}[A-Za-z]?(?:[-/]\d+)*|\d{1,5}[A-Z]?(?:-\d+)?)(?![\w/]|[.,]\d)|"
    + _CAPITALIZED.format("revised")
    + r"rev(?:ision|\.)? (?P<revision>[A-Z]\d?|\d+)(?!\w)"
)
_UNIDENTIFIED = frozenset({"PERSON", "ORG"})  # kinds whose names have no identifiers
_UNNUMBERED = frozenset({"PERSON", "ORG", "GPE"})  # kinds that are not counted
_YEAR_ALONE = re.compile(r"(?:1[5-9]|20)\d\d")
_COMPARING = frozenset({"over", "under", "about", "above", "below", "around", "than"})
_EXTENDABLE_KINDS = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "WORK_OF_ART", "EVENT", "PRODUCT", "LAW", "NORP"})


def find_quoted_titles(parse: ParsedText) -> Iterator[NameSpan]:
    """Find titles in quotes: most of their words begin with a capital, or a year follows."""
    if '"' not in parse.plain:
        return
    for quote in _QUOTED.finditer(parse.plain):
        words = quote[1].split()
        if not words or len(words) > 10 or not has_alphanumeric(quote[1]):
            continue
        if len(words) <= 2 and _is_nickname(parse.plain, *quote.span()):
            continue
        capital = sum(word[:1].isupper() or word[:1].isdigit() for word in words)
        is_dated = _YEAR.match(parse.plain, quote.end()) is not None
        is_title = capital * 2 >= len(words) and _is_probable_title(parse, *quote.span(1))
        if not (words[0][:1].isupper() and (is_dated or is_title)):
            continue
        start, end = quote.span(1)
        while end > start and parse.plain[end - 1] in " ,.;:":
            end -= 1
        ship_prefix = _SHIP.search(parse.plain, max(0, quote.start() - 6), quote.start())
        yield build_name_span(parse, ship_prefix.start() if ship_prefix else start, end, "WORK_OF_ART")


def _is_probable_title(parse: ParsedText, start: int, end: int) -> bool:
    """Whether the tagger takes the characters [start, end) for a name, and no bracket defines them as a term."""
    if _DEFINING.search(parse.plain, max(0, start - 40), start - 1):
        return False
    first, last = bisect_left(parse.starts, start), bisect_left(parse.starts, end)
    return parse.name_tags.score(first, last)[0] >= MIN_QUOTED


def build_name_span(parse: ParsedText, start: int, end: int, kind: str) -> NameSpan:
    """Build the name span of the characters [start, end); quotes are removed from the name."""
    return NameSpan(" ".join(parse.text[start:end].replace('"', " ").split()), kind, start, end)


def _is_nickname(text: str, start: int, end: int) -> bool:
    """Whether quotes are between the names of a person: Benjamin "Ben" Lamb."""
    before, after = text[max(0, start - 40) : start].split(), text[end : end + 20].split()
    return bool(before and after) and before[-1][:1].isupper() and after[0][:1].isupper() and before[-1][-1].isalpha()


def find_identified_names(parse: ParsedText) -> Iterator[NameSpan]:
    """Yield capitalised words with an identifier, "Pump P-12", "Room 101", "Valve Controller rev. B"; no "May 2019".

    Without the identifier they would name things that are different as one.
    """
    for match in _IDENTIFIED.finditer(parse.plain):
        words = (match["words"] or match["revised"]).lower().split()
        first = bisect_left(parse.starts, match.start())
        last = bisect_left(parse.starts, match.end())
        identifier = match["identifier"] or ""
        is_date = words[-1] in MONTHS or _YEAR_ALONE.fullmatch(identifier) is not None
        is_numbered = identifier.isdigit() and any(  # "Iran 3", with the number of a footnote
            (parse.starts[start], parse.ends[end - 1]) == (match.start(), match.start() + len(match["words"].rstrip()))
            and kind in _UNNUMBERED
            for start, end, kind in parse.name_tags.names
        )
        is_counted = identifier.isdigit() and parse.tags[first] not in PROPER | {"NN"}  # "Add 5 grams"
        if not (is_date or is_numbered or is_counted or is_no_name(match[0])):
            probability, kind = parse.name_tags.score(first, last)
            if probability < MIN_IDENTIFIED:
                continue
            yield build_name_span(parse, *match.span(), "NAME" if kind in _UNIDENTIFIED else kind)


def find_tagged_names(parse: ParsedText) -> Iterator[NameSpan]:
    """Yield the names that the tagger finds, with corrected boundaries."""
    for first, last, tagged in parse.name_tags.names:
        bounds = _correct_bounds(parse, first, last, tagged)
        probability, kind = parse.name_tags.score(*bounds) if bounds else (0.0, "")
        if bounds and probability >= MIN_PROBABILITY:
            yield build_name_span(parse, *parse.span(*bounds), kind)


def find_recognized_names(parse: ParsedText) -> Iterator[NameSpan]:
    """Yield the numbers and dates of the parser's recogniser, and its names where the tagger finds none but may err.

    The type of a name is the one that the tagger gives it.
    """
    for first, end, label in parse.entities:
        start = first
        while label in _EXTENDABLE_KINDS and start > 0 and _extends_name(parse, start - 1):
            start -= 1
        bounds = _correct_bounds(parse, start, end, label)
        if bounds is None or not has_alphanumeric(join_tokens(parse, *bounds)):
            continue
        kind = label if label in NUMBERS else _check_name(parse, *bounds, label)
        if kind:
            yield NameSpan(join_tokens(parse, *bounds), kind, *parse.span(*bounds))


def _check_name(parse: ParsedText, start: int, end: int, label: str) -> str:
    """Return the kind of a name that the recogniser finds, or "" if it overlaps a tagged one or is improbable."""
    if label not in _EXTENDABLE_KINDS or label == "NORP" or parse.name_tags.overlaps(start, end):
        return ""
    probability, kind = parse.name_tags.score(start, end)
    return kind if probability >= MIN_RECOGNIZED else ""


def _correct_bounds(parse: ParsedText, start: int, end: int, kind: str) -> tuple[int, int] | None:
    """Correct the boundaries of an entity: a date includes its day but no "between"; None for a name in lower case."""
    if kind in NUMBERS:
        if kind == "DATE" and start > 0 and parse.words[start - 1].isdigit() and parse.lower[start] in MONTHS:
            return start - 1, end
        first = start + (parse.tags[start] in {"DT", "IN", "PRP$"} and parse.lower[start] not in _COMPARING)
        return (first, end) if first < end else None
    words = parse.words[start:end]
    if kind != "SUBSTANCE" and not any(word[:1].isupper() or word[:1].isdigit() for word in words):
        return None
    if words.count('"') % 2:
        end = start + words.index('"')
    if end - start > 1 and parse.lower[end - 1] in PRONOUNS:
        end -= 1
    bounds = trim_name(parse, start, end)
    return strip_honorifics(parse, *bounds) if bounds else None


def strip_honorifics(parse: ParsedText, start: int, end: int) -> tuple[int, int]:
    """Strip honorifics such as "Senator" from a name's beginning; "Duke of Nassau" is unchanged."""
    while end - start > 2 and parse.lower[start].rstrip(".") in HONORIFICS and parse.lower[start + 1] != "of":
        start += 1
    return start, end


def _extends_name(parse: ParsedText, token: int) -> bool:
    """Whether the capitalised word before a recognised name belongs to the name."""
    capital = parse.tags[token] in PROPER and parse.words[token][:1].isupper()
    return capital and parse.entity_index[token] < 0 and parse.deps[token] == "compound"
