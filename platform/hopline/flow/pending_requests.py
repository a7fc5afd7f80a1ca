"""Pending requests of one or many flows, answered as one batch.

Texts go to the embedder in one call, prompts to the language model in one batch, searches and fetches to the graph
through a few threads; trained parts run one after another. Every request gets its own answer or its own error.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple, TypeVar

from hopline.errors import HoplineError, ModelUnavailable, UsageError, is_outage
from hopline.flow.requests import Ask, Embed, Fetch, Hits, Infer, Reply, Request, Search, Vector, Vectors
from hopline.flow.services import Columns, Prompt, Scope, Services

S = TypeVar("S")
A = TypeVar("A")
Call = Callable[[Sequence[S], Services], Sequence[A]]
SearchCall = tuple[Search, Scope, Vector | None]
FetchCall = tuple[str, Mapping[str, Any], Scope]
AskCall = tuple[Ask, int | None]  # with the calls beyond one per prompt that its budget allows

OUTAGES: Final = 2  # inputs in a row for which a service is unavailable; it is not asked for the others of the batch


class PendingRequest(NamedTuple):
    """A request with the scope of its flow, and the calls beyond one per prompt that its budget allows (None: any)."""

    request: Request
    scope: Scope
    extra_calls: int | None = None


@dataclass(slots=True)
class Response:
    """The response to a request: ``answer`` or ``error``, and the milliseconds it took.

    ``embed_ms`` is the time that the runner took to embed the text of a search, None where it did not.
    """

    answer: Any = None
    error: Exception | None = None
    ms: float = 0.0
    embed_ms: float | None = None

    def set_result(self, result: Any, ms: float) -> None:
        """Store an answer, or the exception that was raised instead."""
        self.ms = ms
        if isinstance(result, Exception):
            self.error = result
        else:
            self.answer = result


def answer_requests(
    pending: Sequence[PendingRequest], services: Services, *, pool: Executor | None = None, width: int = 1
) -> list[Response]:
    """Answer requests; one `Response` per request, in order. An error is stored in its response, never raised.

    Args:
        pending: the requests.
        services: the graph, embedder and models that answer them.
        pool: threads for the requests to the graph; None: they run on the calling thread.
        width: number of batches into which the requests to the graph are split.
    """
    responses = [Response() for _ in pending]
    vectors = _embed_all(pending, responses, services)
    searches, fetches, asks = _group_by_kind(pending, responses, vectors)
    calls = [partial(_answer, _search, searches[n::width], services) for n in range(width)]
    calls += [partial(_answer, _fetch, fetches[n::width], services) for n in range(width)]
    futures = [pool.submit(call) for call in calls] if pool is not None else []
    _answer(_ask, asks, services)
    inferences = [
        (response, item.request)
        for response, item in zip(responses, pending, strict=True)
        if isinstance(item.request, Infer)
    ]
    _answer(_infer, inferences, services)
    for call in calls if pool is None else ():
        call()
    for future in futures:
        future.result()
    return responses


def _embed_all(
    pending: Sequence[PendingRequest], responses: Sequence[Response], services: Services
) -> dict[int, Vector]:
    """Answer `Embed`, and embed the texts of searches, in one call; return the vectors of the searches by index."""
    groups: list[tuple[int, tuple[str, ...]]] = []
    for i, (request, *_) in enumerate(pending):
        if isinstance(request, Embed):
            groups.append((i, request.texts))
        elif isinstance(request, Search) and isinstance(request.query, str) and request.by != "text":
            groups.append((i, (request.query,)))
    vectors = {}
    results = _call_timed(_embed_groups, [texts for _, texts in groups], services)
    for (i, _), (result, ms) in zip(groups, results, strict=True):
        if isinstance(pending[i].request, Embed):
            responses[i].set_result(result, ms)
            continue
        responses[i].embed_ms = ms
        if isinstance(result, Exception):
            responses[i].error = result
        else:
            vectors[i] = result[0]
    return vectors


def _embed_groups(groups: Sequence[tuple[str, ...]], services: Services) -> list[Vectors]:
    if len(groups) == 1:
        return [services.embedder.embed(groups[0])]
    row = {text: n for n, text in enumerate(dict.fromkeys(text for group in groups for text in group))}
    vectors = services.embedder.embed(list(row))
    return [vectors[[row[text] for text in group]] for group in groups]


def _group_by_kind(
    pending: Sequence[PendingRequest], responses: Sequence[Response], vectors: Mapping[int, Vector]
) -> tuple[list[tuple[Response, SearchCall]], list[tuple[Response, FetchCall]], list[tuple[Response, AskCall]]]:
    searches, fetches, asks = [], [], []
    for i, (request, scope, extra_calls) in enumerate(pending):
        if isinstance(request, Search) and responses[i].error is None:
            vector = vectors.get(i) if isinstance(request.query, str) else request.query
            searches.append((responses[i], (request, scope, vector)))
        elif isinstance(request, Fetch):
            fetches.append((responses[i], (request.name, request.parameters, scope)))
        elif isinstance(request, Ask):
            asks.append((responses[i], (request, extra_calls)))
    return searches, fetches, asks


def _answer(call: Call[S, A], items: Sequence[tuple[Response, S]], services: Services) -> None:
    results = _call_timed(call, [inputs for _, inputs in items], services)
    for (response, _), (result, ms) in zip(items, results, strict=True):
        response.set_result(result, ms)


def _ask(asks: Sequence[AskCall], services: Services) -> list[list[Reply]]:
    prompts = [prompt for ask, extra_calls in asks for prompt in _build_prompts(ask, extra_calls)]
    model = services.language_model
    if prompts and model is None:
        raise ModelUnavailable("this strategy needs a language model, and none is configured; set HOPLINE_MODEL")
    replies = iter(model.complete(prompts) if prompts and model is not None else ())
    return [list(islice(replies, len(ask.prompts))) for ask, _ in asks]


def _build_prompts(ask: Ask, extra_calls: int | None) -> list[Prompt]:
    shared = extra_calls and extra_calls // max(1, len(ask.prompts))
    on_text = ask.on_text if len(ask.prompts) == 1 else None
    return [Prompt(text, ask.system, ask.schema, ask.max_tokens, shared, on_text) for text in ask.prompts]


def _infer(requests: Sequence[Infer], services: Services) -> list[Any]:
    if services.models is None:
        raise UsageError(f"{requests[0].part} needs a trained part, and these services have no models")
    return [services.models.infer(request.part, request.inputs) for request in requests]


def _search(calls: Sequence[SearchCall], services: Services) -> Sequence[Hits | HoplineError]:
    return [services.graph.search(*calls[0])] if len(calls) == 1 else services.graph.search_many(calls)


def _fetch(calls: Sequence[FetchCall], services: Services) -> Sequence[Columns | HoplineError]:
    return [services.graph.fetch(*calls[0])] if len(calls) == 1 else services.graph.fetch_many(calls)


def _call_timed(call: Call[S, A], inputs: Sequence[S], services: Services) -> list[tuple[A | Exception, float]]:
    """Call a service with a batch; return each answer with the milliseconds of the batch divided by its size.

    Where the batch as a whole fails, each input is tried alone, so that one cannot fail the others.
    """
    if not inputs:
        return []
    started = time.perf_counter()
    answers: Sequence[A | Exception]
    try:
        answers = call(inputs, services)
    except Exception as error:  # noqa: BLE001 - it is thrown into the flow that sent the request, and raised from there
        if len(inputs) > 1:
            return _call_one_by_one(call, inputs, services)
        answers = [error]
    ms = (time.perf_counter() - started) * 1000 / len(inputs)
    return [(answer, ms) for answer in answers]


def _call_one_by_one(call: Call[S, A], inputs: Sequence[S], services: Services) -> list[tuple[A | Exception, float]]:
    """Call a service with each input alone, until it is unavailable for two in a row, which is no fault of an input.

    The further inputs get the same error, as each call would wait for the service as long again.
    """
    results: list[tuple[A | Exception, float]] = []
    for item in inputs:
        last = [result for result, _ in results[-OUTAGES:] if isinstance(result, HoplineError) and is_outage(result)]
        if len(last) == OUTAGES:
            results.append((type(last[-1])(str(last[-1])), 0.0))  # without the calls that were answered before it
        else:
            results += _call_timed(call, [item], services)
    return results
