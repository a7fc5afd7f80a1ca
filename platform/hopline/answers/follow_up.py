"""Rewriting of follow-up questions: "When was she born?" becomes a question that is complete by itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hopline.answers.composition import demote_to_possible
from hopline.answers.summary import parse_summary_request
from hopline.entities.linking import UNLINKED_KINDS, EntityName
from hopline.entities.question_entities import find_question_entities
from hopline.flow.quoted_text import quote_text
from hopline.flow.requests import Flow
from hopline.questions.analysis import analyse_question
from hopline.questions.coordination import strip_punctuation
from hopline.questions.ellipsis import (
    complete_fragment,
    is_fragment,
    simplify_fragment,
    strip_lead,
)
from hopline.questions.phrases import QUESTION_TAGS, SAME_ARTICLE, SAME_KIND
from hopline.questions.pronouns import (
    PERSONS,
    SEVERAL,
    THINGS,
    ask_for_possession,
    find_demonstratives,
    find_open_pronouns,
    replace_pronouns,
)
from hopline.questions.referents import (
    describe_answer,
    find_alternative,
    find_described_person,
    find_location,
    find_person,
    find_same_kind,
    find_several,
    find_thing,
    find_time,
    find_topic_name,
)
from hopline.reader.confidence import normalize_short
from hopline.results import Answer
from hopline.retrieval.agent.llm_session import TEXT, LlmExhausted, LlmSession, object_schema, to_one_line

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

Reading = tuple[str, int, int, str]  # evidence, the span of the answer in it, and the short answer

MAX_TURNS: Final = 3  # turns that a question may refer to
LONGEST_ANSWER: Final = 300  # characters of an earlier answer that are used
SHORT: Final = 4  # a question without nouns and with at most so many words needs the one before it
MOST_TOKENS: Final = 120

SYSTEM: Final = """You make a follow-up question understandable by itself.
You see a conversation of questions and answers and then one more question. Write that question so that somebody who
has not seen the conversation understands it: put names in the place of words like "she", "it" or "that company", and
add what it leaves out. Keep its meaning, language and brevity. When it needs nothing from the conversation, repeat it
as it is. Do not answer it."""

# words that may refer to an earlier question or answer, where a name is in the same question
_POINTERS: Final = frozenset({"this", "that", "these", "those", "there", "then", "same", "other", "former", "latter"})
_CONJUNCTIONS: Final = frozenset({"IN", "WDT", "WP"})  # tags of "that" in "the plant that they run"
_GOES_ON: Final = re.compile(r"(and|but|so|also|what about|how about|what else|who else|where else)\b", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\b(?:(page|table|figure|section|chapter)\s+)?(\d+)\b", re.IGNORECASE)
_OTHER: Final = re.compile(r"\bthe other(?: one\b|(?=[\s?.!]*$))", re.IGNORECASE)
_PLACES: Final = frozenset({"GPE", "LOC", "FAC"})  # kinds of entities
_MOTION: Final = frozenset({"get", "go", "come", "travel", "drive", "walk", "cycle", "fly"})
_FILLING: Final = frozenset({"and", "in", "on", "for", "what", "about", "how", "of", "the", "but"})


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation: the rewritten question and its answer, "" if none is sure.

    ``readings`` are the citations with the answer that was read from each.
    """

    question: str
    answer: str = ""
    readings: frozenset[Reading] = frozenset()

    @classmethod
    def of(cls, answer: Answer) -> Turn:
        """Build the turn of an answer."""
        text = "" if answer.abstained else answer.short or answer.text
        return cls(answer.retrieval.question or answer.question, text[:LONGEST_ANSWER], _list_readings(answer))

    @property
    def last_question(self) -> str:
        """The first question of the turn: those behind it were fragments that could not be completed."""
        return self.question.partition("? ")[0].rstrip("?. ") + "?"


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
        is_repeated = is_fragment(question) and any(_list_readings(answer) & turn.readings for turn in turns)
        if is_repeated or rewritten == _prepend(turns[-1], question):
            answer = demote_to_possible(answer)
    return replace(answer, question=question)


def _list_readings(answer: Answer) -> frozenset[Reading]:
    citations = (citation for sentence in answer.claims for citation in sentence.citations)
    return frozenset(
        (item.evidence.id, *(item.answer or (item.start, item.end)), normalize_short(answer.short))
        for item in citations
    )


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

    text = _name_demonstratives(_name_alternative(simplify_fragment(question), turns[-1]), turns[-1])
    doc = load_question_parser()(text)
    if resolved := (yield from _resolve_references(doc, turns)):
        return strip_lead(resolved)
    is_open = _needs_context(doc.text, doc) or bool(find_open_pronouns(doc))
    if not is_open and not is_fragment(doc.text):
        return doc.text
    completed = yield from _complete(doc, turns, is_open=is_open)
    return completed or (_prepend(turns[-1], question) if is_open else question)


def _name_alternative(question: str, turn: Turn) -> str:
    """Replace "the other one" by the thing that is not the answer to the question before."""
    alternative = "" if is_fragment(question) else find_alternative(turn.last_question, turn.answer)
    return _OTHER.sub(alternative, question) if alternative else question


