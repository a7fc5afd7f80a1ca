"""Questions that compare things by a measure: what is compared, by what, and how the answer is given."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from hopline.questions.analysis import QuestionAnalysis
from hopline.text.measures import Degree, Measure, Sense, list_stems, load_measures, load_senses
from hopline.text.values import YEAR
from hopline.text.words import load_function_words, read_stem_list, stem

QuestionForm = Literal["choice", "verdict", "difference", "superlative"]

_GENERIC: Final = {
    "more": 1, "most": 1, "higher": 1, "highest": 1, "larger": 1, "largest": 1, "greater": 1, "greatest": 1,
    "bigger": 1, "biggest": 1, "longer": 1, "longest": 1, "less": -1, "least": -1, "fewer": -1, "fewest": -1,
    "lower": -1, "lowest": -1, "smaller": -1, "smallest": -1, "shorter": -1, "shortest": -1,
}  # fmt: skip
_SUPERLATIVES: Final = frozenset({"most", "least", "fewest"}) | {word for word in _GENERIC if word.endswith("est")}
_AUXILIARY: Final = r"(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would)"
_BE: Final = r"(?:is|are|was|were)"
_LIST: Final = r"(?:(?:the|a|an|both|either)\s+\S|[A-Z0-9“\"]).*?"
_BEFORE_LIST: Final = r"\s*(?:,|:|\bof\b|\bout of\b|\bbetween\b|\bamong\b|[–—-]\s)\s*(?:both\s+|either\s+)?"
_THAN: Final = re.compile(r"\s*(?P<noun>(?:[a-z-]+\s+){0,4}?)than\s+(?:(?:is|was|does|did)\s+)?(?P<second>.+)")
_FIRST: Final = re.compile(rf"{_AUXILIARY}\s+(?P<first>.+)", re.IGNORECASE)
_AMOUNT: Final = re.compile(r"(?:how\s+(?:much|many)|by\s+how\s+(?:much|many))\b(?P<rest>.*)", re.IGNORECASE)
_DIFFERENCE_SUBJECT: Final = re.compile(
    rf"(?P<noun>[a-z\s-]*?)\s*{_AUXILIARY}\s+(?P<first>.+?)\s+than\s+(?P<second>.+)"
)
_DIFFERENCE: Final = re.compile(
    r"(?:what|how\s+(?:large|big|great))\s+(?:is|was)\s+the\s+difference\s+in\s+(?P<noun>[a-z\s-]+?)\s+between\s+"
    r"(?P<first>.+?)\s+and\s+(?P<second>.+)",
    re.IGNORECASE,
)
_LISTED_FIRST: Final = re.compile(
    rf"(?:(?:which|what|who)(?:\s+[a-z]+)?\s+)?(?:of|out\s+of|between|among)\s+(?P<list>{_LIST})"
    rf"(?:,\s*(?:which|what|who)\b|\s+{_AUXILIARY}\b|\s+(?P<verb>[a-z]+)\s*$)(?P<rest>.*)",
    re.IGNORECASE,
)
_INVERTED: Final = re.compile(rf"{_AUXILIARY}\s+(?P<list>{_LIST})", re.IGNORECASE)
_ASKING: Final = re.compile(
    r"(?:which|what|who)(?:\s+(?:is|was)\s+the\s+name\s+of)?(?:\s+(?P<kind>(?:one\s+of\s+)?(?:the\s+)?[a-z][a-z\s-]*?))??"
    r"(?:\s+(?P<verb>[a-z]+))?(?:\s+(?:the|a|an))?\s*",
    re.IGNORECASE,
)
_IN_YEAR: Final = re.compile(rf",?\s+(?:in|during|for)\s+{YEAR}$")
_RATE: Final = re.compile(r"\s*(?:per|a|an|each|every)\b")
_PERIOD: Final = re.compile(r"\b(?:hour|day|week|month|year)\b", re.IGNORECASE)
_OF_PLACE: Final = re.compile(r"\s+(?:at|in|on|from)\s+(?:the\s+)?(?P<name>[A-Z][\w'’-]*(?:\s+[A-Z][\w'’-]*)*)$")
_ARTICLE: Final = re.compile(r"^(?:the|a|an|both|either)\s+", re.IGNORECASE)
_VERB_BEHIND: Final = re.compile(r"\s+[a-z]+$")
_HAVING: Final = read_stem_list("having")
_NOUN_AND_REST: Final = re.compile(
    r"(?P<noun>(?:[a-z-]+\b\s*)*?)(?P<rest>\b(?:in|of|at|on|for|among|from|by|with|during)\b.*|)", re.IGNORECASE
)
_TOWARDS: Final = re.compile(r"\s*(?:to|from)\s+(?P<place>[^,]+)(?=,)")
_NOT_THINGS: Final = frozenset({"one", "of", "the"})


@dataclass(frozen=True, slots=True)
class MeasureQuestion:
    """A question that compares ``subjects`` by a measure; without subjects, all things of a ``kind`` (stems).

    ``senses`` are what may be compared: a measure, and whether more (1) or less (−1) of it is asked for. ``context``
    are the stems of the other words, which evidence has to have.
    """

    form: QuestionForm
    senses: tuple[Sense, ...]
    subjects: tuple[str, ...] = ()
    kind: frozenset[str] = frozenset()
    context: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Comparing:
    """The words that compare ("heavier", "more passengers") with their span; ``amount``: they need a noun or a verb."""

    start: int
    end: int
    senses: tuple[Sense, ...]
    sign: int = 0
    degree: Degree = "comparative"


def parse_measure_question(question: QuestionAnalysis) -> MeasureQuestion | None:
    """Parse a question that compares things by a measure; None if it asks for something else."""
    text = question.text.strip().rstrip("?.! ")
    if match := _DIFFERENCE.fullmatch(text):
        senses = find_noun_senses(match["noun"], 1)
        return (
            MeasureQuestion("difference", senses, (_clean(match["first"]), _clean(match["second"]))) if senses else None
        )
    for comparing in _list_comparing(text):
        for parse in (_parse_than, _parse_choice, _parse_superlative):
            if parsed := parse(text, comparing):
                return parsed
    return None


def find_noun_senses(words: str, sign: int) -> tuple[Sense, ...]:
    """Return what nouns or a verb measure: a known measure ("price"), or whatever has these words ("passengers")."""
    stems = [word for word in list_stems(words) if word not in load_function_words()]
    if not stems:
        return ()
    known = [measure for measure in load_measures() if stems[-1] in measure.words]
    if len(stems) == 1 and known:
        return tuple(Sense(measure, sign) for measure in known)
    return (Sense(Measure(frozenset({f"#{stems[-1]}", "*"}), frozenset(stems)), sign),)


@cache
def _compile_comparing() -> re.Pattern[str]:
    forms = [form for form, senses in load_senses().items() if senses[0].degree != "positive"]
    names = sorted({*forms, *_GENERIC}, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b", re.IGNORECASE)


def _list_comparing(text: str) -> list[_Comparing]:
    comparing = []
    for match in _compile_comparing().finditer(text):
        word = match[0].lower()
        senses = load_senses().get(word, ())
        sign = _GENERIC.get(word, senses[0].sign if senses else 0)
        is_superlative = word in _SUPERLATIVES or (senses and senses[0].degree == "superlative")
        comparing.append(_Comparing(*match.span(), senses, sign, "superlative" if is_superlative else "comparative"))
    return comparing


def _resolve(comparing: _Comparing, noun: str, verb: str = "") -> tuple[Sense, ...]:
    """Return what is compared: the noun behind "more" or "higher", the verb before "more", or by the adjective."""
    if list_stems(noun):
        if not _RATE.match(noun):
            return find_noun_senses(noun, comparing.sign)
        if not _PERIOD.search(noun):  # "more per litre": a quotient that is not computed
            return ()
    if comparing.senses:
        return comparing.senses
    stems = list_stems(verb)
    known = [measure for measure in load_measures() if set(stems) & measure.words]
    if stems and not known:
        return find_noun_senses(verb, comparing.sign)
    return tuple(Sense(measure, comparing.sign) for measure in known)


def _parse_than(text: str, comparing: _Comparing) -> MeasureQuestion | None:
    """Parse "Is A higher than B", "Does A have more rooms than B" and "How much higher is A than B"."""
    before, behind = text[: comparing.start].strip(), text[comparing.end :].strip()
    if amount := _AMOUNT.fullmatch(before):
        match = _DIFFERENCE_SUBJECT.fullmatch(behind)
        if match and not amount["rest"].strip():
            first, verb = _split_verb(match["first"]) if not comparing.senses or match["noun"] else (match["first"], "")
            senses = _resolve(comparing, match["noun"], verb)
            return _build("difference", senses, first, match["second"])
        match, first = _THAN.fullmatch(behind), _FIRST.fullmatch(amount["rest"].strip())
        if match and first:
            return _build("difference", _resolve(comparing, match["noun"]), first["first"], match["second"])
        return None
    match, first = _THAN.fullmatch(behind), _FIRST.fullmatch(before)
    if match is None or first is None:
        return None
    name, verb = first["first"], ""
    if not re.match(_BE, before, re.IGNORECASE):
        name, verb = _split_verb(name)
    senses = _resolve(comparing, match["noun"], verb)
    return _build("verdict", senses, name, match["second"])


def _build(form: QuestionForm, senses: tuple[Sense, ...], *subjects: str) -> MeasureQuestion | None:
    names = tuple(_clean(subject) for subject in subjects)
    context = frozenset[str]()
    for name in names:
        if match := _OF_PLACE.search(name):
            context |= frozenset(list_stems(match["name"]))
    names = tuple(_OF_PLACE.sub("", name) for name in names)
    return MeasureQuestion(form, senses, names, context=context) if senses and all(names) else None


def _split_verb(text: str) -> tuple[str, str]:
    match = _VERB_BEHIND.search(text)
    return (text[: match.start()], match[0].strip()) if match else (text, "")


def _parse_choice(text: str, comparing: _Comparing) -> MeasureQuestion | None:
    """Parse "Which is heavier, A or B", "Which of A, B and C is lightest" and "Is A or B heavier"."""
    before, behind = text[: comparing.start].strip(), text[comparing.end :]
    if (match := _LISTED_FIRST.fullmatch(before)) and (names := _split_list(match["list"])):
        senses = _resolve(comparing, behind, f"{match['verb'] or ''} {match['rest']}")
        return MeasureQuestion("choice", senses, names) if senses else None
    asks = re.match(r"(?:which|what|who)\b", before, re.IGNORECASE)
    if asks and not re.search(r"\bthan\b", behind):
        towards = _TOWARDS.match(behind)
        context = frozenset(list_stems(towards["place"])) if towards else frozenset()
        behind = behind[towards.end() :] if towards else behind
        for separator in (_BEFORE_LIST, r"\s+"):
            match = re.fullmatch(rf"(?P<noun>[a-z\s-]*?){separator}(?P<list>{_LIST})", behind)
            if match and (names := _split_list(match["list"])):
                asking = _ASKING.fullmatch(f"{before} ")
                is_kind = comparing.senses and re.search(rf"\b{_BE}\b", before)
                noun = "" if is_kind else match["noun"]
                senses = _resolve(comparing, noun, before if asking is None else asking["verb"] or "")
                return MeasureQuestion("choice", senses, names, context=context) if senses else None
        return None
    match = _INVERTED.fullmatch(before)
    if match and " or " in match["list"]:
        names, verb = _split_list(match["list"]), ""
        if names and not re.match(_BE, before, re.IGNORECASE):
            last, verb = _split_verb(names[-1])
            names = (*names[:-1], last)
        senses = _resolve(comparing, behind, verb)
        return MeasureQuestion("choice", senses, names) if names and senses else None
    return None


def _split_list(text: str) -> tuple[str, ...]:
    """Split "the Haul, the Swift or the Tern"; () unless two things at least are named."""
    last = re.split(r",?\s+or\s+", text) if re.search(r"\sor\s", text) else re.split(r",?\s+and\s+", text)
    names = [name for part in last for name in re.split(r",\s+", part)]
    return tuple(_clean(name) for name in names) if len(names) > 1 else ()


def _parse_superlative(text: str, comparing: _Comparing) -> MeasureQuestion | None:
    """Parse "Which tower is the highest in Halm", "Which tower has the most floors" and "Who is better paid"."""
    before, behind = text[: comparing.start], text[comparing.end :].strip()
    match = _ASKING.fullmatch(before)
    if match is None or re.search(r"\b(?:than|who|that|which|whose)\b", behind):
        return None
    verb = (match["verb"] or "").lower()
    described = _NOUN_AND_REST.fullmatch(behind)
    if described is None or not verb:
        return None
    noun, rest = described["noun"], described["rest"]
    kind = match["kind"] or ""
    if re.fullmatch(_BE, verb):
        kind, senses = f"{kind} {noun}", comparing.senses
    elif stem(verb) in _HAVING or not list_stems(noun):
        senses = _resolve(comparing, noun, verb)
    else:
        return None
    if not senses:
        return None
    kinds = frozenset(list_stems(kind)) - _NOT_THINGS
    if any(kinds & measure.words for measure in load_measures()) or comparing.degree != "superlative":
        return None
    context = frozenset(word for word in list_stems(rest) if word not in load_function_words())
    return MeasureQuestion("superlative", senses, (), kinds, context)


def _clean(name: str) -> str:
    """A name without its article and without a year behind it, which is that of the whole question."""
    return _ARTICLE.sub("", _IN_YEAR.sub("", name.strip(' ,.“”"'))).strip()
