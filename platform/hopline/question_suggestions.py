"""Questions that a collection can answer, for a user who does not know it yet (``hop.suggest_questions``).

They are built from what the collection contains: triples about the most mentioned persons and organisations, cells of
tables, and what documents state about themselves. Each is asked without a language model, and is suggested only if the
answer is the one that it was built from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain, islice, zip_longest
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from hopline.answers.pipeline import answer_question
from hopline.bibliography import select_entries
from hopline.config import NO_READER
from hopline.documents.document_queries import list_documents
from hopline.documents.outline import OutlineItem, iterate_items, read_outline
from hopline.entities.ranking import list_ranked_entities
from hopline.errors import UsageError
from hopline.flow.columns import to_rows
from hopline.flow.run import run
from hopline.records import MIN_CONFIDENCE, Collection, Document
from hopline.results import Answer, Evidence
from hopline.retrieval.evidence_retrieval import parse_evidence, retrieve_evidence
from hopline.strategies import load_strategy
from hopline.tables.typed_table import Column, TypedTable, build_typed_table
from hopline.text.words import find_base_form

if TYPE_CHECKING:
    from hopline.connections import Connections

T = TypeVar("T")
QuestionKind = Literal["statement", "table", "figure", "document"]

MAX_LIMIT: Final = 20
CHECKS_PER_QUESTION: Final = 4  # candidates that are asked, for each question wanted
MAX_DOCUMENTS: Final = 12  # whose tables and bibliography are read
MAX_TABLES: Final = 12
MAX_ENTITIES: Final = 12  # whose triples are read
TRIPLES_PER_ENTITY: Final = 20
MIN_TITLE_WORDS: Final = 3
MAX_KIND_WORDS: Final = 2  # of the header of the rows of a table
MIN_ROWS: Final = 3  # of a table, to ask for the highest value
MAX_NAME: Final = 60  # characters of a name or label within a question
MAX_TITLE: Final = 90
_KEPT_COLLECTIONS: Final = 8  # whose questions are kept in memory
_STRATEGY: Final = "hopline"  # checks the questions if the strategy of the settings needs a language model

_SUBJECTS: Final = {"person": "Who", "organisation": "Which organisation"}
_PREDICATE: Final = re.compile(r"[a-z]+(?: (?:by|for|from|in|into|of|off|on|out|over|to|up|with))?")
_VAGUE_VERBS: Final = frozenset(
    ["is", "are", "was", "were", "has", "have", "had", "says", "said", "includes", "included", "does", "did", "lies"]
)
_PROPER_NAME: Final = re.compile(r"[^\W\d_a-z][\w.&'’-]+(?: [\w.&'’-]+){1,6}")
_LABEL: Final = re.compile(r"[^\W\d_][\w\s,.&'’/-]*[\w.]")
_REMARK: Final = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\]|[*†‡:]+)\s*$")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_YEARS: Final = range(1800, 2101)
_FIGURE: Final = re.compile(r"(?:figure|fig|chart|map)\b\.?\s*[\dA-Z][\w.-]*\s*[:.–—|-]?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SuggestedQuestion:
    """A question that the collection answers; ``kind`` is what it was built from, ``document`` a document it is about.

    ``document`` is the name of the document that the answer cites first.
    """

    text: str
    kind: QuestionKind
    document: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question with the answers of which one is expected, or the id of the evidence that is to be cited."""

    text: str
    kind: QuestionKind
    expected: tuple[str, ...] = ()
    evidence: str = ""

    def matches(self, answer: Answer) -> bool:
        """Return whether an answer is sure and expected: an answer, a part of one or more than one of `expected`."""
        short = answer.short.casefold()
        if answer.status != "answered":
            return False
        if self.evidence:
            return any(item.evidence.id == self.evidence for claim in answer.sentences for item in claim.citations)
        return bool(short) and any(text.casefold() in short or short in text.casefold() for text in self.expected)


