"""What can be shown as a source: the citations of an answer, and every evidence behind it."""

from __future__ import annotations

from dataclasses import dataclass

from hopline.rendering.labels import numbered, place
from hopline.types import Answer, Citation, Evidence, EvidencePath, Retrieval


@dataclass(frozen=True, slots=True)
class Source:
    """A place in a document. ``key`` is "1" for citation 1 and "e1" for the best evidence."""

    key: str
    citation: Citation

    @property
    def label(self) -> str:
        """As "Source [1]" or "Evidence 1"."""
        return f"Evidence {self.key[1:]}" if self.key.startswith("e") else f"Source [{self.key}]"

    @property
    def short(self) -> str:
        """As "[1]" or "1"."""
        return self.key[1:] if self.key.startswith("e") else f"[{self.key}]"

    @property
    def title(self) -> str:
        """Where it stands: document, page, section."""
        return place(self.citation.evidence, self.citation.page if self.citation.evidence.pages else None)


def cited(answer: Answer) -> list[Source]:
    """The citations in order of appearance, each once."""
    return [Source(str(number), citation) for citation, number in numbered(answer).items()]


def found(within: Answer | Retrieval) -> list[Source]:
    """Every evidence, quoted whole: what the strategy returned, best first, then what was looked up for an answer."""
    return [
        Source(f"e{rank}", _whole(evidence, within.path_of(evidence.id)))
        for rank, evidence in enumerate(within.evidence, 1)
    ]


def family(answer: Answer, key: str) -> list[Source]:
    """The sources among which previous and next go: all citations, or all evidence."""
    return found(answer) if key.startswith("e") else cited(answer)


def chosen(answer: Answer, key: str) -> Source | None:
    """The source of that key; else the first citation; else the best evidence; None where there is none."""
    everything = [*cited(answer), *found(answer)]
    return next((source for source in everything if source.key == key), everything[0] if everything else None)


def backed(answer: Answer) -> int:
    """How many sentences have a quote that was checked."""
    return sum(bool(sentence.backed and sentence.citations) for sentence in answer.sentences)


def _whole(evidence: Evidence, path: EvidencePath | None) -> Citation:
    return Citation(evidence, evidence.text, 0, len(evidence.text), path)
