"""Completion of fragments with the question before them: "What about the Brook Mill?", "And in 2023?", "Since when?".

A fragment replaces the phrase of the question before it that is most like it: of the same kind of entity, with the same
head noun, a name for a name, a place for a place, a superlative for a superlative. A question word takes the place of
the question's own one. "" is returned where it is not clear what is replaced.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from hopline.questions.coordination import capitalize, join_tokens, strip_punctuation
from hopline.questions.phrases import DO, QUESTION_TAGS, SAME_ARTICLE, Phrase, build_phrase, find_likest, list_phrases
from hopline.questions.question_words import replace_question_word
from hopline.text.identifiers import find_identifiers
from hopline.text.parser import load_question_parser
from hopline.text.value_conflicts import is_weekday
from hopline.text.values import ORDINALS, YEAR, find_dates
from hopline.text.words import find_content_words

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

_LEAD: Final = re.compile(
    r"^(?:(?:and|but|so|also|or|ok(?:ay)?|then|sorry|no|i mean|i meant)\b,?\s*)*(?:(?:what|how)\s+about\s+)?(?:and\s+)?"
    r"(?:(?:(?:is|are|was|were)\s+(?:it|that|this)\s+)?(?:the\s+)?same\s+(?=(?:for|with|in|on|at|of)\b))?",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(r"(?:\s+(?:then|too|as well|instead|please))?[\s?.!]*$", re.IGNORECASE)
_LONG_FORMS: Final = tuple(
    (re.compile(rf"^(?:and\s+)?(?:{pattern})", re.IGNORECASE), short)
    for pattern, short in (
        (r"(?:why\s+(?:is|was)\s+(?:that|this|it)|why\s+so|how\s+come)(?=[\s?.!]*$)", "Why"),
        (r"when\s+(?:is|was)\s+(?:that|this)(?=[\s?.!]*$)", "When"),
        (r"how\s+many\s+(?:are|were)\s+there(?=[\s?.!]*$)", "How many"),
        (r"which\s+ones?(?=\s+\w)", "Which of them"),
    )
)
_LABEL: Final = re.compile(r"(?P<noun>[a-z]+)\s+(?P<label>\d+|[A-Z])(?![\w.])")
_FINITE_TAGS: Final = frozenset({"VBD", "VBZ", "VBP", "MD"})
_LOCATIVE: Final = frozenset({"in", "of", "at", "from", "for", "near", "to"})
_KINDS_OF_DAYS: Final = frozenset({"weekdays", "weekends", "workdays", "holidays"})
_VAGUE: Final = frozenset({"one", "ones", "other", "others", "rest", "same"})
_COUNTING: Final = (["how", "many"], ["how", "much"])


def strip_lead(question: str) -> str:
    """Return a question without "And", "But" or "What about" in front, with a capital letter."""
    return capitalize(_LEAD.sub("", question, count=1))


def simplify_fragment(question: str) -> str:
    """Return "And for Elm?" for "Is it the same for Elm?", and "Why?" for "Why is that?"; others as they are."""
    for pattern, short in _LONG_FORMS:
        if pattern.match(question):
            return pattern.sub(short, question)
    rest = _LEAD.sub("", question, count=1)
    return f"And {rest}" if re.search(r"\bsame\b", question, re.IGNORECASE) and is_fragment(rest) else question


def is_fragment(question: str) -> bool:
    """Return whether a question, without its lead, is one word or has no finite verb."""
    words = strip_punctuation(_parse_fragment(_LEAD.sub("", question, count=1)))
    return len(words) == 1 or not any(token.tag_ in _FINITE_TAGS for token in words)


def complete_fragment(
    question: str, before: str, answer: str = "", kinds: Mapping[str, str] | None = None, *, least: int = SAME_ARTICLE
) -> str:
    """Return the question that a fragment means after another question and its answer; "" if that is not clear.

    ``kinds`` are the kinds of the entities that both questions name. ``least`` are the points that a noun phrase needs
    to take the place of another one.
    """
    rest = _LEAD.sub("", question, count=1).rstrip(" ?.!")
    rest = rest if asks_with_word(rest) else _TAIL.sub("", rest)  # not of "How then?"
    if not rest or not is_fragment(question):
        return ""
    fragment, earlier = _parse_fragment(rest), load_question_parser()(before)
    if asks_with_word(rest):
        return replace_question_word(fragment, earlier, answer)
    if replaced := _replace_label(rest, before) or _replace_identifier(rest, before) or _replace_time(rest, earlier):
        return replaced
    if fragment[0].tag_ in {"IN", "TO"} and len(fragment) > 1:
        return _replace_prepositional(fragment, earlier, kinds or {})
    year = re.fullmatch(rf"(.+?)\s+((?:in|during|for)\s+{YEAR})", rest)
    if year:
        named = complete_fragment(year[1], before, answer, kinds, least=least)
        return complete_fragment(year[2], named, answer, kinds) if named else ""
    return (
        _replace_attribute(fragment, earlier)
        or _replace_modifier(fragment, earlier, kinds or {})
        or _replace_counted(fragment, earlier)
        or _replace_noun_phrase(fragment, earlier, kinds or {}, least)
    )


def asks_with_word(text: str) -> bool:
    """Return whether a text has a question word."""
    return any(token.tag_ in QUESTION_TAGS for token in load_question_parser()(text))


def _parse_fragment(text: str) -> Doc:
    """Parse a fragment; a single word behind "What about", so that the parser does not take a noun for a verb."""
    parser = load_question_parser()
    doc = parser(text)
    words = strip_punctuation(doc)
    if len(words) != 1 or words[0].tag_ in QUESTION_TAGS:
        return doc
    return parser(f"What about {words[0].text}?")[2:3].as_doc()


def _replace_label(fragment: str, before: str) -> str:
    """Replace the number or letter of the same noun: "And line 4?" after "How long is line 1?"."""
    ours = _LABEL.fullmatch(fragment.removeprefix("the "))
    theirs = [match for match in _LABEL.finditer(before) if ours and match["noun"] == ours["noun"].lower()]
    if ours is None or len(theirs) != 1:
        return ""
    return f"{before[: theirs[0].start('label')]}{ours['label']}{before[theirs[0].end('label') :]}"


def _replace_time(fragment: str, before: Doc) -> str:
    """Replace a weekday, or a date of the same precision, of which the year may be left out: "And on 4 June?"."""
    rest = re.sub(r"^(?:on|in|for|during)\s+", "", fragment, flags=re.IGNORECASE)
    days = [token for token in before if _is_day(token.text)]
    if _is_day(rest) and len(days) == 1:
        return f"{before.text[: days[0].idx]}{rest}{before.text[days[0].idx + len(days[0].text) :]}"
    ours, theirs = find_dates(rest), find_dates(before.text)
    if len(ours) != 1 or len(theirs) != 1 or ours[0].start or ours[0].end != len(rest):
        return ""
    our, their = ours[0].date, theirs[0].date
    if (our.month is None, our.day is None) != (their.month is None, their.day is None) or our.month is None:
        return ""
    year = f" {their.year}" if our.year is None and their.year is not None else ""
    return f"{before.text[: theirs[0].start]}{rest}{year}{before.text[theirs[0].end :]}"


def _is_day(text: str) -> bool:
    return is_weekday(text) or text.lower() in _KINDS_OF_DAYS


def _replace_modifier(fragment: Doc, before: Doc, kinds: Mapping[str, str]) -> str:
    """Replace what describes a noun: "And Gold?" after "What does the Silver tariff cost?"."""
    words = strip_punctuation(fragment)
    phrases = list(list_phrases(before))
    if len(words) != 1 or words[0].pos_ not in {"NOUN", "PROPN", "ADJ"} or kinds.get(words[0].lower_) == "PERSON":
        return ""
    is_name = words[0].text[0].isupper()
    if any(
        phrase.is_name == is_name and phrase.text.split()[-1][0].isupper() == is_name and not phrase.article
        for phrase in phrases
    ):
        return ""
    modified = [span for phrase in phrases if (span := _find_modifier(before, phrase, is_name=is_name))]
    if len(modified) != 1:
        return ""
    start, end = modified[0]
    return f"{before.text[:start]}{words[0].text}{before.text[end:]}"


def _find_modifier(before: Doc, phrase: Phrase, *, is_name: bool) -> tuple[int, int] | None:
    """Find the name, or the noun, before the last noun of a phrase with an article: "Silver" in "the Silver tariff"."""
    tokens = [token for token in before if phrase.start <= token.idx < phrase.end]
    if not phrase.article or len(tokens) < 3 or not tokens[-1].text.islower():
        return None
    inner = [token for token in tokens[1:-1] if token.text[0].isupper() == is_name]
    has_verb = any(token.pos_ in {"VERB", "AUX"} and token.lower_ not in DO for token in before)
    if not is_name and not has_verb and before[-1].is_punct and before[-2].i <= tokens[-1].i:
        return None  # the parser took the verb for a noun: "Does the policy cover theft?"
    if not is_name:
        inner = [token for token in inner[-1:] if token.pos_ == "NOUN" and token.i == tokens[-1].i - 1]
    return (inner[0].idx, inner[-1].idx + len(inner[-1].text)) if inner else None


def _replace_counted(fragment: Doc, before: Doc) -> str:
    """Replace what is counted: "And cows?" after "How many hens does the farm have?"."""
    words, earlier = strip_punctuation(fragment), strip_punctuation(before)
    verb = next((n for n, token in enumerate(earlier) if token.tag_ in _FINITE_TAGS), 0)
    is_noun = words[-1].pos_ == "NOUN" and words[0].tag_ != "DT" and words[-1].text.islower()
    if verb < 3 or not is_noun or [token.lower_ for token in earlier[:2]] not in _COUNTING:
        return ""
    if any(token.tag_ in {"IN", "TO"} for token in [*words, *earlier[2:verb]]):
        return ""
    return f"{join_tokens(earlier[:2])} {join_tokens(words)} {join_tokens(earlier[verb:])}?"


def _replace_noun_phrase(fragment: Doc, before: Doc, kinds: Mapping[str, str], least: int) -> str:
    words = [token for token in fragment if not token.is_punct]
    if words[-1].tag_ == "POS":  # "And Bertil's?"
        words = words[:-1]
    noun = next((n for n, token in enumerate(words) if token.tag_ in {"IN", "TO"}), len(words))
    head = words[:noun]
    if not head or head[-1].lower_ in _VAGUE:
        return ""
    if head[-1].pos_ not in {"NOUN", "PROPN", "NUM"} and not head[-1].text[0].isupper():
        return ""
    phrase = build_phrase(fragment, head)
    owned = next(
        (c for c in before.noun_chunks if c[-1].lower_ == head[-1].lower_ and any(t.tag_ == "POS" for t in c)), None
    )
    if owned is not None and noun == len(words):  # "And the advanced course?" after "the beginners' course"
        return f"{before.text[: owned.start_char]}{phrase.text}{before.text[owned.end_char :]}"
    likest = find_likest(phrase, list(list_phrases(before)), kinds, least)
    if likest is None:
        return ""
    end = likest.end
    if noun < len(words):  # "the price of the lock" takes the place of "the price of the hinge"
        last = next(token for token in before if token.idx + len(token.text) == likest.end)
        ends = [w.idx + len(w.text) for child in last.rights if child.dep_ == "prep" for w in child.subtree]
        end = max([end, *ends])
    text = fragment.text[: words[-1].idx + len(words[-1].text)]
    if head[0].tag_ == "DT":
        text = text[:1].lower() + text[1:]
    return f"{before.text[: likest.start]}{text}{before.text[end:]}"


def _replace_identifier(fragment: str, before: str) -> str:
    """Replace the only identifier that is like the one at the end of a fragment: "And E2210?"."""
    ours = find_identifiers(fragment)
    like = [item for item in find_identifiers(before) if len(ours) == 1 and item.is_like(ours[0])]
    if len(like) != 1 or ours[0].end != len(fragment):
        return ""
    if not find_content_words(fragment[: ours[0].start]) <= find_content_words(before):  # "And the price of E2210?"
        return ""
    return f"{before[: like[0].start]}{ours[0].text}{before[like[0].end :]}"


def _replace_attribute(fragment: Doc, before: Doc) -> str:
    """Replace a superlative or an ordinal: "And the cheapest?" after "Which is the largest model?"."""
    words = [token for token in fragment if not token.is_punct and token.tag_ != "DT"]
    if words and words[-1].lower_ in {"one", "ones"}:
        words = words[:-1]
    ours = _find_attribute(fragment)
    theirs = _find_attribute(before)
    if ours is None or theirs is None or ours[0] != theirs[0] or len(words) != len(ours[1]):
        return ""
    start, end = theirs[1].start_char, theirs[1].end_char
    return f"{before.text[:start]}{ours[1].text}{before.text[end:]}"


def _find_attribute(doc: Doc) -> tuple[str, Span] | None:
    """Find the only superlative or ordinal of a question, with its class; None if there is none or several."""
    spans = [
        ("superlative", doc[token.i : token.i + (2 if token.tag_ == "RBS" else 1)])
        for token in doc
        if token.tag_ == "RBS" or (token.tag_ == "JJS" and not (token.i and doc[token.i - 1].tag_ == "RBS"))
    ]
    spans += [("ordinal", doc[token.i : token.i + 1]) for token in doc if token.lower_ in {*ORDINALS, "last"}]
    return spans[0] if len(spans) == 1 else None


def _replace_prepositional(fragment: Doc, before: Doc, kinds: Mapping[str, str]) -> str:
    """Replace a year, what stands behind the same preposition, or another place; else append the phrase."""
    preposition, words = fragment[0], [token for token in fragment[1:] if not token.is_punct]
    phrase = build_phrase(fragment, words, preposition.lower_)
    years = re.findall(YEAR, before.text)
    if re.fullmatch(YEAR, phrase.text) and len(years) == 1:
        return before.text.replace(years[0], phrase.text)
    phrases = list(list_phrases(before))
    same = [item for item in phrases if item.preposition == phrase.preposition]
    likest = find_likest(phrase, same, kinds) if not _is_temporal(phrase) else None
    if likest is not None:
        return f"{before.text[: likest.start]}{phrase.text}{before.text[likest.end :]}"
    if phrase.is_name and phrase.preposition in _LOCATIVE - {"from", "to"} and not _is_temporal(phrase):
        located = [item for item in phrases if item.is_name and item.preposition in _LOCATIVE]
        if len(located) == 1 and len([item for item in phrases if item.is_name]) == 1:
            return f"{before.text[: located[0].start]}{phrase.text}{before.text[located[0].end :]}"
    if phrase.preposition in {"for", "with"} and not _is_temporal(phrase):
        replaced = _replace_noun_phrase(fragment[1:].as_doc(), before, kinds, SAME_ARTICLE)
        if replaced and phrase.is_name:
            return replaced
    text = before.text.rstrip(" ?.!")
    return "" if same or years or len(before) < 3 else f"{text} {fragment.text}?"


def _is_temporal(phrase: Phrase) -> bool:
    return phrase.text[0].isdigit() or re.fullmatch(YEAR, phrase.text) is not None
