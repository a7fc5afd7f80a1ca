"""Completion of fragments with the question before them: "What about the Brook Mill?", "And in 2023?", "Since when?".

A fragment replaces the phrase of the question before it that is most like it: of the same kind of entity, with the same
head noun, a name for a name, a place for a place, a superlative for a superlative. A question word takes the place of
the question's own one. "" is returned where it is not clear what is replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from hopline.questions.coordination import BE, capitalize
from hopline.text.identifiers import find_identifiers
from hopline.text.parser import load_question_parser
from hopline.text.values import ORDINALS, YEAR
from hopline.text.words import find_content_words, normalize_word, stem

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

_LEAD: Final = re.compile(
    r"^(?:(?:and|but|so|also|ok(?:ay)?|then)\b,?\s*)*(?:(?:what|how)\s+about\s+)?(?:and\s+)?", re.IGNORECASE
)
QUESTION_TAGS: Final = frozenset({"WP", "WP$", "WDT", "WRB"})  # tags of question words
_ADVERBS: Final = frozenset({"when", "where", "why", "how"})
_FINITE_TAGS: Final = frozenset({"VBD", "VBZ", "VBP", "MD"})
_LOCATIVE: Final = frozenset({"in", "of", "at", "from", "for", "near", "to"})
_VAGUE: Final = frozenset({"one", "ones", "other", "others", "rest", "same"})
_DO: Final = frozenset({"do", "does", "did"})
_QUANTITY: Final = frozenset({"many", "much"})

MAX_INSERTED: Final = 6  # words of an answer that is a part of the next question

# points for what two phrases have in common
SAME_HEAD: Final = 4
SAME_KIND: Final = 3
BOTH_NAMES: Final = 2
SAME_ARTICLE: Final = 1


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase of a question: its span in the text, head noun, article, and whether it is a name."""

    text: str
    start: int
    end: int
    head: str
    article: str
    is_name: bool
    preposition: str = ""


def strip_lead(question: str) -> str:
    """Return a question without "And", "But" or "What about" in front, with a capital letter."""
    return capitalize(_LEAD.sub("", question, count=1))


def is_fragment(question: str) -> bool:
    """Return whether a question, without its lead, is one word or has no finite verb."""
    words = [token for token in load_question_parser()(_LEAD.sub("", question, count=1)) if not token.is_punct]
    return len(words) == 1 or not any(token.tag_ in _FINITE_TAGS for token in words)


def complete_fragment(
    question: str, before: str, answer: str = "", kinds: Mapping[str, str] | None = None, *, least: int = SAME_ARTICLE
) -> str:
    """Return the question that a fragment means after another question and its answer; "" if that is not clear.

    ``kinds`` are the kinds of the entities that both questions name. ``least`` are the points that a noun phrase needs
    to take the place of another one.
    """
    rest = _LEAD.sub("", question, count=1).strip(" ?.!")
    if not rest or not is_fragment(question):
        return ""
    parser = load_question_parser()
    fragment, earlier = parser(rest), parser(before)
    if any(token.tag_ in QUESTION_TAGS for token in fragment):
        return _replace_question_word(fragment, earlier, answer)
    if replaced := _replace_identifier(rest, before):
        return replaced
    if fragment[0].tag_ in {"IN", "TO"} and len(fragment) > 1:
        return _replace_prepositional(fragment, earlier, kinds or {})
    year = re.fullmatch(rf"(.+?)\s+((?:in|during|for)\s+{YEAR})", rest)
    if year:
        named = complete_fragment(year[1], before, answer, kinds, least=least)
        return complete_fragment(year[2], named, answer, kinds) if named else ""
    return _replace_attribute(fragment, earlier) or _replace_noun_phrase(fragment, earlier, kinds or {}, least)


def _list_phrases(doc: Doc) -> Iterator[Phrase]:
    """Yield the noun phrases of a question that it does not ask for; the owner in "Tarn's mayor" is one by itself."""
    for words in _list_chunks(doc):
        tokens = [token for token in words if token.tag_ not in {"CC", "PDT"}]
        if not tokens or any(token.tag_ in QUESTION_TAGS for token in tokens) or tokens[-1].pos_ == "PRON":
            continue
        possessive = next((n for n, token in enumerate(tokens) if token.tag_ == "POS"), None)
        if possessive:
            tokens = tokens[:possessive]
        elif _ends_with_verb(doc, tokens):
            tokens = tokens[:-1]
        yield _build_phrase(doc, tokens)


