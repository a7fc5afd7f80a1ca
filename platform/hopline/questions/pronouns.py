"""Pronouns of a question that refer to an earlier question or its answer, and the question without them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from hopline.questions.coordination import capitalize, strip_punctuation
from hopline.questions.phrases import parse_without_verb
from hopline.text.words import read_word_list

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

PERSONS: Final = frozenset({"he", "she", "him", "her", "his", "hers"})
SEVERAL: Final = frozenset({"they", "them", "their", "theirs", "these", "those"})
THINGS: Final = frozenset({"it", "its", "this", "that"})
_PRONOUNS: Final = PERSONS | SEVERAL | THINGS
_DEMONSTRATIVES: Final = frozenset({"this", "that", "these", "those"})
_ARGUMENTS: Final = frozenset({"nsubj", "nsubjpass", "dobj", "pobj", "attr"})
_SUBJECTS: Final = frozenset({"nsubj", "nsubjpass"})
_CLAUSES: Final = frozenset({"xcomp", "ccomp", "advcl", "csubj"})
_WEATHER: Final = ("rain", "snow", "hail", "freez")
_POSSESSIVE_TAGS: Final = frozenset({"PRP$"})
_PREPOSITIONS: Final = frozenset({"of", "in", "at", "on", "for", "from", "with", "who", "that"})


def find_open_pronouns(doc: Doc) -> list[Token]:
    """Find the pronouns that refer to nothing in their question."""
    return [token for token in doc if token.lower_ in _PRONOUNS and _refers_back(token) and not _is_resolved(token)]


def replace_pronouns(doc: Doc, referents: Mapping[int, str]) -> str:
    """Return a question with what its pronouns refer to, by their index in the parse.

    "her room" becomes "Ida's room", or "the room of the mayor of Osk" if the referent is a description.
    """
    before: dict[int, str] = {}
    behind: dict[int, str] = {}
    for index, text in referents.items():
        token = doc[index]
        owned = next((chunk for chunk in doc.noun_chunks if chunk.start <= index < chunk.end), None)
        if token.tag_ not in _POSSESSIVE_TAGS:
            before[index] = text
        elif owned is not None and _is_description(text):
            before[index] = "the"
            behind[owned.end - 1] = f" of {text}"
        else:
            before[index] = f"{text}{_get_possessive(text)}"
    words = (f"{before.get(t.i, t.text)}{behind.get(t.i, '')}{t.whitespace_}" for t in doc)
    text = capitalize("".join(words).strip())
    return text if text.endswith(("?", ".", "!")) else f"{text}?"


def find_demonstratives(doc: Doc) -> list[Token]:
    """Find the nouns behind "this" or "that", which refer to an earlier question: "that version"."""
    return [t.head for t in doc if t.lower_ in _DEMONSTRATIVES and t.dep_ == "det" and t.head.i == t.i + 1]


def ask_for_possession(doc: Doc, pronoun: Token, referent: str, before: str) -> str:
    """Return the question that "And its price?" means: "What is the price of the lock?"; "" if it is another one.

    "And her brother?" repeats the question ``before``: "Where was Ida's brother born?".
    """
    words = strip_punctuation(doc[pronoun.i + 1 :])
    if pronoun.tag_ not in _POSSESSIVE_TAGS or not words:
        return ""
    be = "are" if words[-1].tag_ == "NNS" else "is"
    is_person = words[-1].lower_ in read_word_list("roles")
    if is_person and pronoun.lower_ in PERSONS and referent in before:
        owned = doc[words[0].i : words[-1].i + 1].text
        return before.replace(referent, f"{referent}{_get_possessive(referent)} {owned}", 1)
    return f"{'Who' if is_person else 'What'} {be} the {doc[words[0].i : words[-1].i + 1].text} of {referent}?"


def _refers_back(token: Token) -> bool:
    """Whether a word is a pronoun, not an article ("that film") or a conjunction ("the plant that they run")."""
    if token.lower_ in _DEMONSTRATIVES:
        is_verb = token.dep_ == "det" and parse_without_verb(token.doc) is not token.doc  # "How much did that cost?"
        return token.tag_ == "DT" and (token.dep_ in _ARGUMENTS or is_verb) and not _stands_for_action(token)
    return True


def _stands_for_action(token: Token) -> bool:
    """Whether a pronoun stands for what somebody does: "When did she do that?"."""
    return token.dep_ == "dobj" and token.head.lower_ in {"do", "did", "does", "done"}


def _is_resolved(token: Token) -> bool:
    """Whether a pronoun refers to a name in the same question ("Did Kerrigan sell her company?"), or to the weather.

    A possessive pronoun may refer to the subject ("Can the composite, by its fit, …?"), unless it is a part of it. "it"
    may announce a clause ("How long does it take to climb up?").
    """
    doc = token.doc
    named = any(word.pos_ == "PROPN" and word.i < token.i for word in doc)
    if token.tag_ in _POSSESSIVE_TAGS:
        subjects = (word for word in doc[: token.i] if word.dep_ in _SUBJECTS and word.pos_ == "NOUN")
        named = named or any(not word.is_ancestor(token) for word in subjects)
    clauses = [child for child in token.head.children if child.dep_ in _CLAUSES and child.i > token.i]
    announces = token.lower_ == "it" and any(word.i > clause.i for clause in clauses for word in clause.children)
    return named or announces or token.dep_ == "expl" or token.head.lower_.startswith(_WEATHER)


def _is_description(text: str) -> bool:
    return any(word in _PREPOSITIONS for word in text.split()[1:])


def _get_possessive(text: str) -> str:
    return "'" if text.endswith("s") else "'s"
