"""Requests to a service, and its errors as those of `hopline.errors`."""

from __future__ import annotations

import json
import time
from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Final, TypeVar, cast
from urllib.parse import urlsplit

import httpx2
from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from hopline import errors
from hopline.errors import HoplineError, ServiceError, UsageError

T = TypeVar("T")

PREFIX: Final = "/v1"
_RETRIES: Final = 3  # of a request that changes nothing, if the connection fails
_RETRY_SECONDS: Final = 0.3
_CONNECT_SECONDS: Final = 10.0


class Transport:
    """Sends requests to one service. Safe to share between threads."""

    def __init__(self, url: str, key: str | None, timeout: float | None) -> None:
        """``timeout`` is in seconds, for a response; None: no limit.

        Raises:
            UsageError: the URL is not that of a web service.
        """
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise UsageError(f"the URL of a service is as http://127.0.0.1:8600 (got {url!r})")
        self.url = url.rstrip("/")
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        times = httpx2.Timeout(timeout, connect=_CONNECT_SECONDS)
        self._client = httpx2.Client(base_url=self.url, headers=headers, timeout=times)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def get(self, path: str, **query: Any) -> Any:
        """Return the JSON of a GET request; it is sent again if the connection fails."""
        return _parse(self._request("GET", path, query))

    def get_bytes(self, path: str, **query: Any) -> bytes:
        """Return the content of a GET request."""
        return self._request("GET", path, query).content

    def post(self, path: str, body: Mapping[str, Any], *, repeatable: bool = False) -> Any:
        """Return the JSON of a POST request; None where the response is empty.

        ``repeatable`` requests, such as questions, are sent again if the connection fails.
        """
        response = self._request("POST", path, {}, repeatable=repeatable, json=body)
        return _parse(response) if response.content else None

    def send(self, method: str, path: str, query: Mapping[str, Any], **content: Any) -> Any:
        """Return the JSON of a request of another method or content; None where the response is empty."""
        response = self._request(method, path, query, repeatable=False, **content)
        return _parse(response) if response.content else None

    def stream_events(self, path: str, body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        """Yield the events of a request as (name, data); an "error" event is raised."""
        with _translate_failures(self.url), self._client.stream("POST", PREFIX + path, json=body) as response:
            _check(response)
            for name, data in _parse_events(response.iter_lines()):
                if name == "error":
                    raise build_error(data)
                yield name, data

    @contextmanager
    def open_download(self, path: str, query: Mapping[str, Any]) -> Iterator[Iterator[bytes]]:
        """Yield the parts of a large response, as they arrive."""
        query = {name: value for name, value in query.items() if value is not None}
        with _translate_failures(self.url), self._client.stream("GET", PREFIX + path, params=query) as response:
            _check(response)
            yield response.iter_bytes()

    def _request(
        self, method: str, path: str, query: Mapping[str, Any], *, repeatable: bool = True, **content: Any
    ) -> httpx2.Response:
        query = {name: value for name, value in query.items() if value is not None}
        attempts = _RETRIES if repeatable else 1
        for attempt in range(1, attempts + 1):
            try:
                response = self._client.request(method, PREFIX + path, params=query, **content)
                break
            except (httpx2.ConnectError, httpx2.RemoteProtocolError, httpx2.ReadError) as error:
                if attempt == attempts:
                    raise _describe_failure(self.url, error) from error
                time.sleep(_RETRY_SECONDS * attempt)
            except httpx2.HTTPError as error:
                raise _describe_failure(self.url, error) from error
        _check(response)
        return response


def _parse(response: httpx2.Response) -> Any:
    try:
        return from_json(response.content)
    except ValueError:
        raise ServiceError(f"{response.url} sent no JSON; is this a Hopline service?") from None


def decode(kind: type[T], data: Any) -> T:
    """Build a value of the Python API from the JSON of the service.

    Raises:
        ServiceError: the JSON is of another form, as that of another version is.
    """
    try:
        value: T = _get_adapter(cast("Hashable", kind)).validate_python(data)
    except ValidationError as error:
        [problem, *_] = error.errors()
        message = f"the service sent no valid {kind}: {problem['msg']} at {problem['loc']}; is it of another version?"
        raise ServiceError(message) from error
    return value


@lru_cache(maxsize=100)
def _get_adapter(kind: Hashable) -> TypeAdapter[Any]:
    return TypeAdapter(cast("Any", kind))


def build_error(problem: Any) -> HoplineError:
    """Build the error that problem details (RFC 9457) describe."""
    if not isinstance(problem, dict) or "detail" not in problem:
        return ServiceError(f"the service sent {problem!r:.200}")
    kind: Any = getattr(errors, str(problem.get("error")), ServiceError)
    if not (isinstance(kind, type) and issubclass(kind, HoplineError)):
        kind = ServiceError
    error: HoplineError = kind.__new__(kind)  # the message is complete; constructors would form another one
    error.args = (str(problem["detail"]),)
    return error


def _check(response: httpx2.Response) -> None:
    if response.status_code < HTTPStatus.BAD_REQUEST:
        return
    response.read()
    try:
        problem = response.json()
    except ValueError:
        raise ServiceError(f"{response.url} answered {response.status_code}; is this a Hopline service?") from None
    raise build_error(problem)


@contextmanager
def _translate_failures(url: str) -> Iterator[None]:
    try:
        yield
    except httpx2.HTTPError as error:
        raise _describe_failure(url, error) from error


def _describe_failure(url: str, error: Exception) -> ServiceError:
    if isinstance(error, httpx2.TimeoutException):
        return ServiceError(f"the service at {url} did not answer in time; a longer timeout may help")
    reason = f" ({error})" if str(error) else ""
    return ServiceError(f"no service answers at {url}{reason}; start it with `hopline serve`")


def _parse_events(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    """Parse server-sent events; comments and fields other than event and data are ignored."""
    name, data = "", ""
    for line in lines:
        field, _, value = line.partition(":")
        if field == "event":
            name = value.strip()
        elif field == "data":
            data += value
        elif not line and data:
            yield name, json.loads(data)
            name, data = "", ""
