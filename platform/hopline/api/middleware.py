"""Around every request: its id, its line in the log, its metrics, and the limit of its size."""

from __future__ import annotations

import logging
import re
import secrets
import time
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hopline.api.limits import ServiceLimits
from hopline.api.metrics import Metrics
from hopline.api.problems import Refused, create_problem_response

log = logging.getLogger("hopline.api")

REQUEST_ID: Final = "X-Request-ID"
_VALID_ID: Final = re.compile(r"[\w.-]{1,100}", re.ASCII)
UPLOAD_PATHS: Final = frozenset({"/v1/documents", "/v1/estimate"})


class RequestRecorder:
    """Gives every request an id, which its response and the log have, and records it in the metrics."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        wanted = Headers(scope=scope).get(REQUEST_ID, "")
        id = wanted if _VALID_ID.fullmatch(wanted) else secrets.token_hex(8)
        status, started = 500, time.perf_counter()

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[REQUEST_ID] = id
            await send(message)

        self._metrics.open_requests.inc()
        try:
            await self._app(scope, receive, send_with_id)
        finally:
            self._metrics.open_requests.dec()
            self._record(scope, id, status, time.perf_counter() - started)

    def _record(self, scope: Scope, id: str, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "") or "(none)"
        self._metrics.requests.labels(scope["method"], route, str(status)).inc()
        self._metrics.seconds.labels(scope["method"], route).observe(seconds)
        key = scope.get("state", {}).get("key", "-")
        method, path = scope["method"], scope["path"].encode("unicode_escape").decode()
        log.info("%s %s %s %d %.0f ms key=%s", id, method, path, status, 1000 * seconds, key)


class BodyLimiter:
    """Refuses requests whose body is larger than the limits, before it is read to its end."""

    def __init__(self, app: ASGIApp, limits: ServiceLimits) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_upload = scope["path"] in UPLOAD_PATHS and scope["method"] == "POST"
        limit = self._limits.upload_mb << 20 if is_upload else self._limits.body_kb << 10
        size = Headers(scope=scope).get("content-length", "0")
        refusal = Refused(413, f"the body of this request may have at most {limit:,} bytes")
        if size.isdecimal() and int(size) > limit:
            await create_problem_response(refusal)(scope, receive, send)
            return
        received, started, exceeded = 0, False, False

        async def receive_limited() -> Message:
            nonlocal received, exceeded
            message = await receive()
            received += len(message.get("body", b""))
            exceeded = exceeded or received > limit
            return {"type": "http.disconnect"} if exceeded else message

        async def send_unless_exceeded(message: Message) -> None:
            nonlocal started
            if started or not exceeded:
                started = True
                await send(message)

        try:
            await self._app(scope, receive_limited, send_unless_exceeded)
        except Exception:
            if not exceeded:
                raise
        if exceeded and not started:
            await create_problem_response(refusal)(scope, receive, send)
