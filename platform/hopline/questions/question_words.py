"""Question words that stand for a whole question: "Since when?", "By whom?", "How many?", "How old?"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from hopline.questions.clauses import find_subject
from hopline.questions.coordination import BE, capitalize, format_question, join_tokens, strip_punctuation
from hopline.questions.phrases import DO, QUESTION_TAGS
from hopline.questions.referents import find_person, find_thing, shorten_answer
from hopline.text.words import find_base_form

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_ADVERBS: Final = frozenset({"when", "where", "why", "how"})
_FINITE_TAGS: Final = frozenset({"VBD", "VBZ", "VBP", "MD"})
_QUANTITY: Final = frozenset({"many", "much"})
_DURATIONS: Final = frozenset({"long", "often", "far"})  # adverbs behind "how" that ask for no size of a thing
_NO_SIZES: Final = frozenset({"then", "else", "so", "exactly", "often"})
_HAVE: Final = frozenset({"has", "have", "had"})
_WHO: Final = frozenset({"who", "whom"})
_OPENINGS: Final = frozenset({"how", "what", "which"})
_QUANTIFIERS: Final = frozenset({"a", "an", "any", "some", "no", "the"})


def replace_question_word(fragment: Doc, before: Doc, answer: str) -> str:
    """Ask for the time, place, reason, number, size or agent of what the question before asked about.

    ``answer`` is its answer, "" if that is not sure. "" is returned where this is not clear.
    """
    words = [token.lower_ for token in strip_punctuation(fragment)]
    opening = capitalize(fragment.text.rstrip(" ?.!"))
    clause = strip_punctuation(before)
    if not clause:
        return ""
    is_verdict = clause[0].pos_ == "AUX"  # "Was it sold?", "When?"
    asks_size = words[0] == "how" and len(words) == 2 and words[1] not in _QUANTITY | _NO_SIZES
    if asks_size and not (is_verdict and words[1] in _DURATIONS) and (sized := _ask_for_size(opening, before, answer)):
        return sized
    if is_verdict:
        question = _ask_more_of_verdict(opening, words, clause)
    else:
        question = _ask_more(opening, words, clause, shorten_answer(answer))
    return format_question(question) if question else ""


def _ask_for_size(opening: str, before: Doc, answer: str) -> str:
    """Return "How old is the bridge?" for "How old?"."""
    asks_who = before[0].lower_ in _WHO
    subject = find_person(before.text, answer) if asks_who else find_thing(before.text, answer)
    return f"{opening} is {subject}?" if subject else ""


def _ask_more_of_verdict(opening: str, words: Sequence[str], clause: Sequence[Token]) -> str:
    """Ask for a circumstance, or for the number of things, of what a yes-or-no question says."""
    auxiliary, rest = clause[0].lower_, clause[1:]
    if words == ["how", "many"]:
        counted = next((t for t in rest if t.tag_ == "NNS" and t.dep_ in {"dobj", "attr"}), None)
        if counted is None:
            return ""
        phrase = [t for t in rest if counted.left_edge.i <= t.i <= counted.i]
        others = [t for t in rest if t not in phrase]
        noun = join_tokens(phrase[phrase[0].lower_ in _QUANTIFIERS :])
        return f"{opening} {noun} {auxiliary} {join_tokens(others)}?"
    if words == ["why", "not"]:
        subject = join_tokens(find_subject(clause))
        predicate = join_tokens(rest).removeprefix(subject)
        return f"Why {auxiliary} {subject} not{predicate}?" if subject else ""
    is_circumstance = words[-1] in _ADVERBS | _DURATIONS or (len(words) > 1 and words[0] not in _OPENINGS)
    return f"{opening} {auxiliary} {join_tokens(rest)}?" if is_circumstance else ""


def _ask_more(opening: str, words: Sequence[str], clause: Sequence[Token], answer: str) -> str:
    """Ask for a circumstance, a number or an agent of what a question with a question word is about."""
    verb = next(
        (n for n, token in enumerate(clause) if token.tag_ in _FINITE_TAGS or token.lower_ in BE | DO.keys()), 0
    )
    subject, rest = clause[:verb], join_tokens(clause[verb:])
    if not any(token.tag_ in QUESTION_TAGS for token in subject):
        return ""
    if words[0] == "how" and words[-1] not in _ADVERBS | _DURATIONS | _QUANTITY:
        return ""  # "How much salt?"
    if words[0] == "how" and words[-1] in _QUANTITY:
        noun = subject[-1].text if subject[-1].tag_ == "NNS" and words[-1] == "many" else ""
        return f"{opening} {noun} {rest}?" if noun else ""
    if _is_circumstance(subject, clause[verb:]):
        return _replace_circumstance(opening, rest, clause[verb:], is_who=words in (["who"], ["whom"]))
    if words[0] in {*_WHO, "what", "which"}:
        is_same = words[1:] == ["else"] and [token.lower_ for token in subject] == words[:1]
        return f"{opening} {rest}?" if is_same else ""
    return _ask_for_circumstance(opening, subject, clause[verb:], answer)


def _is_circumstance(subject: Sequence[Token], clause: Sequence[Token]) -> bool:
    """Whether a question asks for a time, place, manner, or frequency: "On which day", "How often"."""
    if subject[-1].lower_ in _ADVERBS or subject[0].tag_ in {"IN", "TO"}:
        return True
    is_copula = clause[0].lower_ in BE and not any(token.tag_ in {"VBN", "VBG"} for token in clause)
    return len(subject) == 2 and subject[0].lower_ == "how" and subject[1].pos_ == "ADV" and not is_copula


def _replace_circumstance(opening: str, rest: str, clause: Sequence[Token], *, is_who: bool) -> str:
    """Replace "when" by "where", and by "by whom" in the passive."""
    if not is_who:
        return f"{opening} {rest}?"
    is_passive = clause[0].lower_ in BE and any(token.tag_ == "VBN" for token in clause)
    return f"By whom {rest}?" if is_passive else ""


def _ask_for_circumstance(opening: str, subject: Sequence[Token], clause: Sequence[Token], answer: str) -> str:
    """Ask "when" of a clause whose subject, object or predicate the question before asked for."""
    verb, following = clause[0], clause[1:]
    nouns = [
        token.text for token in subject if token.pos_ in {"NOUN", "PROPN", "ADJ"} and token.lower_ not in _QUANTITY
    ]
    noun, rest = " ".join(nouns), join_tokens(following)
    if verb.lower_ in DO:
        missing = noun or answer
        return f"{opening} {verb.text} {rest} {missing}?" if missing else ""
    if verb.lower_ in BE and not any(token.tag_ == "VBN" for token in clause):
        return f"{opening} {verb.text} {answer} {rest}?" if answer and not noun else ""
    if verb.pos_ != "AUX" or not following:
        return _ask_about_event(opening, verb, following, answer)
    return _ask_with_auxiliary(opening, clause, answer or (noun and f"the {noun}"))


def _ask_with_auxiliary(opening: str, clause: Sequence[Token], actor: str) -> str:
    """Ask "when" of a clause with an auxiliary verb; ``actor`` is its subject if the question before asked for it."""
    verb, following = clause[0], clause[1:]
    rest = join_tokens(following)
    if following[0].pos_ not in {"VERB", "ADV", "AUX"}:  # "What can a visitor see?"
        return f"{opening} {verb.text} {rest}?"
    if actor:
        return f"{opening} {verb.text} {actor} {rest}?"
    patient = following[1:]
    if verb.lower_ in _HAVE and following[0].tag_ == "VBN" and patient:  # "Who has borrowed the flute?"
        return f"{opening} {verb.text} {join_tokens(patient)} been {following[0].text}?"
    return ""


def _ask_about_event(opening: str, verb: Token, following: Sequence[Token], answer: str) -> str:
    """Ask about what somebody did: "When was the mill founded?" after "Who founded the mill?"."""
    count = next((n for n, token in enumerate(following) if token.tag_ in {"IN", "TO"} and token.lower_ != "of"), None)
    words = following[:count]
    has_noun = any(token.pos_ in {"NOUN", "PROPN", "NUM"} for token in words)
    if verb.tag_ == "VBD" and verb.text.endswith("ed") and has_noun:
        remainder = join_tokens(following[len(words) :])
        head = next((token for token, after in pairwise(words) if after.lower_ == "of"), words[-1])
        be = "were" if head.tag_ == "NNS" and head.text.islower() else "was"
        return f"{opening} {be} {join_tokens(words)} {verb.text} {remainder}".rstrip() + "?"
    base = find_base_form(verb.lower_)
    if not answer or not base:
        return ""
    do = "did" if verb.tag_ == "VBD" else "does"
    return f"{opening} {do} {answer} {base} {join_tokens(following)}?"
