"""Rewriting of follow-up questions: "When was she born?" becomes a question that is complete by itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hopline.answers.composition import demote_to_possible
from hopline.answers.follow_up_references import (
    has_unnamed_alternative,
    name_alternative,
    name_demonstratives,
    read_kinds,
    resolve_references,
)
from hopline.answers.summary import parse_summary_request
from hopline.answers.turns import Turn, list_readings
from hopline.flow.quoted_text import quote_text
from hopline.flow.requests import Flow
from hopline.questions.analysis import analyse_question
from hopline.questions.ellipsis import complete_fragment, is_fragment, simplify_fragment, strip_lead
from hopline.questions.phrases import QUESTION_TAGS, SAME_ARTICLE, SAME_KIND
from hopline.questions.pronouns import find_open_pronouns
from hopline.questions.referents import find_topic_name
from hopline.results import Answer
from hopline.retrieval.agent.llm_session import TEXT, LlmExhausted, LlmSession, object_schema, to_one_line

if TYPE_CHECKING:
    from spacy.tokens import Doc

MAX_TURNS: Final = 3  # turns that a question may refer to
SHORT: Final = 4  # a question without nouns and with at most so many words needs the one before it
MOST_TOKENS: Final = 120
# words that may refer to an earlier question or answer, where a name is in the same question
_POINTERS: Final = frozenset({"this", "that", "these", "those", "there", "then", "same", "other", "former", "latter"})
_CONJUNCTIONS: Final = frozenset({"IN", "WDT", "WP"})  # tags of "that" in "the plant that they run"
_GOES_ON: Final = re.compile(r"(and|but|so|also|what about|how about|what else|who else|where else)\b", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\b(?:(page|table|figure|section|chapter)\s+)?(\d+)\b", re.IGNORECASE)
_FILLING: Final = frozenset({"and", "in", "on", "for", "what", "about", "how", "of", "the", "but"})

SYSTEM: Final = """You make a follow-up question understandable by itself.
You see a conversation of questions and answers and then one more question. Write that question so that somebody who
has not seen the conversation understands it: put names in the place of words like "she", "it" or "that company", and
add what it leaves out. Keep its meaning, language and brevity. When it needs nothing from the conversation, repeat it
as it is. Do not answer it."""


def answer_follow_up(
    question: str, turns: Sequence[Turn], answer_question: Callable[[str], Flow[Answer]], *, by_model: bool
) -> Flow[Answer]:
    """Rewrite a question with the turns before it, oldest first, and answer it.

    The answer holds the question as it was asked; its retrieval holds the rewritten one. If the question before was
    only put in front, an answer is a possible one: it is not clear what the question means. So is the answer to a
    fragment that was read before at the same position: the reader may have ignored what was replaced.
    """
    rewritten = yield from rewrite_question(question, turns[-MAX_TURNS:], by_model=by_model)
    answer = yield from answer_question(rewritten)
    if turns and answer.status == "answered":
        is_repeated = is_fragment(question) and any(list_readings(answer) & turn.readings for turn in turns)
        if is_repeated or rewritten == _prepend(turns[-1], question):
            answer = demote_to_possible(answer)
    return replace(answer, question=question)


def _prepend(turn: Turn, question: str) -> str:
    return f"{turn.last_question} {question}"


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

    text = name_demonstratives(name_alternative(simplify_fragment(question), turns[-1]), turns[-1])
    doc = load_question_parser()(text)
    if resolved := (yield from resolve_references(doc, turns)):
        return strip_lead(resolved)
    is_open = _needs_context(doc.text, doc) or has_unnamed_alternative(doc.text) or bool(find_open_pronouns(doc))
    if not is_open and not is_fragment(doc.text):
        return doc.text
    completed = yield from _complete(doc, turns, is_open=is_open)
    return completed or (_prepend(turns[-1], question) if is_open else question)


def _complete(doc: Doc, turns: Sequence[Turn], *, is_open: bool) -> Flow[str]:
    """Complete a question with the one before it; "" if it is not clear how. ``is_open``: it cannot stand alone."""
    question, before = doc.text, turns[-1].last_question
    if completed := _replace_number(question, before):
        return completed
    if any(token.tag_ in QUESTION_TAGS for token in doc) or not _repeats_answer(before, turns):
        kinds = yield from read_kinds(question, before)
        least = SAME_ARTICLE if is_open else SAME_KIND  # without "And", it may be a new question in a few words
        if completed := complete_fragment(question, before, turns[-1].answer, kinds, least=least):
            return completed
    if is_open and _is_new(question):
        return strip_lead(question)
    return _name_topic(question, before) if is_open else ""


def _name_topic(question: str, before: str) -> str:
    """Return a question with "And" in front that is complete but for what it is about; "" if it is not complete."""
    rest, topic = strip_lead(question), find_topic_name(before)
    if is_fragment(question) or _GOES_ON.match(rest) or rest.lower() == question.lower() or not topic:
        return ""
    return f"As for {topic}, {rest[:1].lower()}{rest[1:]}"


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


def _is_complete(question: str) -> bool:
    """Whether a question needs no earlier one: it asks for a summary, or has a name and no word that refers back."""
    analysis = analyse_question(question)
    if parse_summary_request(analysis) is not None:
        return True
    doc = analysis.parse
    has_name = any(token.pos_ == "PROPN" for token in doc)
    points = any(token.lower_ in _POINTERS and token.tag_ not in _CONJUNCTIONS for token in doc)
    return has_name and not points and not find_open_pronouns(doc) and not _needs_context(question, doc)


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
