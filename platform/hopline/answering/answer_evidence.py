"""Evidence of an answer: what the strategy retrieved and what was added for the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hopline.answering.quotes import contains_words
from hopline.results import EXTRACTIVE, Answer, Evidence, EvidencePath, Node, Retrieval, Sentence
from hopline.results.evidence import format_location


@dataclass(frozen=True, slots=True)
class AnswerEvidence:
    """``evidence`` holds both in the order in which they are read; ``retrieval`` stays as the strategy returned it."""

    retrieval: Retrieval
    evidence: tuple[Evidence, ...]
    additional_paths: tuple[EvidencePath, ...] = ()

    @classmethod
    def of(cls, retrieval: Retrieval) -> AnswerEvidence:
        """The evidence of a strategy, nothing beside it."""
        return cls(retrieval, retrieval.evidence)

    def insert(self, found: Sequence[Evidence], paths: Sequence[EvidencePath]) -> AnswerEvidence:
        """With further evidence, a path for each.

        It stands so that the first k still hold it, if it is no more than half of them.
        """
        place = max(len(self.evidence) - len(found), (len(self.evidence) + 1) // 2)
        read = (*self.evidence[:place], *found, *self.evidence[place:])
        return replace(self, evidence=read, additional_paths=(*self.additional_paths, *paths))

    def insert_seeds(self, found: Sequence[Evidence]) -> AnswerEvidence:
        """Insert evidence that is its own seed, as `insert` does."""
        nodes = {evidence.id: Node(evidence.id, evidence.kind, format_location(evidence)) for evidence in found}
        return self.insert(found, [EvidencePath(id, node) for id, node in nodes.items()])

    def put_first(self, retrieval: Retrieval) -> AnswerEvidence:
        """With the evidence of another retrieval in front, for a part of the question; its paths are added."""
        first = {evidence.id for evidence in retrieval.evidence}
        known = {evidence.id for evidence in self.evidence}
        added = tuple(path for path in retrieval.paths if path.evidence in first - known)
        rest = tuple(evidence for evidence in self.evidence if evidence.id not in first)
        return replace(self, evidence=(*retrieval.evidence, *rest), additional_paths=(*self.additional_paths, *added))

    def find_path(self, evidence: str) -> EvidencePath | None:
        """The path that leads to an evidence, by its id."""
        paths = (*self.retrieval.paths, *self.additional_paths)
        return next((path for path in paths if path.evidence == evidence), None)

    def answer(
        self,
        sentences: tuple[Sentence, ...],
        *,
        short: str = "",
        missing: tuple[str, ...] = (),
        written_by: str = EXTRACTIVE,
        confidence: float | None = None,
        nearest: tuple[Sentence, ...] = (),
        notice: str = "",
    ) -> Answer:
        """The answer of these sentences, an abstention where there are none."""
        read = {one.id: one for one in self.evidence}
        cited = [citation.evidence.text for sentence in sentences or nearest[:1] for citation in sentence.citations]
        return Answer(
            self.retrieval.question,
            sentences,
            self.retrieval,
            abstained=not sentences,
            missing=missing,
            short=short,
            written_by=written_by,
            additional_evidence=tuple(read[path.evidence] for path in self.additional_paths),
            additional_paths=self.additional_paths,
            confidence=confidence,
            nearest=nearest,
            notice=notice,
            short_quoted=not short or any(contains_words(short, text) for text in cited),
        )
