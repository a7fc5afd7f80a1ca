"""Questions that compare things by a measure: what is compared, by what, and how the answer is given."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from hopline.answers.comparison import parse_comparison
from hopline.answers.measure_senses import (
    GENERIC,
    NUMBER,
    ComparingWords,
    Wording,
    find_noun_senses,
    list_comparing,
    resolve_senses,
)
from hopline.answers.measure_wording import (
    AUXILIARIES,
    BE,
    BEFORE_LIST,
    CHOOSING,
    END_OF_NAME,
    cut_noun,
    find_alternatives,
    find_inverted_names,
    find_names_listed_first,
    find_names_listed_last,
    find_question_word,
    find_token,
    split_list,
    trim_span,
)
from hopline.questions.analysis import QuestionAnalysis
from hopline.text.measures import Measure, Sense, list_stems, load_measures
from hopline.text.values import YEAR
from hopline.text.words import load_function_words, read_stem_list, stem

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

QuestionForm = Literal["choice", "verdict", "difference", "superlative", "sum"]
_REPEATED: Final = AUXILIARIES | {"it"}  # behind "than"
_ORDERS: Final = {"before": -1, "first": -1, "earlier": -1, "sooner": -1, "after": 1, "later": 1, "last": 1}
_TOGETHER: Final = frozenset({"together", "altogether", "combined", "total"})
_IN_NAME: Final = frozenset({"NOUN", "PROPN", "ADJ", "NUM", "X", "SYM"})
_DIFFERENCE: Final = re.compile(
    r"(?:what|how\s+(?:large|big|great))\s+(?:is|was)\s+the\s+difference\s+in\s+(?P<noun>[a-z\s-]+?)\s+between\s+"
    r"(?P<first>.+?)\s+and\s+(?P<second>.+)",
    re.IGNORECASE,
)
_IN_YEAR: Final = re.compile(
    rf",?\s+(?:(?:in|during|for)\s+{YEAR}|(?:last|this|that)\s+(?:year|season|summer|winter))$"
)
_BEFORE_NAME: Final = re.compile(
    r"^(?:(?:that|those) of\s+|(?:in|at|on|for|from|by|with|to|into|under|after)\s+|(?:the|a|an|both|either)\s+)+",
    re.IGNORECASE,
)
_PREPOSITIONS: Final = frozenset({"under", "after", "during", "according"})
_DOCUMENTS: Final = frozenset(
    {"programme", "program", "list", "table", "register", "catalogue", "log", "menu", "leaflet", "letter", "report"}
    | {"newsletter", "brochure", "fleet"}
)
_OWNER: Final = re.compile(r"['’]s$")
_HAVING: Final = read_stem_list("having")
_LIGHT: Final = _HAVING | read_stem_list("listing")  # verbs that evidence need not have
_NOT_THINGS: Final = frozenset({"one", "of", "the"})
_AMOUNTS: Final = frozenset(map(stem, ("amount", "number", "total", "value", "sum", "level", "rate", "percentage")))


@dataclass(frozen=True, slots=True)
class MeasureQuestion:
    """A question that compares ``subjects`` by a measure; without subjects, all things of a ``kind`` (stems).

    ``senses`` are what may be compared: a measure, and whether more (1) or less (−1) of it is asked for. ``context``
    are the stems of the names that evidence has to have with each value, or its heading; ``described`` those of other
    words that it should have.
    """

    form: QuestionForm
    senses: tuple[Sense, ...]
    subjects: tuple[str, ...] = ()
    kind: frozenset[str] = frozenset()
    context: frozenset[str] = frozenset()
    described: frozenset[str] = frozenset()


def parse_measure_question(question: QuestionAnalysis) -> MeasureQuestion | None:
    """Parse a question that compares things by a measure; None if it asks for something else."""
    text = question.text.strip().rstrip("?.! ")
    if match := _DIFFERENCE.fullmatch(text):
        wording = Wording((match["first"], match["second"]), rest="")
        return _build("difference", find_noun_senses(match["noun"], 1), wording)
    doc = question.parse
    if total := _parse_total(doc):
        return total
    if parse_comparison(question) is None and (by_date := parse_dates(question)):
        return by_date
    for comparing in list_comparing(doc):
        for parse in (_parse_than, _parse_choice, _parse_superlative):
            if parsed := parse(doc, comparing):
                return parsed
    return None


def _build(form: QuestionForm, senses: tuple[Sense, ...], wording: Wording) -> MeasureQuestion | None:
    names = tuple(_clean(name) for name in wording.names)
    if not senses or len(names) < 2 or not all(names):
        return None
    words = [_OWNER.sub("", word.strip(",")) for word in wording.rest.split()]
    ignored = load_function_words() | _PREPOSITIONS | _DOCUMENTS
    words = [word for word in words if word.lower() not in ignored and not set(list_stems(word)) & _LIGHT]
    context = frozenset(part for word in words if word[:1].isupper() for part in list_stems(word))
    measured = frozenset(list_stems(wording.measured)).union(*(sense.measure.words for sense in senses))
    described = frozenset(list_stems(" ".join(words))) - context - measured
    return MeasureQuestion(form, senses, names, frozenset(), context, described)


def _parse_than(doc: Doc, comparing: ComparingWords) -> MeasureQuestion | None:
    """Parse "Is A higher than B", "Was it more in A than in B", "How much higher is A than B"."""
    than, asking = find_token(doc[comparing.end :], frozenset({"than"})), find_question_word(doc)
    if than is None:
        return None
    behind = trim_span(doc[than + 1 :])
    while len(behind) > 1 and behind[0].lower_ in _REPEATED:
        behind = behind[1:]
    form: QuestionForm = "verdict"
    start = asking
    if doc[asking].lower_ == "how" and len(doc) > asking + 1 and doc[asking + 1].lower_ in {"much", "many"}:
        auxiliary = find_token(doc[asking:than], AUXILIARIES)
        if auxiliary is None:
            return None
        form, start = "difference", auxiliary
    elif doc[asking].lower_ not in AUXILIARIES:
        return None
    if start > comparing.start:
        left, noun = doc[start + 1 : than], doc[comparing.end : start]
    else:
        left, noun = doc[start + 1 : comparing.start], doc[comparing.end : than]
    wording = find_alternatives(doc, left, noun, behind) if behind else None
    return _build(form, resolve_senses(comparing, wording), wording) if wording else None


def _parse_choice(doc: Doc, comparing: ComparingWords) -> MeasureQuestion | None:
    """Parse "Which is heavier, A or B", "Which of A, B and C is lightest" and "Is A or B heavier"."""
    asking, behind = find_question_word(doc), trim_span(doc[comparing.end :])
    if find_token(behind, frozenset({"than"})) is not None:
        return None
    before = doc[asking : comparing.start]
    if doc[asking].lower_ in CHOOSING or doc[0].lower_ in BEFORE_LIST:
        wording = find_names_listed_first(doc, before, behind) or find_names_listed_last(before, behind, comparing)
    elif doc[asking].lower_ in AUXILIARIES:
        wording = find_inverted_names(before[1:], behind)
    else:
        return None
    return _build("choice", resolve_senses(comparing, wording), wording) if wording else None


def parse_dates(question: QuestionAnalysis) -> MeasureQuestion | None:
    """Parse "Was A sold before B" and "Who joined first, A or B": the dates of any event that a verb names."""
    doc = question.parse
    asking = find_question_word(doc)
    marker = find_token(doc[asking + 1 :], frozenset(_ORDERS))
    if marker is None:
        return None
    sign, before, behind = _ORDERS[doc[marker].lower_], doc[asking:marker], trim_span(doc[marker + 1 :])
    if doc[asking].lower_ in CHOOSING and find_token(behind, frozenset({"or"})) is not None:
        comparing = ComparingWords(marker, marker + 1, doc[marker].lower_, (), sign)
        wording = find_names_listed_last(before, behind, comparing)
    elif doc[asking].lower_ in AUXILIARIES and doc[marker].lower_ in {"before", "after"} and behind:
        wording = find_alternatives(doc, before[1:], doc[marker:marker], behind)
    else:
        return None
    verbs = frozenset(list_stems(wording.verb)) - load_function_words() if wording else frozenset()
    if wording is None or wording.noun or not verbs:
        return None
    form: QuestionForm = "choice" if doc[asking].lower_ in CHOOSING else "verdict"
    return _build(form, (Sense(Measure(frozenset({"year"}), verbs), sign),), wording)


def _parse_total(doc: Doc) -> MeasureQuestion | None:
    """Parse "How many places do pontoons A and B offer together": the sum of a measure of several things."""
    start = find_token(doc[:], frozenset({"many", "much"}))
    conjunction = find_token(doc[:], frozenset({"and"}))
    if start is None or conjunction is None or conjunction < start or find_token(doc[:], _TOGETHER) is None:
        return None
    first, last = conjunction, conjunction + 1
    while first - 1 > start and (_is_of_name(doc[first - 1]) or doc[first - 1].text == ","):
        first -= 1
    while last < len(doc) and (_is_of_name(doc[last]) or doc[last - 1].i == conjunction):
        last += 1
    listed = split_list(doc[first:last].text)
    noun, _ = cut_noun(trim_span(doc[start + 1 : first]))
    if not all(listed):  # what is before the first comma is not read as a name
        return None
    if not noun and len(listed) > 2:  # "How much flour, rye and wheat"
        noun, listed = listed[0], listed[1:]
    elif not noun:  # "How many M31 and Lynx trams"
        words = listed[-1].split() if listed else []
        noun = " ".join(word for word in words[1:] if word.islower() and word not in load_function_words())
    if not noun and all(name.islower() for name in listed):  # "How many juniors and seniors"
        return _build("sum", (Sense(NUMBER, 1),), Wording(tuple(listed), rest=_join_words(doc[last:])))
    counted = noun or next((token.text for token in doc[last:] if token.pos_ == "VERB"), "")
    names = tuple(map(_find_proper_part, listed))
    return _build("sum", find_noun_senses(counted, 1), Wording(names, noun, rest=_join_words(doc[last:])))


def _join_words(span: Span) -> str:
    return " ".join(token.text for token in span if token.pos_ not in END_OF_NAME | {"ADV"})


def _is_of_name(token: Token) -> bool:
    is_letter = len(token.text) == 1 and token.text.isupper()
    return (is_letter or token.pos_ in _IN_NAME or token.text in {"-", "–"}) and token.lower_ not in _TOGETHER


def _find_proper_part(name: str) -> str:
    """Return the words with capitals or digits of a name that has some: "M31" of "trams M31"; else the whole name."""
    words = [word for word in name.split() if not word.islower() or any(map(str.isdigit, word))]
    return " ".join(words) or name


def _parse_superlative(doc: Doc, comparing: ComparingWords) -> MeasureQuestion | None:
    """Parse "Which tower is the highest in Halm", "Which tower has the most floors" and "Who is best paid"."""
    asking = find_question_word(doc)
    before, behind = doc[asking + 1 : comparing.start], trim_span(doc[comparing.end :])
    if doc[asking].lower_ not in CHOOSING - {"where"} or comparing.degree != "superlative":
        return None
    if find_token(behind, frozenset({"than", "who", "that", "which", "whose"})) is not None:
        return None
    verbs = [token for token in before if token.pos_ in {"VERB", "AUX"}]
    noun, rest = cut_noun(behind)
    if not verbs or any(token.pos_ == "ADV" for token in behind[:1]):
        return None
    kind, _ = cut_noun(before)
    verb = verbs[-1].lower_
    if verb in BE:
        kind, senses = f"{kind} {noun}", comparing.senses
    elif stem(verb) in _HAVING or not list_stems(noun):
        senses = resolve_senses(comparing, Wording((), noun, verb))
    else:
        return None
    kinds = frozenset(list_stems(kind)) - _NOT_THINGS
    is_value = comparing.word in GENERIC and kinds & _AMOUNTS
    if not senses or is_value or any(kinds & measure.words for measure in load_measures()):
        return None
    context = frozenset(word for word in list_stems(rest) if word not in load_function_words())
    return MeasureQuestion("superlative", senses, (), kinds, context)


def _clean(name: str) -> str:
    """A name without its article, its owner's ending, and a year behind it, which is that of the whole question."""
    name = _IN_YEAR.sub("", name.strip(' ,.“”"'))
    return _OWNER.sub("", _BEFORE_NAME.sub("", name)).strip()
