"""Bodies of requests and of answers, as the OpenAPI description has them.

Other responses are the dataclasses of the Python API, field by field.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

MAX_QUESTION: Final = 10_000  # characters
MAX_ITEMS: Final = 1_000  # of a list in a request
MAX_TURNS: Final = 20  # earlier answers of a conversation

QuestionText = Annotated[str, Field(max_length=MAX_QUESTION, examples=["Which lender finances an asset of Nordvik?"])]
CollectionName = Annotated[str, Field(max_length=500, examples=["loans"], description="Name of the collection.")]
Depth = Annotated[int | None, Field(ge=1, le=1_000, description="Number of passages and tables; null: the setting.")]
FilterText = Annotated[
    str,
    Field(
        max_length=5_000,
        examples=['year >= 2020 and tag in ["risk", "loans"]'],
        description="Condition on the metadata of documents; empty: none.",
    ),
]
Identifier = Annotated[str, Field(max_length=200)]
Position = Annotated[int, Field(ge=-(2**31), lt=2**31)]


class RequestBody(BaseModel):
    """A body of a request; a field that is not known is an error."""

    model_config = ConfigDict(extra="forbid")


class RetrieveRequest(RequestBody):
    """A question for evidence."""

    question: QuestionText
    collection: CollectionName = "default"
    documents: list[Identifier] = Field([], max_length=MAX_ITEMS, description="Names or ids of documents; empty: all.")
    filter: FilterText = ""
    strategy: str | None = Field(None, max_length=500, examples=["hopline", "gnn_ret:nodes=10"])
    k: Depth = None


class ContextRequest(RetrieveRequest):
    """A question whose evidence is packed into at most ``tokens`` tokens for another language model."""

    tokens: int = Field(4000, ge=100, le=1_000_000)


class AskRequest(RetrieveRequest):
    """A question for an answer; ``history`` are earlier answers of the conversation, oldest first."""

    history: list[dict[str, Any]] = Field([], max_length=MAX_TURNS)


class RetrieveManyRequest(RequestBody):
    """Many questions for evidence."""

    questions: list[QuestionText] = Field(max_length=MAX_ITEMS)
    collection: CollectionName = "default"
    documents: list[Identifier] = Field([], max_length=MAX_ITEMS)
    filter: FilterText = ""
    strategy: str | None = Field(None, max_length=500)
    k: Depth = None


class CompareRequest(RequestBody):
    """A question for the evidence of several strategies."""

    question: QuestionText
    strategies: list[Annotated[str, Field(max_length=500)]] = Field(max_length=50, examples=[["hopline", "dense"]])
    collection: CollectionName = "default"
    documents: list[Identifier] = Field([], max_length=MAX_ITEMS)
    filter: FilterText = ""
    k: Depth = None


class GraphAnswerRequest(RequestBody):
    """A question for the trained GraphLLM, or for the language model with a query graph."""

    question: QuestionText
    collection: CollectionName = "default"
    filter: FilterText = ""
    strategy: str = Field("ras", max_length=500)


class EvidenceGraphRequest(RequestBody):
    """Facts, texts by id, among which the evidence graph of a question is built."""

    question: QuestionText
    facts: dict[str, str] = Field(max_length=MAX_ITEMS, examples=[{"a": "Ice is frozen water.", "b": "Ice floats."}])
    follows: Literal["likeness", "network", "model"] = "likeness"
    merge: Literal["usual", "equation", "strict"] = "usual"
    gamma: float | None = Field(None, ge=0, le=1)


class NewName(RequestBody):
    """The new name of a collection."""

    name: CollectionName


class RetryRequest(RequestBody):
    """What to process again: one document, by name or id, or all that failed."""

    collection: CollectionName = "default"
    document: Identifier | None = None
    passages: bool = True
    max_calls: int | None = Field(None, ge=0, le=2**31)


class ExtractRequest(RequestBody):
    """How to extract entities and triples again: by the language model, by rules, or as before (null)."""

    collection: CollectionName = "default"
    model: bool | None = None
    max_calls: int | None = Field(None, ge=0, le=2**31)


class DocumentIds(RequestBody):
    """Ids of documents."""

    ids: list[Identifier] = Field(max_length=100_000)


class AddedFileIds(DocumentIds):
    """Ids of files that were added to a collection."""

    collection: CollectionName = "default"


class MetadataUpdate(RequestBody):
    """Keys of the metadata of a document, by its name or id; null removes a key, other keys stay."""

    document: Identifier
    metadata: dict[str, Any] = Field(examples=[{"year": 2024, "tag": ["risk", "loans"]}])
    collection: CollectionName = "default"


class EntityPair(RequestBody):
    """Two entities of one collection, by their ids."""

    source: Identifier
    target: Identifier


class DecisionReference(RequestBody):
    """A decision about two entities, by its id."""

    decision: Identifier


class PassageCorrection(RequestBody):
    """The corrected text of a passage; without ``author``, the name of the API key is stored."""

    evidence: Identifier
    text: str = Field(max_length=100_000)
    author: str = Field("", max_length=1_000)


class TableCorrectionBody(RequestBody):
    """The corrected content of a table: all cells, the number of header rows, the caption; null: as it is."""

    evidence: Identifier
    cells: list[list[str]] | None = Field(None, max_length=10_000)
    header_rows: int | None = Field(None, ge=0, le=10_000)
    caption: str | None = Field(None, max_length=100_000)
    author: str = Field("", max_length=1_000)


class EntityCorrection(RequestBody):
    """The corrected name and type of an entity; null: as it is."""

    entity: Identifier
    name: str | None = Field(None, max_length=1_000)
    type: str | None = Field(None, max_length=100, examples=["person"])
    author: str = Field("", max_length=1_000)


class TripleRejection(RequestBody):
    """A wrong triple, by its id; without ``author``, the name of the API key is stored."""

    triple: Identifier
    author: str = Field("", max_length=200)


class CorrectionReference(RequestBody):
    """A correction, by its id."""

    correction: Identifier


class GoldCitationBody(RequestBody):
    """Evidence of a correct answer, by its id, with the quote (empty: all of it) and its page (0: its first page)."""

    evidence: Identifier
    quote: str = Field("", max_length=100_000)
    page: int = Field(0, ge=0, le=1_000_000)
    document: str = Field("", max_length=1_000, description="Not used: the document is that of the evidence.")


class FeedbackBody(RequestBody):
    """A verdict on an answer: the one that was given, a better one, and the evidence of the correct one.

    Without ``author``, the name of the API key is stored.
    """

    question: QuestionText
    verdict: Literal["right", "wrong"]
    collection: CollectionName = "default"
    answer: str = Field("", max_length=100_000)
    better: str = Field("", max_length=100_000)
    citations: list[GoldCitationBody] = Field([], max_length=MAX_ITEMS)
    documents: list[Identifier] = Field([], max_length=MAX_ITEMS, description="Names or ids of documents; empty: all.")
    filter: FilterText = ""
    author: str = Field("", max_length=1_000)


class FeedbackReference(RequestBody):
    """Feedback, by its id."""

    feedback: Identifier


class TopicAssignment(RequestBody):
    """The name of a trained topic set; "" removes the topics."""

    name: str = Field(max_length=500)
    collection: CollectionName = "default"


class CypherRequest(RequestBody):
    """A Cypher query that only reads, with its parameters."""

    query: str = Field(max_length=50_000, examples=["MATCH (e:Entity) RETURN e.name AS name LIMIT 5"])
    parameters: dict[str, Any] = Field({}, max_length=MAX_ITEMS)
    limit: int = Field(1000, ge=1, le=100_000)
    timeout: float = Field(30, gt=0, le=600)
    vectors: bool = False


class EvaluationRequest(RequestBody):
    """Questions with known answers or gold passages (`hopline.evaluation.questions`), and strategies to evaluate."""

    questions: list[dict[str, Any]] = Field(min_length=1, max_length=MAX_ITEMS)
    strategies: list[Annotated[str, Field(max_length=500)]] = Field(["hopline"], min_length=1, max_length=20)
    collection: CollectionName = "default"
    k: int = Field(10, ge=1, le=1_000)
    answers: bool = True
    baseline: str | None = Field(None, max_length=500)


class Count(BaseModel):
    """A number of documents or passages."""

    count: int


class TextBody(BaseModel):
    """A text."""

    text: str


class Health(BaseModel):
    """That the service runs, and which version it is."""

    status: Literal["ok"] = "ok"
    version: str


class Problem(BaseModel):
    """An error (RFC 9457); ``error`` is its class in `hopline.errors`."""

    type: str = "about:blank"
    title: str = Field(examples=["Not Found"])
    status: int = Field(examples=[404])
    detail: str = Field(examples=["no collection called 'loan'; there are: loans"])
    error: str = Field("HoplineError", examples=["UnknownName"])


# -- answers, as `hopline.results.serialization` writes them


class BoxBody(BaseModel):
    """A rectangle on a page, in points from the top left corner."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class NodeBody(BaseModel):
    """A node of the graph."""

    id: str
    kind: str
    name: str


