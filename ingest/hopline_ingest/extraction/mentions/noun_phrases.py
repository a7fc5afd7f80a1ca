"""Detection of specific noun phrases."""

from __future__ import annotations

from collections.abc import Iterator

from hopline_ingest.extraction.mentions.capitalized_names import MIN_RUN
from hopline_ingest.extraction.mentions.names import (
    NOUNS,
    PROPER,
    NameSpan,
    base_phrase,
    is_short_phrase,
    is_vague,
    join_tokens,
    trim_name,
)
from hopline_ingest.extraction.parsed_text import ParsedText

_PHRASE_DEPS = frozenset(
    {"nsubj", "nsubjpass", "dobj", "attr", "pobj", "appos", "dative", "oprd", "ROOT", "conj", "pcomp", "npadvmod"}
)


def find_noun_phrases(parse: ParsedText) -> Iterator[NameSpan]:
    """Find specific noun phrases, and the name at the end of one: "Swedish rock band Ghost" -> "Ghost"."""
    last = -1
    for head, (tag, dep) in enumerate(zip(parse.tags, parse.deps, strict=True)):
        if tag not in NOUNS or dep not in _PHRASE_DEPS:
            continue
        start, end = base_phrase(parse, head)
        bounds = trim_name(parse, max(start, last + 1), end)
        last = head
        if (
            bounds is None
            or not is_short_phrase(*bounds)
            or _is_single_common_noun(parse, *bounds)
            or is_vague(parse, *bounds)
        ):
            continue
        if (
            all(parse.entity_index[token] >= 0 for token in range(*bounds))
            and parse.entity_index[bounds[0]] == parse.entity_index[bounds[1] - 1]
        ):
            continue  # within a recognised name
        name_start = _find_proper_suffix(parse, *bounds)
        if name_start > bounds[0]:
            yield NameSpan(join_tokens(parse, *bounds), "NOUN", *parse.span(*bounds))
        if name_start < bounds[1] and not parse.name_tags.overlaps(name_start, bounds[1]):
            probability, kind = parse.name_tags.score(name_start, bounds[1])
            kind = kind if probability >= MIN_RUN else "NOUN"
            yield NameSpan(join_tokens(parse, name_start, bounds[1]), kind, *parse.span(name_start, bounds[1]))


def _find_proper_suffix(parse: ParsedText, start: int, end: int) -> int:
    """Return the start of the capitalised words at the end of a phrase."""
    while end > start and parse.tags[end - 1] in PROPER and parse.words[end - 1][:1].isupper():
        end -= 1
    return end


def _is_single_common_noun(parse: ParsedText, start: int, end: int) -> bool:
    return end - start == 1 and not (parse.tags[start] in PROPER and parse.words[start][:1].isupper())
