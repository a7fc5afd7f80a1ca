"""``hop.feedback``: say whether answers are right, list what was said, and delete it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, get_args

from hopline.corrections.service import check_author
from hopline.errors import UnknownName, UsageError
from hopline.flow.columns import to_rows
from hopline.ids import stable_id
from hopline.metadata.filter_parser import parse_filter
from hopline.records import Feedback, FeedbackVerdict, GoldCitation
from hopline.text_encoding import normalize_text

if TYPE_CHECKING:
    from hopline.store.collection_catalog import CollectionCatalog
    from hopline.store.graph import Store

MAX_QUESTION: Final = 10_000  # characters
MAX_ANSWER: Final = 20_000  # characters of an answer or a quote
MAX_CITATIONS: Final = 100
FEEDBACK_ADVICE: Final = "pass the id of feedback, as `hop.feedback.list` returns it"
EVIDENCE_ADVICE: Final = "pass the id of evidence of the collection, as `Evidence.id` has it"


class FeedbackService:
    """Stores verdicts on answers with the questions of a collection, lists and deletes them.

    Feedback is a question with a known answer: `hopline.feedback.question_rows` makes rows for evaluation and training
    of it. It stays when documents are processed again or removed, and is removed with its collection.
    """

    def __init__(self, store: Store, collections: CollectionCatalog) -> None:
        self._store = store
        self._collections = collections

    def add(
        self,
        question: str,
        verdict: FeedbackVerdict,
        *,
        collection: str = "default",
        answer: str = "",
        better: str = "",
        citations: Sequence[GoldCitation] = (),
        documents: Sequence[str] = (),
        filter: str = "",
        author: str = "",
    ) -> Feedback:
        """Store whether an answer is "right" or "wrong"; it replaces earlier feedback on the same question.

        ``answer`` is the answer that the verdict is on, "" if none was found: "right" then says that the documents have
        no answer. ``better`` is the correct answer instead of a wrong one. ``citations`` are the evidence of the
        correct answer, by its id. ``documents`` (names or ids) and ``filter`` are those that the question was asked
        with. ``author`` is the name that is shown with the feedback.

        Raises:
            UnknownName: no such collection or document, or no evidence of the collection has one of the ids.
            UsageError: the verdict is neither "right" nor "wrong", a right answer has a better one, a text is empty
                or too long, or the filter cannot be read.
        """
        id = self._collections.require_id(collection)
        if verdict not in get_args(FeedbackVerdict):
            raise UsageError(f'a verdict is "right" or "wrong" (got {verdict!r:.80})')
        question, better = check_answer(question, "a question", MAX_QUESTION), check_answer(better, "an answer")
        if not question:
            raise UsageError("feedback needs the question that was answered; got an empty text")
        if verdict == "right" and better:
            raise UsageError('a better answer is for a wrong one; leave it out, or give the verdict "wrong"')
        if filter.strip():
            parse_filter(filter)
        names = self._list_document_names(collection, documents)
        gold = self._complete_citations(id, citations)
        stored = {
            "id": stable_id("feedback", id, question, filter.strip(), *names),
            "collection": id,
            "question": question,
            "verdict": verdict,
            "answer": check_answer(answer, "an answer"),
            "better": better,
            "gold": [item.evidence for item in gold],
            "names": [item.document for item in gold],
            "pages": [item.page for item in gold],
            "quotes": [item.quote for item in gold],
            "documents": [*names],
            "filter": filter.strip(),
            "author": check_author(author),
            "at": time.time_ns() // 1_000_000,
        }
        [written] = self._store.write(("feedback/add", {"collection": id, "feedback": stored}))
        if not written["id"]:
            raise UsageError(f"the collection {collection!r} is being removed")
        return _build_feedback(stored | {"id": written["id"][0]})

    def list(self, collection: str = "default") -> tuple[Feedback, ...]:
        """Return the feedback on answers of a collection, newest first.

        Raises:
            UnknownName: no such collection.
        """
        parameters = {"collection": self._collections.require_id(collection)}
        return tuple(map(_build_feedback, to_rows(self._store.read("feedback/list", parameters))))

    def delete(self, feedback: str) -> None:
        """Delete feedback, by its id.

        Raises:
            UnknownName: there is none with this id.
        """
        if not self._store.write(("feedback/delete", {"id": feedback}))[0]["id"]:
            raise UnknownName("feedback", feedback, advice=FEEDBACK_ADVICE)

    def _list_document_names(self, collection: str, documents: Sequence[str]) -> Sequence[str]:
        if not documents:
            return ()
        ids = self._collections.resolve_document_ids(collection, documents)
        return tuple(self._store.read("feedback/document_names", {"ids": [*ids]})["name"])

    def _complete_citations(self, collection: str, citations: Sequence[GoldCitation]) -> Sequence[GoldCitation]:
        """Return citations with the names of their documents and with pages, each once.

        Raises:
            UnknownName: the collection has no such evidence.
            UsageError: there are too many, or a quote is too long.
        """
        if len(citations) > MAX_CITATIONS:
            raise UsageError(f"feedback has at most {MAX_CITATIONS} citations (got {len(citations):,})")
        ids = [citation.evidence for citation in citations]
        rows = to_rows(self._store.read("feedback/cited_evidence", {"collection": collection, "ids": ids}))
        known = {row["id"]: row for row in rows}
        for id in ids:
            if id not in known:
                raise UnknownName("evidence", id, advice=EVIDENCE_ADVICE)
        gold = (
            GoldCitation(
                citation.evidence,
                check_answer(citation.quote, "a quote"),
                citation.page or known[citation.evidence]["page"],
                known[citation.evidence]["name"],
            )
            for citation in citations
        )
        return tuple(dict.fromkeys(gold))


def check_answer(text: object, name: str, limit: int = MAX_ANSWER) -> str:
    """Return a text without the whitespace at its ends, in the normal form of all texts.

    Raises:
        UsageError: it is no text, or is too long.
    """
    if not isinstance(text, str) or len(text) > limit:
        raise UsageError(f"{name} is a text of at most {limit:,} characters (got {text!r:.80})")
    return normalize_text(text.replace("\r\n", "\n")).strip()


def _build_feedback(row: Mapping[str, Any]) -> Feedback:
    columns = (row[name] for name in ("gold", "quotes", "pages", "names"))
    names = ("id", "question", "verdict", "answer", "better", "filter", "author")
    return Feedback(
        **{name: row[name] for name in names},
        citations=tuple(GoldCitation(*values) for values in zip(*columns, strict=True)),
        documents=tuple(row["documents"]),
        at=row["at"] / 1000.0,
    )
