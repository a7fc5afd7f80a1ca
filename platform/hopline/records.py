"""What the graph contains: collections, documents, changes of their files, and triples.

Ids are stable hashes (`hopline.ids`). Boxes are in points from the top left corner of the page. Spans are half-open
character ranges of the text they belong to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from hopline.errors import UsageError
from hopline.metadata.values import MetadataValue
from hopline.text_encoding import clean_text

# kinds of entities that are no proper names; the others are the spaCy labels of names, and NAME where there is no label
UNNAMED_KINDS: Final = frozenset({"NOUN", "CARDINAL", "DATE", "MONEY", "ORDINAL", "PERCENT", "QUANTITY", "TIME"})

# probability below which a triple that the rules read is hidden unless it is asked for
MIN_CONFIDENCE: Final = 0.6


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page, in points; ``y`` grows downwards."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Collection:
    """A named set of documents; the unit of search, deletion, export and access.

    ``extraction_model`` is the model that extracts its entities and triples; empty: rules.
    """

    id: str
    name: str
    documents: int = 0
    passages: int = 0
    extraction_model: str = ""
    tables: int = 0


BibliographicKey = Literal[
    "title", "authors", "date", "organisation", "abstract", "doi", "arxiv", "isbn", "issn", "docket", "report_number",
    "language", "field",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class BibliographicEntry:
    """A value that a document states about itself: an author, its date, an identifier, a field of a form or letter.

    ``label`` is that of a field as the page has it ("Invoice number"), else empty. ``value`` is normalized: a date is
    "2024-03-01", "2024-03" or "2024", a language its code. ``text`` is the value as the page has it, on ``page`` within
    ``boxes``. Both are empty, and the page is 0, for a value of the properties of the file; the language is computed
    from the text.
    """

    key: BibliographicKey
    value: str
    text: str = ""
    page: int = 0
    boxes: tuple[Box, ...] = ()
    label: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A file with its state: waiting, ready or failed; ``reason`` is the message of a failure.

    ``sha256`` identifies the stored file, the version that was parsed where one was; a document formed by rows of a
    ``.jsonl`` has none. A new version that cannot be parsed leaves the old one searchable. ``left_out`` are texts that
    are in no passage, each once with its reason: "header or footer: Annual report 2024". ``path`` is that of the added
    file; empty for an upload, for rows of a ``.jsonl`` file, and if an earlier version of Hopline added it.
    ``metadata`` are those of the file, of its first pages, of its side file and of the user, by key, sorted; see
    `hopline.metadata.values`. ``bibliography`` has what its first pages state, each value with its page and boxes.
    """

    id: str
    name: str
    collection: str
    title: str = ""
    sha256: str = ""
    state: Literal["waiting", "ready", "failed"] = "waiting"
    reason: str = ""
    pages: int = 0
    passages: int = 0
    tables: int = 0
    warnings: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    path: str = ""
    metadata: Mapping[str, MetadataValue] = field(default_factory=dict, hash=False)
    bibliography: tuple[BibliographicEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentCounts:
    """Numbers of documents: all of them, and by state."""

    total: int = 0
    ready: int = 0
    waiting: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class FileChange:
    """What adding a file changes in its collection.

    ``name`` is the name of its document, which is numbered if a file of another folder has the same. ``replaced`` means
    that its content replaces that of an earlier version. ``path`` is empty for an upload.
    """

    id: str
    name: str
    path: str = ""
    change: Literal["new", "replaced", "unchanged"] = "new"


@dataclass(frozen=True, slots=True)
class MissingFile:
    """A document, or a ``.jsonl`` file, whose file is no longer in the folder that it was added from."""

    id: str
    name: str
    path: str
    is_jsonl: bool = False


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file in an added folder that was not added, with the reason as a message for the user."""

    path: str
    reason: str


FeedbackVerdict = Literal["right", "wrong"]


@dataclass(frozen=True, slots=True)
class GoldCitation:
    """A quote that a correct answer is from: ``evidence`` is the id of its passage, table or figure.

    ``quote`` is "" for the whole evidence, ``page`` counts from 1, 0 if it is not known; ``document`` is the name
    of the document. ``evidence`` is "" if the document was removed or parsed again since, without such evidence.
    """

    evidence: str
    quote: str = ""
    page: int = 0
    document: str = ""


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a user says of the answer to a question: ``verdict``, and the ``better`` answer if it is wrong.

    ``answer`` is the answer that was given, "" if none was found. ``citations`` are the evidence of the correct answer,
    as far as it is known. ``documents`` are the names of those that the question was asked of (empty: all), ``filter``
    the condition on their metadata. ``at`` is in seconds since 1970, ``author`` "" if it is not known.
    """

    id: str
    question: str
    verdict: FeedbackVerdict
    answer: str = ""
    better: str = ""
    citations: tuple[GoldCitation, ...] = ()
    documents: tuple[str, ...] = ()
    filter: str = ""
    author: str = ""
    at: float = 0.0

    @property
    def correct_answer(self) -> str:
        """The correct answer, "" if it is not known or there is none."""
        return self.answer if self.verdict == "right" else self.better

    @property
    def answerable(self) -> bool:
        """Whether the documents have an answer: not if it is right that none was found."""
        return self.verdict == "wrong" or bool(self.answer)

    @property
    def is_question(self) -> bool:
        """Whether it can be evaluated: a wrong answer cannot without the correct one or its evidence."""
        return self.verdict == "right" or bool(self.better) or bool(self.citations)


CorrectionKind = Literal["passage", "table", "entity", "triple"]


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction of what was read from a document: ``original`` was read, ``corrected`` replaces it.

    The texts of a table are its caption and its cells as Markdown. ``evidence`` is the id of the passage or table that
    it applies to; "" if it no longer applies, because the document was
    parsed again and there is no similar text at its place. ``pages`` and ``boxes`` are that place. ``at`` is in seconds
    since 1970, ``author`` "" if it is not known. A correction of an entity has its id in ``entity``, no evidence and no
    document; its texts are the name and the type: "Ostrava Line (place)". A correction of a triple leaves it out: its
    ``corrected`` is "", ``evidence`` states the triple.
    """

    id: str
    kind: CorrectionKind
    evidence: str
    original: str
    corrected: str
    document: str = ""
    document_id: str = ""
    pages: tuple[int, ...] = ()
    boxes: tuple[Box, ...] = ()
    author: str = ""
    at: float = 0.0
    entity: str = ""

    @property
    def applies(self) -> bool:
        """Whether it is applied to the document as it was parsed last, or to an entity that is there."""
        return bool(self.evidence or self.entity)


@dataclass(frozen=True, slots=True)
class Triple:
    """A (subject, predicate, object) statement; ``span`` is its sentence in the text of its evidence.

    ``confidence`` is the estimated probability that its sentence states it, 1.0 for triples that were given or that a
    language model wrote. Below `MIN_CONFIDENCE` it is uncertain.
    """

    id: str
    subject: str
    predicate: str
    object: str
    evidence: str = ""
    span: tuple[int, int] = (0, 0)
    confidence: float = 1.0


def check_collection_name(name: object) -> str:
    """Return the name unchanged if it is valid.

    Raises:
        UsageError: the name is not a string, is blank, has control characters, or is not valid UTF-8.
    """
    if not isinstance(name, str):
        raise UsageError(f"a collection's name must be a string such as 'loans' (got {name!r})")
    if not name.strip():
        raise UsageError(f"a collection's name must not be blank; choose one such as 'loans' (got {name!r})")
    if name != clean_text(name):
        raise UsageError(f"a collection's name must be text in UTF-8 without control characters (got {name!r})")
    return name
