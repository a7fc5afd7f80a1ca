"""Questions that describe a thing: its name is found first, and filled in. Read in two hops or more.

"How old was the executive who leads the Geek Squad?" asks first "Who is the executive who leads the Geek Squad?" and
then "How old was Damien Harmon?". What is known about the executive may be in other documents than the Geek Squad, so
the evidence is expanded over the graph. A description with another one in it takes more hops.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Final

from hopline.answers.expansion import fetch_new_evidence, insert_evidence
from hopline.flow.columns import to_rows
from hopline.flow.requests import Flow, fetch
from hopline.questions.analysis import QuestionAnalysis, analyse_question
from hopline.reader.confidence import RatedReading, normalize_short, read_with_confidence
from hopline.reader.reading import SpanReading
from hopline.results import Evidence, EvidencePath, Node, PathStep, Retrieval
from hopline.results.evidence import make_node
from hopline.text.words import find_content_words

if TYPE_CHECKING:
    from spacy.tokens import Token

MAX_EVIDENCE: Final = 8  # evidence that is read for each hop, besides what was added
MAX_BRIDGES: Final = 2  # names that are filled in
MIN_BRIDGE: Final = 0.2  # confidence of the first hop below which there is no second
MAX_ADDED: Final = 4  # evidence about the name of the first hop
MAX_DEGREE: Final = 30  # an entity that more evidence mentions is not followed
MAX_DESCRIPTION_WORDS: Final = 16
_ARTICLE: Final = re.compile(r"\bthe\b", re.IGNORECASE)
_DESCRIBES: Final = frozenset({"relcl", "acl", "prep"})
_CONTENT: Final = frozenset({"NOUN", "VERB", "ADJ", "PROPN", "ADV"})
_EMPTY: Final = frozenset({"name", "title", "called", "named"})
_PERSON: Final = frozenset({"who", "whom"})
_ASKING_TAGS: Final = frozenset({"WDT", "WP", "WRB", "WP$"})
_COMPARING_TAGS: Final = frozenset({"JJR", "RBR"})
_BE: Final = frozenset({"is", "are", "was", "were", "'s"})
_TIMES: Final = frozenset({"end", "beginning", "start", "quarter", "half", "month", "year", "time", "course", "case"})


@dataclass(frozen=True, slots=True)
class TwoHopQuestion:
    """A question with the span of the description in it, and the question for what is described."""

    text: str
    start: int
    end: int
    first: str

    @property
    def description(self) -> str:
        """The words that describe a thing by its name or relation: "the executive who leads the Geek Squad"."""
        return self.text[self.start : self.end]

    def fill_in(self, name: str) -> str:
        """The question with a name in place of the description."""
        possessive = "'s" if self.description.rstrip().endswith(("'s", "’s")) else ""
        return f"{self.text[: self.start]}{name}{possessive}{self.text[self.end :]}"


def parse_two_hop_question(question: QuestionAnalysis) -> TwoHopQuestion | None:
    """Parse a question that describes a thing by something with a name; None if it asks for one thing directly.

    Of several descriptions, the longest is taken without which the question still asks for something.
    """
    text = question.text
    if not _ARTICLE.search(text):  # every description begins with it; the parser takes a second to load
        return None
    doc = question.parse
    best: tuple[Token, list[Token]] | None = None
    for noun in doc:
        words = _read_description(noun)
        if words and not _still_asks(doc, words):
            words = _cut_behind_name(words)
        if words and _still_asks(doc, words) and (best is None or len(words) > len(best[1])):
            best = noun, words
    if best is None:
        return None
    start, end = best[1][0].idx, best[1][-1].idx + len(best[1][-1].text)
    inside = text[start:end]
    if inside.count("(") > inside.count(")") and text[end : end + 1] == ")":
        end += 1
    person = any(word.lower_ in _PERSON for word in best[1])
    return TwoHopQuestion(text, start, end, f"{'Who' if person else 'What'} is {text[start:end]}?")


def _read_description(noun: Token) -> list[Token]:
    """The words of a common noun with what describes it, if that has a name or number; else none."""
    if noun.pos_ != "NOUN" or noun.lower_ in _TIMES or not any(child.dep_ in _DESCRIBES for child in noun.children):
        return []
    if _is_asked_for(noun):
        return []
    words = list(noun.doc[noun.left_edge.i : noun.right_edge.i + 1])
    while words and (words[-1].is_punct or words[-1].is_space):
        words.pop()
    if not words or words[0].lower_ != "the" or len(words) > MAX_DESCRIPTION_WORDS:
        return []
    named = any(word.pos_ in {"PROPN", "NUM"} for word in words if word.i > noun.i)
    asks = any(word.tag_ in _ASKING_TAGS for word in words if word.i < noun.i or word.lower_ == "what")
    compares = any(word.tag_ in _COMPARING_TAGS for word in words)
    return words if named and not asks and not compares else []


def _cut_behind_name(words: Sequence[Token]) -> list[Token]:
    """The words up to the last name or number: the parser takes "the director of Salt born" for one description."""
    last = max(index for index, word in enumerate(words) if word.pos_ in {"PROPN", "NUM"})
    return list(words[: last + 1])


def _is_asked_for(noun: Token) -> bool:
    """Whether the description itself is what the question asks for: "What was the revenue of Adobe in 2022?"."""
    root = noun.head
    return root.lower_ in _BE and any(word.tag_ == "WP" and word.head == root for word in noun.doc)


def _still_asks(doc: Iterable[Token], words: Sequence[Token]) -> bool:
    """Whether what is left besides the description has a word of content."""
    inside = {word.i for word in words}
    return any(
        word.pos_ in _CONTENT and word.tag_ not in _ASKING_TAGS and word.lower_ not in _EMPTY
        for word in doc
        if word.i not in inside
    )


def read_two_hops(
    question: TwoHopQuestion, retrieval: Retrieval, direct: Sequence[RatedReading]
) -> Flow[tuple[Retrieval, list[RatedReading]]]:
    """Read for the name that the question describes, fill it in, and read again.

    Returns the retrieval with the evidence that was added, and all readings: the ``direct`` ones of the whole question,
    without those of a name that was filled in, unless their confidence is higher than in the first hop; then those of
    the second hop. Their confidence is the geometric mean of both hops: the hops are not independent, because a wrong
    name rarely has an answer.
    """
    retrieval, bridges = yield from _read_bridges(question, retrieval)
    second_hop: list[RatedReading] = []
    for name, bridge in bridges.items():
        filled_in = question.fill_in(bridge.reading.short)
        known = retrieval.evidence
        retrieval = yield from _expand_over_bridge(filled_in, retrieval, bridge.reading)
        added = [evidence for evidence in retrieval.evidence if evidence not in known]
        readings = yield from read_with_confidence(analyse_question(filled_in), [*added, *known[:MAX_EVIDENCE]])
        second_hop += [
            RatedReading(item.reading, sqrt(bridge.confidence * item.confidence), (bridge.reading, *bridge.bridges))
            for item in readings
            if normalize_short(item.reading.short) != name
        ]
    limits = {name: bridge.confidence for name, bridge in bridges.items()}
    surer = [item for item in direct if item.confidence > limits.get(normalize_short(item.reading.short), -1.0)]
    return retrieval, [*surer, *second_hop]


def _read_bridges(question: TwoHopQuestion, retrieval: Retrieval) -> Flow[tuple[Retrieval, dict[str, RatedReading]]]:
    """Read the likeliest names of what the question describes; the keys are their normalized forms.

    A description with another one in it is read in two hops itself; the evidence that this adds is in the retrieval.
    """
    first = analyse_question(question.first)
    readings = yield from read_with_confidence(first, retrieval.evidence[:MAX_EVIDENCE])
    nested = parse_two_hop_question(first)
    if nested is not None and len(nested.description) < len(question.description):
        retrieval, readings = yield from read_two_hops(nested, retrieval, readings)
    bridges: dict[str, RatedReading] = {}
    for item in sorted(readings, key=lambda item: -item.confidence):
        if item.confidence < MIN_BRIDGE or len(bridges) == MAX_BRIDGES:
            break
        name = normalize_short(item.reading.short)
        if name and name not in bridges and name not in normalize_short(question.text):
            bridges[name] = item
    return retrieval, bridges


def _expand_over_bridge(question: str, retrieval: Retrieval, bridge: SpanReading) -> Flow[Retrieval]:
    """Add evidence about the name that was read; ``question`` has the name filled in.

    Follows the graph from the evidence of the reading to the entity of that name, and on to other evidence that
    mentions it. Evidence that shares most words with the question comes first.
    """
    entities = yield from _find_entities(bridge)
    if not entities:
        return retrieval
    rows = to_rows((yield fetch("answering/evidence_mentioning", entities=entities, hub=MAX_DEGREE)))
    words = find_content_words(question)
    ranked = sorted(rows, key=lambda row: -len(words & find_content_words(row["text"])))
    known = {evidence.id for evidence in retrieval.evidence}
    via: dict[str, Node] = {}
    for row in ranked:
        if row["id"] not in known:
            via.setdefault(row["id"], Node(row["entity"], "entity", row["name"]))
    added = yield from fetch_new_evidence(list(via)[:MAX_ADDED], retrieval.evidence)
    return insert_evidence(
        retrieval, added, [_extend_path(retrieval, bridge.evidence, via[item.id], item) for item in added]
    )


def _find_entities(bridge: SpanReading) -> Flow[list[str]]:
    """Find the entities that the evidence mentions within the span of the reading."""
    columns = yield fetch("answering/mentions", ids=[bridge.evidence.id])
    return [
        row["entity"]
        for row in to_rows(columns)
        if any(a < bridge.end and bridge.start < b for a, b in zip(row["spans"][::2], row["spans"][1::2], strict=True))
    ]


def _extend_path(retrieval: Retrieval, source: Evidence, entity: Node, target: Evidence) -> EvidencePath:
    """Extend the path of an evidence to another one that mentions the same entity."""
    start, end = make_node(source), make_node(target)
    steps = (PathStep(start, "MENTIONS", entity), PathStep(entity, "MENTIONS", end))
    path = retrieval.find_path(source.id) or EvidencePath(source.id, start)
    return EvidencePath(target.id, path.seed, (*path.steps, *steps))
