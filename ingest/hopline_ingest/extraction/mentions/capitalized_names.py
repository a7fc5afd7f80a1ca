"""Names from capitalisation: runs across "of" and "de", names with a noble title."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from hopline_ingest.extraction.mentions.names import NUMBERS, PROPER, NameSpan, join_tokens, trim_name
from hopline_ingest.extraction.mentions.recognized_names import build_name_span, strip_honorifics
from hopline_ingest.extraction.parsed_text import ParsedText
from hopline_ingest.extraction.vocabulary import COMPANY_FORMS, JOINERS

_RUN_TOKENS = 8
MIN_RUN = 0.5  # probability that a capitalised word of a run belongs to a name
STYLE = re.compile(
    r", (?:\d+(?:st|nd|rd|th) )?(?:Hereditary )?(?:Grand )?"
    r"(?:Duke|Duchess|Earl|Count|Countess|Prince|Princess|Marquess|Viscount|Baron|Baroness|King|Queen|Emperor|Empress|Lord|"
    r"Lady|Margrave|Landgrave|Elector|Dame|Infante|Infanta|Bishop)"
    r"(?: [Cc]onsort)? of (?:the )?[A-Z][\w'-]*(?:(?:[ -]| and )[A-Z][\w'-]*)*"
)


def find_capitalized_runs(parse: ParsedText) -> Iterator[NameSpan]:
    """Find runs of capitalised words across "of", "de", "&" and numbers: "Battle of Hastings", "Chapter 2"."""
    start = last = -1
    for token, word in enumerate(parse.words):
        if start >= 0 and _ends_company(parse, token - 1):
            yield from _build_run_names(parse, start, last)
            start = -1
        if _is_capital(parse, token):
            start, last = (token, token) if start < 0 else (start, token)
        elif start >= 0 and (word.isdigit() or (parse.lower[token] in JOINERS and _continues_run(parse, token))):
            last = token if word.isdigit() else last
        else:
            yield from _build_run_names(parse, start, last)
            start = -1
    yield from _build_run_names(parse, start, last)


def _ends_company(parse: ParsedText, token: int) -> bool:
    """Return whether a word is the abbreviated legal form of a company, "Ltd.", which ends its name."""
    word = parse.lower[token]
    return word.endswith(".") and word.rstrip(".") in COMPANY_FORMS


def _is_capital(parse: ParsedText, token: int) -> bool:
    word = parse.words[token]
    if not set(word) - set("IVX"):
        return token > 0 and parse.words[token - 1][:1].isupper()
    return word[:1].isupper() and (parse.tags[token] in PROPER or parse.entity_index[token] >= 0)


def _continues_run(parse: ParsedText, token: int) -> bool:
    following = parse.words[token + 1 : token + 3]
    if following[:1] == ["the"]:
        return parse.lower[token] == "of" and following[1:] != [] and following[1][:1].isupper()
    return (bool(following) and following[0][:1].isupper()) or parse.lower[token] == "the"


def _build_run_names(parse: ParsedText, start: int, last: int) -> Iterator[NameSpan]:
    """Yield a run with a joining word or a number inside; other runs are found as recognised names or phrases."""
    bounds = trim_name(parse, start, last + 1) if last > start >= 0 else None
    if bounds is None or not 1 < bounds[1] - bounds[0] <= _RUN_TOKENS:
        return
    bounds = strip_honorifics(parse, *bounds)
    entity_indices = {parse.entity_index[token] for token in range(*bounds)}
    has_date = any(index >= 0 and parse.entities[index][2] in NUMBERS - {"CARDINAL"} for index in entity_indices)
    capitals = [token for token in range(*bounds) if parse.words[token][:1].isupper()]
    is_name = all(parse.name_tags.score(token, token + 1)[0] >= MIN_RUN for token in capitals)
    kind = parse.name_tags.score(*bounds)[1]
    if len(entity_indices) > 1 and not has_date and is_name:
        yield NameSpan(join_tokens(parse, *bounds), kind, *parse.span(*bounds))


def find_styled_names(parse: ParsedText, name_spans: Iterable[NameSpan]) -> Iterator[NameSpan]:
    """Find names followed by a noble title: "George Villiers, 4th Earl of Jersey"."""
    for span in name_spans:
        style = STYLE.match(parse.plain, span.end) if span.kind not in NUMBERS else None
        if style and span.kind != "NOUN":
            yield build_name_span(parse, span.start, style.end(), "PERSON")
