"""What an answerer is: a function that answers one kind of question from the evidence, or returns None.

The answerers of Hopline are modules of this package; `hopline.answers.pipeline` lists them in the order in which they
are tried. Others are given to `Hopline.ask` or registered in the entry-point group ``hopline.answerers``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from hopline.answers.doubtful_readings import limit_doubtful_readings
from hopline.answers.expansion import UnitedTable, unite_tables
from hopline.answers.two_hops import parse_two_hop_question, read_two_hops
from hopline.answers.unfitting_readings import lower_unfitting_readings
from hopline.flow.requests import Flow, infer
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.confidence import RatedReading, read_with_confidence
from hopline.results import Answer, Evidence, Retrieval
from hopline.tables.cell_selection import CellSelection, build_selection, make_selection_texts
from hopline.tables.structure import infer_structure

THRESHOLD: Final = 0.6  # confidence below which nothing is answered
MAX_EVIDENCE: Final = 16  # evidence that is read for a question

Readings = tuple[Retrieval, list[RatedReading]]


@dataclass(frozen=True, slots=True)
class EvidenceReader:
    """Reads the evidence of a question, once for all answerers.

    ``threshold`` is the confidence, in [0, 1], below which nothing is answered. If it is not ``enabled``, it finds
    nothing.
    """

    enabled: bool = True
    threshold: float = THRESHOLD
    _readings: dict[tuple[str, tuple[str, ...]], Readings] = field(default_factory=dict)
    _united: dict[tuple[str, ...], list[UnitedTable]] = field(default_factory=dict)
    _selections: dict[tuple[str, str], CellSelection] = field(default_factory=dict)

    def read(self, question: QuestionAnalysis, retrieval: Retrieval) -> Flow[Readings]:
        """Read the evidence for a question, in two hops too if it describes a thing by another one.

        Returns the retrieval with the evidence that the second hop added, and the readings with their confidence. A
        question without content words, or in a script that is not Latin, is not read.
        """
        if not self.enabled or not question.is_readable:
            return retrieval, []
        key = question.text, tuple(item.id for item in retrieval.evidence)
        if key not in self._readings:
            united = yield from self.unite_tables(retrieval)
            self._readings[key] = yield from _read(question, retrieval, united)
        return self._readings[key]

    def unite_tables(self, retrieval: Retrieval) -> Flow[list[UnitedTable]]:
        """Fetch and unite the parts of the long tables among the evidence that is read; none if it is not enabled."""
        if not self.enabled:
            return []
        evidence = retrieval.evidence[:MAX_EVIDENCE]
        key = tuple(item.id for item in evidence)
        if key not in self._united:
            self._united[key] = yield from unite_tables(evidence)
        return self._united[key]

    def select_cells(self, question: QuestionAnalysis, tables: Sequence[Evidence]) -> Flow[dict[str, CellSelection]]:
        """Score the rows and columns of tables for a question, by the ids of the tables; none if it is not enabled.

        Rows are keyed by their index among those with values.
        """
        selections = {}
        for table in tables if self.enabled else ():
            key = question.text, table.text
            if key not in self._selections and table.cells:
                self._selections[key] = yield from _select(question.text, table)
            if key in self._selections:
                selections[table.id] = self._selections[key]
        return selections


def _select(question: str, table: Evidence) -> Flow[CellSelection]:
    structure = table.structure or infer_structure(table.cells, table.caption)
    title = next(filter(None, (table.caption, *table.section[::-1], table.title)), "")
    texts = make_selection_texts(question, title, table.cells, structure)
    scores = yield infer("cell_selector", question=question, texts=texts.list_texts())
    return build_selection(texts, scores).align(table.cells, structure)


def _read(question: QuestionAnalysis, retrieval: Retrieval, united: Sequence[UnitedTable]) -> Flow[Readings]:
    readings = yield from read_with_confidence(question, retrieval.evidence[:MAX_EVIDENCE])
    readings = limit_doubtful_readings(question, readings, united)
    two_hops = parse_two_hop_question(question)
    if two_hops is not None:
        retrieval, readings = yield from read_two_hops(two_hops, retrieval, readings)
    return retrieval, lower_unfitting_readings(question, readings)


class Answerer(Protocol):
    """Answers one kind of question; None if the question is of another kind, or the evidence does not answer it."""

    def __call__(
        self, question: QuestionAnalysis, retrieval: Retrieval, reader: EvidenceReader, /
    ) -> Flow[Answer | None]:
        """Return the answer; ``retrieval`` has the evidence, and its ``question`` is the one that was asked."""
