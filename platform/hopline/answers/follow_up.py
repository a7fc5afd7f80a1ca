"""Rewriting of follow-up questions: "When was she born?" becomes a question that is complete by itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hopline.answers.composition import demote_to_possible
from hopline.answers.summary import parse_summary_request
from hopline.entities.linking import UNLINKED_KINDS, EntityName
from hopline.entities.question_entities import find_question_entities
from hopline.flow.quoted_text import quote_text
from hopline.flow.requests import Flow
from hopline.questions.analysis import analyse_question
from hopline.questions.ellipsis import (
    QUESTION_TAGS,
    SAME_ARTICLE,
    SAME_KIND,
    complete_fragment,
    find_single_thing,
    is_fragment,
    strip_lead,
)
from hopline.reader.confidence import normalize_short
from hopline.results import Answer
from hopline.retrieval.agent.llm_session import TEXT, LlmExhausted, LlmSession, object_schema, to_one_line

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

MAX_TURNS: Final = 3  # turns that a question may refer to
LONGEST_ANSWER: Final = 300  # characters of an earlier answer that are used
SHORT: Final = 4  # a question without nouns and with at most so many words needs the one before it
MOST_TOKENS: Final = 120
POSSESSIVE: Final = "'s"

SYSTEM: Final = """You make a follow-up question understandable by itself.
You see a conversation of questions and answers and then one more question. Write that question so that somebody who
has not seen the conversation understands it: put names in the place of words like "she", "it" or "that company", and
add what it leaves out. Keep its meaning, language and brevity. When it needs nothing from the conversation, repeat it
as it is. Do not answer it."""

_PERSONS: Final = frozenset({"he", "she", "him", "her", "his", "hers"})
_THINGS: Final = frozenset({"it", "its"})
_SEVERAL: Final = frozenset({"they", "them", "their", "theirs"})
# words that may refer to an earlier question or answer, where a name is in the same question
_POINTERS: Final = frozenset({"this", "that", "these", "those", "there", "then", "same", "other", "former", "latter"})
_CONJUNCTIONS: Final = frozenset({"IN", "WDT", "WP"})  # tags of "that" in "the plant that they run"
_SUBJECTS: Final = frozenset({"nsubj", "nsubjpass"})
_WEATHER: Final = ("rain", "snow", "hail", "freez")
_GOES_ON: Final = re.compile(r"(and|but|so|also|what about|how about|what else|who else|where else)\b", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\b(?:(page|table|figure|section|chapter)\s+)?(\d+)\b", re.IGNORECASE)
_FILLING: Final = frozenset({"and", "in", "on", "for", "what", "about", "how", "of", "the", "but"})


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation: the rewritten question and its answer, "" if nothing was found."""

    question: str
    answer: str = ""

    @classmethod
    def of(cls, answer: Answer) -> Turn:
        """Build the turn of an answer."""
        text = "" if answer.abstained else answer.short or answer.text
        return cls(answer.retrieval.question or answer.question, text[:LONGEST_ANSWER])


def answer_follow_up(
    question: str, turns: Sequence[Turn], answer_question: Callable[[str], Flow[Answer]], *, by_model: bool
) -> Flow[Answer]:
    """Rewrite a question with the turns before it, oldest first, and answer it.

    The answer holds the question as it was asked; its retrieval holds the rewritten one. If the question before was
    only put in front, its answer again is a possible one: the reader may have ignored the new question.
    """
    rewritten = yield from rewrite_question(question, turns[-MAX_TURNS:], by_model=by_model)
    answer = yield from answer_question(rewritten)
    is_unclear = bool(turns) and rewritten == _prepend(turns[-1], question)
    if is_unclear and any(_is_repeated(answer, turn) for turn in turns):
        answer = demote_to_possible(answer)
    return replace(answer, question=question)


def _prepend(turn: Turn, question: str) -> str:
    return f"{_get_last_question(turn)} {question}"


def _is_repeated(answer: Answer, turn: Turn) -> bool:
    return normalize_short(answer.short or answer.text) == normalize_short(turn.answer)


