"""Questions that ask for several things: they are split into one question for each.

    "When was it founded and how many people work there?"   two clauses
    "Who approved the plan and when?"                       a second question word for the same clause
    "How many live in Finland and how many in Åland?"       the second clause repeats a part of the first
    "What share of A and what share of B does C pay?"       both questions share the verb at the end
    "What were revenue and net income in 2022?"             several things of one clause
    "Which teams came first and second?"                    several ranks of one clause
    "On what dates did A and B open?"                       something in the plural for several names
    "What was the revenue in 2021 and 2022?"                two years of one clause
    "What does it cost for adults and for children?"        a phrase repeated (`hopline.questions.repeated_phrases`)

A question that fits none of these forms is not split: a wrong part is worse than one reading of the whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from hopline.questions.coordination import (
    AND,
    BE,
    COMPARES,
    QUESTION_WORDS,
    capitalize,
    format_question,
    join_tokens,
    split_things,
    strip_punctuation,
)
from hopline.questions.repeated_phrases import split_phrases
from hopline.text.parser import load_question_parser
from hopline.text.values import YEAR

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

MAX_PARTS: Final = 4
_PRONOUNS: Final = frozenset({"it", "they", "he", "she", "them", "him", "this", "that"})
_POSSESSIVES: Final = frozenset({"its", "their", "his", "her"})
_ANSWER_POSSESSIVES: Final = frozenset({"their", "his", "her"})
_ANSWER_PRONOUNS: Final = frozenset({"they", "he", "she", "them", "him"}) | _ANSWER_POSSESSIVES
_FINITE_TAGS: Final = frozenset({"VBD", "VBZ", "VBP", "MD"})
_PREPOSITIONS: Final = frozenset({"IN", "TO", "RP"})
_ADVERBS: Final = frozenset({"what", "when", "where", "why", "how"})  # these do not begin a relative clause
_EMPTY_NOUNS: Final = frozenset({"name", "title"})
_YEARS: Final = re.compile(rf"\b({YEAR})((?:\s*,\s*{YEAR})*)\s*,?\s+and\s+({YEAR})\b")
_ANSWER_REFERENCE: Final = re.compile(rf"\b(?:{'|'.join(sorted(_ANSWER_PRONOUNS))})\b", re.IGNORECASE)


def split_parts(question: str, texts: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the questions that a question consists of; one that asks for one thing is returned as it is.

    Names that one of the ``texts`` joins in the same way ("Health and Human Services") are one name.
    """
    text = " ".join(question.split())
    if not re.search(r"\band\b|&", text, re.IGNORECASE):
        return (text,)
    document = load_question_parser()(text)
    parts = _split_clauses(document) or _split_years(text) or split_things(document, texts)
    parts = parts or split_phrases(document, texts)
    distinct = tuple(dict.fromkeys(parts))
    return distinct if 2 <= len(distinct) <= MAX_PARTS else (text,)


def insert_answer(part: str, answer: str) -> str:
    """Replace the pronouns of a part that refer to the answer to an earlier part: "How many seats did they win?"."""
    return _ANSWER_REFERENCE.sub(
        lambda match: f"{answer}'s" if match[0].lower() in _ANSWER_POSSESSIVES else answer, part
    )


def _split_clauses(document: Doc) -> list[str]:
    """Split where a second question word follows "and"."""
    starts = _find_second_questions(document)
    if not starts:
        return []
    bounds = [0, *(start for _, start in starts), len(document)]
    ends = [conjunction for conjunction, _ in starts] + [len(document)]
    clauses = [list(document[bounds[i] : ends[i]]) for i in range(len(ends))]
    clauses = [strip_punctuation(clause) for clause in clauses]
    if any(not clause for clause in clauses):
        return []
    start = _find_question_start(clauses[0])
    introduction, first = join_tokens(clauses[0][:start]), clauses[0][start:]
    if not any(token.lower_ in QUESTION_WORDS for token in first):
        return []
    if not any(_is_verb(token) for token in first) and _asks_alike(clauses):
        return _share_verb(clauses)
    questions = [format_question(join_tokens(first))]
    for clause in clauses[1:]:
        completed = _complete_clause(clause, first)
        if not completed:
            return []
        questions.append(completed)
    return [_introduce(introduction, question) for question in questions]


def _asks_alike(clauses: Sequence[Sequence[Token]]) -> bool:
    """Whether clauses ask for the same: "What share of A and what share of B", or have only a question word."""
    openings = {tuple(token.lower_ for token in clause[:2]) for clause in clauses}
    return len(openings) == 1 or all(
        token.lower_ in QUESTION_WORDS or token.tag_ in _PREPOSITIONS for clause in clauses[:-1] for token in clause
    )


def _find_question_start(clause: Sequence[Token]) -> int:
    """The index of the question word after an introduction ("In the 2004 report, how many …"), 0 if there is none."""
    if clause[0].pos_ != "ADP":
        return 0
    return next(
        (
            i + 1
            for i, token in enumerate(clause[:-1])
            if token.text == "," and any(word.lower_ in QUESTION_WORDS for word in clause[i + 1 : i + 3])
        ),
        0,
    )


def _introduce(introduction: str, question: str) -> str:
    return f"{introduction} {question[:1].lower()}{question[1:]}" if introduction else question


