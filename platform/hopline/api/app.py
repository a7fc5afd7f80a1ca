"""The application: its routes, what surrounds every request, and its OpenAPI description."""

from __future__ import annotations

from typing import Any, Final

from fastapi import FastAPI
from fastapi.middleware.gzip import GZipMiddleware

from hopline import __version__
from hopline.api.access import Authentication
from hopline.api.bodies import Problem
from hopline.api.keys import KeyStore
from hopline.api.limits import QuestionQueue, RequestRateLimiter, ServiceLimits
from hopline.api.metrics import Metrics
from hopline.api.middleware import BodyLimiter, RequestRecorder
from hopline.api.problems import PROBLEM_TYPE, add_problem_handlers
from hopline.api.routes import collections, corrections, documents, feedback, graph, health, questions
from hopline.client import Hopline

COMPRESSED_FROM: Final = 2_000  # bytes of a response
COMPRESSION: Final = 5  # of 9: half the time of the last level, 2 % larger
DESCRIPTION: Final = (
    "Question answering over a graph of your documents, with quotes, pages and evidence paths. Collections are named "
    "in the query or the body, because their names may have any character. Errors are problem details (RFC 9457)."
)
_STATUSES: Final = {
    400: "An argument is wrong.",
    401: "The API key is missing or wrong.",
    403: "The API key does not allow this.",
    404: "There is no such collection, document, node or strategy.",
    413: "The body is too large.",
    422: "The request is not valid, or a document cannot be used.",
    429: "Too many requests.",
    502: "The language model failed.",
    503: "The database or a model cannot be reached, or too many questions wait.",
}


def create_app(hop: Hopline, limits: ServiceLimits | None = None, *, token: str = "") -> FastAPI:
    """Create the application for an open client, which it does not close.

    ``token`` is an API key of local commands, besides those of the home.
    """
    limits = limits or ServiceLimits()
    app = FastAPI(title="Hopline", version=__version__, description=DESCRIPTION, license_info={"name": "Apache-2.0"})
    app.state.hop = hop
    app.state.metrics = Metrics()
    app.state.authentication = Authentication(KeyStore(hop.settings.home), token)
    app.state.rate_limiter = RequestRateLimiter(limits.rate)
    app.state.questions = QuestionQueue(limits.parallel, limits.waiting)
    add_problem_handlers(app)
    app.add_middleware(GZipMiddleware, minimum_size=COMPRESSED_FROM, compresslevel=COMPRESSION)
    app.add_middleware(BodyLimiter, limits=limits)
    app.add_middleware(RequestRecorder, metrics=app.state.metrics)
    app.include_router(health.router)
    for module in (questions, collections, documents, graph, corrections, feedback):
        app.include_router(module.router, responses=_describe_problems())
    return app


def _describe_problems() -> dict[int | str, dict[str, Any]]:
    schema = {"schema": Problem.model_json_schema()}
    return {
        status: {"description": description, "content": {PROBLEM_TYPE: schema}}
        for status, description in _STATUSES.items()
    }
