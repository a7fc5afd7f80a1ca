"""Lines of a page, and the fields that letters and forms have on them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hopline.answers.composition import cite, compose_answer
from hopline.answers.expansion import insert_seeds
from hopline.results import Answer, Evidence, Retrieval, Sentence


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of an evidence, as it is on the page: its span in the text of the evidence."""

    evidence: Evidence
    start: int
    end: int

    @property
    def text(self) -> str:
        """The characters of the line."""
        return self.evidence.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class LayoutField:
    """The value of a role of a letter or a field of a form: its span in the text of the evidence, and its line."""

    line: TextLine
    start: int
    end: int

    @property
    def text(self) -> str:
        """The value in words."""
        return " ".join(self.line.evidence.text[self.start : self.end].split())


def split_lines(evidence: Evidence) -> Iterator[TextLine]:
    """Yield the lines of an evidence: those of the page if it has them, or else those of its text."""
    if evidence.lines:
        yield from (TextLine(evidence, start, end) for start, end in evidence.lines)
        return
    for match in re.finditer(r"[^\n]+", evidence.text):
        yield TextLine(evidence, match.start(), match.end())


def cite_field(retrieval: Retrieval, field: LayoutField, label: str = "") -> Answer:
    """Answer with the line of a field; ``label`` precedes a line that has none."""
    evidence, line = field.line.evidence, field.line
    if evidence.id not in {item.id for item in retrieval.evidence}:
        retrieval = insert_seeds(retrieval, [evidence])
    citation = cite(retrieval, evidence, (line.start, line.end), answer=(field.start, field.end))
    text = " ".join(line.text.split())
    sentence = Sentence(text if ":" in text or not label else f"{label}: {text}", (citation,))
    return compose_answer(retrieval, (sentence,), short=field.text)
