"""What the pronouns of a follow-up question refer to, read from the question before it and its answer.

    "Who chairs the club?"                "When was she elected?"     the answer, or "the person who chairs the club"
    "Who is the mayor of Osk?"            "Where does it lie?"        Osk
    "What does the chess club cost?"      "Who leads it?"             the chess club
    "Which is the oldest clock?"          "How heavy is it?"          the oldest clock
    "Which ships were built in Osk?"      "Which of them …?"          the ships that were built in Osk
    "Is the pool open on Sundays?"        "Is it warm then?"          the pool, on Sundays
    "What is the rent in Elm Court?"      "Is there a lift?"          in Elm Court

A description of what the question asks for holds also where its answer is not sure. "" is returned where it is not
clear what is meant.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from hopline.questions.clauses import (
    asks_for_subject,
    find_object,
    find_phrase_end,
    find_subject,
    find_topic,
    find_verb,
    is_asked,
    is_be,
    is_temporal,
    skip_attribute,
    skip_name_of,
    write_definite,
)
from hopline.questions.coordination import join_tokens, strip_punctuation
from hopline.questions.phrases import DO, QUESTION_TAGS, parse_without_verb
from hopline.text.parser import load_question_parser
from hopline.text.value_conflicts import is_weekday
from hopline.text.values import find_date

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

MAX_NAME: Final = 6  # words of an answer that a pronoun may stand for
_WHO: Final = frozenset({"who", "whom"})
_PLURAL: Final = frozenset({"NNS", "NNPS"})
_NOUNS: Final = frozenset({"NOUN", "PROPN"})
_LOCATIVE: Final = frozenset({"in", "at", "on", "near"})
_ADDITION: Final = re.compile(r"\s*(?:[(;]|,\s+[^A-Z]).*")  # "Isla Kerr (since 2018)"


def find_person(before: str, answer: str, persons: Collection[str] = ()) -> str:
    """Return the person whom "she" refers to; ``answer`` is the sure answer of the question ``before``, else "".

    ``persons`` are the persons that the question names, in lower case.
    """
    doc = load_question_parser()(before)
    if doc[0].lower_ in _WHO or (doc[0].lower_ in {"which", "what"} and asks_for_subject(doc)):
        return _shorten_name(answer) or describe_answer(before)
    described = describe_answer(before)
    if described and skip_name_of(described) != described:
        return skip_name_of(described)
    named = [chunk.text for chunk in doc.noun_chunks if chunk.text.lower() in persons]
    return named[-1] if named else ""


def find_described_person(before: str) -> str:
    """Return the person or animal that a question describes or names: "the bull at Greyfield", "Ida Lund"."""
    topic = find_topic(load_question_parser()(before), persons=())
    head = next((chunk.root for chunk in load_question_parser()(topic).noun_chunks), None)
    is_name = topic.istitle() and not topic.startswith("The ")
    return topic if is_name or (head is not None and head.text.islower()) else ""


def find_thing(before: str, answer: str, persons: Collection[str] = (), *, as_object: bool = False) -> str:
    """Return the thing that "it" refers to: the subject of the question, or what it asks for.

    A person of the question is none. ``as_object``: "it" is an object, and so is rather that of the question.
    """
    doc = load_question_parser()(before)
    objects = [t for t in doc if t.dep_ == "dobj" and t.tag_ in {"NN", "NNP"} and not is_asked(t)]
    if as_object and len(objects) == 1:
        return write_definite([t for t in doc if objects[0].left_edge.i <= t.i <= find_phrase_end(objects[0])])
    if doc[0].lower_ in _WHO:
        return find_object(doc)
    if doc[0].pos_ == "VERB" and len(objects) == 1:  # "Name the price of the lock"
        words = strip_punctuation(doc)
        return write_definite(skip_attribute([t for t in words if t.i >= objects[0].left_edge.i]))
    if doc[0].lower_ in {"which", "what"} and asks_for_subject(doc):
        return _name_answer(doc, answer) or describe_answer(before)
    return find_topic(doc, persons=persons)


def find_several(before: str, answer: str, persons: Collection[str] = ()) -> str:
    """Return the things or persons that "they" refers to: those in the plural first, else a person or a thing."""
    doc = load_question_parser()(before)
    described = describe_answer(before)
    counted = _describe_counted(doc)
    topic = find_object(doc) if doc[0].lower_ in _WHO or doc[0].pos_ == "VERB" else find_topic(doc, persons=())
    for text in (described, counted, topic):
        if text and _is_plural(text):
            return text
    return find_person(before, answer, persons) if doc[0].lower_ in _WHO else find_thing(before, answer, persons)


def describe_answer(before: str) -> str:
    """Return a description of what a question asks for: "the mayor of Osk", "the person who founded the mill"."""
    doc = load_question_parser()(before)
    words = strip_punctuation(doc)
    if not words or words[0].lower_ not in {"who", "what", "which"} or len(words) < 3:
        return ""
    if is_be(words[1]):
        text = join_tokens(words[2:])
        is_described = words[2].lower_ == "the" or any(token.tag_ == "POS" for token in words[3:5])
        if is_described and words[-1].pos_ in {*_NOUNS, "NUM"} and not _has_verb(words[2:]):
            return text
    if not asks_for_subject(doc):
        return ""
    if words[0].lower_ in _WHO:
        return f"the person who {join_tokens(words[1:])}"
    verb = find_verb(words)
    noun = join_tokens(words[1:verb])
    return f"the {noun} that {join_tokens(words[verb:])}" if noun else ""


def find_same_kind(before: str, answer: str, noun: str) -> str:
    """Return what "that version" refers to: the phrase of the question with this noun, or its answer."""
    doc = load_question_parser()(before)
    words = strip_punctuation(doc)
    if noun in {token.lower_ for token in words[: find_verb(words)][1:]} and doc[0].tag_ in QUESTION_TAGS:
        return _name_answer(doc, answer) or describe_answer(before)
    same = [token for token in words if token.lower_ == noun and token.pos_ in _NOUNS]
    if len(same) != 1:
        return ""
    following = words[words.index(same[0]) + 1 :][:1]
    label = following if following and any(character.isdigit() for character in following[0].text) else []
    return write_definite([*(token for token in words if same[0].left_edge.i <= token.i <= same[0].i), *label])


def find_time(before: str) -> str:
    """Return the time of a question with its preposition ("on Sundays"); "" if it has none or several."""
    phrases = [token for token in load_question_parser()(before) if token.dep_ == "prep" and is_temporal(token)]
    return _write_phrase(list(phrases[0].subtree)) if len(phrases) == 1 else ""


def find_location(before: str, answer: str = "", persons: Collection[str] = ()) -> str:
    """Return where a question is about, with its preposition: "in Elm Court", "at the Harl Mill".

    ``answer`` is the sure answer if it is a name, "" otherwise: it is where the things of a question "Where …" are.
    """
    doc = parse_without_verb(load_question_parser()(before))
    asks_where = doc[0].lower_ == "where" and any(token.tag_ in {"VBN", "VB"} for token in doc)
    if answer and (asks_where or (doc[0].lower_ in {"what", "which"} and describe_answer(before))):
        return f"in {answer}"
    located = [
        token
        for token in doc
        if token.lower_ in _LOCATIVE
        and token.dep_ == "prep"
        and not is_temporal(token)
        and _has_name(token.subtree)
        and not any(word.tag_ in QUESTION_TAGS for word in token.subtree)
    ]
    if located:
        return _write_phrase(list(located[-1].subtree))
    topic = find_thing(before, "", persons)
    return f"at {topic}" if topic.startswith("the ") or any(word[:1].isupper() for word in topic.split()) else ""


def find_alternative(before: str, answer: str) -> str:
    """Return the cow for the answer "the bull" to "Which is heavier, the bull or the cow?"; "" without two things."""
    doc = load_question_parser()(before)
    conjunct = next(
        (token for token in doc if token.dep_ == "conj" and doc[token.left_edge.i - 1].lower_ == "or"), None
    )
    if conjunct is None or not answer:
        return ""
    nouns = (conjunct.head, conjunct)
    names = [join_tokens([*noun.lefts, noun, *(t for t in noun.rights if t.tag_ == "CD")]) for noun in nouns]
    if any(name.lower() in other.lower() for name, other in (names, names[::-1])):  # "the Norden 5 or the Norden 5 Pro"
        return ""
    others = [name for name in names if name.lower().removeprefix("the ") not in answer.lower()]
    return others[0] if len(others) == 1 else ""


def find_topic_name(before: str) -> str:
    """Return the last named thing of a question, with its article; "" if it names none."""
    chunks = [
        c
        for c in parse_without_verb(load_question_parser()(before)).noun_chunks
        if _has_name(c) and c[0].tag_ not in QUESTION_TAGS
    ]
    chunks = [chunk for chunk in chunks if not is_weekday(chunk.text) and find_date(chunk.text) is None]
    return chunks[-1].text if chunks else ""


def shorten_answer(answer: str) -> str:
    """Return an answer without what is in brackets or behind a comma; "" for lists and long ones."""
    short = _ADDITION.sub("", answer, count=1).strip(" .")
    return short if len(short.split()) <= MAX_NAME and "," not in short else ""


def _shorten_name(answer: str) -> str:
    """Return the name that an answer is; "" if it is none."""
    name = shorten_answer(answer)
    return name if name[:1].isupper() else ""


def _name_answer(doc: Doc, answer: str) -> str:
    """Return the answer with the noun that the question asks for, if it is a mere letter or number: "pontoon A"."""
    words = strip_punctuation(doc)
    noun = join_tokens(words[1 : find_verb(words)])
    short = shorten_answer(answer)
    if not short:
        return ""
    is_label = len(short) <= 3 or short.isdecimal()
    head, _, rest = noun.partition(" ")
    return f"{head} {short} {rest}".strip() if noun and is_label else short


def _has_verb(words: Sequence[Token]) -> bool:
    return any(token.tag_ in {"VBD", "VBZ", "VBP", "MD", "VBN", "VB"} for token in words)


def _describe_counted(doc: Doc) -> str:
    """Return "the flats of Elm Court" for "How many flats does Elm Court have?"."""
    words = strip_punctuation(doc)
    if [token.lower_ for token in words[:2]] != ["how", "many"]:
        return ""
    verb = find_verb(words)
    noun, rest = join_tokens(words[2:verb]), words[verb:]
    if not noun or not rest:
        return ""
    if rest[0].lower_ in DO and rest[-1].lower_ == "have":
        return f"the {noun} of {join_tokens(find_subject(words))}"
    if [token.lower_ for token in rest[1:2]] == ["there"]:  # "How many trams are there in Osk?"
        return f"the {noun} {join_tokens(rest[2:])}".strip()
    return f"the {noun} that {join_tokens(rest)}" if rest[0].lower_ not in DO else ""


def _is_plural(text: str) -> bool:
    """Whether the head of a noun phrase is in the plural."""
    doc = load_question_parser()(text)
    head = next((chunk.root for chunk in doc.noun_chunks), None)
    return head is not None and (head.tag_ in _PLURAL or any(child.dep_ == "conj" for child in head.children))


def _write_phrase(words: Sequence[Token]) -> str:
    return join_tokens(token for token in words if not token.is_punct or token.text in "-.,'")


def _has_name(words: Iterable[Token]) -> bool:
    return any(token.text[0].isupper() and token.pos_ != "DET" for token in words)
