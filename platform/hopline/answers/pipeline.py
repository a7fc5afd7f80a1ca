"""The flow from a question to its answer: the strategy retrieves evidence, and an answerer or a language model answers.

Without a language model, the answerers are tried in the order of this module, and the first that applies answers:

1. Of the whole question: answerers of the user; summaries; figures about a topic; the content of whole pages, tables,
   figures and sections.
2. Of each of its parts: letters, the document itself, values in which documents contradict each other, forms, meanings
   of codes, addresses of links, comparisons of dates, calculations over tables, comparisons by other measures,
   remainders, lists, cells of tables, spans that the reader finds (in two hops, if the question describes a thing by
   another one).

With a language model, answerers of the user are tried first; then it writes the answer from the same evidence
(`hopline.answers.generated`). Where it fails, the answer is the extractive one, of any kind. Both may look at more
evidence than the strategy retrieved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib.metadata import entry_points
from typing import Final

from hopline.answers.answerer import THRESHOLD, Answerer, EvidenceReader
from hopline.answers.bibliographic import answer_bibliographic
from hopline.answers.calculation import answer_calculation
from hopline.answers.cells import answer_cell
from hopline.answers.closed_book import answer_closed_book
from hopline.answers.closest_match import answer_closest
from hopline.answers.code_meaning import answer_code_meaning
from hopline.answers.comparison import answer_comparison
from hopline.answers.composition import (
    abstain,
    choose_answer,
    combine_answers,
    demote_answer_of_unclear_table,
    demote_repeated_answers,
    demote_to_possible,
)
from hopline.answers.contradiction import answer_contradiction
from hopline.answers.expansion import expand_evidence, prepend_evidence, separate_additions
from hopline.answers.figures import answer_figure
from hopline.answers.form import answer_form
from hopline.answers.generated import AnswerModel, generate_answer
from hopline.answers.letter import answer_letter
from hopline.answers.link_address import answer_link_address
from hopline.answers.listing import answer_list
from hopline.answers.measure_comparison import answer_measure
from hopline.answers.outline import answer_outline
from hopline.answers.remainder import answer_remainder
from hopline.answers.section_scope import are_all_in_sections, restrict_to_sections
from hopline.answers.span import answer_span
from hopline.answers.summary import answer_summary
from hopline.errors import UsageError
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis, analyse_question
from hopline.results import Answer, Retrieval
from hopline.text.words import read_word_list

Retrieve = Callable[[str], Flow[Retrieval]]

OF_WHOLE_QUESTIONS: Final[tuple[Answerer, ...]] = (answer_summary, answer_figure, answer_outline)
OF_PARTS: Final[tuple[Answerer, ...]] = (
    answer_letter,
    answer_bibliographic,
    answer_contradiction,
    answer_form,
    answer_code_meaning,
    answer_link_address,
    answer_comparison,
    answer_calculation,
    answer_measure,
    answer_remainder,
    answer_list,
    answer_cell,
    answer_span,
)
OF_OTHER_LANGUAGES: Final[tuple[Answerer, ...]] = (answer_closest,)
_ENTRY_POINTS: Final = "hopline.answerers"


@cache
def load_answerers() -> tuple[Answerer, ...]:
    """Load the answerers of other packages, in the order of their names.

    Raises:
        UsageError: one cannot be imported.
    """
    answerers = []
    for entry in sorted(entry_points(group=_ENTRY_POINTS), key=lambda entry: entry.name):
        try:
            answerers.append(entry.load())
        except Exception as error:
            raise UsageError(f"the answerer {entry.name!r} ({entry.value}) cannot be imported: {error}") from error
    return tuple(answerers)


def answer_question(
    question: str,
    retrieve: Retrieve,
    *,
    model: AnswerModel | None = None,
    reader: bool = True,
    threshold: float = THRESHOLD,
    answerers: Sequence[Answerer] = (),
) -> Flow[Answer]:
    """Retrieve evidence and answer a question: a language model writes the answer, or it is extracted.

    ``retrieve`` runs the strategy: for the question, and for each part of a question with several parts. ``model`` is
    the language model, None if there is none. It answers from memory (closed book) if the strategy decided that no
    evidence is needed. Without a model, the reader (`hopline.learned.reader`) finds the answer, if its
    confidence, from 0 to 1, reaches ``threshold``; without the ``reader``, a question is not split into parts, nothing
    is calculated, and the nearest sentences are shown. ``answerers`` are tried before all others.

    The retrieval of the answer is that of the strategy; what answering added to it is the additional evidence.
    """
    retrieval = yield from retrieve(question)
    analysis = analyse_question(question)
    evidence_reader = EvidenceReader(enabled=reader, threshold=threshold)
    own = (*answerers, *load_answerers())
    extract = partial(extract_answer, analysis, retrieval, retrieve, evidence_reader)
    answer = yield from _try_answerers(own, analysis, retrieval, evidence_reader)
    if answer is None:
        if model is None:
            answer = yield from extract()
        elif retrieval.closed_book:
            answer = yield from answer_closed_book(analysis, retrieval, model=model.name)
        else:
            of_sections = restrict_to_sections(analysis, retrieval)
            answer = yield from generate_answer(analysis, of_sections, evidence_reader, extract, model=model)
    return separate_additions(demote_answer_of_unclear_table(answer), retrieval)


def extract_answer(
    question: QuestionAnalysis,
    retrieval: Retrieval,
    retrieve: Retrieve,
    reader: EvidenceReader,
) -> Flow[Answer]:
    """Answer with sentences and table cells of the evidence, or abstain with the nearest sentences.

    ``retrieval`` is for the whole question; of a question for a section of a document, only the evidence of this
    section is read. The retrieval of the answer has the evidence that was added as well.
    Nothing is counted over passages: one that was not retrieved would make the number wrong.
    """
    restrict = partial(restrict_to_sections, question)
    retrieval = restrict(retrieval)
    answer = yield from _try_answerers(OF_WHOLE_QUESTIONS, question, retrieval, reader)
    if answer is not None:
        return answer
    retrieval = restrict((yield from expand_evidence(question, retrieval)))
    if are_all_in_sections(question, retrieval):
        question = question.without_sections()
    is_split = reader.enabled and question.is_english
    parts = question.split([item.text for item in retrieval.evidence]) if is_split else (question,)
    if len(parts) > 1:
        part_questions, answers = yield from _answer_parts(parts, retrieval, retrieve, restrict, reader)
        if any(answer.status != "not_found" for answer in answers):
            return combine_answers(part_questions, answers)
    return (yield from _answer_part(question, retrieval, reader))


def _answer_parts(
    parts: Sequence[QuestionAnalysis],
    retrieval: Retrieval,
    retrieve: Retrieve,
    restrict: Callable[[Retrieval], Retrieval],
    reader: EvidenceReader,
) -> Flow[tuple[list[str], list[Answer]]]:
    """Answer each part of a question, with its own evidence before that of the whole question.

    Returns the parts as well, as they were answered (`_list_readings`).
    """
    part_questions: list[str] = []
    answers: list[Answer] = []
    for part in parts:
        attempts: list[Answer] = []
        readings = _list_readings(part, parts[0], answers[0]) if answers else [(part, True)]
        for reading, is_sure in readings:
            of_part = prepend_evidence(retrieval, (yield from retrieve(reading.text)))
            of_part = restrict((yield from expand_evidence(reading, of_part)))
            attempt = yield from _answer_part(reading, of_part, reader)
            attempts.append(attempt if is_sure else demote_to_possible(attempt))
            if not attempts[-1].abstained:
                break
        best = choose_answer(attempts)
        part_questions.append(readings[best][0].text)
        answers.append(attempts[best])
    return part_questions, demote_repeated_answers(answers)


def _list_readings(
    part: QuestionAnalysis, first: QuestionAnalysis, answer: Answer
) -> list[tuple[QuestionAnalysis, bool]]:
    """List the questions that a later part may mean, those that do not depend on a possible answer (False) first.

    ``answer`` is that of the ``first`` part.
    """
    sure = part.resolve(first, "" if answer.abstained else answer.short)
    unsure = part.resolve(first, answer.short) if answer.possible else ()
    return [*((reading, True) for reading in sure), *((reading, False) for reading in unsure if reading not in sure)]


def _answer_part(question: QuestionAnalysis, retrieval: Retrieval, reader: EvidenceReader) -> Flow[Answer]:
    """Answer a question that has one part, or abstain.

    What an answerer of one kind of questions does not find may be in the cells of a table: a possible answer. What a
    question compares has to be compared there, by a measure that its comparative does not name.
    """
    answerers = OF_PARTS if question.is_english else OF_OTHER_LANGUAGES
    answer = yield from _try_answerers(answerers, question, retrieval, reader)
    names_measure = not question.comparatives.issubset(read_word_list("unspecific"))
    if answer is not None and answer.status == "not_found" and question.is_english and not names_measure:
        cell = yield from answer_cell(question, retrieval, reader, computed_only=bool(question.comparatives))
        answer = demote_to_possible(cell) if cell else answer
    return answer or abstain(question, retrieval)


def _try_answerers(
    answerers: Sequence[Answerer], question: QuestionAnalysis, retrieval: Retrieval, reader: EvidenceReader
) -> Flow[Answer | None]:
    for answerer in answerers:
        answer = yield from answerer(question, retrieval, reader)
        if answer is not None:
            return answer
    return None