class CorrectionBody(BaseModel):
    """The correction that the text of evidence is from, and what was read at first; ``at`` in seconds since 1970."""

    id: str
    original: str
    author: str
    at: float


class EvidenceBody(BaseModel):
    """A passage or table: text, place and score."""

    model_config = ConfigDict(extra="allow")

    id: str
    source_id: str
    kind: Literal["passage", "table", "figure"]
    document: str
    document_id: str
    title: str
    section: list[str]
    caption: str
    number: str
    pages: list[int]
    boxes: list[BoxBody]
    lines: list[tuple[int, int]]
    sentences: list[tuple[int, int]]
    text: str
    score: float
    cells: list[list[str]] | None = None
    page_labels: list[str] | None = None
    correction: CorrectionBody | None = None


class StepBody(BaseModel):
    """A step of an evidence path."""

    source: NodeBody = Field(alias="from")
    edge: str
    target: NodeBody = Field(alias="to")


class PathBody(BaseModel):
    """The path from the question's seed to a piece of evidence."""

    evidence: str
    seed: NodeBody
    steps: list[StepBody]


class CitationBody(BaseModel):
    """An exact quote: ``text[start:end]`` of the evidence, with page and boxes."""

    model_config = ConfigDict(extra="allow")

    evidence: str
    quote: str
    start: int
    end: int
    document: str
    document_id: str
    page: int
    label: str | None = None
    boxes: list[BoxBody]
    answer: tuple[int, int] | None
    state: str


