"""An OpenAI-compatible endpoint: its address, its client, and the classification of its errors."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hopline.config import Settings, hide_credentials
from hopline.errors import SettingsError
from hopline.llm.provider import Completion
from hopline.llm.response_stream import TIMEOUT_HINT
from hopline.llm.retries import RateLimiter

if TYPE_CHECKING:
    from openai import APIError, OpenAI

OPENAI = "https://api.openai.com/v1"
RETRYABLE_STATUSES = frozenset({408, 409, 425, 429})  # and every 5xx
FATAL_STATUSES = frozenset({401, 403, 404, 407})
CONNECT_ERRORS = frozenset({"ConnectError", "ConnectTimeout", "ProxyError", "UnsupportedProtocol", "PoolTimeout"})
CONNECT_SECONDS = 10.0
_MESSAGE_PROPERTIES = ("error", "message", "detail", "msg")  # where error responses have their text


@dataclass(slots=True)
class Endpoint:
    """One endpoint; its client is created with the first call and shared by all threads."""

    base_url: str
    key: str = ""
    timeout: float = 120.0
    retries: int = 4
    limiter: RateLimiter = field(default_factory=RateLimiter)
    _client: OpenAI | None = None
    _lock: Lock = field(default_factory=Lock)

    @property
    def address(self) -> str:
        """The base URL as it may be shown: without credentials."""
        return hide_credentials(self.base_url)

    def client(self) -> OpenAI:
        """Return the client. It does not retry by itself: see `hopline.llm.retries.with_retries`.

        Raises:
            SettingsError: the base URL is not valid.
        """
        from openai import OpenAI, Timeout

        with self._lock:
            if self._client is None:
                timeout = Timeout(self.timeout, connect=min(self.timeout, CONNECT_SECONDS))
                key = self.key or "none"
                try:
                    self._client = OpenAI(api_key=key, base_url=self.base_url, timeout=timeout, max_retries=0)
                except Exception as error:
                    raise SettingsError(f"openai_base_url {self.address!r} cannot be used: {error}") from error
            return self._client

    def close(self) -> None:
        """Close the client's connections; the next call opens new ones."""
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None


def endpoint_from_settings(settings: Settings) -> Endpoint:
    """Build the endpoint that the settings name: ``openai_base_url``, or OpenAI's own if only a key is set.

    Raises:
        SettingsError: neither an address nor a key is set, so that the endpoint is not known.
    """
    if not settings.openai_base_url and not settings.openai_api_key.get_secret_value():
        raise SettingsError(
            "a model needs an endpoint: set OPENAI_BASE_URL to the address of an OpenAI-compatible endpoint, such as "
            "http://localhost:11434/v1 for Ollama, or OPENAI_API_KEY to use api.openai.com"
        )
    return Endpoint(
        settings.openai_base_url or OPENAI,
        settings.openai_api_key.get_secret_value(),
        settings.model_timeout,
        settings.model_retries,
    )


def get_host(address: str) -> str:
    """Return the host of an address, with its port if it names one; "" if there is none."""
    return hide_credentials(urlsplit(address).netloc).removeprefix("***@")


def is_loopback(address: str) -> bool:
    """Return whether an address is one of this machine that no other machine reaches."""
    try:
        host = urlsplit(address).hostname or ""
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def completion_from_error(error: APIError, *, address: str, model: str, timeout: float) -> Completion:
    """Classify an API error: whether and when to retry, and whether any prompt could succeed.

    A connection that breaks after the prompt was sent may be caused by that prompt; one that was
    never established is not, so that the endpoint counts as unreachable. A model that has not answered within
    ``timeout`` seconds is not asked again: each attempt would take as long.
    """
    from openai import APIConnectionError, APIStatusError, APITimeoutError

    model_at = f"model {model!r} at {address}"
    if type(error.__cause__).__name__ in CONNECT_ERRORS:
        return Completion(
            error=f"{model_at} cannot be reached: {error.__cause__ or error}", retryable=True, unreachable=True
        )
    if isinstance(error, APITimeoutError):
        return Completion(error=f"{model_at} did not answer within {timeout:g} seconds; {TIMEOUT_HINT}", timed_out=True)
    if isinstance(error, APIConnectionError):
        return Completion(error=f"{model_at} broke the connection: {error.__cause__ or error}", retryable=True)
    if not isinstance(error, APIStatusError):
        return Completion(error=f"{model_at} sent a response that the client cannot parse: {error}", retryable=True)
    status = error.status_code
    message = f"{model_at} answered HTTP {status}: {describe_body(error.response.text):.300}".removesuffix(": ")
    if status in FATAL_STATUSES or error.code == "insufficient_quota":
        return Completion(error=message, unreachable=True, status=status)
    retryable, retry_after = status in RETRYABLE_STATUSES or status >= 500, parse_retry_after(error.response.headers)
    return Completion(error=message, retryable=retryable, retry_after=retry_after, status=status)


def describe_body(body: str) -> str:
    """Return the message of an error response in one line: that of its JSON, or its text without tags."""
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        return " ".join(_remove_tags(body).split())
    for _ in range(2):  # {"error": {"message": …}}, {"error": …}, {"detail": …}
        if isinstance(content, dict):
            content = next((content[name] for name in _MESSAGE_PROPERTIES if content.get(name)), content)
    return " ".join((content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)).split())


def _remove_tags(text: str) -> str:
    """Return the text of an HTML page without tags, scripts and styles; any other text as it is."""
    from lxml import etree, html

    if "<" not in text:
        return text
    try:
        page = html.fromstring(text)
    except (etree.LxmlError, ValueError):
        return text
    etree.strip_elements(page, "script", "style", etree.Comment, with_tail=False)
    return " ".join(page.itertext())


def parse_retry_after(headers: Mapping[str, str]) -> float | None:
    """Parse the wait in seconds from ``retry-after-ms`` (OpenAI) or ``Retry-After``; None if neither is valid."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * scale
        except ValueError:
            continue
        return max(0.0, seconds) if not math.isnan(seconds) else None
    try:
        return max(0.0, parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None
