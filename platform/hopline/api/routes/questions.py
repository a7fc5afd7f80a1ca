"""Questions: answers, evidence, comparison of strategies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic_core import to_json

from hopline.api.access import Authorized
from hopline.api.bodies import (
    AnswerBody,
    AskRequest,
    CompareRequest,
    ContextRequest,
    EvidenceGraphRequest,
    FailedRetrieval,
    GraphAnswerRequest,
    RetrievalBody,
    RetrieveManyRequest,
    RetrieveRequest,
    TextBody,
)
from hopline.api.client import PREFIX, Client, Questions
from hopline.api.events import Report, create_callbacks, report_step, stream_events
from hopline.api.limits import QuestionQueue
from hopline.api.problems import describe_problem
from hopline.api.routes.collections import InCollection
from hopline.client import Hopline
from hopline.errors import HoplineError
from hopline.question_suggestions import MAX_LIMIT, SuggestedQuestion
from hopline.results import Answer, EvidenceGraph

router = APIRouter(prefix=PREFIX, tags=["questions"])


class ResultResponse(JSONResponse):
    """JSON written by pydantic, several times as fast as by the standard library: an answer may have 400 kB."""

    def render(self, content: Any) -> bytes:
        """Encode the content; a number that JSON does not have becomes null."""
        return to_json(content, inf_nan_mode="null")


_EVENT_TYPE = "text/event-stream"
_EVENT = {"type": "object", "properties": {"event": {"type": "string"}, "data": {"type": "string"}}}
_EVENTS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The events step, draft, result and error, each with its data as JSON.",
        "content": {_EVENT_TYPE: {"schema": _EVENT}},
    }
}


@router.post("/ask", response_model=AnswerBody, summary="Answer a question")
async def ask(body: AskRequest, hop: Client, access: Authorized, questions: Questions, request: Request) -> Any:
    """Answer a question with cited sentences, or abstain and say which terms no passage matches."""
    access.check("read", body.collection)
    async with questions.enter():
        answer = await asyncio.to_thread(_ask, hop, body, _parse_history(body))
    request.app.state.metrics.questions.labels(answer.status).inc()
    return ResultResponse(answer.to_dict())


@router.post("/ask/stream", response_class=StreamingResponse, responses=_EVENTS, summary="Answer, step by step")
async def stream_answer(body: AskRequest, hop: Client, access: Authorized, questions: Questions) -> StreamingResponse:
    """Answer a question; every step of the search and every draft of a language model is an event of its own."""
    access.check("read", body.collection)
    history = _parse_history(body)

    def work(report: Report) -> dict[str, Any]:
        return _ask(hop, body, history, **create_callbacks(report)).to_dict()

    return _stream(work, questions)


@router.post("/retrieve", response_model=RetrievalBody, summary="Retrieve evidence")
async def retrieve(body: RetrieveRequest, hop: Client, access: Authorized, questions: Questions) -> Any:
    """Retrieve the evidence for a question, with a path to each piece."""
    access.check("read", body.collection)
    async with questions.enter():
        retrieval = await asyncio.to_thread(hop.retrieve, **body.model_dump())
    return ResultResponse(retrieval.to_dict())


@router.post(
    "/retrieve/stream", response_class=StreamingResponse, responses=_EVENTS, summary="Retrieve evidence, step by step"
)
async def stream_retrieval(
    body: RetrieveRequest, hop: Client, access: Authorized, questions: Questions
) -> StreamingResponse:
    """Retrieve the evidence for a question; every step of the search is an event of its own."""
    access.check("read", body.collection)

    def work(report: Report) -> dict[str, Any]:
        return hop.retrieve(**body.model_dump(), on_step=lambda step: report_step(report, step)).to_dict()

    return _stream(work, questions)


@router.post(
    "/retrieve-many",
    response_model=list[RetrievalBody | FailedRetrieval],
    summary="Retrieve evidence for many questions",
)
async def retrieve_many(body: RetrieveManyRequest, hop: Client, access: Authorized, questions: Questions) -> Any:
    """Retrieve the evidence for many questions; one that fails has its problem in its place."""
    access.check("read", body.collection)
    async with questions.enter():
        outcomes = await asyncio.to_thread(hop.retrieve_many, **body.model_dump())
    return ResultResponse(
        [
            {"problem": describe_problem(outcome)} if isinstance(outcome, HoplineError) else outcome.to_dict()
            for outcome in outcomes
        ]
    )


@router.post("/context", summary="Pack evidence for another language model")
async def pack_context(body: ContextRequest, hop: Client, access: Authorized, questions: Questions) -> dict[str, Any]:
    """Pack the evidence for a question into numbered blocks within a limit of tokens, with what each cites."""
    access.check("read", body.collection)
    async with questions.enter():
        context = await asyncio.to_thread(hop.context, **body.model_dump())
    return context.to_dict()


@router.post("/compare", response_model=dict[str, RetrievalBody], summary="Compare strategies")
async def compare(body: CompareRequest, hop: Client, access: Authorized, questions: Questions) -> Any:
    """Retrieve the evidence for one question with several strategies; the retrieval of each, by its name."""
    access.check("read", body.collection)
    async with questions.enter():
        retrievals = await asyncio.to_thread(hop.compare, **body.model_dump())
    return ResultResponse({name: retrieval.to_dict() for name, retrieval in retrievals.items()})


@router.get("/suggested-questions", summary="Suggest questions")
async def suggest_questions(
    hop: Client,
    access: Authorized,
    questions: Questions,
    collection: InCollection = "default",
    limit: Annotated[int, Query(ge=1, le=MAX_LIMIT)] = 5,
) -> list[SuggestedQuestion]:
    """Suggest questions that a collection answers; kept until its graph changes."""
    access.check("read", collection)
    async with questions.enter():
        return await asyncio.to_thread(hop.suggest_questions, collection, limit=limit)


@router.post("/answer-from-graph", summary="Answer from the query graph")
async def answer_from_graph(
    body: GraphAnswerRequest, hop: Client, access: Authorized, questions: Questions
) -> TextBody:
    """Answer a question with the trained GraphLLM, from the facts that `ras` retrieves; without citations."""
    access.check("read", body.collection)
    async with questions.enter():
        text = await asyncio.to_thread(hop.answer_from_graph, **body.model_dump())
    return TextBody(text=text)


@router.post("/evidence-graph", summary="Build an evidence graph of given facts")
async def build_evidence_graph(
    body: EvidenceGraphRequest, hop: Client, _access: Authorized, questions: Questions
) -> EvidenceGraph:
    """Build the evidence graph of given facts, as `graph_hop` does after its search."""
    async with questions.enter():
        return await asyncio.to_thread(hop.evidence_graph, **body.model_dump())


@router.get("/strategies", summary="List the strategies")
def list_strategies(hop: Client, _access: Authorized, *, usable: bool = False) -> dict[str, str]:
    """List every strategy by name, with a one-line summary; `usable` leaves out those that need what is not there."""
    return hop.strategies(usable=usable)


def _stream(work: Callable[[Report], Any], questions: QuestionQueue) -> StreamingResponse:
    """Return a response with the events of a question, which waits for its turn; refused if too many wait."""
    questions.check()

    async def write_events() -> AsyncIterator[bytes]:
        async with questions.enter():
            async for event in stream_events(work):
                yield event

    headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    return StreamingResponse(write_events(), headers=headers, media_type=_EVENT_TYPE)


def _parse_history(body: AskRequest) -> list[Answer]:
    return [Answer.from_dict(turn) for turn in body.history]


def _ask(hop: Hopline, body: AskRequest, history: list[Answer], **callbacks: Any) -> Answer:
    return hop.ask(**body.model_dump(exclude={"history"}), history=history, **callbacks)
