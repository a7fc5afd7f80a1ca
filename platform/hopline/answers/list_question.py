"""Questions for several things: "list the ports", "which wells have water?", "who are the members?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hopline.questions.analysis import QuestionAnalysis, analyse_question
from hopline.text.values import read_count
from hopline.text.words import stem

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

_REQUEST: Final = re.compile(
    r"(?:please\s+)?(?:(?:can|could|would|will)\s+you\s+)?(?:please\s+)?"
    r"(?:list|name|enumerate|give|show|tell)\s+(?:(?:me|us)\s+)?",
    re.IGNORECASE,
)
_ALL: Final = re.compile(
    r"(?:(?P<all>(?:all|each)\s+(?:of\s+)?|every\s+|a\s+list\s+of\s+(?:all\s+)?)|the\s+names\s+of\s+(?:all\s+)?)?"
    r"(?:(?:the|these|those)\s+)?(?:names\s+of\s+(?:the\s+)?)?",
    re.IGNORECASE,
)
_LISTING: Final = re.compile(r"\b(?:list|enumerate)\b", re.IGNORECASE)
_NOUNS: Final = frozenset({"NN", "NNS", "NNP", "NNPS"})
_PLURALS: Final = frozenset({"NNS", "NNPS"})
_BEFORE_NOUN: Final = _NOUNS | {"JJ", "JJR", "CD", "DT", "PRP$", "POS", "VBN", "VBG", "HYPH", "RB", "PDT"}
_SUPERLATIVES: Final = frozenset({"JJS", "RBS"})
_SINGULAR_VERBS: Final = frozenset({"VBZ"})
_EMPTY_NOUNS: Final = frozenset({"names", "kinds", "types", "sorts"})  # of the things behind "of"
_ASKING: Final = frozenset({"which", "what", "who"})
_BE: Final = frozenset({"are", "were"})


@dataclass(frozen=True, slots=True)
class ListQuestion:
    """A question for several things.

    ``noun`` is what they are, as the question says it ("bridges"), "" for persons; ``words`` are the stems of the
    noun and of the nouns before it. ``count`` is how many there are, if the question says so. ``text`` is the
    question as one that begins with a question word, for the reader. ``is_description``: it is "What are the fees?",
    to which one phrase may be the whole answer.
    """

    noun: str
    words: frozenset[str]
    count: int | None
    text: str
    is_description: bool = False


def parse_list_question(question: QuestionAnalysis) -> ListQuestion | None:
    """Parse a question for several things; None for any other question, and for one with a superlative."""
    text = question.text.strip()
    if _has_superlative(question.parse):
        return None
    request = _REQUEST.match(text)
    if request:
        return _parse_request(request[0], text[request.end() :])
    tokens = list(question.parse)
    start = next((n for n, token in enumerate(tokens) if token.lower_ in _ASKING), None)
    if start is None or question.answer_type != "phrase":
        return None
    behind = tokens[start + 1 :]
    parse = _parse_predicate if behind and behind[0].lower_ in _BE else _parse_determiner
    return parse(tokens[start].lower_, behind, question.text)


def may_ask_for_several(question: QuestionAnalysis) -> bool:
    """Return whether a question may ask for one thing or several: "Who founded it?", "What must the tenant do?"."""
    tokens = list(question.parse)
    if len(tokens) < 3 or question.answer_type != "phrase":
        return False
    verb = tokens[1]
    if tokens[0].lower_ == "who":
        return verb.pos_ == "VERB"
    return tokens[0].lower_ == "what" and verb.pos_ == "AUX" and verb.lower_ not in {"is", "was", *_BE}


def _has_superlative(doc: Doc) -> bool:
    """Return whether a question has a superlative; "at least" is none."""
    return any(token.tag_ in _SUPERLATIVES and doc[max(0, token.i - 1)].lower_ != "at" for token in doc)


def _parse_request(request: str, rest: str) -> ListQuestion | None:
    """Parse what a request asks to be listed: "all ports in Estmark"; "list" and "all" need no plural."""
    quantifier = _ALL.match(rest)
    objects = rest[quantifier.end() :] if quantifier else rest
    is_listing = bool(quantifier and quantifier["all"]) or bool(_LISTING.search(request))
    text = f"What are the {objects.rstrip(' .?!')}?"
    phrase = _take_phrase(analyse_question(text).parse[3:])
    return _build(phrase, text) if phrase and (phrase[-1].tag_ in _PLURALS or is_listing) else None


def _parse_predicate(asking: str, behind: Sequence[Token], text: str) -> ListQuestion | None:
    """Parse what is behind the question word of "Who are the members?" and "Who were on board?"."""
    phrase = _take_phrase(behind[1:])
    has_names = any(token.lower_ == "names" for token in phrase)
    if phrase and phrase[-1].tag_ in _PLURALS:
        return replace(_build(phrase, text), is_description=asking == "what" and not has_names)
    return ListQuestion("", frozenset(), None, text) if asking == "who" and not phrase else None


def _parse_determiner(asking: str, behind: Sequence[Token], text: str) -> ListQuestion | None:
    """Parse what is behind the question word of "Which wells have water?" and "Which of the wells have water?"."""
    is_choice = [token.lower_ for token in behind[:1]] == ["of"]
    phrase = _take_phrase(behind[is_choice:]) or _take_plural(behind)
    verbs = behind[len(phrase) + is_choice :]
    is_plural = bool(phrase) and (phrase[-1].tag_ in {*_PLURALS, "VBZ"} or _has_plural_verb(verbs))
    if asking == "who" or not is_plural:
        return None
    return None if is_choice and verbs and _is_singular(verbs[0]) else _build(phrase, text)


def _take_plural(tokens: Sequence[Token]) -> list[Token]:
    """Take a plural that the parser takes for a verb, because another verb follows: "Which stops does line 2 skip?"."""
    is_plural = bool(tokens) and tokens[0].tag_ == "VBZ" and tokens[0].lower_ not in {"is", "has", "does"}
    return [tokens[0]] if is_plural and any(token.pos_ == "AUX" for token in tokens[1:]) else []


def _has_plural_verb(tokens: Sequence[Token]) -> bool:
    """Return whether a plural verb is behind a noun that has no plural of its own: "Which staff speak German?"."""
    is_verb = bool(tokens) and (tokens[0].lower_ in _BE or (tokens[0].tag_ == "VBP" and tokens[0].pos_ == "VERB"))
    return is_verb and not (tokens[1:] and tokens[1].pos_ == "PRON")


def _is_singular(verb: Token) -> bool:
    return verb.tag_ in _SINGULAR_VERBS or verb.lower_ == "was"


def _take_phrase(tokens: Sequence[Token] | Span) -> list[Token]:
    """Take the words of the noun phrase at the start, up to its noun; behind "names of", those of the next one."""
    length = 0
    while length < len(tokens) and tokens[length].tag_ in _BEFORE_NOUN:
        length += 1
    while length and tokens[length - 1].tag_ not in _NOUNS:
        length -= 1
    phrase = list(tokens[:length])
    is_empty = bool(phrase) and phrase[-1].lower_ in _EMPTY_NOUNS
    if is_empty and length < len(tokens) and tokens[length].lower_ == "of":
        return [*phrase, tokens[length], *inner] if (inner := _take_phrase(tokens[length + 1 :])) else phrase
    return phrase


def _build(phrase: Sequence[Token], text: str) -> ListQuestion:
    start = next((n for n in range(len(phrase) - 2, -1, -1) if phrase[n].tag_ not in _NOUNS), -1)
    nouns = phrase[start + 1 :]
    numbers = [number for token in phrase if token.tag_ == "CD" and (number := read_count(token.text))]
    words = frozenset(stem(token.lower_) for token in nouns)
    return ListQuestion(nouns[-1].text, words, numbers[0] if len(numbers) == 1 else None, text)
