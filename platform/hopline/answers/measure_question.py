"""Questions that compare things by a measure: what is compared, by what, and how the answer is given.

The words are told apart by their parts of speech (`QuestionAnalysis.parse`): prepositions end a name, a verb at its end
does not belong to it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

from hopline.answers.comparison import parse_comparison
from hopline.questions.analysis import QuestionAnalysis
from hopline.text.measures import Degree, Measure, Sense, find_unit, list_stems, load_measures, load_senses
from hopline.text.values import YEAR
from hopline.text.words import load_function_words, read_stem_list, stem

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

QuestionForm = Literal["choice", "verdict", "difference", "superlative", "sum"]

_GENERIC: Final = {
    "more": 1, "most": 1, "higher": 1, "highest": 1, "larger": 1, "largest": 1, "greater": 1, "greatest": 1,
    "bigger": 1, "biggest": 1, "longer": 1, "longest": 1, "less": -1, "least": -1, "fewer": -1, "fewest": -1,
    "lower": -1, "lowest": -1, "smaller": -1, "smallest": -1, "shorter": -1, "shortest": -1,
}  # fmt: skip
_SUPERLATIVES: Final = frozenset({"most", "least", "fewest"}) | {word for word in _GENERIC if word.endswith("est")}
NUMBER: Final = Measure(frozenset({"number"}), frozenset())  # how many there are of each of the subjects
_BE: Final = frozenset({"is", "are", "was", "were"})
_AUXILIARIES: Final = _BE | {"does", "do", "did", "has", "have", "had", "can", "could", "will", "would"}
_CHOOSING: Final = frozenset({"which", "what", "who", "where"})
_REPEATED: Final = _AUXILIARIES | {"it"}  # behind "than"
_STANDING_FOR: Final = frozenset({"that", "those"})
_COMMAS: Final = frozenset({",", ":", "-", "–", "—"})
_BEFORE_LIST: Final = frozenset({"of", "between", "among"})
_END_OF_NAME: Final = frozenset({"ADP", "SCONJ", "VERB", "AUX", "PUNCT", "PRON", "DET"})
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
_RATE: Final = re.compile(r"\s*(?:per|a|an|each|every)\b")
_PERIOD: Final = re.compile(r"\b(?:hour|day|week|month|year)\b", re.IGNORECASE)
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


@dataclass(frozen=True, slots=True)
class _Comparing:
    """The words that compare ("heavier", "more") with their span of tokens, and what they may mean."""

    start: int
    end: int
    word: str
    senses: tuple[Sense, ...]
    sign: int = 0
    degree: Degree = "comparative"


@dataclass(frozen=True, slots=True)
class _Wording:
    """The words of a comparison: the names of the things, the noun behind "more", the verb, and what is ``measured``.

    ``rest`` are other words.
    """

    names: tuple[str, ...]
    noun: str = ""
    verb: str = ""
    measured: str = ""
    rest: str = ""


def parse_measure_question(question: QuestionAnalysis) -> MeasureQuestion | None:
    """Parse a question that compares things by a measure; None if it asks for something else."""
    text = question.text.strip().rstrip("?.! ")
    if match := _DIFFERENCE.fullmatch(text):
        wording = _Wording((match["first"], match["second"]), rest="")
        return _build("difference", find_noun_senses(match["noun"], 1), wording)
    doc = question.parse
    if total := _parse_total(doc):
        return total
    if parse_comparison(question) is None and (by_date := _parse_dates(doc)):
        return by_date
    for comparing in _list_comparing(doc):
        for parse in (_parse_than, _parse_choice, _parse_superlative):
            if parsed := parse(doc, comparing):
                return parsed
    return None


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
    names = sorted({*forms, *_GENERIC}, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b", re.IGNORECASE)


def _list_comparing(doc: Doc) -> list[_Comparing]:
    comparing = []
    for match in _compile_comparing().finditer(doc.text):
        word, span = match[0].lower(), doc.char_span(*match.span(), alignment_mode="expand")
        senses = load_senses().get(word, ())
        sign = _GENERIC.get(word, senses[0].sign if senses else 0)
        is_superlative = word in _SUPERLATIVES or (senses and senses[0].degree == "superlative")
        degree: Degree = "superlative" if is_superlative else "comparative"
        comparing.append(_Comparing(span.start, span.end, word, senses, sign, degree))
    return comparing


def _resolve(comparing: _Comparing, wording: _Wording) -> tuple[Sense, ...]:
    """Return what is compared: the noun behind "more", what is "higher", or by the adjective or the verb."""
    if list_stems(wording.noun):
        if not _RATE.match(wording.noun):
            return find_noun_senses(wording.noun, comparing.sign)
        if not _PERIOD.search(wording.noun):  # "yields more per hectare": evidence has to say all of it
            words = frozenset(list_stems(f"{wording.verb} {wording.noun}"))
            return (Sense(Measure(frozenset({"*"}), words), comparing.sign),) if list_stems(wording.verb) else ()
    if wording.measured and (comparing.word in _GENERIC or not comparing.senses):
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


def _build(form: QuestionForm, senses: tuple[Sense, ...], wording: _Wording) -> MeasureQuestion | None:
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


def _find(span: Span, words: frozenset[str], *, last: bool = False) -> int | None:
    """Return the index in the question of the first, or last, token that is one of these words; None without one."""
    indices = [token.i for token in span if token.lower_ in words]
    return (indices[-1] if last else indices[0]) if indices else None


def _trim(span: Span) -> Span:
    while span and span[-1].text in {"?", ".", "!", ","}:
        span = span[:-1]
    return span


def _split_at_preposition(span: Span) -> tuple[str, str]:
    """Split a name from the phrase behind it: "Sorrel", "in the Aldermere fleet"; "of" is a part of the name."""
    end = next(
        (n for n, token in enumerate(span) if n and token.pos_ in {"ADP", "SCONJ"} and token.lower_ != "of"), None
    )
    return (span.text, "") if end is None else (span[:end].text, span[end:].text)


def _split_verb(span: Span) -> tuple[Span, str]:
    """Split a verb that is the last word, before which there is a name: "the Heron carry"."""
    if len(span) > 1 and span[-1].text.islower() and span[-1].pos_ in {"VERB", "AUX"}:
        return span[:-1], span[-1].text
    if len(span) > 2 and span[-1].pos_ in {"ADP", "ADV"} and span[-2].pos_ == "VERB":  # "called out"
        return span[:-2], span[-2].text
    is_verb_needed = span.start > 0 and span.doc[span.start - 1].lower_ in {"do", "does", "did"}
    if len(span) > 1 and is_verb_needed and not any(token.pos_ == "VERB" for token in span):  # "plot B yield"
        return span[:-1], span[-1].text
    return span, ""


def _cut_noun(span: Span) -> tuple[str, str]:
    """Split the noun behind "more" from what follows it: "visitors", "on Sunday"."""
    ends = (token for token in span if token.pos_ in _END_OF_NAME and token.tag_ != "VBG" and token.lower_ != "per")
    end = next((token.i - span.start for token in ends), len(span))
    if span and _RATE.match(span.text):
        return span.text, ""
    return span[:end].text, span[end:].text


def _find_question_word(doc: Doc) -> int:
    """Return the index of the first word of the question itself, behind "In LM-27," or "On"."""
    starts = _CHOOSING | _AUXILIARIES | {"how"}
    if len(doc) and doc[0].pos_ == "ADP":
        return _find(doc[:], starts) or 0
    return 0


def _parse_than(doc: Doc, comparing: _Comparing) -> MeasureQuestion | None:
    """Parse "Is A higher than B", "Was it more in A than in B", "How much higher is A than B"."""
    than, asking = _find(doc[comparing.end :], frozenset({"than"})), _find_question_word(doc)
    if than is None:
        return None
    behind = _trim(doc[than + 1 :])
    while len(behind) > 1 and behind[0].lower_ in _REPEATED:
        behind = behind[1:]
    form: QuestionForm = "verdict"
    start = asking
    if doc[asking].lower_ == "how" and len(doc) > asking + 1 and doc[asking + 1].lower_ in {"much", "many"}:
        auxiliary = _find(doc[asking:than], _AUXILIARIES)
        if auxiliary is None:
            return None
        form, start = "difference", auxiliary
    elif doc[asking].lower_ not in _AUXILIARIES:
        return None
    if start > comparing.start:
        left, noun = doc[start + 1 : than], doc[comparing.end : start]
    else:
        left, noun = doc[start + 1 : comparing.start], doc[comparing.end : than]
    wording = _word_alternatives(doc, left, noun, behind) if behind else None
    return _build(form, _resolve(comparing, wording), wording) if wording else None


def _word_alternatives(doc: Doc, left: Span, noun: Span, behind: Span) -> _Wording | None:
    """Find the names of two things: those of two phrases with one preposition, of "that of", or the subject itself."""
    second, rest = _split_at_preposition(behind)
    counted, behind_noun = _cut_noun(noun)
    if behind[0].lower_ in _STANDING_FOR:
        of = _find(left, frozenset({"of"}), last=True)
        if of is None:
            return None
        return _Wording((doc[of + 1 : left.end].text, second), counted, "", _find_head(left), rest)
    if behind[0].pos_ in {"ADP", "SCONJ"}:
        region = doc[left.start : noun.end] if noun.start >= left.end else left
        same = _find(region, frozenset({behind[0].lower_}), last=True)
        if same is None:
            return None
        end = left.end if same < left.end else noun.end
        first, _ = _split_at_preposition(doc[same + 1 : end])
        others = doc[left.start : min(same, left.end)]
        counted, behind_noun = _cut_noun(doc[noun.start : min(max(same, noun.start), noun.end)])
        others, verb = _split_verb(others)
        second, rest = _split_at_preposition(behind[1:])
        measured = _find_head(others)
        return _Wording(
            (first, _complete(second, first)), counted, verb, measured, f"{others.text} {behind_noun} {rest}"
        )
    is_rate = _RATE.match(counted) is not None
    if left.text.lower() == "there" or (counted and behind[0].tag_ == "NNS" and not is_rate):  # "juniors than seniors"
        return _Wording((counted, second), rest=f"{left.text} {behind_noun} {rest}")
    return _word_subjects(left, behind, counted, behind_noun) if left else None


def _word_subjects(left: Span, behind: Span, counted: str, behind_noun: str) -> _Wording:
    """Find the names of "the Heron carry more passengers than the Star": the subject, and what is behind "than"."""
    second, rest = _split_at_preposition(behind)
    while len(left) > 1 and left[-1].pos_ == "DET":  # "get a bigger refund"
        left = left[:-1]
    left, verb = _split_verb(left)
    first, of_first = _split_at_preposition(left)
    return _Wording((first, _complete(second, first)), counted, verb, "", f"{of_first} {behind_noun} {rest}")


def _complete(name: str, other: str) -> str:
    """Replace "one" at the end of a name by the noun of the other name: "a full one" is "a full plot"."""
    return re.sub(r"\bones?$", other.rsplit(maxsplit=1)[-1], name) if other.split() else name


def _find_head(span: Span) -> str:
    """Return the last noun before the first preposition or verb: "refund" of "the heating refund for 2022"."""
    nouns = []
    for token in span:
        if token.pos_ in {"ADP", "SCONJ", "VERB"} and nouns:
            break
        if token.pos_ == "NOUN":
            nouns.append(token.text)
    return nouns[-1] if nouns else ""


def _parse_choice(doc: Doc, comparing: _Comparing) -> MeasureQuestion | None:
    """Parse "Which is heavier, A or B", "Which of A, B and C is lightest" and "Is A or B heavier"."""
    asking, behind = _find_question_word(doc), _trim(doc[comparing.end :])
    if _find(behind, frozenset({"than"})) is not None:
        return None
    before = doc[asking : comparing.start]
    if doc[asking].lower_ in _CHOOSING or doc[0].lower_ in _BEFORE_LIST:
        wording = _word_listed_first(doc, before, behind) or _word_listed_last(before, behind, comparing)
    elif doc[asking].lower_ in _AUXILIARIES:
        wording = _word_inverted(before[1:], behind)
    else:
        return None
    return _build("choice", _resolve(comparing, wording), wording) if wording else None


def _word_listed_first(doc: Doc, before: Span, behind: Span) -> _Wording | None:
    """Find the things of "Which of A, B and C is" and "Between A and B, which has"."""
    before = doc[: before.end]
    start = _find(before, _BEFORE_LIST)
    if start is None or (start > 0 and before[0].lower_ not in {*_CHOOSING, "out"}):
        return None
    end = _find(doc[start + 1 : before.end], _AUXILIARIES | _CHOOSING)
    region = doc[start + 1 : before.end]
    verbs = [token.text for token in region if token.pos_ in {"VERB", "AUX"}]
    if end is None:
        end = next((token.i for token in region if token.pos_ == "VERB" and token.text.islower()), before.end)
    names = _split_list(_trim(doc[start + 1 : end]).text)
    return _Wording(names, _cut_noun(behind)[0], " ".join(verbs)) if names else None


def _word_listed_last(before: Span, behind: Span, comparing: _Comparing) -> _Wording | None:
    """Find the things of "Which is heavier at Halm, A or B"."""
    starts = [n for n, token in enumerate(behind) if token.text in _COMMAS and token.whitespace_]
    starts += [n for n, token in enumerate(behind) if token.lower_ in _BEFORE_LIST]
    starts += [n - 1 for n, token in enumerate(behind) if token.pos_ == "DET" or token.text[0].isupper()]
    for start in starts:
        names = _split_list(behind[start + 1 :].text)
        if not names or not re.match(r"(?:the|a|an|both|either|that|those|in|at|on)\s|[A-Z0-9“\"]|[a-z]", names[0]):
            continue
        noun, rest = _cut_noun(behind[: max(start, 0)])
        verb = " ".join(token.text for token in before if token.pos_ in {"VERB", "AUX"})
        is_kind = comparing.senses and any(token.lower_ in _BE for token in before) and comparing.word not in _GENERIC
        kinds = " ".join(token.text for token in before if token.text[0].isupper() and token.i > before.start)
        return _Wording(names, "" if is_kind else noun, verb, "", f"{kinds} {rest}".strip())
    return None


def _word_inverted(left: Span, behind: Span) -> _Wording | None:
    """Find the things of "Is A or B heavier" and of "Was the refund bigger in A or in B"."""
    if " or " in left.text:
        left, verb = _split_verb(left)
        return _Wording(_split_list(left.text), _cut_noun(behind)[0], verb)
    either = _find(behind, frozenset({"or"}))
    if either is None:
        return None
    doc, second = left.doc, behind.doc[either + 1 : behind.end]
    if not second:
        return None
    prepositions = [token.i for token in doc[behind.start : either] if token.pos_ == "ADP"]
    if not prepositions:
        return None
    noun, _ = _cut_noun(doc[behind.start : prepositions[-1]])
    names = (doc[prepositions[-1] + 1 : either].text, second.text)
    left, verb = _split_verb(left)
    return _Wording(names, noun, verb, _find_head(left), left.text)


def _split_list(text: str) -> tuple[str, ...]:
    """Split "the Haul, the Swift or the Tern"; () unless two things at least are named."""
    last = re.split(r",?\s+or\s+", text) if re.search(r"\sor\s", text) else re.split(r",?\s+and\s+", text)
    names = [name for part in last for name in re.split(r",\s+", part)]
    return tuple(names) if len(names) > 1 else ()


def _parse_dates(doc: Doc) -> MeasureQuestion | None:
    """Parse "Was A sold before B" and "Who joined first, A or B": the dates of any event that a verb names."""
    asking = _find_question_word(doc)
    marker = _find(doc[asking + 1 :], frozenset(_ORDERS))
    if marker is None:
        return None
    sign, before, behind = _ORDERS[doc[marker].lower_], doc[asking:marker], _trim(doc[marker + 1 :])
    if doc[asking].lower_ in _CHOOSING and _find(behind, frozenset({"or"})) is not None:
        comparing = _Comparing(marker, marker + 1, doc[marker].lower_, (), sign)
        wording = _word_listed_last(before, behind, comparing)
    elif doc[asking].lower_ in _AUXILIARIES and doc[marker].lower_ in {"before", "after"} and behind:
        wording = _word_alternatives(doc, before[1:], doc[marker:marker], behind)
    else:
        return None
    verbs = frozenset(list_stems(wording.verb)) - load_function_words() if wording else frozenset()
    if wording is None or wording.noun or not verbs:
        return None
    form: QuestionForm = "choice" if doc[asking].lower_ in _CHOOSING else "verdict"
    return _build(form, (Sense(Measure(frozenset({"year"}), verbs), sign),), wording)


def _parse_total(doc: Doc) -> MeasureQuestion | None:
    """Parse "How many places do pontoons A and B offer together": the sum of a measure of several things."""
    start = _find(doc[:], frozenset({"many", "much"}))
    conjunction = _find(doc[:], frozenset({"and"}))
    if start is None or conjunction is None or conjunction < start or _find(doc[:], _TOGETHER) is None:
        return None
    first, last = conjunction, conjunction + 1
    while first - 1 > start and (_is_of_name(doc[first - 1]) or doc[first - 1].text == ","):
        first -= 1
    while last < len(doc) and (_is_of_name(doc[last]) or doc[last - 1].i == conjunction):
        last += 1
    listed = _split_list(doc[first:last].text)
    noun, _ = _cut_noun(_trim(doc[start + 1 : first]))
    if not all(listed):  # what is before the first comma is not read as a name
        return None
    if not noun and len(listed) > 2:  # "How much flour, rye and wheat"
        noun, *listed = listed
    elif not noun:  # "How many M31 and Lynx trams"
        words = listed[-1].split() if listed else []
        noun = " ".join(word for word in words[1:] if word.islower() and word not in load_function_words())
    if not noun and all(name.islower() for name in listed):  # "How many juniors and seniors"
        return _build("sum", (Sense(NUMBER, 1),), _Wording(tuple(listed), rest=_join_words(doc[last:])))
    counted = noun or next((token.text for token in doc[last:] if token.pos_ == "VERB"), "")
    names = tuple(map(_find_proper_part, listed))
    return _build("sum", find_noun_senses(counted, 1), _Wording(names, noun, rest=_join_words(doc[last:])))


def _join_words(span: Span) -> str:
    return " ".join(token.text for token in span if token.pos_ not in _END_OF_NAME | {"ADV"})


def _is_of_name(token: Token) -> bool:
    is_letter = len(token.text) == 1 and token.text.isupper()
    return (is_letter or token.pos_ in _IN_NAME or token.text in {"-", "–"}) and token.lower_ not in _TOGETHER


def _find_proper_part(name: str) -> str:
    """Return the words with capitals or digits of a name that has some: "M31" of "trams M31"; else the whole name."""
    words = [word for word in name.split() if not word.islower() or any(map(str.isdigit, word))]
    return " ".join(words) or name


def _parse_superlative(doc: Doc, comparing: _Comparing) -> MeasureQuestion | None:
    """Parse "Which tower is the highest in Halm", "Which tower has the most floors" and "Who is best paid"."""
    asking = _find_question_word(doc)
    before, behind = doc[asking + 1 : comparing.start], _trim(doc[comparing.end :])
    if doc[asking].lower_ not in _CHOOSING - {"where"} or comparing.degree != "superlative":
        return None
    if _find(behind, frozenset({"than", "who", "that", "which", "whose"})) is not None:
        return None
    verbs = [token for token in before if token.pos_ in {"VERB", "AUX"}]
    noun, rest = _cut_noun(behind)
    if not verbs or any(token.pos_ == "ADV" for token in behind[:1]):
        return None
    kind, _ = _cut_noun(before)
    verb = verbs[-1].lower_
    if verb in _BE:
        kind, senses = f"{kind} {noun}", comparing.senses
    elif stem(verb) in _HAVING or not list_stems(noun):
        senses = _resolve(comparing, _Wording((), noun, verb))
    else:
        return None
    kinds = frozenset(list_stems(kind)) - _NOT_THINGS
    is_value = comparing.word in _GENERIC and kinds & _AMOUNTS
    if not senses or is_value or any(kinds & measure.words for measure in load_measures()):
        return None
    context = frozenset(word for word in list_stems(rest) if word not in load_function_words())
    return MeasureQuestion("superlative", senses, (), kinds, context)


def _clean(name: str) -> str:
    """A name without its article, its owner's ending, and a year behind it, which is that of the whole question."""
    name = _IN_YEAR.sub("", name.strip(' ,.“”"'))
    return _OWNER.sub("", _BEFORE_NAME.sub("", name)).strip()