def rewrite_question(question: str, turns: Sequence[Turn], *, by_model: bool) -> Flow[str]:
    """Replace the pronouns of a question by names, and complete a fragment with the question before it.

    That question is put in front if it is not clear how to complete the fragment.

    With ``by_model`` the language model rewrites it, unless it is complete by itself; without one, or if its reply
    cannot be used, rules do.
    """
    if not turns or (by_model and _is_complete(question)):
        return question
    rewritten = (yield from _rewrite_with_model(question, turns)) if by_model else ""
    return rewritten or (yield from _rewrite_with_rules(question, turns))


def _rewrite_with_model(question: str, turns: Sequence[Turn]) -> Flow[str]:
    before = "\n".join(
        f"Question: {turn.question}\nAnswer: {quote_text(turn.answer) if turn.answer else 'nothing was found'}"
        for turn in turns
    )
    prompt = f"{before}\n\nOne more question: {question}"
    try:
        data = yield from LlmSession().ask(prompt, object_schema(question=TEXT), system=SYSTEM, max_tokens=MOST_TOKENS)
    except LlmExhausted:
        return ""
    return to_one_line(data["question"]) if data else ""


def _rewrite_with_rules(question: str, turns: Sequence[Turn]) -> Flow[str]:
    from hopline.text.parser import load_question_parser

    doc = load_question_parser()(question)
    pronouns = _find_open_pronouns(doc)
    if pronouns:
        resolved = yield from _replace_pronouns(doc, pronouns, turns)
        return strip_lead(resolved) if resolved else _prepend(turns[-1], question)
    is_open = _needs_context(question, doc)
    if not is_open and not is_fragment(question):
        return question
    before = _get_last_question(turns[-1])
    completed = _replace_number(question, before)
    asks = any(token.tag_ in QUESTION_TAGS for token in doc)
    if not completed and (asks or not _repeats_answer(before, turns)):
        kinds = yield from _read_kinds(question, before)
        least = SAME_ARTICLE if is_open else SAME_KIND  # without "And", it may be a new question in a few words
        completed = complete_fragment(question, before, turns[-1].answer, kinds, least=least)
    if completed:
        return completed
    if is_open and _is_new(question):
        return strip_lead(question)
    return _prepend(turns[-1], question) if is_open else question


def _get_last_question(turn: Turn) -> str:
    """Return the first question of a turn: those behind it were fragments that could not be completed."""
    return turn.question.partition("? ")[0].rstrip("? ") + "?"


def _is_new(question: str) -> bool:
    """Whether a question with "And" in front is complete without it: "And who runs the Fen Mill?"."""
    rest = strip_lead(question)
    has_name = any(token.pos_ == "PROPN" for token in analyse_question(rest).parse)
    return rest.lower() != question.lower() and has_name and not is_fragment(question) and not _GOES_ON.match(rest)


def _repeats_answer(before: str, turns: Sequence[Turn]) -> bool:
    """Whether a rewritten question has an earlier answer in it ("Since when is Ida the mayor of Osk?").

    The answer belongs to the phrase that a fragment would replace ("And of Elm?").
    """
    return any(turn.answer and turn.answer in before and turn.answer not in turn.question for turn in turns[:-1])


def _replace_pronouns(doc: Doc, pronouns: Sequence[Token], turns: Sequence[Turn]) -> Flow[str]:
    """Replace the pronouns by the names that they may refer to; "" if none fits.

    "it" is a name in the last answer, or the only thing of the last question.
    """
    of_answer = yield from _read_names([Turn("", turns[-1].answer)])
    names = yield from _read_names(turns)
    topic = find_single_thing(_get_last_question(turns[-1]))
    replacements = {}
    for token in pronouns:
        name = _resolve_pronoun(token, names)
        if token.lower_ in _THINGS:
            name = _resolve_pronoun(token, of_answer) or topic or name
        elif token.lower_ in _SEVERAL:
            name = name or topic
        if name:
            replacements[token.i] = name
    return "".join(_write_token(token, replacements.get(token.i)) for token in doc).strip() if replacements else ""


