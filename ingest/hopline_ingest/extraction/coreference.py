"""Rule-based coreference resolution of pronouns and definite descriptions ("the film") within a passage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hopline_ingest.extraction.mentions.names import NameSpan, name_key
from hopline_ingest.extraction.parsed_text import ParsedText
from hopline_ingest.extraction.relations.clauses import SUBJECT, expand_conjuncts
from hopline_ingest.extraction.vocabulary import DEFINITE

_PERSONAL = frozenset({"he", "she", "him", "her", "his", "hers"})
_NEUTRAL = frozenset({"it", "its"})
_PLURAL = frozenset({"they", "them", "their"})
_THINGS = frozenset({"ORG", "GPE", "LOC", "FAC", "WORK_OF_ART", "EVENT", "PRODUCT", "LAW", "NOUN"})
_FIRST_WORDS = 120


@dataclass(frozen=True, slots=True)
class Antecedent:
    """An entity that pronouns can refer to.

    ``is_person`` is None if unknown; ``is_plural`` allows "they"; ``descriptions`` are the nouns that the text
    calls it by ("film").
    """

    name: str = ""
    is_person: bool | None = None
    is_plural: bool = False
    descriptions: frozenset[str] = frozenset()


def build_passage_antecedent(name: str, name_spans: Sequence[NameSpan], parse: ParsedText) -> Antecedent:
    """Build the antecedent for the main subject of a passage; its kind is inferred from entity labels and pronouns."""
    if not name:
        return Antecedent()
    descriptions = _find_descriptions(parse)
    if descriptions & DEFINITE:
        return Antecedent(
            name, is_person=False, is_plural="band" in descriptions or "team" in descriptions, descriptions=descriptions
        )
    kinds = Counter(span.kind for span in name_spans if name_key(span.name) == name_key(name)).most_common(1)
    kind = kinds[0][0] if kinds else "NAME"
    words = parse.lower[:_FIRST_WORDS]
    personal = sum(word in _PERSONAL for word in words)
    neutral = sum(word in _NEUTRAL for word in words)
    if personal != neutral:
        return Antecedent(name, is_person=personal > neutral, is_plural=kind == "ORG", descriptions=descriptions)
    return Antecedent(name, _is_person(kind), is_plural=kind == "ORG", descriptions=descriptions)


def _find_descriptions(parse: ParsedText) -> frozenset[str]:
    """Return the predicate nouns ("is a …") of the first sentence."""
    end = parse.sentences[0][1] if parse.sentences else 0
    nouns = [token for token in range(min(end, _FIRST_WORDS)) if parse.deps[token] == "attr"]
    return frozenset(parse.lower[conjunct] for token in nouns[:1] for conjunct in expand_conjuncts(parse, token))


def _is_person(kind: str) -> bool | None:
    if kind == "PERSON":
        return True
    return False if kind in _THINGS else None


def resolve_coreferences(
    parse: ParsedText, main: Antecedent, names_by_token: Mapping[int, NameSpan], full_names: Mapping[str, str]
) -> dict[int, str]:
    """Resolve pronouns and definite descriptions to names, by token; unresolved ones are omitted.

    A candidate is the subject of the previous sentence or the ``main`` antecedent of the passage.
    ``names_by_token`` maps a token to the name that covers it, ``full_names`` a normalized alias to its full name.
    """
    resolved: dict[int, str] = {}
    previous = main
    for start, end in parse.sentences:
        for token in range(start, end):
            name = _resolve_token(parse, token, previous, main)
            if name:
                resolved[token] = name
        span = _find_main_subject(parse, start, end, names_by_token)
        if span:
            name = full_names.get(name_key(span.name), span.name)
            previous = (
                main if name == main.name else Antecedent(name, _is_person(span.kind), is_plural=span.kind == "ORG")
            )
    return resolved


def _resolve_token(parse: ParsedText, token: int, previous: Antecedent, main: Antecedent) -> str:
    word, tag = parse.lower[token], parse.tags[token]
    if tag in {"PRP", "PRP$"}:
        if word in _PERSONAL:
            return _find_agreeing(previous, main, is_person=True)
        if word in _NEUTRAL:
            return _find_agreeing(previous, main, is_person=False)
        if word in _PLURAL:
            return next((candidate.name for candidate in (previous, main) if candidate.is_plural), "")
    elif tag == "NN" and _can_describe(word, main) and _is_definite(parse, token):
        return main.name
    return ""


def _can_describe(word: str, main: Antecedent) -> bool:
    """Whether a noun like "film" can denote the main antecedent: described so, or not described and not a person."""
    return word in (main.descriptions or DEFINITE) and (bool(main.descriptions) or main.is_person is False)


def _find_agreeing(previous: Antecedent, main: Antecedent, *, is_person: bool) -> str:
    for wanted in (is_person, None):
        for candidate in (previous, main):
            if candidate.is_person is wanted:
                return candidate.name
    return ""


def _is_definite(parse: ParsedText, token: int) -> bool:
    """Whether a noun is used as "the film" or "this company", without further modifiers before or after it."""
    if parse.lefts[token] != token - 1 or parse.lower[token - 1] not in {"the", "this"}:
        return False
    return not any(parse.deps[child] in {"prep", "relcl", "acl", "appos"} for child in parse.children[token])


def _find_main_subject(
    parse: ParsedText, start: int, end: int, names_by_token: Mapping[int, NameSpan]
) -> NameSpan | None:
    """Return the name that is the subject of a sentence's main verb, or None."""
    for token in range(start, end):
        if parse.deps[token] in SUBJECT and parse.deps[parse.heads[token]] == "ROOT":
            return names_by_token.get(token)
    return None
