"""Detection of entity mentions in a text, grouped by normalized name."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from hopline.records import UNNAMED_KINDS
from hopline_ingest.extraction.mentions.capitalized_names import find_capitalized_runs, find_styled_names
from hopline_ingest.extraction.mentions.names import NameSpan, name_key
from hopline_ingest.extraction.mentions.no_names import find_list_letters, is_label, is_no_name, trim_surroundings
from hopline_ingest.extraction.mentions.noun_phrases import find_noun_phrases
from hopline_ingest.extraction.mentions.recognized_names import (
    find_identified_names,
    find_quoted_titles,
    find_recognized_names,
    find_tagged_names,
)
from hopline_ingest.extraction.parsed_text import ParsedText
from hopline_ingest.extraction.records import Mention


def find_mentions(parse: ParsedText) -> list[NameSpan]:
    """Find all name spans of a text in order of appearance; spans may overlap but do not repeat."""
    titles = [*find_quoted_titles(parse), *find_identified_names(parse)]
    names = [
        name for name in (*find_tagged_names(parse), *find_recognized_names(parse)) if not _is_inside(name, titles)
    ]
    seen = {(span.start, span.end) for span in (*titles, *names)}
    runs = [span for span in find_capitalized_runs(parse) if (span.start, span.end) not in seen]
    runs += find_styled_names(parse, [*names, *runs])
    seen.update((span.start, span.end) for span in runs)
    others = [span for span in find_noun_phrases(parse) if (span.start, span.end) not in seen]
    others = [span for span in others if span.kind == "NOUN" or not _is_inside(span, (*titles, *runs))]
    letters = find_list_letters(parse.text)
    trimmed = [_trim_span(span, parse.text, letters) for span in (*titles, *names, *runs, *others)]
    plausible = {
        (span.start, span.end): span
        for span in reversed(trimmed)
        if span.kind in UNNAMED_KINDS
        or not (is_no_name(span.name) or is_label(span.name, parse.text[span.end : span.end + 2].lstrip()))
    }
    return sorted(plausible.values(), key=lambda span: (span.start, -span.end))


def _trim_span(span: NameSpan, text: str, letters: Mapping[int, int]) -> NameSpan:
    """Return a name without what surrounds it; other mentions, and names that the text writes otherwise, unchanged.

    ``letters`` are those of lettered lines (`find_list_letters`).
    """
    if span.kind in UNNAMED_KINDS or text[span.start : span.end] != span.name:
        return span
    begin = letters.get(span.start, span.start)
    if span.start < begin < span.end:
        span = replace(span, name=text[begin : span.end], start=begin)
    start, end = trim_surroundings(span.name)
    return replace(span, name=span.name[start:end], start=span.start + start, end=span.start + end)


def _is_inside(name: NameSpan, quoted: Iterable[NameSpan]) -> bool:
    return any(span.start <= name.start and name.end <= span.end for span in quoted)


def merge_mentions(name_spans: Iterable[NameSpan], full_names: Mapping[str, str]) -> tuple[Mention, ...]:
    """Group name spans into one mention per normalized name, in order of first appearance.

    ``full_names`` maps a normalized alias to its full name.
    """
    groups: dict[str, list[NameSpan]] = {}
    names: dict[str, str] = {}
    for span in name_spans:
        key = name_key(span.name)
        name = full_names.get(key, "")
        group = name_key(name) if name else key
        if name:
            names[group] = name
        groups.setdefault(group, []).append(span)
    return tuple(_build_mention(members, names.get(group, "")) for group, members in groups.items())


def _build_mention(name_spans: list[NameSpan], name: str) -> Mention:
    forms = Counter(span.name for span in name_spans)
    best = name or forms.most_common(1)[0][0]
    kinds = Counter(span.kind for span in name_spans if span.kind not in {"NAME", "NOUN"})
    kind = kinds.most_common(1)[0][0] if kinds else min(span.kind for span in name_spans)
    spans = tuple(sorted({(span.start, span.end) for span in name_spans}))
    aliases = tuple(form for form in forms if form != best and name_key(form) != name_key(best))
    return Mention(best, kind, spans, aliases)


def map_tokens_to_names(parse: ParsedText, name_spans: Iterable[NameSpan]) -> dict[int, NameSpan]:
    """Map each token to the longest name that covers it; common noun phrases are ignored."""
    names_by_token: dict[int, NameSpan] = {}
    for name_span in sorted(
        (name_span for name_span in name_spans if name_span.kind != "NOUN"),
        key=lambda name_span: name_span.start - name_span.end,
    ):
        first = bisect_left(parse.starts, name_span.start)
        for token in range(first, bisect_left(parse.starts, name_span.end)):
            names_by_token.setdefault(token, name_span)
    return names_by_token
