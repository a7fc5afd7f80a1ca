"""What a later part of a question takes from its first part: referents of pronouns, the time, the owner, the verb.

    "Which ship did Varrow buy in 2019, …"     "… and what does it carry?"     the answer, or "the ship that …"
    "Towards which country did it build a fence, …"   "… when was it removed?"  "the fence that …"
    "What was Varrow's revenue in 2022, …"     "… what was its profit?"        Varrow's profit in 2022
    "Where was Ada Lund born, …"               "… and when was that?"          "When was Ada Lund born?"

Where a part may mean several things, all of them are returned, the likeliest first: the documents decide.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from hopline.questions.clauses import (
    find_verb,
    is_asked,
    is_be,
)
from hopline.questions.coordination import capitalize, format_question, join_tokens, strip_punctuation
from hopline.questions.ellipsis import simplify_fragment
from hopline.questions.part_referents import (
    NOUN_TAGS,
    PREPOSITIONS,
    WHO,
    find_clause_topic,
    find_owner,
    get_name,
    list_referents,
)
from hopline.questions.phrases import DO
from hopline.questions.pronouns import find_demonstratives, find_open_pronouns, replace_pronouns
from hopline.questions.question_words import replace_question_word
from hopline.questions.referents import (
    find_location,
    find_same_kind,
)
from hopline.questions.repeated_phrases import is_time
from hopline.text.parser import load_question_parser

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

MAX_READINGS: Final = 3
_SAME_ACTION: Final = frozenset({"it", "so", "that", "this"})
_FINITE_TAGS: Final = frozenset({"VBD", "VBZ", "VBP", "MD"})
_QUANTITIES: Final = frozenset({"many", "much", "large", "high", "share", "percentage", "proportion"})


def resolve_part(part: str, first: str, answer: str = "") -> tuple[str, ...]:
    """Return the complete questions that a part of a question may mean, the likeliest first.

    ``first`` is the first part, and ``answer`` its answer, "" if it has none.
    """
    before = load_question_parser()(first)
    doc = load_question_parser()(simplify_fragment(_name_asked(part, before)))
    if opening := _find_opening_of_same_action(doc):
        doc = opening
    if _is_bare(doc):
        return (_repeat_clause(doc, before, answer),)
    doc = load_question_parser()(_name_same(doc.text, before, answer))
    time = _find_time(before) if _shares_time(doc, before) else ""
    readings = [_append(reading, time) for reading in _replace_references(doc, before, answer)]
    return tuple(dict.fromkeys(readings))[:MAX_READINGS]


def _name_asked(part: str, before: Doc) -> str:
    """Repeat the noun that both parts ask for: "Which one covers fire?", "How many graduated?"."""
    doc = load_question_parser()(part)
    words = strip_punctuation(before)
    opening = [word.lower_ for word in words[:2]]
    end = 2 if opening == ["how", "many"] else 1
    noun = join_tokens(words[end : find_verb(words)])
    asks_which = [word.lower_ for word in doc[:2]] in (["which", "one"], ["which", "ones"]) and opening[0] == "which"
    asks_count = end == 2 and [word.lower_ for word in doc[:2]] == opening and doc[2].tag_ in {*_FINITE_TAGS, "VBN"}
    if not noun or not (asks_which or asks_count):
        return part
    return f"{doc[:end].text} {noun} {doc[2:].text}"


def _is_bare(doc: Doc) -> bool:
    """Whether a part has only a question word and its phrase: "and since when?", "and at what price?"."""
    return not any(token.tag_ in _FINITE_TAGS for token in doc)


def _find_opening_of_same_action(doc: Doc) -> Doc | None:
    """The question phrase of "Why did he do it?", which asks about what the first part says; None for others."""
    words = strip_punctuation(doc)
    verb = find_verb(words)
    rest = [token.lower_ for token in words[verb + 1 :]]
    is_same = verb < len(words) and words[verb].lower_ in DO and rest[-2:-1] == ["do"] and rest[-1] in _SAME_ACTION
    return doc[: words[verb].i].as_doc() if is_same and len(rest) == 3 and words[verb + 1].tag_ == "PRP" else None


def _repeat_clause(doc: Doc, before: Doc, answer: str) -> str:
    """The clause of the first part with another question word; its words in order if it is not clear what changes."""
    words = strip_punctuation(before)
    if repeated := replace_question_word(doc, before, answer):
        object_asked = words[0].tag_ in PREPOSITIONS and words[1].lower_ in WHO and doc[0].tag_ not in PREPOSITIONS
        return _append(repeated, f"{words[0].lower_} {get_name(answer)}" if object_asked and get_name(answer) else "")
    return format_question(f"{join_tokens(strip_punctuation(doc))} {join_tokens(words[find_verb(words) :])}")


def _name_same(part: str, before: Doc, answer: str) -> str:
    """Replace "the same quarter" and "that ship" by what the first part says of a quarter or ship."""
    doc = load_question_parser()(part)
    for noun in reversed([word for word in doc[2:] if word.nbor(-1).lower_ == "same"]):
        same = [token for token in before if token.lower_ == noun.lower_]
        if len(same) == 1:
            start = noun.i - (2 if noun.nbor(-2).lower_ == "the" else 1)
            name = before[same[0].left_edge.i : same[0].right_edge.i + 1].text
            part = f"{doc[:start].text_with_ws}{name}{noun.whitespace_}{doc[noun.i + 1 :].text}"
            doc = load_question_parser()(part)
    for noun in reversed(find_demonstratives(doc)):
        if name := find_same_kind(before.text, answer, noun.lower_):
            part = f"{doc[: noun.i - 1].text_with_ws}{name}{noun.whitespace_}{doc[noun.i + 1 :].text}"
    return part


def _replace_references(doc: Doc, before: Doc, answer: str) -> list[str]:
    """The questions with each referent that the pronouns, "there" and nouns without an owner may have."""
    referents = {token.i: list_referents(token, before, answer) for token in _find_pronouns(doc)}
    for token in doc:
        if token.lower_ == "there" and token.tag_ == "RB":
            referents[token.i] = [find_location(before.text, answer if before[0].lower_ == "where" else "")]
    referents = {index: texts for index, texts in referents.items() if any(texts)}
    if not referents:
        return [_name_owner(doc, before)]
    last = {index: texts[-1] for index, texts in referents.items()}
    rows = zip_longest(*referents.values())
    return [
        replace_pronouns(doc, {index: text or last[index] for index, text in zip(referents, row, strict=True)})
        for row in rows
    ]


def _find_pronouns(doc: Doc) -> list[Token]:
    """The pronouns that refer to the first part; of possessives, those without a name before them."""
    owned = [
        token for token in doc if token.tag_ == "PRP$" and not any(word.pos_ == "PROPN" for word in doc[: token.i])
    ]
    return list(dict.fromkeys((*find_open_pronouns(doc), *owned)))


def _name_owner(doc: Doc, before: Doc) -> str:
    """Add the owner to "What was the profit?" after "What was Varrow's revenue?"."""
    words = strip_punctuation(doc)
    owner = find_owner(find_clause_topic(before))
    is_open = len(words) > 2 and is_be(words[1]) and words[-1].tag_ in NOUN_TAGS and not _has_name(words)
    text = f"{join_tokens(words)} of {owner}" if owner and is_open else join_tokens(words)
    return format_question(capitalize(text))


def _has_name(words: Iterable[Token]) -> bool:
    return any(token.pos_ == "PROPN" for token in words)


def _find_time(before: Doc) -> str:
    """The time of the first part with its preposition: "in the second quarter of 2023"."""
    for token in before:
        phrase = before[token.i : token.right_edge.i + 1]
        if token.dep_ == "prep" and not is_asked(token) and is_time(phrase):
            return join_tokens(strip_punctuation(phrase))
    return ""


def _shares_time(doc: Doc, before: Doc) -> bool:
    """Whether a part that asks for a value, without a time of its own, is about the time of the first part."""
    opening = {token.lower_ for token in doc[:3]}
    words = strip_punctuation(doc)
    asks_what = len(words) > 2 and words[0].lower_ == "what" and is_be(words[1]) and words[-1].tag_ in NOUN_TAGS
    asks_value = bool(opening & _QUANTITIES) or asks_what
    tenses = [{token.tag_ for token in clause if token.tag_ in _FINITE_TAGS} for clause in (doc, before)]
    return asks_value and not is_time(doc) and bool(tenses[0] & tenses[1])


def _append(question: str, phrase: str) -> str:
    if not phrase or phrase in question:
        return question
    return f"{question.rstrip('?')} {phrase}?"
