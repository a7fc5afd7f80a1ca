"""The sources of an answer: its citations and all of its evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hopline.results import Answer, Citation, Evidence, EvidencePath, Retrieval
from hopline.results.labels import describe_location, number_citations


@dataclass(frozen=True, slots=True)
class AnswerSource:
    """A location in a document. ``key`` is "1" for citation 1 and "e1" for the best evidence."""

    key: str
    citation: Citation

    @property
    def label(self) -> str:
        """As "Source [1]" or "Evidence 1"."""
        return f"Evidence {self.key[1:]}" if self.key.startswith("e") else f"Source [{self.key}]"

    @property
    def short_label(self) -> str:
        """As "[1]" or "1"."""
        return self.key[1:] if self.key.startswith("e") else f"[{self.key}]"

    @property
    def title(self) -> str:
        """Document, page and section."""
        return describe_location(self.citation.evidence, self.citation.page if self.citation.evidence.pages else None)


def list_citations(answer: Answer) -> list[AnswerSource]:
    """Return the distinct citations in order of appearance."""
    return [AnswerSource(str(number), citation) for citation, number in number_citations(answer).items()]


def list_document_citations(answers: Sequence[Answer], document: str) -> list[tuple[str, Citation]]:
    """Return the citations of a document, by its id, each with its number and the question: "[1] Who built it?"."""
    return [
        (f"{source.short_label} {answer.question}", source.citation)
        for answer in answers
        for source in list_citations(answer)
        if source.citation.evidence.document_id == document
    ]


def list_evidence(result: Answer | Retrieval) -> list[AnswerSource]:
    """Return every evidence as a source: that of the strategy, best first, then an answer's additional evidence."""
    return [
        AnswerSource(f"e{rank}", _cite_whole(evidence, result.find_path(evidence.id)))
        for rank, evidence in enumerate(result.evidence, 1)
    ]


def list_siblings(answer: Answer, key: str) -> list[AnswerSource]:
    """Return the sources to page through from source ``key``: all citations, or all evidence."""
    return list_evidence(answer) if key.startswith("e") else list_citations(answer)


def find_source(answer: Answer, key: str) -> AnswerSource | None:
    """Return the source ``key``; else the first citation; else the best evidence; None where there is none."""
    sources = [*list_citations(answer), *list_evidence(answer)]
    return next((source for source in sources if source.key == key), sources[0] if sources else None)


def count_supported(answer: Answer) -> int:
    """Count the sentences whose quotes and figures were found in their sources, or follow from them."""
    return sum(sentence.supported for sentence in answer.claims)


def _cite_whole(evidence: Evidence, path: EvidencePath | None) -> Citation:
    return Citation(evidence, evidence.text, 0, len(evidence.text), path)
