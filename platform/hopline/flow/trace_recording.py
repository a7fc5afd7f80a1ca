"""Trace steps of requests: their sizes always, their parameters and answers where recording is on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from hopline.errors import ModelUnavailable
from hopline.flow.encoding import decode, encode
from hopline.flow.pending_requests import Response
from hopline.flow.requests import Ask, Embed, Fetch, Infer, Reply, Request, Search
from hopline.flow.services import Price, Services
from hopline.results import TraceStep

SUMMARY_LENGTH = 80  # characters of a text in the detail of a step


def build_trace_steps(
    request: Request, response: Response, services: Services | None, *, record: bool
) -> list[TraceStep]:
    """Build the trace steps of one answered request: its own, and before it the embedding of a search text.

    ``record`` adds ``detail["asked"]`` and ``detail["answer"]``, which replay needs.
    """
    steps = []
    embedder = services.embedder.name if services else ""
    if response.embed_ms is not None:
        steps.append(TraceStep("embed", embedder, response.embed_ms, rows=1, detail={"for": "search"}))
    detail: dict[str, Any] = {**_summarize(request), **_describe_error(response)}
    if record:
        detail["asked"] = encode_request(request)
        if response.error is None:
            detail["answer"] = encode(response.answer)
    kind, name = _name_request(
        request, embedder, services.language_model.name if services and services.language_model else ""
    )
    step = TraceStep(kind, name, response.ms, _count_rows(response.answer), detail=detail)
    steps.append(_add_model_use(step, response, services) if isinstance(request, Ask) else step)
    return steps


def encode_request(request: Request) -> dict[str, Any]:
    """Encode a request as data that JSON can hold; two requests are compared in this form."""
    match request:
        case Search(query, k, over, by, vector_filter):
            encoded = {"search": encode(query), "k": k, "over": over, "by": by}
            if vector_filter is None:
                return encoded
            return encoded | {
                "among": {field.name: encode(getattr(vector_filter, field.name)) for field in fields(vector_filter)}
            }
        case Fetch(name, parameters):
            return {"fetch": name, "parameters": encode(dict(parameters))}
        case Embed(texts):
            return {"embed": list(texts)}
        case Ask(prompts, schema, system, max_tokens):
            return {"ask": list(prompts), "schema": encode(schema), "system": system, "max_tokens": max_tokens}
        case Infer(part, inputs):
            return {"infer": part, "inputs": encode(dict(inputs))}


def list_calls(step: TraceStep) -> list[tuple[str, str, Reply]]:
    """Return the calls of a recorded step that asks a model: system prompt, prompt and reply; empty for other steps.

    The reply of a step that failed has its error.
    """
    request = step.detail.get("asked")
    if step.request != "ask" or request is None:
        return []
    failure = step.detail.get("error", {}).get("says", "")
    replies = decode(step.detail.get("answer")) or [Reply(error=failure)] * len(request["ask"])
    return [(request["system"], prompt, reply) for prompt, reply in zip(request["ask"], replies, strict=True)]


def _name_request(request: Request, embedder: str, model: str) -> tuple[str, str]:
    match request:
        case Search(_, _, over, by, vector_filter):
            return "search", f"{over} by {by}" + (f" among {vector_filter.property}" if vector_filter else "")
        case Fetch(name, _):
            return "fetch", name
        case Embed():
            return "embed", embedder
        case Ask():
            return "ask", model
        case Infer(part, _):
            return "infer", part


def _summarize(request: Request) -> dict[str, Any]:
    match request:
        case Search(query, k, _, _):
            return {"query": query[:SUMMARY_LENGTH] if isinstance(query, str) else "a vector", "k": k}
        case Fetch(_, parameters):
            return {name: _summarize_value(value) for name, value in parameters.items()}
        case Embed(texts):
            return {"texts": len(texts)}
        case Ask(prompts, schema, _, _):
            return {"prompts": len(prompts), "schema": schema is not None}
        case Infer(_, inputs):
            return {name: _summarize_value(value) for name, value in inputs.items()}


def _summarize_value(value: Any) -> Any:
    if isinstance(value, str):
        return value[:SUMMARY_LENGTH]
    return (
        value if isinstance(value, int | float | None) else f"{len(value)} values" if hasattr(value, "__len__") else "…"
    )


def _describe_error(response: Response) -> dict[str, Any]:
    return (
        {}
        if response.error is None
        else {"error": {"kind": type(response.error).__name__, "says": str(response.error)}}
    )


def _count_rows(answer: Any) -> int:
    if answer is None:
        return 0
    if isinstance(answer, int | float):
        return 1
    return len(next(iter(answer.values()), ())) if isinstance(answer, dict) else len(answer)


def _add_model_use(step: TraceStep, response: Response, services: Services | None) -> TraceStep:
    """Add calls, tokens and cost of the replies, apart for those from the cache; of an outage the calls before it."""
    if isinstance(response.error, ModelUnavailable):
        return replace(step, calls=response.error.calls)
    replies: Sequence[Reply] = response.answer or ()
    charged = [reply for reply in replies if not reply.cached]
    cached = [reply for reply in replies if reply.cached]
    price = services.price if services else Price()
    return replace(
        step,
        tokens=_count_tokens(charged),
        calls=sum(reply.calls for reply in charged),
        cost=price.compute_cost(charged),
        cached_calls=len(cached),
        cached_tokens=_count_tokens(cached),
        cached_cost=price.compute_cost(cached),
    )


def _count_tokens(replies: Sequence[Reply]) -> int:
    return sum(reply.tokens_in + reply.tokens_out for reply in replies)
