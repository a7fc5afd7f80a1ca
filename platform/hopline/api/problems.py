"""Errors of the service as problem details (RFC 9457).

{"type": "about:blank", "title": "Not Found", "status": 404, "detail": "no collection called …", "error": "UnknownName"}

``error`` is the class of the error in `hopline.errors`, by which `hopline.remote` raises it again.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from hopline import errors
from hopline.errors import HoplineError, ServiceError

log = logging.getLogger(__name__)

PROBLEM_TYPE: Final = "application/problem+json"
_STATUSES: Final[Mapping[type[HoplineError], int]] = {
    errors.UnknownName: 404,
    errors.UsageError: 400,
    errors.EngineError: 503,
    errors.ModelUnavailable: 503,
    errors.ModelError: 502,
    errors.DocumentError: 422,
    errors.BudgetSpent: 503,
    errors.FlowError: 503,
}  # the first that fits
_VALIDATION_PROBLEMS: Final = 5  # that a message lists
FAULT: Final = "the service failed to answer; its log has the reason, with the id of this request"


class Refused(HoplineError):
    """A request that this service does not accept, with the status and headers of its response."""

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.headers = dict(headers or {})

    @property
    def name(self) -> str:
        """The class in `hopline.errors` that a client raises for it."""
        kinds = {401: errors.AccessDenied, 403: errors.AccessDenied, 413: errors.UsageError}
        return kinds.get(self.status, errors.ServiceBusy).__name__


def get_status(error: HoplineError) -> int:
    """Return the HTTP status of an error of Hopline."""
    if isinstance(error, Refused):
        return error.status
    return next((status for kind, status in _STATUSES.items() if isinstance(error, kind)), 500)


def describe_problem(error: HoplineError) -> dict[str, Any]:
    """Return the problem details of an error of Hopline."""
    name = error.name if isinstance(error, Refused) else type(error).__name__
    return _build(get_status(error), str(error), name)


def create_problem_response(error: HoplineError) -> JSONResponse:
    """Return the response for an error of Hopline."""
    headers = error.headers if isinstance(error, Refused) else {}
    status = get_status(error)
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers = {"Retry-After": "5", **headers}
    return JSONResponse(describe_problem(error), status, headers, PROBLEM_TYPE)


def add_problem_handlers(app: FastAPI) -> None:
    """Let an application answer every error with problem details."""
    app.add_exception_handler(HoplineError, _handle_hopline_error)
    app.add_exception_handler(RequestValidationError, _handle_validation_error)
    app.add_exception_handler(HTTPException, _handle_http_error)
    app.add_exception_handler(Exception, _handle_fault)


def _build(status: int, detail: str, error: str) -> dict[str, Any]:
    title = HTTPStatus(status).phrase
    text = detail.encode("utf-8", "replace").decode()  # a message may quote half of a surrogate pair
    return {"type": "about:blank", "title": title, "status": status, "detail": text, "error": error}


async def _handle_hopline_error(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HoplineError)
    return create_problem_response(error)


async def _handle_validation_error(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    detail = _describe_validation(error.errors())
    return JSONResponse(_build(422, detail, "UsageError"), 422, media_type=PROBLEM_TYPE)


def _describe_validation(problems: Sequence[Any]) -> str:
    described = [
        f"{'.'.join(map(str, problem['loc'][1:])) or problem['loc'][0]}: {problem['msg']}"
        for problem in problems[:_VALIDATION_PROBLEMS]
    ]
    return "; ".join(described)


async def _handle_http_error(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    name = "UsageError" if error.status_code < HTTPStatus.INTERNAL_SERVER_ERROR else "ServiceError"
    content = _build(error.status_code, str(error.detail), name)
    return JSONResponse(content, error.status_code, error.headers, PROBLEM_TYPE)


async def _handle_fault(request: Request, error: Exception) -> JSONResponse:
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return create_problem_response(ServiceError(FAULT))