def _name_demonstratives(question: str, turn: Turn) -> str:
    """Replace "that version" by what the question before says of a version."""
    for noun in reversed(find_demonstratives(analyse_question(question).parse)):
        if name := find_same_kind(turn.last_question, turn.answer, noun.lower_):
            start, end = noun.nbor(-1).idx, noun.idx + len(noun.text)
            question = f"{question[:start]}{name}{question[end:]}"
    return question


def _resolve_references(doc: Doc, turns: Sequence[Turn]) -> Flow[str]:
    """Replace pronouns, "then" and "there" by what they refer to; "" if there are none, or one refers to nothing."""
    if pronouns := find_open_pronouns(doc):
        return (yield from _replace_pronouns(doc, pronouns, turns))
    circumstances = yield from _find_circumstances(doc, turns[-1])
    return replace_pronouns(doc, circumstances) if circumstances else ""


def _complete(doc: Doc, turns: Sequence[Turn], *, is_open: bool) -> Flow[str]:
    """Complete a question with the one before it; "" if it is not clear how. ``is_open``: it cannot stand alone."""
    question, before = doc.text, turns[-1].last_question
    if completed := _replace_number(question, before):
        return completed
    if any(token.tag_ in QUESTION_TAGS for token in doc) or not _repeats_answer(before, turns):
        kinds = yield from _read_kinds(question, before)
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


def _replace_pronouns(doc: Doc, pronouns: Sequence[Token], turns: Sequence[Turn]) -> Flow[str]:
    """Replace the pronouns by what they refer to in the latest turn that has it; "" if one refers to nothing."""
    referents: dict[int, str] = {}
    for token in pronouns:
        referents[token.i] = yield from _find_referent(token, turns)
    if not all(referents.values()):
        return ""
    if is_fragment(doc.text):
        [token, *others] = pronouns
        return "" if others else ask_for_possession(doc, token, referents[token.i], turns[-1].last_question)
    circumstances = yield from _find_circumstances(doc, turns[-1])
    for index, text in circumstances.items():
        if not any(referent in text for referent in referents.values()):
            referents[index] = text
    return replace_pronouns(doc, referents)


def _find_referent(token: Token, turns: Sequence[Turn]) -> Flow[str]:
    """Return what a pronoun refers to, "" if that is not clear; a name in an answer comes last."""
    for turn in reversed(turns):
        persons = yield from _read_persons(turn.question)
        if text := _find_in_turn(token, turn, persons):
            return text
    name = _resolve_pronoun(token, (yield from _read_names(turns)))
    return name or (find_described_person(turns[-1].last_question) if token.lower_ in PERSONS else "")


def _find_in_turn(token: Token, turn: Turn, persons: Collection[str]) -> str:
    before, answer = turn.last_question, turn.answer
    if token.lower_ in PERSONS:
        return find_person(before, answer, persons)
    if token.lower_ in SEVERAL:
        return find_several(before, answer, persons)
    asks_who = token.doc[0].lower_ == "who" and token.dep_ in {"nsubj", "attr"}  # "Who was it before her?"
    as_object = token.dep_ == "dobj"
    return (describe_answer(before) if asks_who else "") or find_thing(before, answer, persons, as_object=as_object)


def _find_circumstances(doc: Doc, turn: Turn) -> Flow[dict[int, str]]:
    """Find what "then" and "there" refer to, by the index of the word.

    "Is there a lift?" asks about where the question before was about, unless it names something itself.
    """
    persons = yield from _read_persons(turn.question)
    kinds = yield from _read_kinds(*filter(None, [turn.answer]))
    name = turn.answer if kinds.get(turn.answer.lower()) in _PLACES else ""
    location = find_location(turn.last_question, name, persons)
    texts: dict[int, str] = {}
    for token in doc[1:]:
        if token.lower_ == "then" and token.tag_ == "RB":
            texts[token.i] = find_time(turn.last_question)
        elif token.lower_ == "there" and token.tag_ == "RB" and location:
            texts[token.i] = re.sub(r"^(?:in|at)\b", "to", location) if token.head.lower_ in _MOTION else location
    is_open = not any(token.pos_ == "PROPN" or token.dep_ == "prep" for token in doc)
    if any(token.tag_ == "EX" for token in doc) and is_open and location:
        last = strip_punctuation(doc)[-1]
        texts[last.i] = f"{last.text} {location}"
    return {index: text for index, text in texts.items() if text}


def _read_kinds(*texts: str) -> Flow[dict[str, str]]:
    """Read the kinds of the entities that texts name, by the name in lower case."""
    kinds: dict[str, str] = {}
    for text in texts:
        names = yield from find_question_entities(text)
        kinds |= {name.name.lower(): name.kind for name in names if name.kind not in UNLINKED_KINDS}
    return kinds


def _read_persons(text: str) -> Flow[set[str]]:
    """Read the names of persons in a text, in lower case."""
    kinds = yield from _read_kinds(text)
    return {name for name, kind in kinds.items() if kind == "PERSON"}


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
            or (token.lower_ in PERSONS and not person)
            or (token.lower_ in THINGS and person)
            or (token.lower_ in SEVERAL and name.kind in _PLACES)
        ):
            continue
        return name.name
    return ""
