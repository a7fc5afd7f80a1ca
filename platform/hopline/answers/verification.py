"""Verification of the sentences of a language model: their quotes, names and figures are searched in the evidence.

Whether what is quoted supports the sentence, or contradicts it, is told by the trained verifier
(`hopline.reader.verification`).

A figure that no evidence has may follow from what is quoted (`hopline.answers.computed_figures`). The formula is shown
with it, and the cells of tables that it computes with are cited.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from hopline.answers.composition import Span, cite
from hopline.answers.computed_figures import ComputedFigure, explain_figure
from hopline.answers.named_cells import TableNumber, find_cited_rows, join_known_text, list_cited_cells
from hopline.answers.written_figures import DECREASE, WrittenFigure, find_figures, list_values
from hopline.answers.written_tables import STEPS, find_quoted_lines
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis, analyse_question
from hopline.reader.input import format_with_heading, make_readable_unit
from hopline.reader.quotes import find_quote, find_similar_quote
from hopline.reader.reading import find_unit
from hopline.reader.verification import Claim, verify_claims
from hopline.results import Citation, Evidence, Retrieval, Sentence
from hopline.results.answers import SentenceState
from hopline.text.values import parse_number
from hopline.text.words import find_content_words, load_function_words

MIN_WORDS: Final = 2  # content words of a sentence that the verifier judges
MIN_SUPPORTED: Final = 0.5  # probability of the verifier below which a sentence is not supported by what it cites
_SOURCE_MARK: Final = re.compile(r"\s?\[\d{1,3}(?:[,;–-]\s?\d{1,3})*\]")  # "[2]", "[1, 3]": Hopline numbers the sources


@dataclass(frozen=True, slots=True)
class SentenceVerifier:
    """Verifies sentences against the evidence of a prompt.

    ``numbered`` is the evidence in the order of its numbers, from 1. If it is ``strict``, quotes must be verbatim and
    figures in the evidence or the question, and sentences without a quote are left out.
    """

    question: QuestionAnalysis
    retrieval: Retrieval
    numbered: Sequence[Evidence]
    strict: bool = False

    def verify(self, claimed: Iterable[Mapping[str, Any]], before: Sequence[Sentence] = ()) -> list[Sentence]:
        """Verify sentences, each with the keys "text" and "citations" ("evidence" and "quote"), in their order.

        A figure may follow from what its own sentence and those before it cite; ``before`` are verified sentences.
        Sentences without text are left out, and so are numbers of evidence in brackets.
        """
        sentences: list[Sentence] = []
        for item in claimed:
            if text := _SOURCE_MARK.sub("", item["text"]).strip():
                cited = [citation for sentence in (*before, *sentences) for citation in sentence.citations]
                sentence = self._verify(text, item.get("citations") or (), cited)
                sentences += [sentence] if sentence.citations or not self.strict else []
        return sentences

    def has_known_figures(self, text: str, sentences: Sequence[Sentence]) -> bool:
        """Whether each figure of a short answer is in its supported sentences or what they cite, or follows from it."""
        cited = [citation for sentence in sentences for citation in sentence.citations]
        stated = "\n".join((*(sentence.text for sentence in sentences), self.question.text))
        supported = list_values("\n".join(sentence.text for sentence in sentences if sentence.supported))
        unknown = [item for item in self._find_unknown_figures(text, cited) if item.number.amount not in supported]
        return all(explain_figure(figure, text, cited, question=stated) for figure in unknown)

    def _verify(self, text: str, claimed: Iterable[Mapping[str, Any]], cited: Sequence[Citation]) -> Sentence:
        citations: dict[Citation, None] = {}
        unfound = []
        for claim in claimed:
            found_citations = self._find_citations(claim)
            citations |= dict.fromkeys(found_citations)
            unfound += [] if found_citations or not claim["quote"].strip() else [" ".join(claim["quote"].split())]
        known = tuple(citations)
        state, explanations = self._judge(text, known, cited)
        return Sentence(
            text,
            self._cite_cells(text, known, explanations),
            state,
            "; ".join(dict.fromkeys(item.formula for item in explanations)),
            tuple(unfound) if known and not self.strict else (),
        )

    def _judge(
        self, text: str, citations: Sequence[Citation], cited: Sequence[Citation]
    ) -> tuple[SentenceState, list[ComputedFigure]]:
        """Return the state of a sentence and the formulas of its figures; ``cited`` is what earlier sentences cite."""
        if not citations or self._has_unknown_name(text, citations):
            return "unsupported", []
        unknown = self._find_unknown_figures(text, citations)
        if not unknown:
            return "similar" if any(citation.claimed for citation in citations) else "quoted", []
        every = (*citations, *(citation for citation in cited if citation not in citations))
        stated = self.question.text
        results = [] if self.strict else [explain_figure(figure, text, every, question=stated) for figure in unknown]
        explanations = [item for item in results if item is not None]
        return ("computed", explanations) if explanations and len(explanations) == len(unknown) else ("unsupported", [])

    def _cite_cells(
        self, text: str, citations: Sequence[Citation], explanations: Iterable[ComputedFigure]
    ) -> tuple[Citation, ...]:
        """Return citations with the cells that a sentence computes with, or whose number it states, as their answers.

        Rows of these cells that are not cited yet are added.
        """
        cells = [(item.table, cell) for item in explanations if item.table for cell in item.cells]
        computed = {(table.id, cell.cell.start): (table, cell) for table, cell in cells}
        marked: dict[Citation, None] = {}
        for citation in citations:
            rows = {(citation.evidence.id, row.start) for row in find_cited_rows(citation)}
            own = [key for key, (table, cell) in computed.items() if (table.id, cell.row.start) in rows]
            is_used = {(table.id, cell.row.start) for table, cell in cells} >= rows
            cited = [self._cite_cell(*computed.pop(key), claimed=citation.claimed) for key in own]
            marked |= dict.fromkeys(cited if cited and is_used else [*cited, _mark_stated_cell(text, citation)])
        added = [*computed.values(), *([] if self.strict else _find_stated_cells(text, citations))]
        marked |= dict.fromkeys(self._cite_cell(table, cell) for table, cell in added)
        return tuple(marked)

    def _cite_cell(self, table: Evidence, item: TableNumber, *, claimed: str = "") -> Citation:
        row, cell = item.row, item.cell
        citation = cite(self.retrieval, table, (row.start, row.end), answer=(cell.start, cell.end))
        return replace(citation, claimed=claimed)

    def _has_unknown_name(self, text: str, citations: Iterable[Citation]) -> bool:
        """Whether a sentence has a name that neither its evidence, with its headings, nor the question has.

        Its first word may be no name. Numbers are no names.
        """
        known = [self.question.text, *(format_with_heading(item.evidence) for item in citations)]
        first, _, rest = text.partition(" ")
        first = first.strip(",.:;")
        unmatched = [name for name in analyse_question(text).find_unmatched(known) if name != first]
        if any(name.startswith(f"{first} ") and name.split()[1].islower() for name in unmatched):  # "Sales of Ardent"
            unmatched = list(analyse_question(rest).find_unmatched(known))
        return any(not any(map(str.isdigit, name)) for name in unmatched)

    def _find_citations(self, claim: Mapping[str, Any]) -> list[Citation]:
        """Find a quote in the evidence of its number or in other evidence: word for word, or else a similar one."""
        quote, number = claim["quote"], claim.get("evidence", 0)
        if not _has_content(quote):
            return []
        ordered = (*(self.numbered[number - 1 : number] if number >= 1 else ()), *self.numbered)
        for evidence in ordered:
            if spans := find_quote(quote, evidence.text) or find_quoted_lines(quote, evidence):
                return [cite(self.retrieval, evidence, span) for span in spans]
        for evidence in ordered if not self.strict else ():
            if span := _find_cells(quote, evidence) or find_similar_quote(quote, evidence.text):
                return [replace(cite(self.retrieval, evidence, span), claimed=" ".join(quote.split()))]
        return []

    def _find_unknown_figures(self, text: str, citations: Iterable[Citation]) -> list[WrittenFigure]:
        """Find the figures of a sentence that neither its evidence nor the question has, with their signs.

        Of a table of which rows are cited, these rows and those that the sentence names count. A figure without a sign
        may be a negative one of the evidence if the sentence says that something fell or was lost. If the verification
        is strict, its digits must be in the evidence as well, and not only its amount.
        """
        citations = tuple(citations)
        tables = list_cited_cells(citations, f"{text}\n{self.question.text}")
        in_rows = {cells.table.id for cells in tables}
        texts = [item.evidence.text for item in citations if item.evidence.id not in in_rows]
        known = list_values(self.question.text).union(*map(list_values, (*texts, *map(join_known_text, tables))))
        if DECREASE.search(text):
            known |= {-value for value in known}
        figures = find_figures(text)
        return [
            figure
            for figure in figures
            if figure.number.amount not in known or (self.strict and figure.number.value not in known)
        ]


def mark_unsupported_sentences(sentences: Sequence[Sentence]) -> Flow[list[Sentence]]:
    """Return sentences of a model; those that their citations do not support are marked.

    Their state is "contradicted" or "unsupported", as the verifier finds. Sentences with computed figures are returned
    as they are, and so are those that say nothing without their question, such as "She did.".
    """
    chosen = [
        number
        for number, item in enumerate(sentences)
        if item.supported and item.state != "computed" and len(find_content_words(item.text)) >= MIN_WORDS
    ]
    supports = yield from verify_claims([_make_claim(sentences[n]) for n in chosen])
    marked = list(sentences)
    for number, support in zip(chosen, supports, strict=True):
        if support.supported < MIN_SUPPORTED:
            is_contradicted = support.contradicted >= support.not_stated
            marked[number] = replace(sentences[number], state="contradicted" if is_contradicted else "unsupported")
    return marked


def _make_claim(sentence: Sentence) -> Claim:
    """Make the claim of a sentence with the sentences and rows that it quotes."""
    units = [
        make_readable_unit(item.evidence, find_unit(item.evidence, item.start, item.end)) for item in sentence.citations
    ]
    texts = list(dict.fromkeys(text.strip() for _, text in units))
    return Claim("", sentence.text, units[0][0], " ".join(texts))


def _mark_stated_cell(text: str, citation: Citation) -> Citation:
    """Return the citation of a row with the only cell whose number a sentence states as its answer."""
    rows, grid = find_cited_rows(citation), citation.evidence.grid
    if len(rows) != 1 or grid is None:
        return citation
    stated = list_values(text)
    values = rows[0].cells[grid.label_columns :]
    cells = [cell for cell in values if (number := parse_number(cell.text)) and number.value in stated]
    is_within = len(cells) == 1 and citation.start <= cells[0].start and cells[0].end <= citation.end
    return replace(citation, answer=(cells[0].start, cells[0].end)) if is_within else citation


def _find_stated_cells(text: str, citations: Iterable[Citation]) -> Iterator[tuple[Evidence, TableNumber]]:
    """Yield the only cells whose number a sentence states in rows that it names and does not quote, in cited tables."""
    stated = list_values(text)
    for cells in list_cited_cells(citations, text):
        for row in (row for row in cells.rows if row not in cells.cited):
            numbers = [item for item in cells.list_numbers([row]) if item.number.value in stated]
            if len(numbers) == 1:
                yield cells.table, numbers[0]


def _has_content(quote: str) -> bool:
    """Whether a quote has a number, or a word that is no function word."""
    return any(word.isdigit() or word not in load_function_words() for word in re.findall(r"\w+", quote.casefold()))


def _find_cells(quote: str, evidence: Evidence) -> Span | None:
    """Find the row of a table that has the cells of a quote, in their order; None if none or several have them."""
    parts = STEPS.sub(" | ", quote).split("|")
    wanted = [cell for part in parts if (cell := " ".join(part.split()).casefold())]
    if evidence.grid is None or len(wanted) < 2:
        return None
    rows = [
        row
        for row in evidence.grid.body
        if _is_in_order(wanted, [cell.text.casefold() for cell in (*row.outer, *row.cells)])
    ]
    return (rows[0].start, rows[0].end) if len(rows) == 1 else None


def _is_in_order(wanted: Sequence[str], cells: Sequence[str]) -> bool:
    remaining = iter(" ".join(cell.split()) for cell in cells)
    return all(any(cell == other for other in remaining) for cell in wanted)
