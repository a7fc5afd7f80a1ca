"""What the trace keeps of a request: its size always, its parameters and answer where asked to."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from hopline.flow.encoding import encode
from hopline.flow.pending_requests import Done
from hopline.flow.requests import Ask, Embed, Fetch, Infer, Request, Search
from hopline.flow.services import World
from hopline.types import TraceStep

SHORT = 80  # characters of a text in the short detail


def steps_of(request: Request, done: Done, world: World | None, *, record: bool) -> list[TraceStep]:
    """The steps of one answered request: its own, and before it the runner's embedding of its text.

    ``record`` adds ``detail["asked"]`` and ``detail["answer"]``, which replay needs.
    """
    steps = []
    embedder = world.embedder.name if world else ""
    if done.embed_ms is not None:
        steps.append(TraceStep("embed", embedder, done.embed_ms, rows=1, detail={"for": "search"}))
    detail: dict[str, Any] = {**_short(request), **_failure(done)}
    if record:
        detail["asked"] = asked_of(request)
        if done.error is None:
            detail["answer"] = encode(done.answer)
    kind, name = _names(request, embedder, world.chat.name if world and world.chat else "")
    tokens, calls, cost = _model_use(done, world) if isinstance(request, Ask) else (0, 0, 0.0)
    steps.append(TraceStep(kind, name, done.ms, _rows(done.answer), tokens, calls, cost, detail))
    return steps


def asked_of(request: Request) -> dict[str, Any]:
    """A request as plain data: what JSON can hold, and what two requests are compared by."""
    match request:
        case Search(query, k, over, by, among):
            limited = (
                {}
                if among is None
                else {"among": {one.name: encode(getattr(among, one.name)) for one in fields(among)}}
            )
            return {"search": encode(query), "k": k, "over": over, "by": by, **limited}
        case Fetch(name, parameters):
            return {"fetch": name, "parameters": encode(dict(parameters))}
        case Embed(texts):
            return {"embed": list(texts)}
        case Ask(prompts, schema, system, max_tokens):
            return {"ask": list(prompts), "schema": encode(schema), "system": system, "max_tokens": max_tokens}
        case Infer(part, inputs):
            return {"infer": part, "inputs": encode(dict(inputs))}


def _names(request: Request, embedder: str, model: str) -> tuple[str, str]:
    match request:
        case Search(_, _, over, by, among):
            return "search", f"{over} by {by}" + (f" among {among.property}" if among else "")
        case Fetch(name, _):
            return "fetch", name
        case Embed():
            return "embed", embedder
        case Ask():
            return "ask", model
        case Infer(part, _):
            return "infer", part


def _short(request: Request) -> dict[str, Any]:
    match request:
        case Search(query, k, _, _):
            return {"query": query[:SHORT] if isinstance(query, str) else "a vector", "k": k}
        case Fetch(_, parameters):
            return {name: _size(value) for name, value in parameters.items()}
        case Embed(texts):
            return {"texts": len(texts)}
        case Ask(prompts, schema, _, _):
            return {"prompts": len(prompts), "schema": schema is not None}
        case Infer(_, inputs):
            return {name: _size(value) for name, value in inputs.items()}


def _size(value: Any) -> Any:
    if isinstance(value, str):
        return value[:SHORT]
    return (
        value if isinstance(value, int | float | None) else f"{len(value)} values" if hasattr(value, "__len__") else "…"
    )


def _failure(done: Done) -> dict[str, Any]:
    return {} if done.error is None else {"error": {"kind": type(done.error).__name__, "says": str(done.error)}}


def _rows(answer: Any) -> int:
    if answer is None:
        return 0
    return len(next(iter(answer.values()), ())) if isinstance(answer, dict) else len(answer)


def _model_use(done: Done, world: World | None) -> tuple[int, int, float]:
    """Tokens, calls and money of the replies that did not come from the cache."""
    paid = [reply for reply in done.answer or () if not reply.cached]
    cost = world.price.of(paid) if world else 0.0
    return sum(r.tokens_in + r.tokens_out for r in paid), sum(r.calls for r in paid), cost
