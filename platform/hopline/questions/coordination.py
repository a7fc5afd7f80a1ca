"""Several things that one clause of a question asks for, joined by "and"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hopline.text.values import ORDINALS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

QUESTION_WORDS: Final = frozenset({"who", "whom", "whose", "what", "which", "when", "where", "why", "how"})
AND: Final = frozenset({"and", "&"})
BE: Final = frozenset({"is", "are", "was", "were"})
_PUNCTUATION: Final = frozenset(",.;:?!")
_COMBINES: Final = "between|average|mean|sum|change[ds]?|difference|total|combined|same|both|or|compared?"
COMPARES: Final = re.compile(
    rf"\b(?:{_COMBINES}|growth|grow|grew|increased?|decreased?|declined?|percentage|highest|lowest)\b", re.IGNORECASE
)
_RELATES: Final = re.compile(rf"\b(?:{_COMBINES}|common|joint(?:ly)?|together|other)\b", re.IGNORECASE)
_TOGETHER: Final = re.compile(
    r"\b(?:between|sum|differen(?:ce|t)|total|combined|same|both|compared?|common|joint(?:ly)?|together)\b",
    re.IGNORECASE,
)
_TOTAL_MEASURE: Final = re.compile(r"\btotal (?!of\b|number\b|amount\b)(?=\w)", re.IGNORECASE)  # "total revenue"
_NOUNS: Final = frozenset({"NOUN", "PROPN"})
_NOUN_TAGS: Final = frozenset({"NN", "NNS"})
_NAME_TAGS: Final = frozenset({"NNP", "NNPS"})
_BEFORE_NAMES: Final = frozenset({"of", "for", "do", "did", "are", "were"})
_ORDINALS: Final = frozenset({*ORDINALS, "last"})
_OPPOSITES: Final = (
    {"most", "least"},
    {"most", "fewest"},
    {"highest", "lowest"},
    {"largest", "smallest"},
    {"biggest", "smallest"},
    {"longest", "shortest"},
    {"best", "worst"},
    {"oldest", "youngest"},
    {"oldest", "newest"},
    {"earliest", "latest"},
    {"fastest", "slowest"},
    {"strongest", "weakest"},
)


@dataclass(frozen=True, slots=True)
class _Coordination:
    """Things joined by "and": ``document[start:end]`` has all ``items``; ``heads`` are their nouns or ranks."""

    start: int
    end: int
    items: tuple[str, ...]
    heads: tuple[Token, ...]


def split_things(document: Doc, texts: Sequence[str]) -> list[str]:
    """Split "What were A and B in 2022?": the same question for each of several things; [] if it asks for one.

    Names that one of the ``texts`` joins in the same way are one name.
    """
    respectively = any(token.lower_ == "respectively" for token in document)
    for group in _find_coordinations(document):
        if respectively or (_asks_for_each(document, group) and not _is_one_name(document, group, texts)):
            return [_replace_things(document, group, item) for item in group.items]
    return []


def _find_coordinations(document: Doc) -> Iterator[_Coordination]:
    """Find the coordinations of nouns, adjectives or ordinals of which only the last item is described further."""
    for head in document:
        heads = _find_conjuncts(head)
        if len(heads) < 2 or head.dep_ == "conj":
            continue
        start = head.left_edge.i if head.pos_ in _NOUNS else _find_rank(head).i
        while start < head.i and document[start].lower_ in QUESTION_WORDS | {"many", "much"}:
            start += 1
        items: list[str] = []
        position = start
        for conjunct in heads:
            end = conjunct.i + 1
            if conjunct is not heads[-1] and document[end].lower_ not in AND | {","}:
                break
            if conjunct is heads[-1] and document[end : end + 1].text.lower() == "up":  # "runner up"
                end += 1
            owner = join_tokens(_find_owner(head)) if items and not _find_owner(conjunct) else ""
            items.append(f"{owner} {join_tokens(document[position:end])}".strip())
            position = end
            while position < len(document) and document[position].lower_ in AND | {","}:
                position += 1
        else:
            yield _Coordination(start, end, tuple(items), tuple(heads))


def _find_owner(noun: Token) -> list[Token]:
    """The possessive of a noun: "Adobe's" of "Adobe's revenue", which also belongs to what is joined to it."""
    return [token for child in noun.lefts if child.dep_ == "poss" for token in child.subtree]


def _find_conjuncts(head: Token) -> list[Token]:
    """The word and those that are joined to it by "and", in order.

    The parser takes "net revenue and operating income" for two kinds of income; a described noun is a thing of its own.
    """
    conjuncts = [head]
    while following := [child for child in conjuncts[-1].children if child.dep_ == "conj"]:
        conjuncts.append(following[0])
    is_described = any(child.dep_ in {"amod", "compound", "poss"} for child in head.lefts)
    if len(conjuncts) == 1 and head.dep_ in {"nmod", "compound"} and head.head.i > head.i and is_described:
        conjuncts.append(head.head)
    words = {child.lower_ for conjunct in conjuncts for child in conjunct.children if child.dep_ == "cc"}
    return conjuncts if words and words <= AND else [head]


def _find_rank(adjective: Token) -> Token:
    """The word that says the rank: "most" in "most expensive", otherwise the adjective."""
    before = adjective.nbor(-1) if adjective.i else adjective
    return before if before.lower_ in {"most", "least"} else adjective


def _asks_for_each(document: Doc, group: _Coordination) -> bool:
    """Whether the question asks for each of the things by itself; false if they may be one thing or are compared."""
    text = _TOTAL_MEASURE.sub("", document.text)
    if _are_ranks(group):
        return not _RELATES.search(text)
    if COMPARES.search(text):
        return False
    opening = document[: group.start].text.lower()
    tags = {head.tag_ for head in group.heads}
    if tags <= _NAME_TAGS:
        return _asks_for_plural(document, group)
    if opening == "how many":
        return tags == {"NNS"}
    if not tags <= _NOUN_TAGS or not re.fullmatch(r"(?:what|who) (?:is|are|was|were)", opening):
        return False
    return len(group.heads) > 2 or _are_two_things(document, group)


def _are_ranks(group: _Coordination) -> bool:
    """Whether the things are ordinals, or two opposite superlatives; "largest and most modern" may be one thing."""
    words = {_find_rank(head).lower_ for head in group.heads}
    return words <= _ORDINALS or words in _OPPOSITES


def _asks_for_plural(document: Doc, group: _Coordination) -> bool:
    """Whether several things are asked for about names: "the records of A and B", "on what dates did A and B"."""
    before = document[: group.start]
    words = [token.lower_ for token in before]
    nouns = [token for token in before[1:] if token.pos_ == "NOUN"]
    is_question = bool(QUESTION_WORDS & set(words)) and "many" not in words
    may_be_one_name = document[group.start].pos_ == "DET" or "&" in document[group.start : group.end].text
    if not is_question or may_be_one_name or words[-1] not in _BEFORE_NAMES:
        return False
    return bool(nouns) and nouns[0].tag_ == "NNS" and not _RELATES.search(document.text)


def _are_two_things(document: Doc, group: _Coordination) -> bool:
    """Whether two nouns after "What is" or "Who were" are two things, unlike "the terms and conditions"."""
    question_word, verb = document[0].lower_, document[1].lower_
    if verb in {"are", "were"}:
        return group.heads[-1].tag_ != "NNS"
    return question_word == "what" and document[group.start].lower_ == "the"


def _is_one_name(document: Doc, group: _Coordination, texts: Sequence[str]) -> bool:
    name = document[group.start : group.end].text.lower()
    is_name = group.heads[0].tag_ in _NAME_TAGS
    return is_name and any(name in text.lower().replace("&", "and") for text in texts)


def _replace_things(document: Doc, group: _Coordination, item: str) -> str:
    """The question for one of the things."""
    tail = [token for token in strip_punctuation(document[group.end :]) if token.lower_ != "respectively"]
    return format_question(f"{document[: group.start].text} {item} {join_tokens(strip_punctuation(tail))}")


def relates_things(text: str) -> bool:
    """Return whether a question is about several things together: "the difference", "both", "combined"."""
    return _TOGETHER.search(_TOTAL_MEASURE.sub("", text)) is not None


def compares_things(text: str) -> bool:
    """Return whether a question is about several things together, or for how they differ or change."""
    return COMPARES.search(_TOTAL_MEASURE.sub("", text)) is not None


def strip_punctuation(tokens: Iterable[Token]) -> list[Token]:
    """Return the tokens without punctuation and "and" at both ends."""
    words = list(tokens)
    while words and (words[-1].text in _PUNCTUATION or words[-1].lower_ in AND):
        words.pop()
    while words and (words[0].text in _PUNCTUATION or words[0].lower_ in AND):
        words.pop(0)
    return words


def format_question(text: str) -> str:
    """Return the text with a question mark, an upper-case first letter, and no spaces before punctuation."""
    text = re.sub(r"\s+(?=[,;:.?!%)]|['’]s\b)", "", text)
    return capitalize(text.rstrip(" ?.,;") + "?")


def join_tokens(tokens: Iterable[Token]) -> str:
    """Return the text of tokens with the spaces between them."""
    return "".join(token.text_with_ws for token in tokens).strip()


def capitalize(text: str) -> str:
    """Return the text with an upper-case first letter."""
    return text[:1].upper() + text[1:]
