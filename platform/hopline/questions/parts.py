"""Questions that ask for several things: they are split into one question for each.

    "When was it founded and how many people work there?"   two clauses
    "Who approved the plan and when?"                       a second question word for the same clause
    "How many live in Finland and how many in Åland?"       the second clause repeats a part of the first
    "What share of A and what share of B does C pay?"       both questions share the verb at the end
    "What were revenue and net income in 2022?"             two things of one clause
    "What was the revenue in 2021 and 2022?"                two years of one clause

A question that fits none of these forms is not split: a wrong part is worse than one reading of the whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from hopline.nlp.question_parser import load_question_parser

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

MAX_PARTS: Final = 4
_QUESTION_WORDS: Final = frozenset({"who", "whom", "whose", "what", "which", "when", "where", "why", "how"})
_AND: Final = frozenset({"and", "&"})
_BE: Final = frozenset({"is", "are", "was", "were"})
_PRONOUNS: Final = frozenset({"it", "they", "he", "she", "them", "him", "this", "that"})
_POSSESSIVES: Final = frozenset({"its", "their", "his", "her"})
_FINITE_TAGS: Final = frozenset({"VBD", "VBZ", "VBP", "MD"})
_ADVERBS: Final = frozenset({"what", "when", "where", "why", "how"})  # these do not begin a relative clause
_EMPTY_NOUNS: Final = frozenset({"name", "title"})
_YEARS: Final = re.compile(r"\b((?:19|20)\d\d)((?:\s*,\s*(?:19|20)\d\d)*)\s*,?\s+and\s+((?:19|20)\d\d)\b")
_COMPARES: Final = re.compile(
    r"\b(?:between|average|mean|sum|change[ds]?|growth|grow|grew|increased?|decreased?|difference|declined?|total|"
    r"combined|same|both|or|percentage|compared?|highest|lowest)\b",
    re.IGNORECASE,
)


def split_parts(question: str) -> tuple[str, ...]:
    """Return the questions that a question consists of; one that asks for one thing is returned as it is."""
    text = " ".join(question.split())
    if not re.search(r"\band\b|&", text, re.IGNORECASE):
        return (text,)
    document = load_question_parser()(text)
    parts = _split_clauses(document) or _split_years(text) or _split_things(document)
    distinct = tuple(dict.fromkeys(parts))
    return distinct if 2 <= len(distinct) <= MAX_PARTS else (text,)


def _split_clauses(document: Doc) -> list[str]:
    """Split where a second question word follows "and"."""
    starts = _find_second_questions(document)
    if not starts:
        return []
    bounds = [0, *(start for _, start in starts), len(document)]
    ends = [conjunction for conjunction, _ in starts] + [len(document)]
    clauses = [list(document[bounds[i] : ends[i]]) for i in range(len(ends))]
    clauses = [_strip_punctuation(clause) for clause in clauses]
    if any(not clause for clause in clauses):
        return []
    first = clauses[0]
    if not any(token.lower_ in _QUESTION_WORDS for token in first):
        return []
    if not any(_is_verb(token) for token in first):
        return _share_verb(clauses)
    questions = [_format(first)]
    for clause in clauses[1:]:
        completed = _complete_clause(clause, first)
        if not completed:
            return []
        questions.append(completed)
    return questions


def _find_second_questions(document: Doc) -> list[tuple[int, int]]:
    """The indices of each "and" before a question word, and of the question that follows it.

    A comma counts as well if another question follows with "and": "who wrote it, when was it printed and …".
    """
    separators = []
    for token in document[1:-1]:
        following = document[token.i + 1 : token.i + 3]
        if token.text == ",":
            separates = len(following) > 1 and following[0].lower_ in _ADVERBS and _is_verb(following[1])
        else:
            offset = 1 if len(following) > 1 and following[0].pos_ == "ADP" else 0  # "and in which year"
            separates = token.lower_ in _AND and following[offset].lower_ in _QUESTION_WORDS
        if separates:
            separators.append((token.i, token.i + 1))
    return separators if any(document[index].text != "," for index, _ in separators) else []


def _complete_clause(clause: Sequence[Token], first: Sequence[Token]) -> str:
    """The second question, with what it leaves out taken from the first; "" if that is not clear."""
    if any(_is_verb(token) for token in clause):
        return _format(_resolve_pronouns(clause, first))
    rest = _skip_question_phrase(first)
    start = next((i for i, token in enumerate(clause) if i and token.pos_ == "ADP"), None)
    is_bare = all(token.lower_ in _QUESTION_WORDS or token.pos_ == "ADP" for token in clause)  # "and when"
    if start is None or is_bare:
        return f"{_format(clause)[:-1]} {_join(rest)}?" if rest else ""
    same_preposition = [i for i, token in enumerate(first) if i and token.lower_ == clause[start].lower_]
    if not same_preposition:
        return ""
    end = same_preposition[-1]
    opening = clause[:start]
    if [token.lower_ for token in first[:start]] == [token.lower_ for token in opening]:
        head = _join(first[:end])
    else:
        head = (
            f"{' '.join(token.text for token in opening)} {_join([token for token in rest if token.i < first[end].i])}"
        )
    return _capitalize(f"{head} {_join(clause[start:])}?")


def _skip_question_phrase(clause: Sequence[Token]) -> list[Token]:
    """The clause without its question phrase: "approved the plan" of "who approved the plan"."""
    start = next((i for i, token in enumerate(clause) if _is_verb(token)), len(clause))
    return list(clause[start:])


def _resolve_pronouns(clause: Sequence[Token], first: Sequence[Token]) -> list[str]:
    """The words of a clause, with its pronouns replaced by the subject of the first clause."""
    subject = _find_subject(first)
    has_name = any(token.pos_ == "PROPN" for token in clause)  # that a possessive may refer to
    words = []
    for token in clause:
        if subject and token.lower_ in _PRONOUNS and token.pos_ == "PRON" and token.dep_ != "det":
            words.append(subject)
        elif subject and token.lower_ in _POSSESSIVES and not has_name:
            words.append(f"{subject}'s")
        else:
            words.append(token.text)
    return words


def _find_subject(clause: Sequence[Token]) -> str:
    """The noun phrase that pronouns of a later clause refer to: the subject, or else the object."""
    inside = {token.i for token in clause}
    for relation in (("nsubj", "nsubjpass"), ("dobj", "attr", "pobj")):
        for noun in (_skip_empty_noun(token) for token in clause if token.dep_ in relation):
            words = [word for word in noun.subtree if word.i in inside]
            if noun.pos_ in {"NOUN", "PROPN"} and not any(word.lower_ in _QUESTION_WORDS for word in words):
                return _join(words)
    return ""


def _skip_empty_noun(noun: Token) -> Token:
    """The thing whose name is meant by "the name of the ship"."""
    if noun.lower_ not in _EMPTY_NOUNS:
        return noun
    of = next((child for child in noun.children if child.lower_ == "of"), noun)
    return next((child for child in of.children if child.dep_ == "pobj"), noun)


def _is_verb(token: Token) -> bool:
    return token.tag_ in _FINITE_TAGS and token.pos_ in {"VERB", "AUX"}


def _share_verb(clauses: Sequence[Sequence[Token]]) -> list[str]:
    """Questions that share the verb at the end: it is appended to each."""
    last = clauses[-1]
    verb = next((i for i, token in enumerate(last) if _is_verb(token)), None)
    if verb is None:
        return []
    tail = _join(last[verb:])
    return [_capitalize(f"{_join(clause)} {tail}?") for clause in clauses[:-1]] + [_format(last)]


def _split_years(text: str) -> list[str]:
    """Split "in 2021 and 2022": the same question for each year."""
    match = _YEARS.search(text)
    if match is None or _COMPARES.search(text) or len(_YEARS.findall(text)) > 1:
        return []
    years = [match[1], *re.findall(r"\d{4}", match[2]), match[3]]
    return [text[: match.start()] + year + text[match.end() :] for year in years]


def _split_things(document: Doc) -> list[str]:
    """Split "What were A and B in 2022?": the same question for each of two things."""
    pair = _find_two_things(document)
    if pair is None or _COMPARES.search(document.text):
        return []
    first, conjunction, second = pair
    tail = _join(_strip_punctuation(list(document[second.i + 1 :])))
    spans = document[first.left_edge.i : conjunction.i], document[conjunction.i + 1 : second.i + 1]
    return [f"{document[:2].text} {_join(list(words))} {tail}".strip() + "?" for words in spans]


def _find_two_things(document: Doc) -> tuple[Token, Token, Token] | None:
    """The two nouns that "What were" asks for, and the "and" between them; None if they may be one thing."""
    if document[:1].text.lower() != "what" or document[1].lower_ not in _BE:
        return None
    root = next((token for token in document if token.dep_ == "ROOT"), document[1])
    nouns = (child for child in root.children if child.dep_ in {"nsubj", "attr"} and child.pos_ == "NOUN")
    first = next(nouns, document[0])
    conjunction = next((child for child in first.children if child.lower_ == "and"), None)
    second = next((child for child in first.children if child.dep_ == "conj" and child.pos_ == "NOUN"), None)
    if conjunction is None or second is None or any(child.dep_ == "conj" for child in second.children):
        return None
    plural = document[1].lower_ in {"are", "were"}
    one_thing = second.tag_ == "NNS" if plural else document[2].lower_ != "the"  # "the terms and conditions"
    described = any(child.dep_ == "prep" and child.i < conjunction.i for child in first.children)
    return None if one_thing or described else (first, conjunction, second)


def _strip_punctuation(tokens: Sequence[Token]) -> list[Token]:
    words = list(tokens)
    while words and (words[-1].is_punct or words[-1].lower_ in _AND):
        words.pop()
    while words and (words[0].is_punct or words[0].lower_ in _AND):
        words.pop(0)
    return words


def _format(words: Sequence[Token] | Sequence[str]) -> str:
    text = " ".join(words) if words and isinstance(words[0], str) else _join(words)  # type: ignore[arg-type]
    text = re.sub(r"\s+(?=[,;:.?!%)]|['’]s\b)", "", text)
    return _capitalize(text.rstrip(" ?.,;") + "?")


def _join(tokens: Sequence[Token]) -> str:
    return "".join(token.text_with_ws for token in tokens).strip()


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]