def _list_chunks(doc: Doc) -> list[list[Token]]:
    """List the words of the noun chunks; a name without an article belongs to the chunk before it ("the club Teal")."""
    chunks: list[list[Token]] = []
    for chunk in doc.noun_chunks:
        follows = bool(chunks) and chunks[-1][-1].i + 1 == chunk.start
        if follows and chunk[0].text[0].isupper() and chunks[-1][0].tag_ == "DT":
            chunks[-1] += list(chunk)
        else:
            chunks.append(list(chunk))
    return chunks


def _ends_with_verb(doc: Doc, tokens: Sequence[Token]) -> bool:
    """Whether the parser took the verb of "How many people does the mill employ?" for a noun."""
    has_verb = any(token.pos_ == "VERB" and token.lower_ not in _DO for token in doc)
    last = next((token for token in reversed(doc) if token.is_alpha), None)
    return not has_verb and len(tokens) > 1 and tokens[-1] == last and any(token.lower_ in _DO for token in doc)


def _build_phrase(doc: Doc, tokens: Sequence[Token], preposition: str = "") -> Phrase:
    first, last = tokens[0], tokens[-1]
    start, end = first.idx, last.idx + len(last.text)
    article = first.lower_ if first.tag_ in {"DT", "PRP$"} else ""
    before = first.head if preposition == "" else None
    governor = last.head if last.dep_ == "pobj" else before
    is_name = any(token.text[0].isupper() for token in tokens if token.tag_ != "DT")
    word = preposition or (governor.lower_ if governor is not None and governor.tag_ in {"IN", "TO"} else "")
    return Phrase(doc.text[start:end], start, end, stem(normalize_word(last.text)), article, is_name, word)


def _rate_likeness(phrase: Phrase, other: Phrase, kinds: Mapping[str, str]) -> int:
    if phrase.is_name != other.is_name:
        return -1
    points = SAME_HEAD * (phrase.head == other.head) + BOTH_NAMES * phrase.is_name
    known = [kinds.get(item.text.lower().removeprefix("the ")) for item in (phrase, other)]
    if all(known):
        points += SAME_KIND if known[0] == known[1] else -SAME_KIND
    return points + SAME_ARTICLE * (phrase.article == other.article)


def _find_likest(
    phrase: Phrase, others: Sequence[Phrase], kinds: Mapping[str, str], least: int = SAME_ARTICLE
) -> Phrase | None:
    """Find the phrase that is most like another one; None if two are equally like it, or none is."""
    rated = sorted(((_rate_likeness(phrase, other, kinds), n) for n, other in enumerate(others)), reverse=True)
    if not rated or rated[0][0] < least or (len(rated) > 1 and rated[1][0] == rated[0][0]):
        return None
    is_weak = rated[0][0] == SAME_ARTICLE and phrase.article == "the" and len(others) > 1
    return None if is_weak else others[rated[0][1]]


def _replace_noun_phrase(fragment: Doc, before: Doc, kinds: Mapping[str, str], least: int) -> str:
    words = [token for token in fragment if not token.is_punct]
    if words[-1].tag_ == "POS":  # "And Bertil's?"
        words = words[:-1]
    noun = next((n for n, token in enumerate(words) if token.tag_ in {"IN", "TO"}), len(words))
    head = words[:noun]
    if not head or head[-1].lower_ in _VAGUE:
        return ""
    if head[-1].pos_ not in {"NOUN", "PROPN"} and not head[-1].text[0].isupper():
        return ""
    phrase = _build_phrase(fragment, head)
    likest = _find_likest(phrase, list(_list_phrases(before)), kinds, least)
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
    phrase = _build_phrase(fragment, words, preposition.lower_)
    years = re.findall(YEAR, before.text)
    if re.fullmatch(YEAR, phrase.text) and len(years) == 1:
        return before.text.replace(years[0], phrase.text)
    phrases = list(_list_phrases(before))
    same = [item for item in phrases if item.preposition == phrase.preposition]
    likest = _find_likest(phrase, same, kinds) if not _is_temporal(phrase) else None
    if likest is not None:
        return f"{before.text[: likest.start]}{phrase.text}{before.text[likest.end :]}"
    if phrase.is_name and phrase.preposition in _LOCATIVE and not _is_temporal(phrase):
        located = [item for item in phrases if item.is_name and item.preposition in _LOCATIVE]
        if len(located) == 1 and len([item for item in phrases if item.is_name]) == 1:
            return f"{before.text[: located[0].start]}{phrase.text}{before.text[located[0].end :]}"
    text = before.text.rstrip(" ?.!")
    return "" if same or years or len(before) < 3 else f"{text} {fragment.text}?"


