"""Restriction of the evidence to the sections that a question names: "What is the fee in chapter three?"."""

from __future__ import annotations

from dataclasses import replace

from hopline.answers.outline import is_on_referenced_page
from hopline.questions.analysis import QuestionAnalysis
from hopline.questions.section_numbers import select_in_sections
from hopline.results import Retrieval


def restrict_to_sections(question: QuestionAnalysis, retrieval: Retrieval) -> Retrieval:
    """Return the retrieval with the evidence of the sections of a question; unchanged if none is of one of them.

    Of evidence that the strategy looked up and other evidence, the former is kept: it is of the documents that the
    question names.
    """
    if not question.sections:
        return retrieval
    selected = select_in_sections(question.sections, [item.section for item in retrieval.evidence])
    inside = [item for item, is_selected in zip(retrieval.evidence, selected, strict=True) if is_selected]
    looked_up = [item for item in inside if is_on_referenced_page(retrieval, item)]
    ids = {item.id for item in looked_up or inside}
    if not ids:
        return retrieval
    return replace(
        retrieval,
        evidence=tuple(item for item in retrieval.evidence if item.id in ids),
        paths=tuple(path for path in retrieval.paths if path.evidence in ids),
    )


def are_all_in_sections(question: QuestionAnalysis, retrieval: Retrieval) -> bool:
    """Return whether a question names sections, and all evidence is of them."""
    paths = [item.section for item in retrieval.evidence]
    return bool(question.sections and paths) and all(select_in_sections(question.sections, paths))
