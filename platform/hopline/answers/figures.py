"""Answers about figures: which one shows something, and that there is none with the number of the question.

What a figure shows is answered by its caption (`hopline.answers.outline`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from hopline.answers.answerer import EvidenceReader
from hopline.answers.composition import compose_answer, demote_to_possible
from hopline.answers.expansion import fetch_new_evidence, insert_seeds
from hopline.answers.outline import is_on_referenced_page, quote_caption
from hopline.flow.columns import to_rows
from hopline.flow.requests import Flow, fetch, search
from hopline.questions.analysis import QuestionAnalysis
from hopline.questions.references import Reference, asks_only_references
from hopline.reader.input import format_with_heading
from hopline.results import Answer, Retrieval
from hopline.results.labels import name_figure
from hopline.retrieval.page_table_references.documents import DocumentName, resolve_documents
from hopline.retrieval.page_table_references.lookup import MAX_DOCUMENTS, select_figures
from hopline.text.words import stem_content_words

MAX_FIGURES: Final = 10  # that a search returns, and that an answer names
MAX_SHOWN: Final = 3  # figures that show what is asked for
MIN_SHARE: Final = 0.5  # of the words of the question that a figure that may be asked for has
_WHICH: Final = re.compile(
    r"^\W*(?:(?:in|on)\s+)?(?:(?:which|what)\s+(?:of\s+the\s+)?(?:figure|chart|graph|diagram|map)s?"
    r"|(?:is|are)\s+there\s+(?:a|an|any)\s+(?:figure|chart|graph|diagram|map)s?"
    r"|(?:show|give|find)\s+(?:me\s+)?(?:the|a|any)\s+(?:figure|chart|graph|diagram|map)s?)\s+"
    r"(?:(?:that|which)\s+)?(?:is|are|was)?\s*(?P<topic>\D.*)",
    re.IGNORECASE,
)
_ASKING: Final = stem_content_words(
    "show shows shown showing display displays depict depicts illustrate illustrates present presents plot plots give "
    "gives contain contains compare compares describe describes visualise visualises figure chart graph diagram map "
    "document report data"
)


def answer_figure(question: QuestionAnalysis, retrieval: Retrieval, _: EvidenceReader) -> Flow[Answer | None]:
    """Answer with the captions of the figures about a topic, or abstain and name the figures that there are.

    "Which figure shows the output of the ports?" is answered if a figure has all of these words, and possibly answered
    if it has half of them. Of "What does figure 9 show?", only that there is no such figure is said here.
    """
    references = [item for item in question.references if item.kind == "figure"]
    if references:
        return (yield from _report_missing(question, references, retrieval))
    match = _WHICH.match(question.text) if question.is_english else None
    topic = stem_content_words(match["topic"]) - _ASKING if match else frozenset()
    return (yield from _find_figure(question, topic, retrieval)) if topic else None


def _find_figure(question: QuestionAnalysis, topic: frozenset[str], retrieval: Retrieval) -> Flow[Answer | None]:
    hits = yield search(question.text, MAX_FIGURES, over="figure", by="hybrid")
    added = yield from fetch_new_evidence(hits.ids, retrieval.evidence)
    known = {item.id: item for item in (*retrieval.evidence, *added)}
    figures = [known[id] for id in hits.ids]
    shares = [len(topic & stem_content_words(format_with_heading(item))) / len(topic) for item in figures]
    best = max(shares, default=0.0)
    if best < MIN_SHARE:
        return None
    chosen = [item for item, share in zip(figures, shares, strict=True) if share == best][:MAX_SHOWN]
    retrieval = insert_seeds(retrieval, [item for item in chosen if item in added])
    answer = compose_answer(retrieval, [quote_caption(retrieval, item) for item in chosen])
    return answer if best == 1 else demote_to_possible(answer)


def _report_missing(
    question: QuestionAnalysis, references: Sequence[Reference], retrieval: Retrieval
) -> Flow[Answer | None]:
    """Abstain if no document has the figures that the question asks for; None if one of them exists."""
    if any(item.kind != "passage" and is_on_referenced_page(retrieval, item) for item in retrieval.evidence):
        return None
    columns = yield fetch("page_table_references/documents")
    documents = [DocumentName(row["id"], row["name"], row["title"], row["pages"]) for row in to_rows(columns)]
    named = list(
        dict.fromkeys(item for group in resolve_documents(question.text, references, documents) for item in group)
    )
    searched = named or documents
    names = [name for item in searched for name in (item.name, item.title)]
    asks_only = asks_only_references(question.text, question.references, names if named else ())
    if not asks_only or not 0 < len(searched) <= MAX_DOCUMENTS:
        return None
    rows = to_rows((yield fetch("page_table_references/figures", ids=[item.id for item in searched])))
    of_document = [[row for row in rows if row["document"] == item.id] for item in searched]
    if any(select_figures(reference, own) for reference in references for own in of_document):
        return None
    missing = tuple(dict.fromkeys(question.text[item.start : item.end] for item in references))
    notice = _list_figures(rows, {item.id: item.name for item in searched})
    return compose_answer(retrieval, (), missing=missing, notice=notice)


def _list_figures(rows: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> str:
    """Name the figures of documents with their pages: "The figures are: Figure 1 (plan.pdf p. 3), …"."""
    figures = [row for id in names for row in rows if row["document"] == id and row["kind"] == "figure"]
    if not figures:
        return "There is no figure with a caption."
    shown = [
        f"{name_figure(row['caption'], row['number'])} ({names[row['document']]} p. {row['page_number']})"
        for row in figures[:MAX_FIGURES]
    ]
    more = f", and {len(figures) - len(shown)} more" if len(figures) > len(shown) else ""
    return f"The figures are: {', '.join(shown)}{more}." if len(figures) > 1 else f"The only figure is {shown[0]}."
