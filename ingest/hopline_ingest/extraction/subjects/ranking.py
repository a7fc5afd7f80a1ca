"""Ranking of the names in a text by the probability that the text is about them.

Every name in the opening, the subjects and the named entities is a candidate with features; a
logistic model estimates the probability that an editor would title the text with it. The
weights were fitted on passages whose known titles were hidden
(``benchmarks/subject_entities.py --fit``), and are the same for every kind of text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from hopline_ingest.extraction.mentions.capitalized_names import STYLE
from hopline_ingest.extraction.mentions.names import NUMBERS, NameSpan, full_phrase, join_tokens, name_key, trim_name
from hopline_ingest.extraction.parsed_text import ParsedText
from hopline_ingest.extraction.records import SubjectEntity, SubjectSource
from hopline_ingest.extraction.relations.clauses import SUBJECT, expand_conjuncts
from hopline_ingest.extraction.subjects.first_sentence import (
    EDGE,
    Opening,
    find_nicknames,
    find_quoted,
    is_life_dates,
    shorten_name,
    split_alternatives,
    strip_article,
    strip_decorations,
)
from hopline_ingest.extraction.vocabulary import PLACES

MAX_SUBJECTS = 5
MIN_SCORE = 0.03
_LONGEST = 14  # words
_CLAUSES = frozenset({"ROOT", "conj", "ccomp"})

WEIGHTS = {
    "bias": -5.3,
    # source of the name
    "open": 1.1, "open & defined": 1.0, "whole": 1.5, "alternative": 0.8, "before_comma": -0.2, "quoted": -0.4,
    "bracket": -0.15, "region 0": -0.7, "region 1": 1.35, "region 2": -0.5,
    # how it was derived from the opening
    "nickname": 2.1, "no_nickname": 0.6, "first_last & life": 3.1, "plain": 0.4, "untitled": -0.6,
    # position and frequency in the text
    "first": 1.6, "place": -2.7, "times": 0.35, "absent": 0.3, "subject": 0.7, "in subject": 0.2,
    # form
    "titled": 0.85, "common": -0.8, "one word": -0.8, "long": -0.6,
    "WORK_OF_ART": 1.1, "LOC": 0.45, "FAC": 0.2, "ORG": 0.15, "GPE": -0.15, "PERSON": -0.25, "EVENT": -0.25,
    "NORP": -1.4,
}  # fmt: skip


@dataclass(slots=True)
class SubjectCandidate:
    """A name that the text may be about; ``features`` are weighted by `WEIGHTS`."""

    name: str
    features: dict[str, float] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """Probability in (0, 1)."""
        return 1 / (1 + math.exp(-sum(WEIGHTS.get(name, 0.0) * value for name, value in self.features.items())))


def rank_subjects(parse: ParsedText, name_spans: Sequence[NameSpan], opening: Opening) -> list[SubjectEntity]:
    """Return at most `MAX_SUBJECTS` subjects of the text, most probable first; ties in order of the text."""
    ranked = sorted(collect_candidates(parse, name_spans, opening).values(), key=lambda candidate: -candidate.score)
    by: SubjectSource = "definition" if opening.defines else "subject"
    return [
        SubjectEntity(candidate.name, by if "open" in candidate.features else "subject", round(candidate.score, 4))
        for candidate in ranked[:MAX_SUBJECTS]
        if candidate.score >= MIN_SCORE
    ]


def find_opening_name(opening: Opening, about: Sequence[SubjectEntity]) -> str:
    """Return the opening's name for the text's subject, or "" if the text is about something else."""
    whole = {name_key(name) for name in (*split_alternatives(opening.words), *find_quoted(opening.words))}
    return next((candidate.name for candidate in about if name_key(candidate.name) in whole), "")


def map_opening_subject(parse: ParsedText, opening: Opening, name: str) -> dict[int, str]:
    """Map the subject tokens of the first verb to ``name``: a title may be longer than the parser's noun phrase."""
    return {
        token: name
        for token in range(opening.verb)
        if name and parse.deps[token] in SUBJECT and parse.heads[token] in {opening.verb, parse.heads[opening.verb]}
        if opening.defines or len(list(expand_conjuncts(parse, token))) == 1
    }