class SentenceBody(BaseModel):
    """A sentence of an answer with its citations, and what its verification found."""

    model_config = ConfigDict(extra="allow")

    text: str
    state: Literal["quoted", "similar", "computed", "contradicted", "unsupported"]
    citations: list[CitationBody]


class TraceStepBody(BaseModel):
    """A request of the strategy, with its duration, size and cost."""

    model_config = ConfigDict(extra="allow")

    request: str
    name: str
    ms: float
    rows: int
    tokens: int
    calls: int
    cost: float
    detail: dict[str, Any]


class RetrievalBody(BaseModel):
    """Evidence, best first, a path for each, and the trace."""

    model_config = ConfigDict(extra="allow")

    question: str
    strategy: str
    collection: str
    model_error: str
    evidence: list[EvidenceBody]
    paths: list[PathBody]
    trace: list[TraceStepBody]


class AnswerBody(RetrievalBody):
    """An answer with its citations, or an abstention, with the retrieval."""

    understood_as: str
    answer: list[SentenceBody]
    status: Literal["answered", "possible", "not_found"]
    abstained: bool
    missing: list[str]
    short: str
    short_quoted: bool
    written_by: str
    confidence: float | None
    notice: str
    nearest: list[SentenceBody]
    additional_evidence: list[EvidenceBody]
    additional_paths: list[PathBody]


class FailedRetrieval(BaseModel):
    """A question of many that failed."""

    problem: Problem
