"""The words of a question that compares things: names, nouns and verbs, by their parts of speech.

Prepositions end a name, and a verb at its end does not belong to it. Spans and indices are those of the whole question.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hopline.answers.measure_senses import GENERIC, RATE, ComparingWords, Wording

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

BE: Final = frozenset({"is", "are", "was", "were"})
AUXILIARIES: Final = BE | {"does", "do", "did", "has", "have", "had", "can", "could", "will", "would"}
CHOOSING: Final = frozenset({"which", "what", "who", "where"})
_STANDING_FOR: Final = frozenset({"that", "those"})
_COMMAS: Final = frozenset({",", ":", "-", "–", "—"})
BEFORE_LIST: Final = frozenset({"of", "between", "among"})
END_OF_NAME: Final = frozenset({"ADP", "SCONJ", "VERB", "AUX", "PUNCT", "PRON", "DET"})


def find_token(span: Span, words: frozenset[str], *, last: bool = False) -> int | None:
    """Return the index in the question of the first, or last, token that is one of these words; None without one."""
    indices = [token.i for token in span if token.lower_ in words]
    return (indices[-1] if last else indices[0]) if indices else None


def trim_span(span: Span) -> Span:
    """Return a span without the punctuation at its end."""
    while span and span[-1].text in {"?", ".", "!", ","}:
        span = span[:-1]
    return span


def split_at_preposition(span: Span) -> tuple[str, str]:
    """Split a name from the phrase behind it: "Sorrel", "in the Aldermere fleet"; "of" is a part of the name."""
    end = next(
        (n for n, token in enumerate(span) if n and token.pos_ in {"ADP", "SCONJ"} and token.lower_ != "of"), None
    )
    return (span.text, "") if end is None else (span[:end].text, span[end:].text)


def split_verb(span: Span) -> tuple[Span, str]:
    """Split a verb that is the last word, before which there is a name: "the Heron carry"."""
    if len(span) > 1 and span[-1].text.islower() and span[-1].pos_ in {"VERB", "AUX"}:
        return span[:-1], span[-1].text
    if len(span) > 2 and span[-1].pos_ in {"ADP", "ADV"} and span[-2].pos_ == "VERB":  # "called out"
        return span[:-2], span[-2].text
    is_verb_needed = span.start > 0 and span.doc[span.start - 1].lower_ in {"do", "does", "did"}
    if len(span) > 1 and is_verb_needed and not any(token.pos_ == "VERB" for token in span):  # "plot B yield"
        return span[:-1], span[-1].text
    return span, ""


def cut_noun(span: Span) -> tuple[str, str]:
    """Split the noun behind "more" from what follows it: "visitors", "on Sunday"."""
    ends = (token for token in span if token.pos_ in END_OF_NAME and token.tag_ != "VBG" and token.lower_ != "per")
    end = next((token.i - span.start for token in ends), len(span))
    if span and RATE.match(span.text):
        return span.text, ""
    return span[:end].text, span[end:].text


def find_question_word(doc: Doc) -> int:
    """Return the index of the first word of the question itself, behind "In LM-27," or "On"."""
    starts = CHOOSING | AUXILIARIES | {"how"}
    if len(doc) and doc[0].pos_ == "ADP":
        return find_token(doc[:], starts) or 0
    return 0


def find_alternatives(doc: Doc, left: Span, noun: Span, behind: Span) -> Wording | None:
    """Find the names of two things: those of two phrases with one preposition, of "that of", or the subject itself."""
    second, rest = split_at_preposition(behind)
    counted, behind_noun = cut_noun(noun)
    if behind[0].lower_ in _STANDING_FOR:
        of = find_token(left, frozenset({"of"}), last=True)
        if of is None:
            return None
        return Wording((doc[of + 1 : left.end].text, second), counted, "", _find_head(left), rest)
    if behind[0].pos_ in {"ADP", "SCONJ"}:
        region = doc[left.start : noun.end] if noun.start >= left.end else left
        same = find_token(region, frozenset({behind[0].lower_}), last=True)
        if same is None:
            return None
        end = left.end if same < left.end else noun.end
        first, _ = split_at_preposition(doc[same + 1 : end])
        others = doc[left.start : min(same, left.end)]
        counted, behind_noun = cut_noun(doc[noun.start : min(max(same, noun.start), noun.end)])
        others, verb = split_verb(others)
        second, rest = split_at_preposition(behind[1:])
        measured = _find_head(others)
        return Wording(
            (first, _complete(second, first)), counted, verb, measured, f"{others.text} {behind_noun} {rest}"
        )
    is_rate = RATE.match(counted) is not None
    if left.text.lower() == "there" or (counted and behind[0].tag_ == "NNS" and not is_rate):  # "juniors than seniors"
        return Wording((counted, second), rest=f"{left.text} {behind_noun} {rest}")
    return _word_subjects(left, behind, counted, behind_noun) if left else None


def _word_subjects(left: Span, behind: Span, counted: str, behind_noun: str) -> Wording:
    """Find the names of "the Heron carry more passengers than the Star": the subject, and what is behind "than"."""
    second, rest = split_at_preposition(behind)
    while len(left) > 1 and left[-1].pos_ == "DET":  # "get a bigger refund"
        left = left[:-1]
    left, verb = split_verb(left)
    first, of_first = split_at_preposition(left)
    second = _complete(second, first)
    if of_first and rest and first.split()[-1] == second.split()[-1]:  # "a ticket for A … than one for B"
        return Wording((of_first, rest), counted, verb, first, f"{first} {behind_noun}")
    return Wording((first, second), counted, verb, "", f"{of_first} {behind_noun} {rest}")


def _complete(name: str, other: str) -> str:
    """Replace "one" at the end of a name by the noun of the other name: "a full one" is "a full plot"."""
    return re.sub(r"\bones?$", other.rsplit(maxsplit=1)[-1], name) if other.split() else name


def _find_head(span: Span) -> str:
    """Return the last noun before the first preposition or verb: "refund" of "the heating refund for 2022"."""
    nouns: list[str] = []
    for token in span:
        if token.pos_ in {"ADP", "SCONJ", "VERB"} and nouns:
            break
        if token.pos_ == "NOUN":
            nouns.append(token.text)
    return nouns[-1] if nouns else ""


def find_names_listed_first(doc: Doc, before: Span, behind: Span) -> Wording | None:
    """Find the things of "Which of A, B and C is" and "Between A and B, which has"."""
    before = doc[: before.end]
    start = find_token(before, BEFORE_LIST)
    if start is None or (start > 0 and before[0].lower_ not in {*CHOOSING, "out"}):
        return None
    end = find_token(doc[start + 1 : before.end], AUXILIARIES | CHOOSING)
    region = doc[start + 1 : before.end]
    verbs = [token.text for token in region if token.pos_ in {"VERB", "AUX"}]
    if end is None:
        end = next((token.i for token in region if token.pos_ == "VERB" and token.text.islower()), before.end)
    names = split_list(trim_span(doc[start + 1 : end]).text)
    return Wording(names, cut_noun(behind)[0], " ".join(verbs)) if names else None


def find_names_listed_last(before: Span, behind: Span, comparing: ComparingWords) -> Wording | None:
    """Find the things of "Which is heavier at Halm, A or B"."""
    starts = [n for n, token in enumerate(behind) if token.text in _COMMAS and token.whitespace_]
    starts += [n for n, token in enumerate(behind) if token.lower_ in BEFORE_LIST]
    starts += [n - 1 for n, token in enumerate(behind) if token.pos_ == "DET" or token.text[0].isupper()]
    for start in starts:
        names = split_list(behind[start + 1 :].text)
        if not names or not re.match(r"(?:the|a|an|both|either|that|those|in|at|on)\s|[A-Z0-9“\"]|[a-z]", names[0]):
            continue
        noun, rest = cut_noun(behind[: max(start, 0)])
        verb = " ".join(token.text for token in before if token.pos_ in {"VERB", "AUX"})
        is_kind = comparing.senses and any(token.lower_ in BE for token in before) and comparing.word not in GENERIC
        kinds = " ".join(token.text for token in before if token.text[0].isupper() and token.i > before.start)
        return Wording(names, "" if is_kind else noun, verb, "", f"{kinds} {rest}".strip())
    return None


def find_inverted_names(left: Span, behind: Span) -> Wording | None:
    """Find the things of "Is A or B heavier" and of "Was the refund bigger in A or in B"."""
    if " or " in left.text:
        left, verb = split_verb(left)
        return Wording(split_list(left.text), cut_noun(behind)[0], verb)
    either = find_token(behind, frozenset({"or"}))
    if either is None:
        return None
    doc, second = left.doc, behind.doc[either + 1 : behind.end]
    if not second:
        return None
    prepositions = [token.i for token in doc[behind.start : either] if token.pos_ == "ADP"]
    if not prepositions:
        return None
    noun, _ = cut_noun(doc[behind.start : prepositions[-1]])
    names = (doc[prepositions[-1] + 1 : either].text, second.text)
    left, verb = split_verb(left)
    return Wording(names, noun, verb, _find_head(left), left.text)


def split_list(text: str) -> tuple[str, ...]:
    """Split "the Haul, the Swift or the Tern"; () unless two things at least are named."""
    last = re.split(r",?\s+or\s+", text) if re.search(r"\sor\s", text) else re.split(r",?\s+and\s+", text)
    names = [name for part in last for name in re.split(r",\s+", part)]
    return tuple(names) if len(names) > 1 else ()