def collect_candidates(
    parse: ParsedText, name_spans: Sequence[NameSpan], opening: Opening
) -> dict[str, SubjectCandidate]:
    """Collect the candidates with their features, by normalized name."""
    candidates: dict[str, SubjectCandidate] = {}
    for name, *features in (
        *_candidates_from_opening(opening),
        *_candidates_with_region(parse, opening),
        *_candidates_from_names(name_spans),
    ):
        key = name_key(name)
        if key and key.count(" ") < _LONGEST:
            candidates.setdefault(key, SubjectCandidate(name)).features.update(dict.fromkeys(features, 1.0))
    subjects = [name_key(name) for name in _find_clause_subjects(parse)]
    text = f" {name_key(parse.text)} "
    for key, candidate in candidates.items():
        candidate.features.update(_compute_text_features(key, candidate, text, subjects))
        if opening.defines and "open" in candidate.features:
            candidate.features["open & defined"] = 1.0
        if "first_last" in candidate.features and any(map(is_life_dates, opening.brackets)):
            candidate.features["first_last & life"] = 1.0
    return candidates


NameWithFeatures = tuple[str, ...]  # (name, feature, …)


def _candidates_from_opening(opening: Opening) -> Iterator[NameWithFeatures]:
    """Yield the opening, its alternatives and all their forms."""
    parts = split_alternatives(opening.words)
    for index, part in enumerate(parts):
        yield from _expand_forms(part, "alternative" if index else "whole")
    first = parts[0].split(",")[0].strip(EDGE) if parts else ""
    if first and first != parts[0]:
        yield from _expand_forms(first, "before_comma")
        style = STYLE.match(parts[0], len(parts[0].partition(",")[0]))
        if style and style.end() < len(parts[0]):
            yield parts[0][: style.end()], "styled", "open"
    yield from ((name, "quoted", "open") for name in find_quoted(opening.words))
    for bracket in opening.brackets:
        for part in split_alternatives(bracket.split(";")[0]):
            yield part.split(",")[0].strip(EDGE), "bracket"


def _expand_forms(name: str, source: str) -> Iterator[NameWithFeatures]:
    yield strip_article(name), source, "open"
    plain = strip_decorations(name)
    if plain != name:
        yield plain, "plain", "open"
    for form_name, form in (*find_nicknames(plain), *shorten_name(plain)):
        yield form, form_name, "open"


def _candidates_with_region(parse: ParsedText, opening: Opening) -> Iterator[NameWithFeatures]:
    """Yield the name with its region: "Pontotoc, Mississippi" for "Pontotoc is a city in …, Mississippi"."""
    parts = split_alternatives(opening.words)
    if not (parts and opening.defines) or PLACES.isdisjoint(parse.lower[opening.verb : opening.verb + 12]):
        return
    name = strip_decorations(parts[0].split(",")[0])
    regions = [
        (start, end) for start, end, kind in parse.entities if kind in {"GPE", "LOC"} and 0 < start - opening.verb < 45
    ]
    for index, region in enumerate(regions[:3]):
        yield f"{name}, {join_tokens(parse, *region)}", f"region {index}", "open"


def _candidates_from_names(name_spans: Iterable[NameSpan]) -> Iterator[NameWithFeatures]:
    for span in name_spans:
        if span.kind not in NUMBERS:
            yield span.name, span.kind


def _find_clause_subjects(parse: ParsedText) -> Iterator[str]:
    """Yield the subjects of the main clauses in order."""
    for token, dep in enumerate(parse.deps):
        if dep in {"nsubj", "nsubjpass"} and parse.deps[parse.heads[token]] in _CLAUSES:
            bounds = trim_name(parse, *full_phrase(parse, token))
            if bounds:
                yield join_tokens(parse, *bounds)


def _compute_text_features(
    key: str, candidate: SubjectCandidate, text: str, subjects: Sequence[str]
) -> dict[str, float]:
    """Compute the features of a name's frequency and position in the text, and of its form."""
    padded = f" {key} "
    position = text.find(padded)
    words = [word for word in candidate.name.split() if word[:1].isalpha() and len(word) > 3]
    length = key.count(" ") + 1
    return {
        "bias": 1.0,
        "absent": float(position < 0),
        "first": float(position == 0),
        "place": position / len(text) if position >= 0 else 0.5,
        "times": math.log(max(1, text.count(padded))),
        "subject": math.log1p(sum(subject == key for subject in subjects)),
        "in subject": math.log1p(sum(padded in f" {subject} " for subject in subjects)),
        "titled": float(bool(words) and all(word[0].isupper() for word in words)),
        "common": float(bool(words) and all(word[0].islower() for word in words)),
        "one word": float(length == 1),
        "long": float(max(0, length - 5)),
    }
