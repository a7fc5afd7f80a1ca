"""What a pronoun in a later part of a question may refer to: what the first part asks for, its subject or object."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from hopline.questions.clauses import (
    asks_for_subject,
    find_phrase_end,
    find_subject,
    find_verb,
    is_asked,
    is_be,
    skip_attribute,
    skip_name_of,
    write_definite,
)
from hopline.questions.coordination import join_tokens, strip_punctuation
from hopline.questions.phrases import DO
from hopline.questions.pronouns import PERSONS, SEVERAL
from hopline.questions.referents import (
    describe_answer,
    find_several,
    shorten_answer,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

WHO: Final = frozenset({"who", "whom"})
PREPOSITIONS: Final = frozenset({"IN", "TO"})
NOUN_TAGS: Final = frozenset({"NN", "NNS", "NNP", "NNPS"})
_TIMES: Final = frozenset({"date", "day", "month", "time", "year"})  # no referents of "it"
_OCCURS: Final = frozenset({"happen", "happened", "happens", "occur", "occurred", "occurs"})
_NOUNS: Final = frozenset({"NOUN", "PROPN"})
_PARTICIPLES: Final = frozenset({"VBN", "VBG", "VB"})
_INDEFINITE: Final = frozenset({"a", "an", "any", "some"})


def list_referents(pronoun: Token, before: Doc, answer: str) -> list[str]:
    """Return what a pronoun may refer to after the first part ``before`` and its answer, the likeliest first."""
    if pronoun.lower_ in PERSONS:
        texts = _list_persons(before, answer)
    elif pronoun.lower_ in SEVERAL:
        texts = _list_several(before, answer)
    else:
        texts = _list_things(pronoun, before, answer)
    return [text for text in dict.fromkeys(texts) if text]


def _list_persons(before: Doc, answer: str) -> list[str]:
    """Persons that "she" refers to: who is asked for, or the subject."""
    subject = find_clause_topic(before)
    described = find_owner(subject) or join_tokens(subject)
    is_named = bool(subject) and subject[0].pos_ == "PROPN" and is_be(before[1])  # "Who is Ada Lund?"
    asks_agent = before[0].lower_ in {*WHO, "which", "what"} and (asks_for_subject(before) or is_be(before[1]))
    if asks_agent and not is_named and (before[0].lower_ in WHO or asks_for_subject(before)):
        return [_name_agent(before, answer)]
    asks_object = before[0].lower_ in WHO and not asks_agent  # "Whom did the driver hit?"
    return [described, get_name(answer)] if asks_object else [described]


def _name_agent(before: Doc, answer: str) -> str:
    return get_name(answer) or describe_answer(before.text)


def _list_several(before: Doc, answer: str) -> list[str]:
    """Things or persons that "they" refers to; "Who won …?" may ask for a group, which is not described."""
    if before[0].lower_ in WHO:
        described = describe_answer(before.text)
        return [get_name(answer) or (described if not described.startswith("the person ") else "")]
    words = strip_punctuation(before)
    verb = find_verb(words)
    opening = [token.lower_ for token in words[:3]]
    if opening == ["how", "many", "of"] and words[verb:]:
        is_empty = words[verb].lower_ in _OCCURS or is_be(words[verb])
        is_located = is_empty and words[verb + 1 : verb + 2] and words[verb + 1].tag_ == "IN"
        clause = join_tokens(words[verb + 1 :]) if is_located else f"that {join_tokens(words[verb:])}"
        return [f"{join_tokens(words[3:verb])} {clause}"]
    if opening[:2] == ["how", "many"] and words[verb:] and words[verb].lower_ in DO and words[-1].lower_ != "have":
        return [f"the {join_tokens(words[2:verb])} that {_write_statement(words, [], answer='')}"]
    return [find_several(before.text, answer)]


def _list_things(pronoun: Token, before: Doc, answer: str) -> list[str]:
    """Things that "it" refers to: what is asked for, the subject or the object, by what the part says of it."""
    options = _describe_asked(before, answer)
    objects = _describe_objects(before, answer, pronoun)
    topic = _cut_phrase(find_clause_topic(before), pronoun)
    asks_agent = asks_for_subject(before) and not is_be(before[1])
    subject = [] if asks_agent else _list_owners(topic) if pronoun.tag_ == "PRP$" else [_write(topic)]
    is_patient = pronoun.dep_ in {"dobj", "nsubjpass"} or pronoun.head.tag_ == "VBN" or is_be(pronoun.head)
    if asks_agent:
        return objects + options if is_patient else options + objects
    return options + objects + subject if is_patient else options + subject + objects


def _list_owners(topic: Sequence[Token]) -> list[str]:
    """Owners that "its" refers to: "Varrow" of "Varrow's revenue", "ethanol" of "the density of ethanol"."""
    of = next((n for n, token in enumerate(topic) if token.lower_ == "of"), None)
    behind = [t for t in topic[of + 1 :] if t.i <= topic[of].right_edge.i] if of is not None else []
    return [find_owner(topic) or _write(behind) or _write(topic), _write(topic)]


def find_owner(words: Sequence[Token]) -> str:
    """The owner at the beginning of a noun phrase: "Varrow" of "Varrow's revenue in 2022"; "" if it has none."""
    mark = next((n for n, token in enumerate(words) if token.tag_ == "POS"), 0)
    has_preposition = any(token.tag_ == "IN" for token in words[:mark])
    return "" if has_preposition else join_tokens(words[:mark])


def find_clause_topic(before: Doc) -> list[Token]:
    """The subject; of "What was the revenue in 2022?" with what follows it."""
    words = strip_punctuation(before)
    verb = find_verb(words)
    if 0 < verb < len(words) and is_be(words[verb]) and not any(t.tag_ in _PARTICIPLES for t in words[verb + 1 :]):
        end = max(
            (n for n, t in enumerate(words) if t.pos_ in {*_NOUNS, "NUM"} or any(c.isdigit() for c in t.text)),
            default=verb,
        )
        return list(words[verb + 1 : end + 1])
    if subject := find_subject(words):
        return subject
    noun = next((t for t in words if t.dep_ in {"nsubj", "nsubjpass"} and t.pos_ in _NOUNS and not is_asked(t)), None)
    return [] if noun is None else [word for word in words if noun.left_edge.i <= word.i <= find_phrase_end(noun)]


def _cut_phrase(words: Sequence[Token], pronoun: Token) -> list[Token]:
    """The words before a preposition that also follows the pronoun: "the contract" of "who signed it for the buyer"."""
    following = pronoun.nbor(1) if pronoun.i + 1 < len(pronoun.doc) else pronoun
    end = (n for n, word in enumerate(words) if n and word.tag_ == "IN" and word.lower_ == following.lower_)
    return list(words[: next(end, len(words))])


def _describe_asked(before: Doc, answer: str) -> list[str]:
    """What "which ship" asks for: the answer, and its description; nothing if it is a mere circumstance."""
    words = strip_punctuation(before)
    verb = find_verb(words)
    opening = words[1:verb]
    is_noun = verb < len(words) and bool(opening) and opening[-1].tag_ in NOUN_TAGS
    if words[0].lower_ not in {"which", "what"} or not is_noun or opening[-1].lower_ in _TIMES:
        return []
    noun = join_tokens(opening)
    if asks_for_subject(before):
        return [get_name(answer), _describe_agent(before, opening)]
    return [get_name(answer), f"the {noun} that {_write_statement(words, [], answer='')}"]


def _describe_agent(before: Doc, opening: Sequence[Token]) -> str:
    """The thing that does what is asked: "the ship that sank", "the one of the pumps that failed"."""
    described = describe_answer(before.text)
    return described.replace("the of", "the one of", 1) if opening[0].lower_ == "of" else described


def _describe_objects(before: Doc, answer: str, pronoun: Token) -> list[str]:
    """The objects of the first part; one without "the" is described by its clause: "the fence that Osk did build"."""
    words = strip_punctuation(before)
    texts = []
    for token in words:
        if token.dep_ == "dobj" and token.tag_ in {"NN", "NNP"} and not is_asked(token):
            phrase = [word for word in words if token.left_edge.i <= word.i <= find_phrase_end(token)]
            if phrase[0].dep_ not in {"det", "poss", "compound"} and phrase[0].tag_ not in {"NNP", "DT"}:
                continue  # "receive net"
            text = write_definite(_cut_phrase(phrase, pronoun))
            if phrase[0].lower_ in _INDEFINITE and (clause := _write_statement(words, phrase, answer=answer)):
                text = f"{text} that {clause}"
            texts.append(text)
    return texts


def _write_statement(words: Sequence[Token], left_out: Sequence[Token], *, answer: str) -> str:
    """The clause of a question as a statement, without a phrase: "Osk did build in 1968"; the answer is put in."""
    verb = find_verb(words)
    opening, rest = words[:verb], [token for token in words[verb + 1 :] if token not in left_out]
    if words[0].doc[verb].lower_ not in DO and asks_for_subject(words[0].doc):
        return f"{get_name(answer)} {words[verb].text} {join_tokens(rest)}".strip() if get_name(answer) else ""
    subject = [token for token in find_subject(words) if token in rest]
    others = [token for token in rest if token not in subject]
    preposition = opening[0].text.lower() if opening and opening[0].tag_ in PREPOSITIONS else ""
    location = f" {preposition} {get_name(answer)}" if preposition and get_name(answer) else ""
    return " ".join(f"{join_tokens(subject)} {words[verb].text} {join_tokens(others)}{location}".split())


def get_name(answer: str) -> str:
    """The name that an answer is, "" for other answers."""
    short = shorten_answer(answer)
    return short if short[:1].isupper() else ""


def _write(words: Sequence[Token]) -> str:
    """A noun phrase; "the dividend" of "the date of the dividend"."""
    if any(token.lower_ in _TIMES and after.lower_ == "of" for token, after in pairwise(words)):
        words = skip_attribute(words)
    return skip_name_of(write_definite(words)) if words else ""
