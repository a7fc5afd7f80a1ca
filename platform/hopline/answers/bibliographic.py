"""Answers about a document itself: who wrote it, when and by which organisation it was published, its identifiers.

The values were read from the first pages when the document was added (`hopline.records.BibliographicEntry`); they are
cited where a passage has them. A question about something else ("Who wrote Hamlet?") is left to the other answerers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hopline.answers.answerer import EvidenceReader
from hopline.answers.composition import Span, cite, compose_answer
from hopline.answers.expansion import fetch_new_evidence, insert_seeds
from hopline.bibliography import LABELS, decode_bibliography, select_entries
from hopline.flow.columns import to_rows
from hopline.flow.requests import Flow, fetch
from hopline.questions.analysis import QuestionAnalysis
from hopline.records import BibliographicEntry, BibliographicKey
from hopline.results import POSSIBLE, Answer, Evidence, Retrieval, Sentence
from hopline.text.words import stem, stem_content_words

MAX_DOCUMENTS: Final = 8  # of the nearest evidence
MIN_SHARE: Final = 0.5  # of the words of a title that a question names
MAX_DISTANCE: Final = 400  # characters between values that are cited together

_NOUNS: Final = (
    *("document", "report", "paper", "article", "study", "book", "manual", "handbook", "guide", "thesis", "filing"),
    *("publication", "plan", "review", "letter", "memo", "email", "file", "pdf", "text", "brochure", "newsletter"),
)
_STEMS_OF_NOUNS: Final = frozenset(map(stem, _NOUNS))
_ITSELF: Final = re.compile(
    r"^\s*(?:it|this|that)\b|\b(?:document|report|paper|article|study|publication|thesis|filing|file|pdf)\b",
    re.IGNORECASE,
)
_PUBLISHED: Final = r"(?:first\s+)?(?:published|written|issued|released|dated|prepared|adopted)"
_BODY: Final = r"(?:organi[sz]ation|company|institution|institute|agency|authority|body|publisher|firm)"
_IDENTIFIERS: Final[dict[str, BibliographicKey]] = {
    "doi": "doi",
    "isbn": "isbn",
    "issn": "issn",
    "arxiv": "arxiv",
    "docket": "docket",
    "case": "docket",
    "report": "report_number",
}
_IDENTIFIER: Final = r"(?P<identifier>doi|isbn|issn|arxiv(?:\s+(?:id|identifier))?|(?:docket|case|report)\s+number)"
_QUESTIONS: Final[tuple[tuple[BibliographicKey, str], ...]] = (
    ("authors", r"who\s+(?:wrote|authored|prepared|compiled|drafted)\s+(?P<subject>.+)"),
    ("authors", r"who\s+(?:is|are|was|were)\s+the\s+(?:authors?|writers?)(?:\s+of\s+(?P<subject>.+))?"),
    ("authors", r"by\s+whom\s+was\s+(?P<subject>.+?)\s+(?:written|authored|prepared)"),
    ("date", rf"(?:when|in\s+(?:what|which)\s+(?:year|month))\s+(?:was|were|is)\s+(?P<subject>.+?)\s+{_PUBLISHED}"),
    ("date", r"what\s+is\s+the\s+(?:(?:publication\s+)?date|date\s+of\s+publication)\s+of\s+(?P<subject>.+)"),
    ("organisation", r"who\s+(?:published|issued|released)\s+(?P<subject>.+)"),
    ("organisation", rf"(?:which|what)\s+{_BODY}\s+(?:published|issued|released|prepared)\s+(?P<subject>.+)"),
    ("organisation", r"who\s+(?:is|was)\s+the\s+publisher\s+of\s+(?P<subject>.+)"),
    ("language", r"in\s+(?:what|which)\s+language\s+is\s+(?P<subject>.+?)\s+written"),
    ("title", r"what\s+is\s+the\s+title\s+of\s+(?P<subject>.+)"),
    ("doi", rf"what\s+is\s+the\s+{_IDENTIFIER}(?:\s+number)?(?:\s+(?:of|for)\s+(?P<subject>.+))?"),  # or another one
)
_PATTERNS: Final = tuple((key, re.compile(pattern + r"[\s?.!]*", re.IGNORECASE)) for key, pattern in _QUESTIONS)


@dataclass(frozen=True, slots=True)
class DocumentQuestion:
    """What a question asks about a document, and how it names the document.

    ``words`` are the stems of its title, ``nouns`` those of "report" and the like; ``refers_to_itself`` is true of
    "it", "this letter" and "the paper", and not of "the letter", which may be one that the document mentions.
    """

    key: BibliographicKey
    words: frozenset[str]
    nouns: frozenset[str]
    refers_to_itself: bool


@dataclass(frozen=True, slots=True)
class _DescribedDocument:
    """A document with what it states about itself, and the author in the properties of its file."""

    id: str
    title: str
    name: str
    entries: tuple[BibliographicEntry, ...]
    file_author: str


def parse_document_question(text: str) -> DocumentQuestion | None:
    """Parse a question about a document; None if it has another form, or no words for what it asks about."""
    for key, pattern in _PATTERNS:
        match = pattern.fullmatch(text.strip())
        if match is None:
            continue
        subject = match["subject"] or "the document"
        identifier = match.groupdict().get("identifier", "").split()
        stems = stem_content_words(subject)
        words, nouns = stems - _STEMS_OF_NOUNS, stems & _STEMS_OF_NOUNS
        is_named = bool(words or nouns or _ITSELF.search(subject))
        sought = _IDENTIFIERS[identifier[0].lower()] if identifier else key
        return (
            DocumentQuestion(sought, words, nouns, refers_to_itself=bool(_ITSELF.search(subject))) if is_named else None
        )
    return None


def answer_bibliographic(question: QuestionAnalysis, retrieval: Retrieval, _: EvidenceReader) -> Flow[Answer | None]:
    """Answer a question about a document with what its pages state; None if it is about something else.

    A value that no passage has is a possible answer that says where it is from.
    """
    request = parse_document_question(question.text)
    if request is None:
        return None
    ids = list(dict.fromkeys(item.document_id for item in retrieval.evidence))[:MAX_DOCUMENTS]
    rows = to_rows((yield fetch("answering/bibliographies", ids=ids)))
    documents = [
        _DescribedDocument(
            row["id"], row["title"], row["name"], decode_bibliography(row["bibliography"]),
            str(json.loads(row["properties"] or "{}").get("author", "")),
        )
        for row in rows
    ]  # fmt: skip
    document = _select_document(request, documents)
    if document is None:
        return None
    entries = select_entries(document.entries, request.key)
    sentences, added = yield from _cite_entries(request.key, entries, document.id, retrieval)
    if sentences:
        known = {item.id for item in retrieval.evidence}
        retrieval = insert_seeds(retrieval, [item for item in added if item.id not in known])
        return compose_answer(retrieval, sentences, short=_join([" ".join(entry.text.split()) for entry in entries]))
    return _answer_possibly(request.key, entries, document, retrieval)


def _select_document(request: DocumentQuestion, documents: Sequence[_DescribedDocument]) -> _DescribedDocument | None:
    """Select the only document that a question may mean; None if there is none, or there are several."""
    if request.words:
        matching = [document for document in documents if _is_named(request, document)]
    else:
        matching = list(documents)
        if len(matching) > 1 or not request.refers_to_itself:
            matching = [item for item in matching if request.nouns & stem_content_words(f"{item.title} {item.name}")]
    return matching[0] if len(matching) == 1 else None


def _is_named(request: DocumentQuestion, document: _DescribedDocument) -> bool:
    """Return whether the title or file name has all words of a question, and these are enough to name the document."""
    for name in (document.title, document.name.rpartition(".")[0].replace("_", " ").replace("-", " ")):
        stems = stem_content_words(name)
        if request.words <= stems and (request.nouns or len(request.words) >= MIN_SHARE * len(stems - _STEMS_OF_NOUNS)):
            return True
    return False


def _cite_entries(
    key: BibliographicKey, entries: Sequence[BibliographicEntry], document: str, retrieval: Retrieval
) -> Flow[tuple[list[Sentence], list[Evidence]]]:
    """Cite the entries in passages of their pages; no sentence unless each is in one. Also returns the passages."""
    pages = sorted({entry.page for entry in entries if entry.page and entry.text})
    if not pages or not all(entry.page for entry in entries):
        return [], []
    wanted = [{"document": document, "number": page} for page in pages]
    columns = yield fetch("page_table_references/evidence_on_pages", pages=wanted)
    ids = list(dict.fromkeys(columns["id"]))
    added = yield from fetch_new_evidence(ids, retrieval.evidence)
    passages = [item for item in (*retrieval.evidence, *added) if item.id in ids]
    spans = [_find_text(entry.text, passages) for entry in entries]
    if not all(spans):
        return [], []
    sentences = []
    for passage in passages:
        own = [span for item, span in filter(None, spans) if item is passage]
        for start, end in _unite_spans(own):
            quote = " ".join(passage.text[start:end].split())
            citation = cite(retrieval, passage, (start, end), answer=(start, end))
            sentences.append(Sentence(f"{LABELS[key]}: {quote}", (citation,)))
    return sentences, [passage for passage in passages if any(item is passage for item, _ in filter(None, spans))]


def _find_text(text: str, passages: Sequence[Evidence]) -> tuple[Evidence, Span] | None:
    """Find a text in passages, whatever the blanks between its words."""
    pattern = re.compile(r"\s+".join(map(re.escape, text.split())))
    return next(((item, match.span()) for item in passages if (match := pattern.search(item.text))), None)


def _unite_spans(spans: Sequence[Span]) -> list[Span]:
    """Unite spans that are near each other."""
    united: list[Span] = []
    for start, end in sorted(spans):
        if united and start - united[-1][1] <= MAX_DISTANCE:
            united[-1] = united[-1][0], max(end, united[-1][1])
        else:
            united.append((start, end))
    return united


def _answer_possibly(
    key: BibliographicKey, entries: Sequence[BibliographicEntry], document: _DescribedDocument, retrieval: Retrieval
) -> Answer | None:
    """Answer with values that no passage has, as a possible answer that says where they are from."""
    values = [entry.value for entry in entries]
    source = _describe_source(key, entries)
    if not values and key == "authors" and document.file_author:
        values, source = [document.file_author], "the properties of the file, which may name who saved it"
    if not values:
        return None
    short = _join(values)
    sentence = Sentence(f"{LABELS[key]}: {short}")
    notice = f"The value is from {source}."
    return compose_answer(retrieval, (), short=short, confidence=POSSIBLE, nearest=(sentence,), notice=notice)


def _describe_source(key: BibliographicKey, entries: Sequence[BibliographicEntry]) -> str:
    if key == "language":
        return "the words of the document"
    page = next((entry.page for entry in entries if entry.page), 0)
    return f"page {page}, from text that is in no passage" if page else "the properties of the file"


def _join(values: Sequence[str]) -> str:
    return ", ".join(values[:-1]) + f" and {values[-1]}" if len(values) > 1 else "".join(values)
