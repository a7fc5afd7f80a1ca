"""What kind of thing a question asks for, and the noun that says so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, cast

from hopline.answering.vocabulary import names, roots, words
from hopline.nlp.stemmer import fold, root

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.tokens import Token as Parsed

Kind = Literal[
    "person",
    "organisation",
    "place",
    "date",
    "duration",
    "number",
    "money",
    "percent",
    "reason",
    "manner",
    "yesno",
    "other",
]
# the kinds that have short answers, in words for an abstention
LABELS: Final[dict[Kind, str]] = {
    "person": "a name",
    "organisation": "a name",
    "place": "a place",
    "date": "a date",
    "duration": "a length of time",
    "number": "a number",
    "money": "an amount",
    "percent": "a percentage",
}
_HOW: Final[tuple[tuple[str, Kind], ...]] = (
    (r"\bhow (long|old)\b", "duration"),
    (r"\b(what|which) (percentage|percent|share|proportion|fraction)\b|\bin percent\b", "percent"),
    (r"\bhow (many|far|high|low|large|big|small|tall|deep|fast|hot|cold|heavy|wide|thick|great|often|few)\b", "number"),
    (r"\bhow much\b", "money"),
    (r"\bwhy\b|\bfor what reason\b", "reason"),
)
_QUESTION_TAGS: Final = ("WDT", "WP", "WP$", "WRB")
_BY_WORD: Final[dict[str, Kind]] = {
    "when": "date",
    "where": "place",
    "who": "person",
    "whom": "person",
    "whose": "person",
}
_PHRASE: Final = ("ADJ", "NUM", "ADV", "DET")


@dataclass(frozen=True, slots=True)
class Asked:
    """The kind and the noun that the question word asks for.

    ``plain``: the noun only names the kind. ``counted``: "how many" of it. ``personal``: nothing
    but a human can be the answer.
    """

    kind: Kind
    noun: Parsed | None = None
    plain: bool = False
    counted: bool = False
    personal: bool = False


def asked(doc: Doc) -> Asked:
    """What a parsed question asks for."""
    text = doc.text.casefold()
    noun = _noun(doc)
    kind = _kind(doc, text, noun)
    stems = {root(fold(token.text)) for token in doc if token.pos_ in ("NOUN", "PROPN")}
    people = roots("plain.person") | roots("telling.person")
    plain = noun is not None and any(_stem(noun) in roots(f"plain.{name}") for name in names("plain"))
    return Asked(kind, noun, plain, "how many" in text, kind == "person" and bool(stems & people))


def _kind(doc: Doc, text: str, noun: Parsed | None) -> Kind:
    for pattern, kind in _HOW:
        if re.search(pattern, text):
            return "number" if kind == "money" and noun is not None and _kind_of(noun) != "money" else kind
    word = next((token.text.casefold() for token in doc if token.tag_ in _QUESTION_TAGS), "")
    if word in _BY_WORD:
        return _BY_WORD[word]
    if noun is not None:
        return _kind_of(noun)
    if word == "how":
        return "manner"
    return "yesno" if len(doc) and doc[0].text.casefold() in words("asking") else "other"


def _kind_of(noun: Parsed) -> Kind:
    stem = _stem(noun)
    for group in ("plain", "telling"):
        for name in names(group):
            if stem in roots(f"{group}.{name}"):
                return cast("Kind", name)
    return "other"


def _stem(noun: Parsed) -> str:
    return root(fold(noun.text))


def _noun(doc: Doc) -> Parsed | None:
    """The noun of what is asked: "enzyme" of "which enzyme was", "people" of "how many people"."""
    word = next((token for token in doc if token.tag_ in _QUESTION_TAGS), None)
    if word is None:
        return None
    low = word.text.casefold()
    if low == "how" and word.i + 1 < len(doc) and doc[word.i + 1].text.casefold() in ("many", "much", "few"):
        return _after(doc[word.i + 1])
    if low in ("what", "which", "whose"):
        return _after(word) or _subject(word)
    return None


def _after(word: Parsed) -> Parsed | None:
    """The last noun of the phrase that begins behind a word."""
    found = None
    for token in word.doc[word.i + 1 :]:
        if token.pos_ in ("NOUN", "PROPN"):
            found = token
        elif found is not None or not (token.pos_ in _PHRASE or token.tag_ in ("VBG", "VBN")):
            break
    return found


def _subject(word: Parsed) -> Parsed | None:
    """The noun that "what is" asks for."""
    if word.head.pos_ != "AUX":
        return None
    behind = (child for child in word.head.children if child.i > word.i and child.pos_ in ("NOUN", "PROPN"))
    return next((noun for noun in behind if noun.dep_ in ("nsubj", "attr", "nsubjpass")), None)
