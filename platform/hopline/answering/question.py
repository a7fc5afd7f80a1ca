"""A question read: what it asks for, and the terms that an answer has to meet."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Final

from hopline.answering.answer_types import Asked, Kind, asked
from hopline.answering.terms import NAME_NEEDED, Role, Term, name_term
from hopline.answering.tokens import Token, tokenise
from hopline.answering.vocabulary import roots, words
from hopline.nlp.parser import load_parser
from hopline.nlp.stemmer import fold, root, synonyms

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Token as Parsed

LONGEST: Final = 2000  # characters of a question that are read
NOUN_NEEDED: Final = 0.7  # the noun that is asked for stands in the sentence, beside it, or above it
VERB_NEEDED: Final = 0.55
CAUSE_NEEDED: Final = 0.5  # of what happened, where why or how is asked
ROLE_NEEDED: Final = 0.9  # "judge" of "who was the judge" stands in the sentence that names him
_WEIGHTS: Final[dict[Role, float]] = {"name": 1.5, "number": 1.5, "noun": 1.0, "verb": 0.6, "other": 0.6}
_PLAIN, _LIGHT, _DOCUMENT, _HINT = 0.3, 0.3, 0.1, 0.3  # weights, the second a factor
_RELATED: Final = ("person", "organisation", "date", "reason", "manner")  # kinds that nothing but the verb ties down
_JOINED: Final = re.compile(r"\W{0,2}|\s[A-Z]\.\s|\s&\s|\sof\s(the\s)?")


@dataclass(frozen=True, slots=True)
class Question:
    """Its kind, its terms in order, the term that is asked for, and the forms of all its words.

    ``plain``, ``counted`` and ``personal`` as in `Asked`.
    """

    text: str
    kind: Kind
    terms: tuple[Term, ...]
    asked: Term | None
    plain: bool
    counted: bool
    personal: bool
    forms: frozenset[str]


@cache
def grammar() -> Language:
    """The parser of questions, loaded when the first is asked: half a second.

    What is loaded by then stays for good (`gc.freeze`): else one question in twenty waits a fifth of a
    second for Python to look through three hundred thousand objects of libraries.
    """
    parser = load_parser(exclude=["ner", "lemmatizer"])
    gc.collect()
    gc.freeze()
    return parser


def read_question(text: str) -> Question:
    """What a question asks for and its terms; beyond `LONGEST` characters it is not read."""
    text = " ".join(text.split())[:LONGEST]
    doc = grammar()(text)
    parsed = {char: token for token in doc for char in range(token.idx, token.idx + len(token.text))}
    sought = asked(doc)
    tokens = tokenise(text)
    terms: list[Term] = []
    wanted: Term | None = None
    for run in _runs(tokens, parsed, text):
        term = _term(run, parsed[run[0].start], sought, tokens)
        if term is None:
            continue
        terms.append(term)
        if sought.noun is not None and run[0].start <= sought.noun.idx < run[-1].end:
            wanted = term
    forms = frozenset(form for token in tokens for form in token.forms)
    return Question(text, sought.kind, tuple(terms), wanted, sought.plain, sought.counted, sought.personal, forms)


def _runs(tokens: Sequence[Token], parsed: dict[int, Parsed], text: str) -> Iterator[list[Token]]:
    """The tokens one by one, the words of a name together."""
    name: list[Token] = []
    for token in tokens:
        proper = _proper(token, parsed[token.start])
        if name and not (proper and _joined(name[-1], token, text)):
            yield name
            name = []
        if proper:
            name.append(token)
        else:
            yield [token]
    if name:
        yield name


def _joined(last: Token, token: Token, text: str) -> bool:
    """Whether two words can be of one name: "Best Buy", "Mary N. Dillon"; not "Adobe's Document"."""
    return not last.text.endswith(("'s", "’s")) and _JOINED.fullmatch(text[last.end : token.start]) is not None


def _proper(token: Token, word: Parsed) -> bool:
    if token.kind == "code":
        return token.number is None
    if token.kind != "word" or token.dated or token.number is not None or fold(token.text) in words("silent"):
        return False
    if not token.capital:
        return word.pos_ == "PROPN" and not any(other.text[:1].isupper() for other in word.doc[1:])
    return word.pos_ == "PROPN" or (word.i > 0 and word.pos_ in ("NOUN", "ADJ", "VERB", "X"))


def _term(run: Sequence[Token], word: Parsed, sought: Asked, tokens: Sequence[Token]) -> Term | None:
    token = run[0]
    if len(run) > 1 or _proper(token, word):
        term = name_term(run, _WEIGHTS["name"])
        return replace(term, weight=_HINT, need=0.0) if _says_where(run, tokens) else term
    if token.kind == "sign" or (fold(token.text) in words("silent") and not token.dated):
        return None
    stem, role = root(fold(token.text)), _role(token, word)
    weight, need, key = _WEIGHTS[role], NAME_NEEDED if role == "number" else 0.0, False
    if sought.noun is not None and word.i == sought.noun.i:
        weight, need, key = (_PLAIN, 0.0, True) if sought.plain else (weight, NOUN_NEEDED, True)
    elif role == "noun" and stem in roots("document"):
        weight = _DOCUMENT
    elif _before_name(word) or stem in roots("light"):
        weight *= _LIGHT
    elif _is_relation(word, sought):
        need, key = _relation_needed(sought, role), True
    elif sought.noun is not None and word.dep_ == "compound" and word.head.i == sought.noun.i:
        need = NAME_NEEDED
    soft = synonyms().get(stem, frozenset())
    return Term(token.text, (token.forms,), role, weight, need, soft, dated=token.dated, key=key)


def _relation_needed(sought: Asked, role: Role) -> float:
    if sought.kind == "yesno":
        return NAME_NEEDED
    if sought.kind in ("reason", "manner"):
        return CAUSE_NEEDED
    return VERB_NEEDED if role != "noun" else ROLE_NEEDED if sought.personal else NOUN_NEEDED


def _before_name(word: Parsed) -> bool:
    """Whether it only says what a name is the name of: "the rap group Public Enemy", "sample Per-4"."""
    behind = word.doc[word.i + 1] if word.i + 1 < len(word.doc) else None
    if behind is None or not behind.text[:1].isupper():
        return False
    return word.pos_ == "NOUN" and behind.pos_ in ("PROPN", "NOUN", "NUM")


def _role(token: Token, word: Parsed) -> Role:
    if token.number is not None or token.dated:
        return "number"
    if word.pos_ in ("NOUN", "PROPN", "X", "SYM") or (word.dep_ in ("amod", "compound", "nmod") and word.pos_ != "ADV"):
        return "noun"
    return "verb" if word.pos_ in ("VERB", "AUX") else "other"


def _is_relation(word: Parsed, sought: Asked) -> bool:
    """Whether it says how the answer stands to the rest: "bought" of "who bought", "judge" of "who was the judge"."""
    if sought.kind == "yesno":
        return True
    if word.dep_ == "ROOT":
        return sought.kind in _RELATED
    nameless = sought.kind == "person" and sought.noun is None
    return nameless and word.dep_ in ("attr", "nsubj") and word.head.dep_ == "ROOT"


def _says_where(run: Sequence[Token], tokens: Sequence[Token]) -> bool:
    """Whether a name says where to look: "the Free Culture book", "according to Lessig"."""
    first, last = tokens.index(run[0]), tokens.index(run[-1])
    before = [low for token in tokens[max(0, first - 3) : first] if (low := token.text.casefold()) != "the"]
    behind = tokens[last + 1] if last + 1 < len(tokens) else None
    return before[-2:] == ["according", "to"] or (behind is not None and root(fold(behind.text)) in roots("document"))