class QuestionSuggester:
    """Finds questions that a collection answers; keeps them until its graph changes.

    Safe to share between threads; one thread searches at a time.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._known: dict[str, tuple[object, int, tuple[SuggestedQuestion, ...]]] = {}
        self._lock = Lock()

    def suggest(self, collection: str, limit: int) -> list[SuggestedQuestion]:
        """Return at most ``limit`` questions, of different kinds.

        Raises:
            UnknownName: no such collection.
            UsageError: ``limit`` is not from 1 to `MAX_LIMIT`.
        """
        if not isinstance(limit, int) or not 1 <= limit <= MAX_LIMIT:
            raise UsageError(f"limit must be a whole number from 1 to {MAX_LIMIT} (got {limit!r})")
        id = self._connections.collections.require_id(collection)
        with self._lock:
            state = self._connections.store.read("explore/graph_state", {"collection": id})
            known = self._known.pop(id, None)
            if known is None or known[0] != state or known[1] < limit:
                candidates = self._list_candidates(Collection(id, collection))
                known = (state, limit, tuple(islice(self._check(candidates, collection, limit), limit)))
            self._known = {**dict([*self._known.items()][1 - _KEPT_COLLECTIONS :]), id: known}
            return list(known[2][:limit])

    def _list_candidates(self, collection: Collection) -> list[Candidate]:
        """Return candidates, the kinds in turn."""
        store = self._connections.store
        documents = list_documents(store, collection, limit=MAX_DOCUMENTS)
        ready = [document for document in documents if document.state == "ready"]
        items = [[item for _, item in iterate_items(read_outline(store, document.id))] for document in ready]
        tables, figures = ([*interleave(select_items(own, kind) for own in items)] for kind in ("table", "figure"))
        by_table = self._read_evidence([item.evidence for item in tables[:MAX_TABLES]])
        kinds = (
            self._build_from_triples(collection.id),
            interleave(map(build_from_table, by_table)),
            interleave(map(build_from_bibliography, ready)),
            (candidate for figure in figures if (candidate := build_from_figure(figure))),
        )
        return list({candidate.text: candidate for candidate in interleave(kinds)}.values())

    def _build_from_triples(self, collection: str) -> list[Candidate]:
        """Build questions for the subjects of triples, one for each of the most mentioned persons and organisations."""
        store, chosen = self._connections.store, []
        for entity in list_ranked_entities(store, collection, MAX_ENTITIES, types=tuple(_SUBJECTS)):
            parameters = {"id": entity.node.id, "limit": TRIPLES_PER_ENTITY}
            rows = to_rows(store.read("explore/triples", parameters))
            row = next((row for row in rows if row["subject"] == entity.node.name and is_clear(row)), None)
            if row is not None:
                chosen.append((entity, row))
        texts = {item.id: item.text for item in self._read_evidence([row["evidence"] for _, row in chosen])}
        return [
            Candidate(
                phrase_statement(_SUBJECTS[entity.type], row, texts.get(row["evidence"], "")),
                "statement",
                (entity.node.name,),
            )
            for entity, row in chosen
        ]

    def _read_evidence(self, ids: Sequence[str]) -> list[Evidence]:
        """Read evidence by its ids, in their order."""
        if not ids:
            return []
        columns = self._connections.store.read("retrieval/evidence", {"ids": list(ids), "documents": []})
        known = {item.id: item for item in parse_evidence(columns)}
        return [known[id] for id in dict.fromkeys(ids) if id in known]

    def _check(self, candidates: Sequence[Candidate], collection: str, limit: int) -> Iterator[SuggestedQuestion]:
        """Yield the candidates whose answer is the expected one."""
        for candidate in candidates[: CHECKS_PER_QUESTION * limit]:
            answer = self._ask(candidate.text, collection)
            if candidate.matches(answer):
                sources = [citation.document for sentence in answer.sentences for citation in sentence.citations]
                yield SuggestedQuestion(candidate.text, candidate.kind, sources[0] if sources else "")

    def _ask(self, question: str, collection: str) -> Answer:
        """Answer a question without a language model."""
        connections = self._connections
        settings = connections.settings
        chosen = load_strategy(settings.strategy)
        strategy = load_strategy(_STRATEGY) if chosen.needs_model else chosen
        flow = answer_question(
            question,
            lambda text: retrieve_evidence(strategy, text, settings.k, collection=collection),
            reader=settings.reader != NO_READER,
            threshold=settings.answer_threshold,
        )
        services = replace(connections.services, language_model=None)
        return run(flow, services, connections.resolve_scope(collection), budget=connections.create_budget()).result


def interleave(groups: Iterable[Iterable[T]]) -> Iterator[T]:
    """Yield the items of groups in turn: the first of each group, then the second of each."""
    missing = object()
    for item in chain.from_iterable(zip_longest(*groups, fillvalue=missing)):
        if item is not missing:
            yield item  # type: ignore[misc]


def select_items(items: Iterable[OutlineItem], kind: Literal["table", "figure"]) -> list[OutlineItem]:
    """Return the tables or the figures of an outline."""
    return [item for item in items if item.kind == kind]


def is_clear(triple: Mapping[str, Any]) -> bool:
    """Return whether a question for the subject of a triple is clear to a reader who does not know the document.

    The predicate is a verb, and subject and object are names; the object has several words.
    """
    verb = triple["predicate"].partition(" ")[0]
    is_verb = verb not in _VAGUE_VERBS and (verb.endswith("ed") or bool(find_base_form(verb)))
    is_code = any(len(word) > 1 and word.isupper() for word in triple["subject"].split())  # "MV Petrel"
    return (
        triple["confidence"] >= MIN_CONFIDENCE
        and is_verb
        and not is_code
        and _PREDICATE.fullmatch(triple["predicate"]) is not None
        and _PROPER_NAME.fullmatch(triple["object"]) is not None
        and len(triple["object"]) <= MAX_NAME
    )


def phrase_statement(word: str, triple: Mapping[str, Any], text: str) -> str:
    """Return a question for the subject of a triple: "Who founded Tidewell Utilities?".

    ``word`` is the question word. The object has an article where it has one in the ``text`` of its evidence.
    """
    article = "the " if f"the {triple['object']}".casefold() in " ".join(text.split()).casefold() else ""
    return f"{word} {triple['predicate']} {article}{triple['object']}?"


def build_from_table(evidence: Evidence) -> Iterator[Candidate]:
    """Yield questions for the highest value of a column of a table, and for one of its cells."""
    grid = evidence.grid
    if grid is None or grid.problem:
        return
    table = build_typed_table(grid)
    for column in table.numeric_columns:
        values = {row: value for row in table.items if (value := column.keys[row]) is not None}
        if len(values) < MIN_ROWS:
            continue
        name = _clean(column.header)
        if _YEAR.fullmatch(name):
            yield from _ask_for_year(table, column, list(values))
        elif (
            _LABEL.fullmatch(name) and not name.endswith("ed") and not all(value in _YEARS for value in values.values())
        ):
            yield from _ask_for_highest(table, name, values)


def _ask_for_highest(table: TypedTable, name: str, values: Mapping[int, Decimal]) -> Iterator[Candidate]:
    """Yield "Which port has the highest output?", or "the most ships", if one row alone has it."""
    best = [row for row, value in values.items() if value == max(values.values())]
    kind = _clean(table.columns[0].header) if table.label_columns == 1 else ""
    if len(best) == 1 and _LABEL.fullmatch(kind) and len(kind.split()) <= MAX_KIND_WORDS:
        degree = "most" if name.endswith("s") and " " not in name else "highest"
        text = f"Which {_lower(kind)} has the {degree} {_lower(name)}?"
        yield Candidate(text, "table", (table.get_path(best[0])[-1],))


def _ask_for_year(table: TypedTable, column: Column, rows: Sequence[int]) -> Iterator[Candidate]:
    """Yield "What was the net profit in 2023?" for the first row that is no name."""
    labels = ((row, _clean((table.get_path(row) or ("",))[-1])) for row in rows)
    for row, label in labels:
        if _LABEL.fullmatch(label) and label[1:] == label[1:].lower() and " " in label:
            text = f"What was the {_lower(label)} in {_clean(column.header)}?"
            yield Candidate(text, "table", (table.get_text(row, column.index),))
            return


def build_from_bibliography(document: Document) -> Iterator[Candidate]:
    """Yield a question for the authors that a document states, or else for its date."""
    title = " ".join(document.title.split())
    if len(title.split()) < MIN_TITLE_WORDS or len(title) > MAX_TITLE or title in document.name:
        return
    authors = tuple(entry.value for entry in select_entries(document.bibliography, "authors") if entry.page)
    dates = tuple(entry.value[:4] for entry in select_entries(document.bibliography, "date") if entry.page)
    if authors:
        yield Candidate(f"Who wrote “{title}”?", "document", authors)
    elif dates:
        yield Candidate(f"When was “{title}” published?", "document", dates)


def build_from_figure(figure: OutlineItem) -> Candidate | None:
    """Build "Which figure shows the output of the ports?" from a caption; None without words for what it shows."""
    topic = _FIGURE.sub("", figure.title, count=1).partition(". ")[0].strip(" .")
    if topic == figure.title or ":" in topic or len(topic) > MAX_TITLE or len(topic.split()) < MIN_TITLE_WORDS:
        return None
    return Candidate(f"Which figure shows {_lower_sentence(topic)}?", "figure", evidence=figure.evidence)


def _clean(label: str) -> str:
    """Return a label without a remark at its end; "" if it is too long for a question."""
    text = " ".join(_REMARK.sub("", label).split())
    return text if len(text) <= MAX_NAME else ""


def _lower(label: str) -> str:
    """Return a label as it is within a sentence: with a small first letter unless it has further capitals."""
    return label[:1].lower() + label[1:] if label[1:] == label[1:].lower() else label


def _lower_sentence(text: str) -> str:
    """Return a text with a small first letter unless its first word has further capitals or is one letter."""
    first = text.split(maxsplit=1)[0]
    return text[:1].lower() + text[1:] if len(first) > 1 and first[1:] == first[1:].lower() else text