def _is_temporal(phrase: Phrase) -> bool:
    return phrase.text[0].isdigit() or re.fullmatch(YEAR, phrase.text) is not None


def _replace_question_word(fragment: Doc, before: Doc, answer: str) -> str:
    """Ask for the time, place, reason, number or agent of what the question before asked about."""
    words = [token.lower_ for token in fragment if not token.is_punct]
    opening = capitalize(fragment.text.rstrip(" ?.!"))
    clause = [token for token in before if not token.is_punct]
    if clause and clause[0].pos_ == "AUX" and words[-1] in _ADVERBS:  # "Was it sold?", "When?"
        return f"{opening} {clause[0].lower_}{before.text[clause[0].idx + len(clause[0].text) :]}"
    verb = next((n for n, token in enumerate(clause) if token.tag_ in _FINITE_TAGS), 0)
    subject, rest = clause[:verb], before.text[clause[verb].idx :].rstrip(" ?.!") if clause else ""
    if not any(token.tag_ in QUESTION_TAGS for token in subject):
        return ""
    if len(words) > 1 and words[-1] in _QUANTITY:
        noun = subject[-1].text if subject[-1].tag_ == "NNS" and words[-1] == "many" else ""
        return f"{opening} {noun} {rest}?" if noun else ""
    if subject[-1].lower_ in _ADVERBS or subject[0].tag_ in {"IN", "TO"}:
        return _replace_circumstance(opening, rest, clause[verb:], is_who=words in (["who"], ["whom"]))
    if words[-1] in {"who", "whom"}:
        return ""
    return _ask_for_circumstance(opening, rest, subject, clause[verb:], answer)


def _ask_for_circumstance(
    opening: str, rest: str, subject: Sequence[Token], clause: Sequence[Token], answer: str
) -> str:
    """Ask "when" of a clause whose subject, object or predicate the question before asked for."""
    verb = clause[0]
    nouns = [
        token.text for token in subject if token.pos_ in {"NOUN", "PROPN", "ADJ"} and token.lower_ not in _QUANTITY
    ]
    noun, short = " ".join(nouns), answer if len(answer.split()) <= MAX_INSERTED else ""
    if verb.lower_ in _DO:
        missing = noun or short
        return f"{opening} {rest} {missing}?" if missing else ""
    if verb.lower_ in BE and not any(token.tag_ == "VBN" for token in clause):
        return f"{opening} {verb.text} {short} {rest.partition(' ')[2]}?" if short and not noun else ""
    return f"{opening} {rest}?" if verb.pos_ == "AUX" else _ask_about_event(opening, verb, rest, short)


def _replace_circumstance(opening: str, rest: str, clause: Sequence[Token], *, is_who: bool) -> str:
    """Replace "when" by "where", and by "by whom" in the passive."""
    if not is_who:
        return f"{opening} {rest}?"
    is_passive = clause[0].lower_ in BE and any(token.tag_ == "VBN" for token in clause)
    return f"By whom {rest}?" if is_passive else ""


def _ask_about_event(opening: str, verb: Token, rest: str, answer: str) -> str:
    """Ask about what somebody did: "When was the mill founded?" after "Who founded the mill?"."""
    following = [token for token in verb.doc[verb.i + 1 :] if not token.is_punct]
    count = next((n for n, token in enumerate(following) if token.tag_ in {"IN", "TO"} and token.lower_ != "of"), None)
    words = following[:count]
    if verb.tag_ == "VBD" and verb.text.endswith("ed") and words:
        start, end = words[0].idx, words[-1].idx + len(words[-1].text)
        remainder = verb.doc.text[end:].rstrip(" ?.!")
        head = next((token for token, after in pairwise(words) if after.lower_ == "of"), words[-1])
        be = "were" if head.tag_ == "NNS" and head.text.islower() else "was"
        return f"{opening} {be} {verb.doc.text[start:end]} {verb.text}{remainder}?"
    be = "was" if verb.tag_ == "VBD" else "is"
    return f"{opening} {be} it that {answer} {rest}?" if answer else ""
