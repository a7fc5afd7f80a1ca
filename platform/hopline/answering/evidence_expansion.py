"""More evidence than the strategy gave, of the kinds that a ranking of passages loses.

Tables say much in few words, and passages that talk about them outrank them. A name of the question
that none of the evidence says may stand in a passage that is about little else. And where the
evidence only leads to a further name ("the company that operates the plant"), what is asked about
that name stands elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from hopline.answering.answer_evidence import AnswerEvidence
from hopline.answering.bridges import joining
from hopline.answering.question import Question
from hopline.answering.support_scoring import Support
from hopline.answering.term_matching import met
from hopline.answering.terms import Term
from hopline.answering.text import read_text
from hopline.answering.unit import heading
from hopline.flow.requests import Flow, fetch, search
from hopline.retrieval.evidence_reader import evidence_rows
from hopline.types import Evidence, EvidencePath, Node, Retrieval, Step
from hopline.types.evidence_place import short_place

TABLES: Final = 4
NAMED: Final = 2  # evidence for one unmet name
LED_TO: Final = 3  # evidence for the names that the nearest evidence leads to
_NEAREST: Final = 3  # sentences whose names are followed
_HUB: Final = 30  # a name that more evidence mentions leads nowhere


def widen(question: Question, retrieval: Retrieval) -> Flow[AnswerEvidence]:
    """What the strategy returned with the nearest tables, and with what says the names that its evidence does not.

    What is looked up is its own seed.
    """
    given = AnswerEvidence.of(retrieval)
    if not retrieval.evidence or not question.terms:
        return given
    hits = yield search(question.text, TABLES, over="table", by="hybrid")
    found = yield from _read(hits.ids, retrieval.evidence)
    for name in _unsaid(question, (*retrieval.evidence, *found)):
        hits = yield search(name, NAMED, by="text")
        found = (*found, *(yield from _read(hits.ids, (*retrieval.evidence, *found))))
    return _with(given, found, {})


def follow(question: Question, given: AnswerEvidence, nearest: Sequence[Support]) -> Flow[AnswerEvidence]:
    """What is given with evidence that says more about the names which its nearest evidence leads to.

    Over the graph: from an evidence to a name that it mentions, and on to what else mentions that
    name and says a term that is still unmet.
    """
    sources = {
        mention.entity: one.unit.evidence
        for one in reversed(nearest[:_NEAREST])
        for mention in joining(one.unit, question)
        if mention.entity
    }
    if not sources or not nearest[0].missing:
        return given
    columns = yield fetch("answer/mentioning", entities=list(sources), hub=_HUB)
    rows = list(zip(*(columns[name] for name in ("id", "entity", "name", "text")), strict=True))
    known = {one.id for one in given.evidence}
    unmet = [term for term in question.terms if term.text in (*nearest[0].missing, *nearest[0].weak)]
    says = {row[0]: sum(term.weight for term in unmet if _may_say(row[3].casefold(), term)) for row in rows}
    best = sorted((row for row in rows if row[0] not in known and says[row[0]]), key=lambda row: -says[row[0]])
    via = {id: (entity, name) for id, entity, name, _ in reversed(best)}
    found = yield from _read(list(dict.fromkeys(row[0] for row in best))[:LED_TO], given.evidence)
    return _with(given, found, {one.id: _steps(sources[via[one.id][0]], *via[one.id], one) for one in found})


def _may_say(text: str, term: Term) -> bool:
    """Whether a folded text can meet a term; roots are looked for as they stand, which costs nothing."""
    return any(form in text for forms in (*term.words, term.soft) for form in forms if form.isalpha())


def _steps(source: Evidence, entity: str, name: str, target: Evidence) -> tuple[Step, ...]:
    middle = Node(entity, "entity", name)
    return (Step(_node(source), "MENTIONS", middle), Step(middle, "MENTIONS", _node(target)))


def _node(evidence: Evidence) -> Node:
    return Node(evidence.id, evidence.kind, short_place(evidence))


def _read(ids: Sequence[str], known: Sequence[Evidence]) -> Flow[tuple[Evidence, ...]]:
    """The evidence of these ids that is not known yet, in their order."""
    there = {one.id for one in known}
    new = [id for id in ids if id not in there]
    if not new:
        return ()
    columns = yield fetch("read/evidence", ids=new)
    read = {one.id: one for one in evidence_rows(columns)}
    return tuple(read[id] for id in new if id in read)


def _unsaid(question: Question, evidence: Sequence[Evidence]) -> list[str]:
    """The names of the question that no evidence and no heading says."""
    texts = [read_text(f"{heading(one)}\n{one.text}") for one in evidence]
    names = (term for term in question.terms if term.role == "name" and term.need)
    return [term.text for term in names if not any(met(term, text) >= term.need for text in texts)]


def _with(given: AnswerEvidence, found: Sequence[Evidence], ways: Mapping[str, tuple[Step, ...]]) -> AnswerEvidence:
    """What is given with what was found; the path of each goes on from that of the evidence that led to it."""
    return given.insert(found, [_path(given, one, ways.get(one.id, ())) for one in found])


def _path(given: AnswerEvidence, evidence: Evidence, steps: tuple[Step, ...]) -> EvidencePath:
    if not steps:
        return EvidencePath(evidence.id, _node(evidence))
    before = given.path_of(steps[0].source.id)
    if before is None:
        return EvidencePath(evidence.id, steps[0].source, steps)
    return EvidencePath(evidence.id, before.seed, (*before.steps, *steps))
