"""Answers: sentences with the citations that support them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from hopline.records import Box
from hopline.results.evidence import Evidence, Retrieval
from hopline.results.paths import EvidencePath

# `Answer.written_by` of answers without a language model: extracted without the reader, or found by it
EXTRACTIVE: Final = "extractive"
READER: Final = "reader"
POSSIBLE: Final = 0.15  # confidence from which the nearest sentence of an abstention is a possible answer

AnswerStatus = Literal["answered", "possible", "not_found"]
SentenceState = Literal["quoted", "similar", "computed", "contradicted", "unsupported"]

_LINE_START: Final = re.compile(r"(?:[-*+•]|\d{1,3}[.)]|#{1,6}|\|)\s")


@dataclass(frozen=True, slots=True)
class Citation:
    """An exact quote: ``evidence.text[start:end] == quote``.

    ``answer`` is the span of ``evidence.text`` that is the short answer, within the quote: words of a sentence, or a
    cell of a row. ``claimed`` is the quote as a language model gave it, where it differs from ``quote`` by a few words;
    "" otherwise.
    """

    evidence: Evidence
    quote: str
    start: int
    end: int
    path: EvidencePath | None = None
    answer: tuple[int, int] | None = None
    claimed: str = ""

    @property
    def document(self) -> str:
        """Name of the document."""
        return self.evidence.document

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Boxes of the quote on its pages, one per line; in a table, of the cell that is the answer, or of the row."""
        if self.answer and self.evidence.kind == "table":
            return self.evidence.find_boxes(*self.answer)
        return self.evidence.find_boxes(self.start, self.end)

    @property
    def page(self) -> int:
        """Number of the page on which the quote begins."""
        boxes = self.boxes
        pages = self.evidence.pages
        return boxes[0].page if boxes else (pages[0] if pages else 1)

    @property
    def label(self) -> str:
        """Number that is printed on this page ("iv"); "" if it is not known or does not differ."""
        return self.evidence.find_label(self.page)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer. That of a language model may be an item of a list ("- …") or several lines of Markdown.

    ``state`` is what its verification found: "quoted" (a quote and all figures are in its evidence), "similar" (a quote
    differs from its evidence by a few words, see `Citation.claimed`), "computed" (a figure follows from cited figures,
    as ``computation`` says: "918,400 − 812,000 = 106,400"), "contradicted" (what it cites says something else), or
    "unsupported" (no quote was found, or a name or figure was not, or what it cites does not say so).
    ``unfound_quotes`` are further quotes of a language model, which are in no evidence.
    """

    text: str
    citations: tuple[Citation, ...] = ()
    state: SentenceState = "quoted"
    computation: str = ""
    unfound_quotes: tuple[str, ...] = ()

    @property
    def supported(self) -> bool:
        """Whether a quote, and all names and figures, were found in its evidence or follow from it, and it says so."""
        return bool(self.citations) and self.state not in {"contradicted", "unsupported"}


@dataclass(frozen=True, slots=True)
class AnswerDraft:
    """What a language model has written of an answer so far: its verified sentences, and the text of the next one."""

    sentences: tuple[Sentence, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """Sentences with their citations, or an abstention that lists what was not found.

    ``abstained`` is true unless `status` is "answered". ``short`` is the short answer, also of a possible answer;
    ``short_quoted`` is False if its words are in none of the cited evidence: a verdict ("yes"), a computed number, or
    words of a model.

    ``retrieval`` is the result of the strategy, as `Hopline.retrieve` returns it; its trace has the requests of the
    whole answer. ``additional_evidence`` is what answering fetched besides, each with a path: it was not ranked, so its
    score is 0. Citations refer to either. ``missing`` lists the names and numbers of the question that no
    evidence contains.

    ``written_by`` is the name of the model that wrote it, "reader" if the reader found it, "extractive" otherwise.
    ``confidence`` is the reader's, in [0, 1]; None for other answers. ``nearest`` are the sentences that an abstention
    shows: they are about the question, and do not answer it; of an answer to some parts of a question, the possible
    answers to other parts. ``notice`` says why the question could not be read, which of its parts have no
    answer, or which documents give different values.
    ``model_error`` is the reason why a configured model did not write it: it failed, its reply could not be used, or a
    budget was spent; "" where there was none.
    """

    question: str
    sentences: tuple[Sentence, ...]
    retrieval: Retrieval
    abstained: bool = False
    missing: tuple[str, ...] = ()
    short: str = ""
    additional_evidence: tuple[Evidence, ...] = ()
    additional_paths: tuple[EvidencePath, ...] = ()
    written_by: str = EXTRACTIVE
    model_error: str = ""
    confidence: float | None = None
    nearest: tuple[Sentence, ...] = ()
    notice: str = ""
    short_quoted: bool = True

    @property
    def text(self) -> str:
        """The sentences as one text, in Markdown if a language model wrote it; empty when abstained."""
        return join_sentences(sentence.text for sentence in self.sentences)

    @property
    def status(self) -> AnswerStatus:
        """How sure the answer is: "answered", "possible" (below the threshold, to be checked), or "not_found"."""
        if not self.abstained:
            return "answered"
        return "possible" if self.possible else "not_found"

    @property
    def possible(self) -> Sentence | None:
        """The first sentence of a possible answer: an abstention whose confidence is at least 0.15; None otherwise."""
        unsure = self.abstained and self.confidence is not None and self.confidence >= POSSIBLE
        return self.nearest[0] if unsure and self.nearest else None

    @property
    def by_model(self) -> bool:
        """Whether a language model wrote it, in Markdown."""
        return self.written_by not in (EXTRACTIVE, READER)

    @property
    def claims(self) -> tuple[Sentence, ...]:
        """The sentences of the answer or possible answer: all that a model wrote, the nearest one of the reader."""
        if not self.abstained or not self.possible:
            return self.sentences
        return self.nearest if self.by_model else self.nearest[:1]

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """All evidence that citations may refer to: that of the retrieval, then the additional evidence."""
        return (*self.retrieval.evidence, *self.additional_evidence)

    def find_path(self, evidence: str) -> EvidencePath | None:
        """Return the path that leads to an evidence of either kind, by its id."""
        paths = (*self.retrieval.paths, *self.additional_paths)
        return next((path for path in paths if path.evidence == evidence), None)

    def to_dict(self) -> dict[str, Any]:
        """Convert to the object that ``--json`` prints."""
        from hopline.results.serialization import answer_to_dict

        return answer_to_dict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Answer:
        """Build the answer from the dictionary that `to_dict` made; requests recorded for replay are not in it.

        Raises:
            UsageError: the data is not an answer.
        """
        from hopline.results.serialization import answer_from_dict

        return answer_from_dict(data)

    def _repr_html_(self) -> str:
        from hopline.results.html import answer_to_html

        return answer_to_html(self)


def starts_line(text: str) -> bool:
    """Whether a sentence begins a new line: an item of a Markdown list, a heading, or a row of a table."""
    return bool(_LINE_START.match(text))


def join_sentences(texts: Iterable[str]) -> str:
    """Join the sentences of an answer to one text; items of lists, and what follows them, are on lines of their own."""
    known = list(texts)
    return "".join(separator + text for separator, text in zip(list_separators(known), known, strict=True))


def list_separators(texts: Iterable[str]) -> list[str]:
    """Return what stands before each sentence: "" before the first, a blank, a line break or an empty line."""
    separators, was_line = [], False
    for number, text in enumerate(texts):
        is_line = starts_line(text)
        between = "\n" if is_line and was_line else "\n\n" if is_line or was_line else " "
        separators.append(between if number else "")
        was_line = is_line
    return separators