def _find_second_questions(document: Doc) -> list[tuple[int, int]]:
    """The indices of each "and" before a question word, and of the question that follows it.

    A comma counts as well if another question follows with "and": "who wrote it, when was it printed and …".
    """
    separators = []
    for token in document[1:-1]:
        following = document[token.i + 1 : token.i + 4]
        if token.text == ",":
            separates = len(following) > 1 and following[0].lower_ in _ADVERBS and _is_verb(following[1])
        else:
            before = next((i for i, word in enumerate(following) if word.tag_ not in _PREPOSITIONS), 0)  # "up to what"
            separates = token.lower_ in AND and following[before].lower_ in QUESTION_WORDS
        if separates:
            separators.append((token.i, token.i + 1))
    return separators if any(document[index].text != "," for index, _ in separators) else []


def _complete_clause(clause: Sequence[Token], first: Sequence[Token]) -> str:
    """The second question, with what it leaves out taken from the first; "" if that is not clear."""
    if any(_is_verb(token) for token in clause):
        return format_question(_resolve_pronouns(clause, first))
    rest = _skip_question_phrase(first)
    start = next((i for i, token in enumerate(clause) if i and token.pos_ == "ADP"), None)
    is_bare = all(token.lower_ in QUESTION_WORDS or token.pos_ == "ADP" for token in clause)  # "and when"
    if start is None or is_bare:
        return f"{format_question(join_tokens(clause))[:-1]} {join_tokens(rest)}?" if rest else ""
    same_preposition = [i for i, token in enumerate(first) if i and token.lower_ == clause[start].lower_]
    if not same_preposition:
        return ""
    end = same_preposition[-1]
    opening = clause[:start]
    if [token.lower_ for token in first[:start]] == [token.lower_ for token in opening]:
        head = join_tokens(first[:end])
    else:
        shared = join_tokens(token for token in rest if token.i < first[end].i)
        head = f"{' '.join(token.text for token in opening)} {shared}"
    return capitalize(f"{head} {join_tokens(clause[start:])}?")


def _skip_question_phrase(clause: Sequence[Token]) -> list[Token]:
    """The clause without its question phrase: "approved the plan" of "who approved the plan"."""
    start = next((i for i, token in enumerate(clause) if _is_verb(token)), len(clause))
    return list(clause[start:])


def _resolve_pronouns(clause: Sequence[Token], first: Sequence[Token]) -> str:
    """The text of a clause, with its pronouns replaced by what they refer to in the first clause.

    Pronouns for persons are retained if the first clause asks for its subject: `insert_answer` replaces them.
    """
    subject = _find_subject(first)
    counted = _find_counted(first)
    is_definition = any(token.lower_ in BE for token in first[1:2])  # "who were the winners": they are the winners
    asks_for_subject = not is_definition and any(
        token.dep_ in {"nsubj", "nsubjpass"} and _is_asked(token) for token in first
    )
    has_name = any(token.pos_ == "PROPN" for token in clause)  # that a possessive may refer to
    words = []
    for token in clause:
        word = token.text
        if counted and token.lower_ in {"they", "them"}:
            word = counted
        elif subject and not (asks_for_subject and token.lower_ in _ANSWER_PRONOUNS):
            if token.lower_ in _PRONOUNS and token.pos_ == "PRON" and token.dep_ != "det":
                word = subject
            elif token.lower_ in _POSSESSIVES and not has_name:
                word = f"{subject}'s"
        words.append(word + token.whitespace_)
    return "".join(words).strip()


def _find_counted(clause: Sequence[Token]) -> str:
    """What is counted: "the voters" of "how many voters were there?"; "" if the clause does not ask for a number."""
    opening = [token.lower_ for token in clause[:2]]
    noun = next((token for token in clause[2:4] if token.tag_ == "NNS"), None)
    if opening != ["how", "many"] or noun is None:
        return ""
    return f"the {join_tokens([token for token in clause[2:] if token.i <= noun.i])}"


def _is_asked(noun: Token) -> bool:
    return any(word.lower_ in QUESTION_WORDS for word in (noun, *noun.lefts))


def _find_subject(clause: Sequence[Token]) -> str:
    """The noun phrase that pronouns of a later clause refer to: the subject, or else the object."""
    inside = {token.i for token in clause}
    for relation in (("nsubj", "nsubjpass"), ("dobj", "attr", "pobj")):
        for noun in (_skip_empty_noun(token) for token in clause if token.dep_ in relation):
            words = [word for word in noun.subtree if word.i in inside]
            if noun.pos_ in {"NOUN", "PROPN"} and not any(word.lower_ in QUESTION_WORDS for word in words):
                return join_tokens(words)
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
    tail = join_tokens(last[verb:])
    return [capitalize(f"{join_tokens(clause)} {tail}?") for clause in clauses[:-1]] + [
        format_question(join_tokens(last))
    ]


def _split_years(text: str) -> list[str]:
    """Split "in 2021 and 2022": the same question for each year."""
    match = _YEARS.search(text)
    if match is None or COMPARES.search(text) or len(_YEARS.findall(text)) > 1:
        return []
    years = [match[1], *re.findall(r"\d{4}", match[2]), match[3]]
    return [text[: match.start()] + year + text[match.end() :] for year in years]
