"""What a question compares things by: the words that compare, and the measures that they may mean."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Final

from hopline.text.measures import Degree, Measure, Sense, find_unit, list_stems, load_measures, load_senses
from hopline.text.words import load_function_words

if TYPE_CHECKING:
    from spacy.tokens import Doc

NUMBER: Final = Measure(frozenset({"number"}), frozenset())  # how many there are of each of the subjects
GENERIC: Final = {
    "more": 1, "most": 1, "higher": 1, "highest": 1, "larger": 1, "largest": 1, "greater": 1, "greatest": 1,
    "bigger": 1, "biggest": 1, "longer": 1, "longest": 1, "less": -1, "least": -1, "fewer": -1, "fewest": -1,
    "lower": -1, "lowest": -1, "smaller": -1, "smallest": -1, "shorter": -1, "shortest": -1,
}  # fmt: skip
_SUPERLATIVES: Final = frozenset({"most", "least", "fewest"}) | {word for word in GENERIC if word.endswith("est")}
RATE: Final = re.compile(r"\s*(?:per|a|an|each|every)\b")
_PERIOD: Final = re.compile(r"\b(?:hour|day|week|month|year)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ComparingWords:
    """The words that compare ("heavier", "more") with their span of tokens, and what they may mean."""

    start: int
    end: int
    word: str
    senses: tuple[Sense, ...]
    sign: int = 0
    degree: Degree = "comparative"


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a comparison: the names of the things, the noun behind "more", the verb, and what is ``measured``.

    ``rest`` are other words.
    """

    names: tuple[str, ...]
    noun: str = ""
    verb: str = ""
    measured: str = ""
    rest: str = ""


def find_noun_senses(words: str, sign: int) -> tuple[Sense, ...]:
    """Return what nouns or a verb measure: a known measure ("price"), a unit, or whatever has these words."""
    stems = [word for word in list_stems(words) if word not in load_function_words()]
    if not stems:
        return ()
    known = [measure for measure in load_measures() if stems[-1] in measure.words]
    if len(stems) == 1 and known:
        return tuple(Sense(measure, sign) for measure in known)
    if len(stems) == 1 and (units := find_unit(words)):
        return (Sense(Measure(frozenset(name for name, _ in units), frozenset()), sign),)
    return (Sense(Measure(frozenset({f"#{stems[-1]}", "*"}), frozenset(stems)), sign),)


@cache
def _compile_comparing() -> re.Pattern[str]:
    forms = [form for form, senses in load_senses().items() if senses[0].degree != "positive"]
    names = sorted({*forms, *GENERIC}, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b", re.IGNORECASE)


def list_comparing(doc: Doc) -> list[ComparingWords]:
    """List the words of a question that compare things, in order."""
    comparing = []
    for match in _compile_comparing().finditer(doc.text):
        word, span = match[0].lower(), doc.char_span(*match.span(), alignment_mode="expand")
        if span is None:
            continue
        senses = load_senses().get(word, ())
        sign = GENERIC.get(word, senses[0].sign if senses else 0)
        is_superlative = word in _SUPERLATIVES or (senses and senses[0].degree == "superlative")
        degree: Degree = "superlative" if is_superlative else "comparative"
        comparing.append(ComparingWords(span.start, span.end, word, senses, sign, degree))
    return comparing


def resolve_senses(comparing: ComparingWords, wording: Wording) -> tuple[Sense, ...]:
    """Return what is compared: the noun behind "more", what is "higher", or by the adjective or the verb."""
    if list_stems(wording.noun):
        if not RATE.match(wording.noun):
            return find_noun_senses(wording.noun, comparing.sign)
        if not _PERIOD.search(wording.noun):  # "yields more per hectare": evidence has to say all of it
            words = frozenset(list_stems(f"{wording.verb} {wording.noun}"))
            return (Sense(Measure(frozenset({"*"}), words), comparing.sign),) if list_stems(wording.verb) else ()
    if wording.measured and (comparing.word in GENERIC or not comparing.senses):
        return find_noun_senses(wording.measured, comparing.sign)
    verbs = frozenset(list_stems(wording.verb)) - load_function_words()
    if not verbs and not comparing.senses:
        return (Sense(NUMBER, comparing.sign),)
    if comparing.senses:
        return tuple(_restrict(sense, verbs) for sense in comparing.senses)
    known = [measure for measure in load_measures() if verbs & measure.words]
    return tuple(Sense(measure, comparing.sign) for measure in known) or find_noun_senses(wording.verb, comparing.sign)


def _restrict(sense: Sense, verbs: frozenset[str]) -> Sense:
    """Restrict a time to that of the verb: what "keeps longer" does not take longer."""
    is_other = verbs and "time" in sense.measure.dimensions and not verbs & sense.measure.words
    return replace(sense, measure=replace(sense.measure, words=verbs)) if is_other else sense
