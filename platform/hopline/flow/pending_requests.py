"""One round: requests of one or many flows, answered together.

Texts go to the embedder in one call, prompts to the model in one batch, searches and fetches to
the graph through a few threads; trained parts are asked one after another. Every request gets its
own answer or its own error.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from hopline.errors import HoplineError, ModelUnavailable, UsageError
from hopline.flow.requests import Ask, Embed, Fetch, Hits, Infer, Reply, Request, Search, Vector, Vectors
from hopline.flow.services import Columns, Prompt, Scope, World

S = TypeVar("S")
A = TypeVar("A")
Call = Callable[[Sequence[S], World], Sequence[A]]
SearchCall = tuple[Search, Scope, Vector | None]
FetchCall = tuple[str, Mapping[str, Any], Scope]
AskCall = tuple[Ask, int | None]  # with the calls beyond one a prompt that its budget allows


class Asked(NamedTuple):
    """A request with the scope of its flow, and how many calls beyond one a prompt its budget allows (None: any)."""

    request: Request
    scope: Scope
    extra_calls: int | None = None


@dataclass(slots=True)
class Done:
    """What came of a request: ``answer`` or ``error``, and the milliseconds it took.

    ``embed_ms`` is what the runner took to embed a text search, None where it did not.
    """

    answer: Any = None
    error: Exception | None = None
    ms: float = 0.0
    embed_ms: float | None = None

    def take(self, came: Any, ms: float) -> None:
        """Keep an answer, or an exception that came in its place."""
        self.ms = ms
        if isinstance(came, Exception):
            self.error = came
        else:
            self.answer = came


def answer_round(asked: Sequence[Asked], world: World, *, pool: Executor | None = None, width: int = 1) -> list[Done]:
    """One `Done` a request, in order; what fails is kept in its own, never raised.

    Args:
        asked: the requests.
        world: what answers them.
        pool: threads for the graph; None answers on this one.
        width: into how many parts the requests to the graph are split.
    """
    done = [Done() for _ in asked]
    vectors = _embed_all(asked, done, world)
    searches, fetches, asks = _by_kind(asked, done, vectors)
    calls = [partial(_answer, _search, searches[n::width], world) for n in range(width)]
    calls += [partial(_answer, _fetch, fetches[n::width], world) for n in range(width)]
    running = [pool.submit(call) for call in calls] if pool is not None else []
    _answer(_ask, asks, world)
    inferred = [(one, its.request) for one, its in zip(done, asked, strict=True) if isinstance(its.request, Infer)]
    _answer(_infer, inferred, world)
    for call in calls if pool is None else ():
        call()
    for future in running:
        future.result()
    return done


def _embed_all(asked: Sequence[Asked], done: Sequence[Done], world: World) -> dict[int, Vector]:
    """Answer `Embed`, and embed the texts of searches, all in one call; the vectors of the searches."""
    groups: list[tuple[int, tuple[str, ...]]] = []
    for i, (request, *_) in enumerate(asked):
        if isinstance(request, Embed):
            groups.append((i, request.texts))
        elif isinstance(request, Search) and isinstance(request.query, str) and request.by != "text":
            groups.append((i, (request.query,)))
    vectors = {}
    for (i, _), (came, ms) in zip(groups, _timed(_embed_groups, [texts for _, texts in groups], world), strict=True):
        if isinstance(asked[i].request, Embed):
            done[i].take(came, ms)
            continue
        done[i].embed_ms = ms
        if isinstance(came, Exception):
            done[i].error = came
        else:
            vectors[i] = came[0]
    return vectors


def _embed_groups(groups: Sequence[tuple[str, ...]], world: World) -> list[Vectors]:
    if len(groups) == 1:
        return [world.embedder.embed(groups[0])]
    row = {text: n for n, text in enumerate(dict.fromkeys(text for group in groups for text in group))}
    vectors = world.embedder.embed(list(row))
    return [vectors[[row[text] for text in group]] for group in groups]


def _by_kind(
    asked: Sequence[Asked], done: Sequence[Done], vectors: Mapping[int, Vector]
) -> tuple[list[tuple[Done, SearchCall]], list[tuple[Done, FetchCall]], list[tuple[Done, AskCall]]]:
    searches, fetches, asks = [], [], []
    for i, (request, scope, _) in enumerate(asked):
        if isinstance(request, Search) and done[i].error is None:
            vector = vectors.get(i) if isinstance(request.query, str) else request.query
            searches.append((done[i], (request, scope, vector)))
        elif isinstance(request, Fetch):
            fetches.append((done[i], (request.name, request.parameters, scope)))
        elif isinstance(request, Ask):
            asks.append((done[i], (request, asked[i].extra_calls)))
    return searches, fetches, asks


def _answer(call: Call[S, A], given: Sequence[tuple[Done, S]], world: World) -> None:
    for (done, _), (came, ms) in zip(given, _timed(call, [one for _, one in given], world), strict=True):
        done.take(came, ms)


def _ask(asks: Sequence[AskCall], world: World) -> list[list[Reply]]:
    prompts = [
        Prompt(text, ask.system, ask.schema, ask.max_tokens, extra and extra // len(ask.prompts))
        for ask, extra in asks
        for text in ask.prompts
    ]
    if prompts and world.chat is None:
        raise ModelUnavailable("this step needs a language model and none is configured; set HOPLINE_MODEL")
    replies = iter(world.chat.complete(prompts) if prompts and world.chat is not None else ())
    return [list(islice(replies, len(ask.prompts))) for ask, _ in asks]


def _infer(requests: Sequence[Infer], world: World) -> list[Any]:
    if world.parts is None:
        raise UsageError(f"{requests[0].part} needs a trained part, and this world has none")
    return [world.parts.infer(one.part, one.inputs) for one in requests]


def _search(calls: Sequence[SearchCall], world: World) -> Sequence[Hits | HoplineError]:
    return [world.graph.search(*calls[0])] if len(calls) == 1 else world.graph.search_many(calls)


def _fetch(calls: Sequence[FetchCall], world: World) -> Sequence[Columns | HoplineError]:
    return [world.graph.fetch(*calls[0])] if len(calls) == 1 else world.graph.fetch_many(calls)


def _timed(call: Call[S, A], given: Sequence[S], world: World) -> list[tuple[A | Exception, float]]:
    """Each answer with its share of the milliseconds.

    Where the batch as a whole fails, each is tried alone, so that one cannot cost the others.
    """
    if not given:
        return []
    began = time.perf_counter()
    answers: Sequence[A | Exception]
    try:
        answers = call(given, world)
    except Exception as error:  # noqa: BLE001 - it is thrown into the flow that asked, and raised from there
        if len(given) > 1:
            return [_timed(call, [one], world)[0] for one in given]
        answers = [error]
    ms = (time.perf_counter() - began) * 1000 / len(given)
    return [(answer, ms) for answer in answers]
