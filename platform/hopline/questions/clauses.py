"""The subject, verb and object of a question, and what it is about, read from its parse.

The parser makes mistakes in questions: it takes verbs for nouns ("does the chess club meet") and identifiers for
adjectives.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from hopline.questions.coordination import BE, join_tokens, strip_punctuation
from hopline.questions.phrases import DO, QUESTION_TAGS
from hopline.text.value_conflicts import is_weekday
from hopline.text.values import find_date, is_year

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_WHO: Final = frozenset({"who", "whom"})
_AUXILIARIES: Final = BE | DO.keys() | {"has", "have", "had", "can", "could", "may", "must", "will", "would", "should"}
_NOUNS: Final = frozenset({"NOUN", "PROPN"})
_SUBJECTS: Final = frozenset({"nsubj", "nsubjpass"})
_OBJECTS: Final = ("dobj", "attr", "pobj")
_SEASONS: Final = frozenset({"spring", "summer", "autumn", "winter", "morning", "evening", "afternoon", "night"})
_QUANTIFIERS: Final = frozenset({"a", "an", "any", "some"})


def find_topic(doc: Doc, *, persons: Collection[str]) -> str:
    """Return what a question is about: its subject, or, if that is a person, its object.

    "the length of the bridge" is about the bridge, "the oldest clock in the hall" about the clock.
    """
    words = strip_punctuation(doc)
    subject = find_subject(words)
    if subject and (subject[0].pos_ == "PRON" or join_tokens(subject).lower() in persons):
        return find_object(doc, after=subject[-1].i)
    if not subject:
        return ""
    if doc[0].tag_ in {"WP", "WDT"} and len(words) > 1 and is_be(words[1]):
        subject = skip_attribute(subject)
    return skip_name_of(write_definite(subject))


def find_subject(words: Sequence[Token]) -> list[Token]:
    """Return the words of the subject behind the first auxiliary, with what describes it.

    Where the parser takes the verb of "does the chess club meet" for a noun, it is the last word, or, before a name or
    a date ("meet in May 2023"), the last one of the noun phrase.
    """
    start = next((n for n, token in enumerate(words) if token.lower_ in _AUXILIARIES or is_be(token)), None)
    if start is None:
        return []
    following = list(words[start + 1 :])
    if following and following[0].tag_ == "EX":  # "Is there a lift?"
        following = following[1:]
    if is_be(words[start]):
        return _cut_subject(following)
    heads = [token for token in following if token.dep_ in _SUBJECTS and token.pos_ != "VERB"]
    if heads and heads[0].head.i > heads[0].i and heads[0].left_edge.i == following[0].i:
        return [token for token in following if token.i < heads[0].head.i and token.i <= find_phrase_end(heads[0])]
    if words[start].lower_ not in DO:
        return _cut_subject(following)
    if following and (following[-1].text.islower() or len(following) < 2):
        return following[:-1]
    end = (n for n, token in enumerate(following) if n and token.tag_ in {"IN", "TO"} and token.lower_ != "of")
    return following[: next(end, len(following)) - 1]


def find_object(doc: Doc, after: int = 0) -> str:
    """Return the thing that somebody does something to, or the place of an office ("the mayor of Osk")."""
    words = strip_punctuation(doc)
    if len(words) > 2 and words[0].lower_ in _WHO and is_be(words[1]) and words[2].tag_ != "VBN":
        of = next((n for n, token in enumerate(words) if token.dep_ == "prep" and n > 2), None)
        return join_tokens(words[of + 1 :]) if of is not None else ""
    for relation in _OBJECTS:
        for token in words:
            if token.dep_ == relation and token.i > after and token.pos_ in _NOUNS and token.tag_ not in QUESTION_TAGS:
                phrase = [w for w in words if token.left_edge.i <= w.i <= find_phrase_end(token)]
                if phrase[0].tag_ not in QUESTION_TAGS:
                    return write_definite(phrase)
    return ""


def asks_for_subject(doc: Doc) -> bool:
    """Whether the question word is the subject, or belongs to it: "Which trams have 96 seats?"."""
    words = strip_punctuation(doc)
    verb = find_verb(words)
    if verb >= len(words) or words[0].tag_ not in QUESTION_TAGS - {"WRB"}:
        return False
    if is_be(words[verb]):
        return _is_predicate(words[verb + 1 :])
    if words[verb].lower_ in DO:
        return False
    inside = words[verb + 1 :]
    return not any(token.dep_ in _SUBJECTS for token in inside if token.head.i <= words[-1].i and token.i > verb)


def find_verb(words: Sequence[Token]) -> int:
    """Return the index of the first finite verb, the number of words if there is none."""
    return next(
        (
            n
            for n, token in enumerate(words)
            if token.tag_ in {"VBD", "VBZ", "VBP", "MD"} or token.lower_ in BE | DO.keys()
        ),
        len(words),
    )


def find_phrase_end(head: Token) -> int:
    """Return the index of the last word of a noun phrase without times."""
    numbers = [child.i for child in head.rights if child.tag_ == "CD" and child.i == head.i + 1]  # "the Lynx 400"
    ends = [
        head.i,
        *numbers,
        *(child.right_edge.i for child in head.rights if child.dep_ == "prep" and not is_temporal(child)),
    ]
    return max(ends)


def skip_attribute(words: Sequence[Token]) -> list[Token]:
    """Return "the bridge" of "the length of the bridge", and all of "the oldest clock of the hall"."""
    of = next((n for n, token in enumerate(words) if token.lower_ == "of"), None)
    if of is None or any(token.tag_ in {"JJS", "RBS"} for token in words[:of]):
        return list(words)
    return list(words[of + 1 :])


def skip_name_of(text: str) -> str:
    """Return the thing whose name or title is meant by "the name of the bull"."""
    return re.sub(r"^the (?:name|title) of (?=\w)", "", text)


def write_definite(words: Sequence[Token]) -> str:
    """Return a noun phrase with "the" in place of "a"."""
    text = join_tokens(words)
    if words and words[0].lower_ in _QUANTIFIERS:
        return f"the {join_tokens(words[1:])}"
    return text


def is_be(token: Token) -> bool:
    """Whether a word is a form of "be", also in "What's"."""
    return token.lower_ in BE or (token.tag_ == "VBZ" and token.lower_ in {"'s", "’s"})


def is_asked(noun: Token) -> bool:
    """Return whether a noun phrase has a question word: "which day"."""
    return any(token.tag_ in QUESTION_TAGS for token in noun.subtree)


def is_temporal(preposition: Token) -> bool:
    """Whether a prepositional phrase is a time: "on Sundays", "in 2021", "in winter"."""
    words = strip_punctuation(token for token in preposition.subtree if token.i > preposition.i)
    text = join_tokens(words)
    return bool(words) and (
        is_year(text)
        or find_date(text) is not None
        or any(is_weekday(token.text) or token.lower_.rstrip("s") in _SEASONS for token in words)
    )


def _is_predicate(words: Sequence[Token]) -> bool:
    """Whether words behind "is" say something of the subject: "closed", "in Osk", "the heaviest"."""
    if len(words) > 1 and words[0].lower_ == "the":
        return words[1].tag_ in {"JJS", "RBS"} and words[-1].pos_ not in _NOUNS
    tags = {"VBN", "VBG", "IN", "JJ", "JJR", "JJS", "RB", "RBS"}
    return bool(words) and words[0].tag_ in tags and words[0].is_alpha


def _cut_subject(words: Sequence[Token]) -> list[Token]:
    """Return the noun phrase at the start of the words, without times."""
    end = 0
    for n, token in enumerate(words):
        is_part = (
            _is_noun(token)
            or token.pos_ in {"DET", "ADJ", "PRON", "PART", "CCONJ", "PUNCT", "SYM"}
            or token.dep_ in {"amod", "compound"}
            or (token.dep_ == "prep" and n and not is_temporal(token))
        )
        if (
            not is_part
            or (token.tag_ == "VBN" and token.dep_ != "amod")
            or (token.pos_ in {"DET", "PRON"} and n and words[n - 1].pos_ in _NOUNS)
        ):
            break
        end = n + 1
    while end and not _is_noun(words[end - 1]) and words[end - 1].pos_ != "PRON":
        end -= 1
    return list(words[:end])


def _is_noun(token: Token) -> bool:
    """Whether a token is a noun, a number or an identifier, which the parser may take for an adjective."""
    return token.pos_ in {*_NOUNS, "NUM"} or any(character.isdigit() for character in token.text)
