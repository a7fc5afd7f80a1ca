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
MAX_REPLACED: Final = 5  # words of a verb with the circumstance that another one replaces
_FINITE_TAGS: Final = frozenset({"VBD", "VBZ", "VBP", "MD"})
_PREPOSITIONS: Final = frozenset({"IN", "TO", "RP"})
_ADVERBS: Final = frozenset({"what", "when", "where", "why", "how"})  # these do not begin a relative clause
_YEARS: Final = re.compile(rf"\b({YEAR})((?:\s*,\s*{YEAR})*)\s*,?\s+and\s+({YEAR})\b")


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
    if first[0].pos_ != "AUX" and not any(token.lower_ in QUESTION_WORDS for token in first):
        return []
    if not any(_is_verb(token) for token in first) and _asks_alike([first, *clauses[1:]]):
        return [_introduce(introduction, question) for question in _share_verb([first, *clauses[1:]])]
    questions = [_share_circumstances(first, clauses[1])]
    for clause in clauses[1:]:
        completed = _complete_passive(clause, first) or _complete_clause(clause, first)
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
    """The second question, with the clause of the first one that it repeats a part of; "" if that is not clear.

    What it refers to (`hopline.questions.part_references`), and a mere question word, are left as they are.
    """
    is_bare = all(token.lower_ in QUESTION_WORDS or token.tag_ in _PREPOSITIONS for token in clause)
    if is_bare or any(_is_verb(token) for token in clause):
        return format_question(join_tokens(clause))
    rest = _skip_question_phrase(first)
    start = next((i for i, token in enumerate(clause) if i and token.pos_ == "ADP"), None)
    is_adverb = len(clause) > 2 and clause[2].pos_ not in {"NOUN", "PROPN"}
    if start is None and is_adverb and [t.lower_ for t in clause[:2]] == [t.lower_ for t in first[:2]]:
        start = 2
    if start is None:
        return format_question(join_tokens(clause)) if rest else ""
    opening = clause[:start]
    is_same_opening = [token.lower_ for token in first[:start]] == [token.lower_ for token in opening]
    same_preposition = [
        i
        for i, token in enumerate(first[:-1])
        if i and token.lower_ == clause[start].lower_ and first[i + 1].text != "-"
    ]
    if not same_preposition:  # "How many occurred on-campus and how many off-campus?"
        is_short = is_same_opening and 1 < len(rest) <= MAX_REPLACED
        return capitalize(f"{join_tokens([*first[: -len(rest) + 1], *clause[start:]])}?") if is_short else ""
    end = same_preposition[-1]
    if is_same_opening:
        head = join_tokens(first[:end])
    else:
        shared = join_tokens(token for token in rest if token.i < first[end].i)
        head = f"{' '.join(token.text for token in opening)} {shared}"
    return capitalize(f"{head} {join_tokens(clause[start:])}?")


def _find_passive(clause: Sequence[Token]) -> int | None:
    """The index of the participle of a clause without finite verb: "how many wounded in Halm"."""
    if any(_is_verb(token) for token in clause):
        return None
    return next((n for n, token in enumerate(clause) if token.tag_ == "VBN" and n), None)


def _complete_passive(clause: Sequence[Token], first: Sequence[Token]) -> str:
    """The question "how many people were wounded" for "how many wounded"; "" for other clauses."""
    participle = _find_passive(clause)
    auxiliary = next((n for n, token in enumerate(first) if token.lower_ in BE), None)
    if participle is None or auxiliary is None:
        return ""
    opening = clause[:participle]
    noun = first[len(opening) : auxiliary] if opening[-1].pos_ != "NOUN" else []
    words = (*opening, *noun, first[auxiliary], *clause[participle:])
    return format_question(" ".join(token.text for token in words))


def _share_circumstances(first: Sequence[Token], clause: Sequence[Token]) -> str:
    """The first question, with what follows a passive clause and belongs to both: "how many wounded in Halm"."""
    participle = _find_passive(clause)
    shared = clause[participle + 1 :] if participle is not None and first[-1].tag_ == "VBN" else []
    return format_question(f"{join_tokens(first)} {join_tokens(shared)}")


def _skip_question_phrase(clause: Sequence[Token]) -> list[Token]:
    """The clause without its question phrase: "approved the plan" of "who approved the plan"."""
    start = next((i for i, token in enumerate(clause) if _is_verb(token)), len(clause))
    return list(clause[start:])


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