def _read_kinds(*texts: str) -> Flow[dict[str, str]]:
    """Read the kinds of the entities that texts name, by the name in lower case."""
    kinds: dict[str, str] = {}
    for text in texts:
        names = yield from find_question_entities(text)
        kinds |= {name.name.lower(): name.kind for name in names if name.kind not in UNLINKED_KINDS}
    return kinds


def _is_complete(question: str) -> bool:
    """Whether a question needs no earlier one: it asks for a summary, or has a name and no word that refers back."""
    analysis = analyse_question(question)
    if parse_summary_request(analysis) is not None:
        return True
    doc = analysis.parse
    has_name = any(token.pos_ == "PROPN" for token in doc)
    points = any(token.lower_ in _POINTERS and token.tag_ not in _CONJUNCTIONS for token in doc)
    return has_name and not points and not _find_open_pronouns(doc) and not _needs_context(question, doc)


def _find_open_pronouns(doc: Doc) -> list[Token]:
    """Find the pronouns that refer to nothing in their question."""
    pronouns = _PERSONS | _THINGS | _SEVERAL
    return [token for token in doc if token.lower_ in pronouns and not _is_resolved(token, doc)]


def _is_resolved(token: Token, doc: Doc) -> bool:
    """Whether a pronoun refers to a name in the same question ("Did Kerrigan sell her company?"), or to the weather.

    A possessive pronoun may refer to the subject ("Can the composite, by its fit, …?"), unless it is a part of it.
    """
    named = any(word.pos_ == "PROPN" and word.i < token.i for word in doc)
    if token.tag_ == "PRP$":
        subjects = (word for word in doc[: token.i] if word.dep_ in _SUBJECTS and word.pos_ == "NOUN")
        named = named or any(not word.is_ancestor(token) for word in subjects)
    return named or token.dep_ == "expl" or token.head.lower_.startswith(_WEATHER)


def _needs_context(question: str, doc: Doc) -> bool:
    words = [token for token in doc if token.is_alpha]
    return bool(_GOES_ON.match(question)) or (
        len(words) <= SHORT and not any(token.pos_ in {"PROPN", "NOUN"} for token in words)
    )


def _replace_number(question: str, before: str) -> str:
    """Repeat the previous question with another number, for "And in 2023?" or "What about page 3?"; "" otherwise."""
    ours, theirs = list(_NUMBER.finditer(question)), list(_NUMBER.finditer(before))
    rest = set(re.findall(r"\w+", _NUMBER.sub(" ", question).lower()))
    if len(ours) != 1 or not rest <= _FILLING:
        return ""
    [number] = ours
    kind = (number[1] or "").lower()
    same = [match for match in theirs if (match[1] or "").lower() == kind]
    if len(same) != 1:
        return ""
    return f"{before[: same[0].start(2)]}{number[2]}{before[same[0].end(2) :]}"


def _read_names(turns: Sequence[Turn]) -> Flow[list[EntityName]]:
    """Read the names in the turns: those of the latest answer first, then of its question, then of the turn before."""
    names: list[EntityName] = []
    for turn in reversed(turns):
        for text in filter(None, (turn.answer, turn.question)):
            names += yield from find_question_entities(text)
    return names


def _resolve_pronoun(token: Token, names: Sequence[EntityName]) -> str:
    """Return the first name that a pronoun can refer to, by the entity kind in the graph; "" if there is none."""
    for name in names:
        person = name.kind == "PERSON"
        if (
            name.kind in UNLINKED_KINDS
            or (token.lower_ in _PERSONS and not person)
            or (token.lower_ in _THINGS and person)
        ):
            continue
        return name.name
    return ""


def _write_token(token: Token, name: str | None) -> str:
    if name is None:
        return str(token.text_with_ws)
    return f"{name}{POSSESSIVE if token.tag_ == 'PRP$' else ''}{token.whitespace_}"
